"""Each class of difference: the defect is named at its line, the restructured twin is not."""

import pytest

from acclimate.verifier.evidence import Outcome

NEST = """\
do j = 1, m
  do i = 1, n
{}
  end do
end do
"""


def nest(body: str) -> str:
    return NEST.format(body)


ROTATION = "t = a(i, j)\na(i, j) = b(i, j)\nb(i, j) = c(i, j)\nc(i, j) = t"

WRONG = {
    "term dropped": (
        nest("a(i, j) = b(i, j) + c(i, j)"),
        nest("a(i, j) = b(i, j)"),
        [("term dropped", 12)],
    ),
    "term dropped inside a function": (
        nest("a(i, j) = sqrt(b(i, j) + c(i, j))"),
        nest("a(i, j) = sqrt(b(i, j))"),
        [("term dropped", 12)],
    ),
    "sign changed in a temporary": (
        nest("t = b(i, j) + c(i, j)\na(i, j) = 2*t"),
        nest("t = b(i, j) - c(i, j)\na(i, j) = 2*t"),
        [("sign or operator changed", 12)],
    ),
    "constant changed": (
        nest("a(i, j) = 2*b(i, j)"),
        nest("a(i, j) = 3*b(i, j)"),
        [("constant changed", 12)],
    ),
    "index changed": (
        nest("if (i > 1) a(i, j) = b(i - 1, j)"),
        nest("if (i > 1) a(i, j) = b(i, j)"),
        [("index changed", 12)],
    ),
    "guard dropped": (
        nest("if (flag) a(i, j) = b(i, j)"),
        nest("a(i, j) = b(i, j)"),
        [("guard dropped", 12)],
    ),
    "update dropped": (
        nest("a(i, j) = b(i, j)\nc(i, j) = a(i, j)"),
        nest("a(i, j) = b(i, j)"),
        [("update dropped", 12)],
    ),
    "a case dropped": (
        nest("if (which == 1) then\na(i, j) = b(i, j)\nelse if (which == 2) then\n"
             "a(i, j) = c(i, j)\nend if"),
        nest("if (which == 1) a(i, j) = b(i, j)"),
        [("update dropped", 12)],
    ),
    "a rotation without its temporary": (
        nest(ROTATION),
        nest("a(i, j) = b(i, j)\nb(i, j) = c(i, j)\nc(i, j) = a(i, j)"),
        [("value of before, or of after, its change", 14)],
    ),
    "an array statement as a loop that reads what it has written": (
        "a(2:n, 1) = a(1:n - 1, 1)",
        "do i = 2, n\n  a(i, 1) = a(i - 1, 1)\nend do",
        [("order of iterations or statements changed", 11)],
    ),
    "a recurrence backwards": (
        nest("if (i > 1) a(i, j) = a(i - 1, j) + b(i, j)"),
        nest("if (i > 1) a(i, j) = a(i - 1, j) + b(i, j)").replace("i = 1, n", "i = n, 1, -1"),
        [("order of iterations or statements changed", 12)],
    ),
    "loops split against a dependence": (
        nest("a(i, j) = b(i, j)\nif (i > 1) c(i, j) = a(i - 1, j)"),
        nest("if (i > 1) c(i, j) = a(i - 1, j)") + nest("a(i, j) = b(i, j)"),
        [("order of iterations or statements changed", 12)],
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", WRONG)
def test_a_defect_is_found_at_its_line(name, bodies, wrong):
    original, port, expected = WRONG[name]
    assert wrong(bodies(original, port)) == expected


PROVED = {
    "array statement as loops": ("a = b + c", nest("a(i, j) = b(i, j) + c(i, j)")),
    "WHERE as loops": ("where (b > 0) a = b", nest("if (b(i, j) > 0) a(i, j) = b(i, j)")),
    "interchange": (
        nest("a(i, j) = b(i, j)"),
        "do i = 1, n\n  do j = 1, m\n    a(i, j) = b(i, j)\n  end do\nend do",
    ),
    "interchange of a square": (
        "do j = 1, n\n  do i = 1, n\n    a(i, j) = b(j, i)\n  end do\nend do",
        "do i = 1, n\n  do j = 1, n\n    a(i, j) = b(j, i)\n  end do\nend do",
    ),
    "fission": (
        nest("a(i, j) = b(i, j)\nc(i, j) = a(i, j)"),
        nest("a(i, j) = b(i, j)") + nest("c(i, j) = a(i, j)"),
    ),
    "temporary removed": (
        nest("t = b(i, j) + 1\na(i, j) = t*c(i, j)"),
        nest("a(i, j) = (b(i, j) + 1)*c(i, j)"),
    ),
    "rotation with another temporary": (
        nest(ROTATION),
        nest("q = c(i, j)\nc(i, j) = a(i, j)\na(i, j) = b(i, j)\nb(i, j) = q"),
    ),
    "overlap, backwards": (
        "a(2:n, 1) = a(1:n - 1, 1)",
        "do i = n, 2, -1\n  a(i, 1) = a(i - 1, 1)\nend do",
    ),
    "other bounds, same elements": (
        "do i = 2, n\n  w(i - 1) = a(i, 1)\nend do",
        "do k = 1, n - 1\n  w(k) = a(k + 1, 1)\nend do",
    ),
    "CYCLE as IF": (
        nest("if (.not. flag) cycle\na(i, j) = b(i, j)"),
        nest("if (flag) a(i, j) = b(i, j)"),
    ),
    "independent statements the other way round": (
        nest("a(i, j) = b(i, j)\nc(i, j) = b(i, j)"),
        nest("c(i, j) = b(i, j)\na(i, j) = b(i, j)"),
    ),
    "commuted operands": (
        nest("a(i, j) = b(i, j)*c(i, j)"),
        nest("a(i, j) = c(i, j)*b(i, j)"),
    ),
}


@pytest.mark.parametrize("name", PROVED)
def test_what_is_the_same_by_another_way_is_proved(name, bodies, outcomes):
    assert outcomes(bodies(*PROVED[name])) == {Outcome.HOLDS}


ASKED = {
    "IF and ELSE as an overwritten default": (
        nest("if (flag) then\na(i, j) = b(i, j)\nelse\na(i, j) = c(i, j)\nend if"),
        nest("a(i, j) = c(i, j)\nif (flag) a(i, j) = b(i, j)"),
    ),
    "IF and ELSE as MERGE": (
        nest("if (flag) then\na(i, j) = b(i, j)\nelse\na(i, j) = c(i, j)\nend if"),
        nest("a(i, j) = merge(b(i, j), c(i, j), flag)"),
    ),
    "a sum in two steps": (
        nest("a(i, j) = b(i, j) + c(i, j)"),
        nest("a(i, j) = b(i, j)\na(i, j) = a(i, j) + c(i, j)"),
    ),
    "a factor taken out": (
        nest("a(i, j) = 2*b(i, j) + b(i, j)*c(i, j)"),
        nest("a(i, j) = b(i, j)*(2 + c(i, j))"),
    ),
    "a power as a root": (nest("a(i, j) = b(i, j)**0.5"), nest("a(i, j) = sqrt(b(i, j))")),
    "an even function of the opposite": (
        nest("a(i, j) = cos(b(i, j) - c(i, j))"),
        nest("a(i, j) = cos(c(i, j) - b(i, j))"),
    ),
    "a loop in blocks": (
        "do i = 1, n\n  w(i) = a(i, 1)\nend do",
        "do k = 1, n, 32\n  do i = k, min(k + 31, n)\n    w(i) = a(i, 1)\n  end do\nend do",
    ),
    "the first iteration by itself": (
        "do i = 1, n\n  w(i) = a(i, 1)\nend do",
        "w(1) = a(1, 1)\ndo i = 2, n\n  w(i) = a(i, 1)\nend do",
    ),
    "two iterations at once": (
        "do i = 1, n\n  w(i) = 2*a(i, 1)\nend do",
        "do i = 1, n - 1, 2\n  w(i) = 2*a(i, 1)\n  w(i + 1) = 2*a(i + 1, 1)\nend do\n"
        "if (mod(n, 2) == 1) w(n) = 2*a(n, 1)",
    ),
    "a work array made a scalar": (
        nest("col(1) = b(i, j)\na(i, j) = 2*col(1)"),
        nest("t = b(i, j)\na(i, j) = 2*t"),
    ),
    "a zero that is overwritten, left out": (
        "a = 0\n" + nest("a(i, j) = b(i, j)"),
        nest("a(i, j) = b(i, j)"),
    ),
    "a value kept by the caller's hand": (
        nest("t = b(i, j)\na(i, j) = t + q"),
        nest("call helper(b(i, j), q, a(i, j))"),
    ),
}


@pytest.mark.parametrize("name", ASKED)
def test_what_reading_cannot_settle_is_asked_of_the_runs_and_never_rejected(name, bodies, outcomes):
    found = bodies(*ASKED[name])
    assert outcomes(found) == {Outcome.INCONCLUSIVE}
    assert all("host_run" in e.message for e in found)


@pytest.mark.parametrize(
    ("was", "now"),
    [
        ("[real(8) :: b(1, 1)]", "[real(4) :: b(1, 1)]"),
        ("[real(8) :: b(1, 1)]", "[b(1, 1)]"),
        ("[(b(i, 1), i = 1, 3)]", "[(b(i, 1), i = 1, 3, 2)]"),
    ],
)
def test_another_type_or_step_of_an_array_constructor_is_never_proved(was, now, bodies, outcomes):
    assert Outcome.HOLDS not in outcomes(bodies(f"x = sum({was})", f"x = sum({now})"))


def test_a_parameter_with_another_value_is_found(sources, wrong):
    text = "module m\n  real, parameter :: g = {}\nend module m\n"
    assert wrong(sources(text.format("9.81"), text.format("9.8"))) == [("constant changed", 2)]


def test_fixed_form_and_an_include_are_read_and_the_place_is_the_include(sources, wrong):
    text = """\
      SUBROUTINE S(N, A, B)
      INTEGER N, I
      REAL A(N), B(N){}
      DO 10 I = 1, N
      INCLUDE 'body.inc'
   10 CONTINUE
      END
"""
    found = sources(
        text.format(""),
        text.format("\n      REAL UNUSED"),
        "a.f",
        body__inc="      A(I) = A(I) + B(I)\n",
    )
    assert wrong(found) == []


def test_a_dropped_procedure_is_asked_about(sources, outcomes):
    text = "subroutine s(a)\n  real :: a\n  a = 1\nend subroutine s\n"
    found = sources(text + text.replace("subroutine s", "subroutine t"), text)
    assert outcomes(found) == {Outcome.INCONCLUSIVE}
    assert "procedure dropped" in found[0].message


def test_a_change_in_another_configuration_is_not_proved(sources, outcomes):
    text = (
        "subroutine s(a)\n  real :: a\n#ifdef OTHER\n  a = 1\n#endif\n  a = 2\nend subroutine s\n"
    )
    assert sources(text, text.replace("a = 1", "a = 3"), "a.F90") == []


CALLER = """\
subroutine caller(a, n, flag)
  integer :: n
  logical :: flag
  real :: a(n)
  {}call callee(a, n, flag)
  {}
end subroutine caller
subroutine callee(a, n, flag)
  integer :: n
  logical :: flag
  real :: a(n)
  {}a(1) = 2
  {}
end subroutine callee
"""


@pytest.mark.parametrize(
    ("was", "now", "expected"),
    [
        (("", "", "if (flag) ", ""), ("if (flag) ", "", "", ""), []),
        (("", "a(2) = 3", "", ""), ("", "", "", "a(2) = 3"), []),
        (("", "", "if (flag) ", ""), ("", "", "", ""), [("guard dropped", 12)]),
        (("", "a(2) = 3", "", ""), ("", "", "", ""), [("update dropped", 5)]),
    ],
)
def test_what_a_caller_or_callee_has_taken_over_is_not_lost(was, now, expected, sources, wrong):
    assert wrong(sources(CALLER.format(*was), CALLER.format(*now))) == expected


def test_a_constructor_whose_items_become_iterations_is_not_called_wrong(bodies):
    found = bodies("col = [(real(i), i = 1, 100)]", "do i = 1, 100\n  col(i) = real(i)\nend do")
    assert not any(item.outcome is Outcome.FAILS for item in found)
