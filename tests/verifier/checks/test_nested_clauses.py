"""Clauses that do not fit the loops they stand before are named at their directive."""

import pytest

from acclimate.verifier.checks.nested_clauses import nested_clauses
from acclimate.verifier.evidence import Outcome

TEXT = """\
program p
  implicit none
  integer, parameter :: n = 8
  integer :: i, j
  real :: a(n, n), m, t
  a = 1.0
{}
  print *, a
end program p
"""


def outcomes(program, body: str, original: str | None = None) -> list[tuple[str, str, int | None]]:
    before = None if original is None else TEXT.format(original)
    found = nested_clauses(program(TEXT.format(body), before))
    return [(e.light.value, e.outcome.value, e.line) for e in found]


INNER = """\
  !$acc parallel loop gang
  do j = 1, n
    !$acc loop vector private({})
    do i = 1, n
      t = {}
      a(i, j) = t
    end do
  end do"""


def test_an_inner_copy_of_the_outer_index_has_no_value(program):
    assert outcomes(program, INNER.format("t, j", "real(j)")) == [("races", "fails", 9)]
    unused = INNER.format("t, j", "1.0").replace("a(i, j)", "a(i, 1)")
    assert outcomes(program, unused) == [("races", "inconclusive", 9)]
    assert outcomes(program, INNER.format("t", "real(j)")) == []
    assert outcomes(program, INNER.format("t, i", "real(j)")) == []


NEST = """\
  !$acc parallel loop collapse(2)
  do j = 1, n
{}    do i = {}, n
      a(i, j) = 2.0
    end do
  end do"""


@pytest.mark.parametrize(
    ("between", "first", "expected"),
    [
        ("", "1", []),
        ("    a(1, j) = 1.0\n", "2", [("device", "fails", 7)]),
        ("", "j", [("device", "fails", 7)]),
    ],
)
def test_collapse_wants_nested_loops_of_one_shape(program, between, first, expected):
    assert outcomes(program, NEST.format(between, first)) == expected


MAXIMUM = """\
  m = {}
  !$acc parallel loop reduction(max:m)
  do i = 1, n
    m = max(m, a(i, 1))
  end do"""


def test_a_maximum_that_begins_with_a_number_is_shown_unless_the_original_does_so(program):
    zero = MAXIMUM.format("0.0")
    assert outcomes(program, zero) == [("races", "inconclusive", 8)]
    assert outcomes(program, MAXIMUM.format("-huge(m)")) == []
    assert outcomes(program, MAXIMUM.format("a(1, 1)")) == []
    plain = "\n".join(line for line in zero.splitlines() if "!$acc" not in line)
    assert outcomes(program, zero, plain) == []


def test_one_variable_in_two_clauses(program):
    body = MAXIMUM.format("-huge(m)").replace("max:m)", "max:m) private(m)")
    assert outcomes(program, body) == [("races", "fails", 8)]


def test_what_the_original_says_itself_is_not_held_against_the_port(program):
    body = INNER.format("t, j", "real(j)")
    assert outcomes(program, body, body) == []


def test_no_word_on_the_port_of_the_column(column):
    assert [e for e in nested_clauses(column()) if e.outcome is Outcome.FAILS] == []


LABELLED = """\
  do 10 j = 1, n
    do 10 i = 1, n
      a(i, j) = 1.0
10 continue
  do 20 i = 1, n
20 a(i, 1) = 2.0
  !$acc parallel loop private(i, t)
  do 30 i = 1, n
    t = real(i)
30 a(i, 2) = t"""


def test_a_loop_that_a_label_has_ended_is_not_around(program):
    assert outcomes(program, LABELLED) == []
    inside = LABELLED.replace("20 a(i, 1) = 2.0\n", "").replace(
        "30 a(i, 2) = t", "30 a(i, 2) = t\n20 continue"
    )
    assert outcomes(program, inside) == [("races", "fails", 12)]


@pytest.mark.parametrize(
    ("behind", "expected"),
    [("    a(1, j) = 1.0\n", [("device", "fails", 7)]), ("    continue\n", [])],
)
def test_collapsed_loops_end_together(behind, expected, program):
    nest = NEST.format("", "1").replace("    end do\n", "    end do\n" + behind)
    assert outcomes(program, nest) == expected


def test_a_collapsed_nest_may_have_names(program):
    nest = NEST.format("", "1").replace("do j", "outer: do j")
    assert outcomes(program, nest[:-6] + "  end do outer") == []


OPENMP = """\
  !$omp parallel private(j)
  !$acc parallel loop gang vector collapse(2) private(t)
  do j = 1, n
    !$omp do private(i, t)
    do i = 1, n
      t = real(i)
      a(i, j) = t
    end do
    !$omp end do
  end do
  !$acc parallel loop gang vector collapse(2) private(j)
  do j = 1, n
    !$omp do private(i)
    do i = 1, n
      a(i, j) = a(i, j) + 1.0
    end do
    !$omp end do
  end do
  !$omp end parallel"""


def test_lines_of_openmp_stand_between_no_loops_and_open_none(program):
    assert outcomes(program, OPENMP) == []
    beside = OPENMP.replace("    !$omp do private(i, t)\n", "    a(1, j) = 0.0\n")
    assert ("device", "fails", 8) in outcomes(program, beside)
