"""Loops in another order: proved where no dependence is turned round, and refused where one is."""

import pytest

from acclimate.verifier.evidence import Outcome

FRAME = """\
module state
  implicit none
  integer :: total
  real :: shared(50, 50)
contains
subroutine s(n, m, nz, a, b, c, w, x, flag)
  integer, intent(in) :: n, m, nz
  real, intent(inout) :: a(n, m, nz), b(n, m, nz), c(n, m), w(nz)
  real, intent(inout) :: x
  logical, intent(in) :: flag(n, m)
  integer :: i, j, k, l
  real :: t, q
{}
end subroutine s
integer function count()
  total = total + 1
  count = 3
end function count
end module state
{}
"""


def nest(order: str, body: str, **bounds: str) -> str:
    """A nest over the indices in `order`, outermost first."""
    usual = {"i": "1, n", "j": "1, m", "k": "2, nz - 1"} | bounds
    heads = [f"do {index} = {usual[index]}" for index in order]
    return "\n".join([*heads, body, *["end do"] * len(order)])


@pytest.fixture
def reordered(sources, outcomes):
    def compare(was: str, now: str, body: str, *, rest: str = "", more: str = "", **bounds: str):
        texts = [nest(order, body, **bounds) + "\n" + rest for order in (was, now)]
        return outcomes(sources(*(FRAME.format(text, more) for text in texts)))

    return compare


REFUSED = {
    "the outer index is left behind where the inner goes on": (
        "kj",
        "jk",
        "a(1, j, k) = a(1, j + 1, k - 1)",
    ),
    "opposite signs, written first": ("ki", "ik", "a(i, 1, k + 1) = 2.0*a(i + 1, 1, k)"),
    "a scalar carried": ("kji", "jik", "t = t + a(i, j, k)\nb(i, j, k) = t"),
    "the order of a sum": ("kji", "jik", "x = x + a(i, j, k)"),
    "a maximum in a scalar that is used": ("kji", "jik", "x = max(x, a(i, j, k))"),
    "a sum in an element": ("kji", "jik", "w(1) = w(1) + a(i, j, k)"),
    "a call with effects": ("kji", "jik", "call note(a(i, j, k))"),
    "a function that may have effects": ("kji", "jik", "a(i, j, k) = count()"),
    "an exit": ("kji", "jik", "if (a(i, j, k) < 0.0) exit\na(i, j, k) = 0.0"),
    "a stop": ("kji", "jik", "if (a(i, j, k) < 0.0) stop\na(i, j, k) = 0.0"),
    "output": ("kji", "jik", "print *, a(i, j, k)"),
    "a scalar that one branch sets and others read": (
        "kji",
        "jik",
        "if (flag(i, j)) t = a(i, j, k)\nb(i, j, k) = t",
    ),
    "the same row for all": (
        "kj",
        "jk",
        "a(1, 1, k) = a(1, 1, k) + c(1, j)*k\nc(1, j) = a(1, 1, 2)",
    ),
    "an index table": ("kj", "jk", "a(int(w(j)), 1, k) = a(int(w(j)), 1, k - 1) + j"),
    "two indices in one subscript": ("kj", "jk", "w(k + j) = w(k + j - 1)"),
    "an index that is written": ("kji", "jik", "i = i + 1\na(i, j, k) = 0.0"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_may_turn_an_order_round_is_never_proved(name, reordered):
    was, now, body = REFUSED[name]
    assert Outcome.HOLDS not in reordered(was, now, body)


@pytest.mark.parametrize(
    ("bounds", "rest"),
    [
        ({"i": "1, k"}, ""),
        ({"k": "2, nz, l"}, ""),
        ({"j": "1, count()"}, ""),
        ({}, "x = k"),
        ({}, "do while (i < 9)\n  i = i + 1\nend do"),
        ({}, "print *, t"),
    ],
)
def test_bounds_that_depend_and_values_left_behind_are_never_proved(bounds, rest, reordered):
    body = "if (flag(i, j)) then\nt = a(i, j, k - 1)\na(i, j, k) = t\nend if"
    assert Outcome.HOLDS not in reordered("kji", "jik", body, rest=rest, **bounds)


CALLED = """\
subroutine caller(y)
  use state
  real :: y(9, 9, 9), z(9), v
  logical :: f(9, 9)
  call s(9, 9, 9, {}, z, v, f)
end subroutine caller
"""


@pytest.mark.parametrize(
    ("handed", "proved"),
    [("y, y, z", False), ("y, y(1, 1, 2), z", False), ("y, y(:, :, 1:3) + 1.0, z", True)],
)
def test_one_variable_handed_twice_is_two_names_for_one(handed, proved, reordered):
    body = "a(i, j, k) = a(i, j, k - 1) + b(i, j, k)"
    found = reordered("kji", "jik", body, more=CALLED.format(handed))
    assert (found == {Outcome.HOLDS}) is proved


def test_a_variable_handed_on_by_a_caller_of_the_caller_is_found(reordered):
    more = """\
subroutine outer
  use state
  real :: y(9, 9, 9)
  call between(y, y)
end subroutine outer
subroutine between(p, q)
  use state
  real :: p(9, 9, 9), q(9, 9, 9), z(9, 9), w(9), v
  logical :: f(9, 9)
  call s(9, 9, 9, p, q, z, w, v, f)
end subroutine between
"""
    body = "a(i, j, k) = a(i, j, k - 1) + b(i, j, k)"
    assert Outcome.HOLDS not in reordered("kji", "jik", body, more=more)


def test_a_module_variable_that_is_handed_in_is_found(reordered):
    more = """\
subroutine outer
  use state
  real :: y(9, 9, 9), w(9), v
  logical :: f(9, 9)
  call s(9, 9, 9, y, y(:, :, 1:2)*1.0, shared, w, v, f)
end subroutine outer
"""
    body = "c(i, k) = c(i, k - 1) + shared(i, j)"
    assert Outcome.HOLDS not in reordered("kji", "jik", body, more=more)


PROVED = {
    "a recurrence in the serial index": (
        "kji",
        "jik",
        "a(i, j, k) = a(i, j, k) + 0.5*a(i, j, k - 1) - b(i, j, k + 1)",
    ),
    "a sum along the serial index": ("kji", "jik", "c(i, j) = c(i, j) + a(i, j, k)"),
    "scalars of each iteration": (
        "kji",
        "jik",
        "t = a(i, j, k - 1)\nif (t > 0.0) then\nq = sqrt(t)\na(i, j, k) = q*t\nend if",
    ),
    "an inner loop": (
        "kji",
        "jik",
        "t = 0.0\ndo l = 1, 4\nt = t + a(i, j, k - 1)*l\nif (t > 9.0) exit\nend do\na(i, j, k) = t",
    ),
    "the part in between": ("kji", "kij", "a(i, j, k) = a(i, j, k - 1)"),
    "a diagonal that keeps its order": ("kj", "jk", "a(1, j, k) = a(1, j - 1, k - 1)"),
}


@pytest.mark.parametrize("name", PROVED)
def test_an_order_that_no_dependence_minds_is_proved(name, reordered):
    was, now, body = PROVED[name]
    assert reordered(was, now, body) == {Outcome.HOLDS}


def test_a_serial_loop_backwards_keeps_its_direction(reordered):
    body = "a(i, j, k) = a(i, j, k + 1)*2.0"
    assert reordered("kji", "jik", body, k="nz - 1, 1, -1") == {Outcome.HOLDS}
    diagonal = "a(1, j, k) = a(1, j - 1, k + 1)"
    assert reordered("kj", "jk", diagonal, k="nz - 1, 1, -1") == {Outcome.HOLDS}
    against = "a(1, j, k) = a(1, j + 1, k + 1)"
    assert Outcome.HOLDS not in reordered("kj", "jk", against, k="nz - 1, 1, -1")


HOST = """\
subroutine outer(y)
  use state
  real :: y(9, 9)
  call between(9, 9, y, y)
end subroutine outer
subroutine between(n, m, p, q)
  integer, intent(in) :: n, m
  real, intent(inout) :: p(n, m), q(n, m)
  call inner
contains
  subroutine inner
    {}
    integer :: j, k
    real :: t
    {}
  end subroutine inner
end subroutine between
"""


@pytest.mark.parametrize(
    ("first", "body"),
    [
        ("", "p(j, k) = p(j, k - 1) + q(j, k)"),
        ("save", "if (p(j, k) > t) then\nt = 1.0\nq(j, k) = 2.0\nend if"),
        ("save", "if (p(j, k) > 0.0) then\nt = p(j, k)\nq(j, k) = t\nend if"),
    ],
)
def test_what_a_host_or_an_earlier_call_has_to_do_with_it_is_found(first, body, sources, outcomes):
    bounds = {"j": "2, n", "k": "2, m"}
    texts = [nest(order, body, **bounds) for order in ("kj", "jk")]
    empty = FRAME.format("", "")
    reads = "p(1, 1) = t\n" if first else ""
    found = outcomes(sources(*(empty + HOST.format(first, reads + text) for text in texts)))
    assert Outcome.HOLDS not in found


PLANES = """\
subroutine outer(n, m, y)
  use state
  integer, intent(in) :: n, m
  real :: y({}, 4), z(9, 9), w(9), v
  logical :: f(9, 9)
  call between(n, m, {})
end subroutine outer
subroutine between(n, m, p, q)
  integer, intent(in) :: n, m
  real, intent(inout) :: p(n, 0:m), q(n, 0:m)
  integer :: j, k
{}
end subroutine between
"""


@pytest.mark.parametrize(
    ("shape", "handed", "proved"),
    [
        ("n, 0:m", "y(1, 0, 1), y(1, 0, 2)", True),
        ("n, 0:m", "y(1, 0, 2), y(1, 0, 2)", False),
        ("n, 0:m", "y(1, 1, 1), y(1, 1, 2)", False),
        ("n, 0:m - 1", "y(1, 0, 1), y(1, 0, 2)", False),
        ("n, m", "y(1, 1, 1), y(1, 1, 2)", False),
    ],
)
def test_planes_of_one_array_are_two_variables_if_each_is_one_plane(
    shape, handed, proved, sources, outcomes
):
    body = "p(j, k) = p(j, k - 1) + q(j, k)"
    bounds = {"j": "1, n", "k": "1, m"}
    texts = [nest(order, body, **bounds) for order in ("kj", "jk")]
    empty = FRAME.format("", "")
    found = outcomes(sources(*(empty + PLANES.format(shape, handed, text) for text in texts)))
    assert (found == {Outcome.HOLDS}) is proved


OMP = """\
!$omp parallel
{}
!$omp end parallel
"""


@pytest.mark.parametrize(
    ("body", "clauses", "proved"),
    [
        ("a(1, j, k) = a(1, j, k - 1)", "private(j)", True),
        ("a(1, j, k) = a(1, j - 1, k - 1)", "private(j)", False),
        ("a(1, j, k) = a(1, j, k - 1)", "lastprivate(j)", False),
    ],
)
def test_a_loop_that_openmp_divides_has_to_be_free_of_dependences(
    body, clauses, proved, sources, outcomes
):
    do = f"!$omp do {clauses}\n"
    was = f"do k = 2, nz\n{do}do j = 2, m\n{body}\nend do\n!$omp end do\nend do"
    now = f"{do}do j = 2, m\ndo k = 2, nz\n{body}\nend do\nend do\n!$omp end do"
    texts = [FRAME.format(OMP.format(text), "") for text in (was, now)]
    assert (outcomes(sources(*texts)) == {Outcome.HOLDS}) is proved


KEPT = """\
subroutine s(n, a, which, opt)
  integer, intent(in) :: n, opt
  real, intent(inout) :: a(n)
  character(len=8), intent(in) :: which
  character(len=8) :: own
  integer :: i, flag
{}
end subroutine s
"""
WAS = """\
own = which
flag = opt
do i = 1, n
if (own(1:3) == 'all' .and. flag == 1) then
a(i) = 0.0
end if
end do
"""
KEEPS = "keep = own(1:3) == 'all' .and. flag == 1\n"
NOW = WAS.replace("own(1:3) == 'all' .and. flag == 1", "keep").replace("do i", KEEPS + "do i", 1)


@pytest.mark.parametrize(
    ("was", "now", "proved"),
    [
        (WAS, NOW, True),
        (WAS, NOW.replace("== 1\n", "== 2\n"), False),
        (WAS, NOW.replace("a(i)", "flag = 2\na(i)"), False),
        (
            WAS.replace("a(i)", "flag = 2\na(i)"),
            NOW.replace("a(i)", "flag = 2\na(i)"),
            False,
        ),
        (WAS, KEEPS + NOW.replace(KEEPS, ""), False),
        (WAS, NOW.replace("if (keep) then", "if (.not. keep) then"), False),
        (WAS, NOW.replace(KEEPS, KEEPS + "keep = .false.\n"), False),
        (WAS.replace("(1:3)", "(7:9)"), NOW.replace("(1:3)", "(7:9)"), False),
        (
            WAS.replace("a(i)", "call other(own)\na(i)"),
            NOW.replace("a(i)", "call other(own)\na(i)"),
            False,
        ),
        (
            WAS.replace("flag == 1", "opt/flag == 1"),
            NOW.replace("flag == 1", "opt/flag == 1"),
            False,
        ),
    ],
)
def test_a_condition_that_is_kept_stands_for_itself_only_while_it_holds(
    was, now, proved, sources, outcomes
):
    port = KEPT.format(now).replace("flag\n", "flag\n  logical :: keep\n", 1)
    assert (outcomes(sources(KEPT.format(was), port)) == {Outcome.HOLDS}) is proved
