"""Array statements written out as loops: proved element by element, or not at all."""

import pytest

from acclimate.verifier.evidence import Outcome

FRAME = """\
module state
  implicit none
  integer :: first = 1
contains
subroutine s(n, m, a, b, c, d, place, mask, old, new)
  integer, intent(in) :: n, m, place(n)
  integer(8), intent(in) :: d
  real, intent(inout) :: a(0:n, m), b(n), c(:, :)
  real, intent(inout) :: old(n), new(n)
  real(8) :: wide(n)
  logical, intent(inout) :: mask(n)
  real, allocatable :: grown(:)
  integer :: k, j
  integer :: x1, x2
{}
end subroutine s
end module state
"""
TWO = "do x2 = {}\n  do x1 = {}\n    {}\n  end do\nend do"
ONE = "do x1 = {}\n  {}\nend do"


def masked(condition: str, action: str) -> str:
    return f"if ({condition}) then\n{action}\nend if"


PROVED = {
    "a section": ("a(0:n - 1, :) = 0.5*a(0:n - 1, :)",
                  TWO.format("1, ubound(a, 2)", "0, n - 1", "a(x1, x2) = 0.5*a(x1, x2)")),
    "the whole": ("a = 0.0", TWO.format("1, m", "0, n", "a(x1, x2) = 0.0")),
    "bounds asked for": ("c = 1.0", TWO.format("lbound(c, 2), ubound(c, 2)",
                                              "lbound(c, 1), ubound(c, 1)", "c(x1, x2) = 1.0")),
    "a section elsewhere": ("b = a(0:n - 1, 2)",
                            ONE.format("1, n", "b(x1) = a(x1 - 1, 2)")),
    "a stride": ("b(1:n:2) = a(place(1:n:2), 2)",
                 ONE.format("1, n, 2", "b(x1) = a(place(x1), 2)")),
    "WHERE": ("where (mask) b = b + a(1:n, 1)",
              ONE.format("1, n", masked("mask(x1)", "b(x1) = b(x1) + a(x1, 1)"))),
    "ELSEWHERE": (
        "where (b > 0.0)\nb = old\nelsewhere\nb = -new\nend where",
        ONE.format("1, n", masked("b(x1) > 0.0", "b(x1) = old(x1)\nelse\nb(x1) = -new(x1)")),
    ),
    "FORALL": ("forall (k = 1:n, j = 1:m, a(k, j) < 0.0) a(k, j) = b(k)*j",
               TWO.format("1, m", "1, n", masked("a(x1, x2) < 0.0", "a(x1, x2) = b(x1)*x2"))),
    "an overlap behind": ("b(1:n - 1) = b(2:n)",
                          ONE.format("1, n - 1", "b(x1) = b(x1 + 1)")),
    "an elemental function": ("b = max(old, sqrt(abs(new)))",
                              ONE.format("1, n", "b(x1) = max(old(x1), sqrt(abs(new(x1))))")),
}  # fmt: skip
HOSTILE = {
    "a bound too far": ("b(1:n - 1) = 0.0", ONE.format("1, n", "b(x1) = 0.0")),
    "a bound too near": ("a(:, 1) = 0.0", ONE.format("1, n", "a(x1, 1) = 0.0")),
    "the other time level": ("b = old + new", ONE.format("1, n", "b(x1) = old(x1) + old(x1)")),
    "a missing term": ("b = old + new", ONE.format("1, n", "b(x1) = old(x1)")),
    "another guard": ("where (b > 0.0) b = 1.0",
                      ONE.format("1, n", masked("b(x1) >= 0.0", "b(x1) = 1.0"))),
    "a guard dropped": ("where (b > 0.0) b = 1.0", ONE.format("1, n", "b(x1) = 1.0")),
    "another kind": ("b = old*0.1d0", ONE.format("1, n", "b(x1) = old(x1)*0.1")),
    "operations rearranged": ("b = old + new + b",
                              ONE.format("1, n", "b(x1) = old(x1) + (new(x1) + b(x1))")),
    "an overlap before": ("b(2:n) = b(1:n - 1)", ONE.format("2, n", "b(x1) = b(x1 - 1)")),
    "backwards against an overlap": ("b(1:n - 1) = b(2:n)",
                                     ONE.format("n - 1, 1, -1", "b(x1) = b(x1 + 1)")),
    "a mask that the body changes": (
        "where (b(1:n - 1) > 0.0) b(2:n) = 0.0",
        ONE.format("1, n - 1", masked("b(x1) > 0.0", "b(x1 + 1) = 0.0")),
    ),
    "a second statement that reads ahead": (
        "where (mask(1:n - 1))\nb(1:n - 1) = old(1:n - 1)\nnew(1:n - 1) = b(2:n)\nend where",
        ONE.format("1, n - 1", masked("mask(x1)", "b(x1) = old(x1)\nnew(x1) = b(x1 + 1)")),
    ),
    "an ELSEWHERE for all": (
        "where (mask)\nb = old\nelsewhere\nb = new\nend where",
        ONE.format("1, n", masked("mask(x1)", "b(x1) = old(x1)") + "\nb(x1) = new(x1)"),
    ),
    "a sum that changes": ("b = b/sum(b)", ONE.format("1, n", "b(x1) = b(x1)/sum(b)")),
    "sections that are not in step": ("b(1:n:2) = old(1:n:2)",
                                      ONE.format("1, n, 2", "b(x1) = old((x1 + 1)/2)")),
    "another subscript": ("b(1:n:2) = old(1:n:2)", ONE.format("1, n, 2", "b(x1) = old(x1 + 1)")),
    "an allocation": ("grown = old", ONE.format("1, n", "grown(x1) = old(x1)")),
    "dimensions exchanged": ("c(1:n, 1:n) = a(1:n, 1:n)",
                             TWO.format("1, n", "1, n", "c(x1, x2) = a(x2, x1)")),
    "elements hit twice": ("b(place) = old", ONE.format("1, n", "b(place(x1)) = old(x1)")),
    "a bound that the body changes": (
        "mask(1:n) = old > first", "first = 2\n" + ONE.format("1, n", "mask(x1) = old(x1) > first")
    ),
    "a statement more": ("b = 0.0", ONE.format("1, n", "b(x1) = 0.0\nold(x1) = 0.0")),
    "the index used behind": ("b = 0.0\nfirst = 3",
                              ONE.format("1, n", "b(x1) = 0.0") + "\nfirst = x1"),
    "an index of the original's": ("j = 5\nb = 0.0\nfirst = j",
                                   "j = 5\n" + ONE.format("1, n", "b(x1) = 0.0").replace("x1", "j")
                                   + "\nfirst = j"),
    "FORALL's index exchanged": (
        "forall (k = 1:n, j = 1:n) c(k, j) = old(k)",
        TWO.format("1, n", "1, n", "c(x1, x2) = old(x2)"),
    ),
    "FORALL reading what it has written": (
        "forall (k = 2:n) b(k) = b(k - 1)", ONE.format("2, n", "b(x1) = b(x1 - 1)")
    ),
}  # fmt: skip
DECLARED = "  integer :: x1, x2\n"


def both(was: str, now: str) -> tuple[str, str]:
    return FRAME.format(was).replace(DECLARED, ""), FRAME.format(now)


@pytest.mark.parametrize("name", PROVED)
def test_every_element_once_and_in_turn_is_proved(name, sources, outcomes):
    assert outcomes(sources(*both(*PROVED[name]))) == {Outcome.HOLDS}


@pytest.mark.parametrize("name", HOSTILE)
def test_what_differs_in_one_element_is_never_proved(name, sources, outcomes):
    assert Outcome.HOLDS not in outcomes(sources(*both(*HOSTILE[name])))


CALLER = """\
subroutine caller(y, z, l)
  use state
  real :: y(9), z(0:9, 9)
  integer :: p(9)
  logical :: l(9)
  call s(9, 9, z, {}, z, 9_8, p, l, {}, y)
end subroutine caller
"""


@pytest.mark.parametrize(("handed", "proved"), [(("y", "y"), False), (("y", "y + 0.0"), True)])
def test_arguments_that_are_one_variable_may_overlap(handed, proved, sources, outcomes):
    was, now = both("b(2:n) = old(1:n - 1)", ONE.format("2, n", "b(x1) = old(x1 - 1)"))
    more = CALLER.format(*handed).replace(", y)\n", ", z(:, 3))\n")
    assert (outcomes(sources(was + more, now + more)) == {Outcome.HOLDS}) is proved


@pytest.mark.parametrize(
    ("attribute", "text"),
    [("target", ""), ("", "equivalence")],
)
def test_variables_that_may_share_their_storage_are_never_proved(
    attribute, text, sources, outcomes
):
    was, now = both("b(2:n) = old(1:n - 1)", ONE.format("2, n", "b(x1) = old(x1 - 1)"))
    if attribute:
        texts = [t.replace("real, intent(inout) :: old", "real, target :: old") for t in (was, now)]
    else:
        place = ("real(8) :: wide(n)", "real :: wide(9), other(9)\nequivalence (wide, other)")
        body = [("b(2:n) = old(1:n - 1)", "wide(2:9) = other(1:8)"),
                ("b(x1) = old(x1 - 1)", "wide(x1) = other(x1 - 1)")]  # fmt: skip
        texts = [t.replace(*place).replace(*pair) for t, pair in zip((was, now), body, strict=True)]
        texts[1] = texts[1].replace("2, n", "2, 9")
    assert Outcome.HOLDS not in outcomes(sources(*texts))
