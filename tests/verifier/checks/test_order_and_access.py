"""Reversed order and the access log: what each catches, what each misses, what both pass."""

import pytest

from acclimate.verifier.checks.access_log import access_log
from acclimate.verifier.checks.reversed_order import reversed_order
from acclimate.verifier.evidence import Evidence, Light, Outcome

pytestmark = pytest.mark.gfortran

HEAD = """\
program p
  implicit none
  integer, parameter :: n = 24
  integer :: i, j, k
  real(8) :: a(n), b(n,n), s
  real(8), save :: w(2)
  integer :: table(n)
  do i = 1, n
    a(i) = 0.1d0*i
    table(i) = mod(i, 5) + 1
  end do
  b = 1.0d0; s = 0.0d0
"""
TAIL = "  print '(5es24.16)', a, b(:,n), s\nend program p\n"


def port(directive: str, loop: str) -> str:
    return f"{HEAD}  !$acc {directive}\n{loop}{TAIL}"


CARRIED = port("parallel loop", "  do i = 2, n\n    a(i) = a(i-1) + a(i)\n  end do\n")
SHARED_WORK = port(
    "parallel loop",
    "  do i = 1, n\n    w(1) = 2*a(i)\n    w(2) = w(1) + 1\n    a(i) = w(2)\n  end do\n",
)
NO_ATOMIC = port(
    "parallel loop", "  do i = 1, n\n    a(table(i)) = a(table(i)) + 1.0d0\n  end do\n"
)
WRONG_COLLAPSE = port(
    "parallel loop collapse(2)",
    "  do j = 2, n\n    do i = 1, n\n      b(i,j) = b(i,j-1) + j\n    end do\n  end do\n",
)
RIGHT = {
    "plain": port("parallel loop", "  do i = 1, n\n    a(i) = 2*a(i)\n  end do\n"),
    "sum": port("parallel loop reduction(+:s)", "  do i = 1, n\n    s = s + a(i)\n  end do\n"),
    "atomic": NO_ATOMIC.replace("    a(table", "    !$acc atomic update\n    a(table"),
    "private": SHARED_WORK.replace("parallel loop", "parallel loop private(w)"),
    "inner recurrence": port(
        "parallel loop private(j)",
        "  do i = 1, n\n    do j = 2, n\n      b(i,j) = b(i,j-1) + j\n    end do\n  end do\n",
    ),
    "negative step": port("parallel loop", "  do i = n, 1, -3\n    a(i) = 2*a(i)\n  end do\n"),
}


def failed(found: list[Evidence]) -> set[tuple[str, int | None]]:
    return {(e.light.value, e.line) for e in found if e.outcome is Outcome.FAILS}


@pytest.mark.parametrize(
    ("text", "order", "access"),
    [
        pytest.param(CARRIED, ("races", 14), ("races", 15), id="carried"),
        pytest.param(WRONG_COLLAPSE, ("races", 14), ("races", 16), id="collapse"),
        pytest.param(SHARED_WORK, None, ("races", 15), id="shared work array"),
        pytest.param(NO_ATOMIC, None, ("races", 15), id="no atomic"),
    ],
)
def test_a_race_is_found_at_its_line(program, text, order, access):
    subject = program(text)
    assert failed(list(reversed_order(subject))) == ({order} if order else set())
    assert access in failed(list(access_log(subject)))


@pytest.mark.parametrize("text", RIGHT.values(), ids=RIGHT)
def test_a_right_port_raises_no_alarm(program, text):
    subject = program(text)
    assert not failed(list(reversed_order(subject)))
    found = list(access_log(subject))
    assert {(e.light, e.outcome) for e in found} == {
        (Light.RACES, Outcome.HOLDS),
        (Light.DATA, Outcome.HOLDS),
    }


def test_nothing_parallel_is_inconclusive(program):
    found = list(reversed_order(program("program p\nprint *, 1\nend program p\n")))
    assert [e.outcome for e in found] == [Outcome.INCONCLUSIVE]


def test_a_construct_that_never_runs_proves_nothing(program):
    text = (
        RIGHT["plain"]
        .replace("  !$acc", "  if (a(1) > 1.0d0) then\n  !$acc")
        .replace("    a(i) = 2*a(i)\n  end do\n", "    a(i) = 2*a(i)\n  end do\n  end if\n")
    )
    assert {e.outcome for e in access_log(program(text))} == {Outcome.INCONCLUSIVE}


CANCELLED = """\
program p
  implicit none
  integer, parameter :: n = 100000
  integer :: i
  real(4) :: x(n), s, last(1)
  real(8) :: exact
  do i = 1, n
    x(i) = 1.0/real(i)
  end do
  s = 0.; exact = 0.; last = 0.
  !$acc parallel loop reduction(+:s, exact)
  do i = 1, n
    s = s + x(i); exact = exact + x(i)
    last(1) = x(i)
  end do
  print '(2es12.3)', abs(s - exact)/exact, last
end program p
"""


def test_a_sum_whose_error_is_the_output_is_no_race_and_what_is_shared_beside_it_is(program):
    right = list(reversed_order(program(CANCELLED.replace("    last(1) = x(i)\n", ""))))
    assert {e.outcome for e in right} == {Outcome.HOLDS}
    assert any("rounding, no race" in e.message for e in right)
    assert failed(list(reversed_order(program(CANCELLED)))) == {("races", 12)}
