"""Iterations of a parallel loop that meet at an element, found in any order and with any values."""

import pytest

pytestmark = pytest.mark.gfortran

PROGRAM = """\
program p
  implicit none
  real(8), allocatable :: a(:, :), b(:, :)
  real(8) :: w(0:11)
  integer, allocatable :: at(:)
  real(8) :: total
  integer :: i, j, k
  allocate (a(0:11, 0:11), b(0:11, 0:11), at(10))
  a = 1
  b = 2
  w = 0
  at = [1, 2, 3, 4, 5, 6, 7, 8, 9, {last}]
  total = 0
  !$acc data copy(a, b, w) copyin(at)
{kernel}
  !$acc end data
  print *, sum(a) + sum(b) + sum(w) + total
end program
"""
FIRST = 15  # the line of the kernel's first directive


def program(kernel: str, last: int = 10) -> str:
    return PROGRAM.format(kernel=kernel.rstrip("\n"), last=last)


WORK_ARRAY = """\
  !$acc parallel loop {clause}
  do j = 1, 10
    do i = 1, 10
      w(i) = a(i, j)
    end do
    do i = 1, 10
      a(i, j) = w(i) + w(11 - i)
    end do
  end do
"""
RECURRENCE = """\
  !$acc parallel loop {clause}
  do j = 1, 10
    {inner}
    do k = 1, 10
      a(k, j) = a(k - 1, j) + b(k, j)
    end do
  end do
"""
IN_PLACE = """\
  !$acc parallel loop
  do j = 1, 10
    a(1, j) = 0.5d0 * (a(1, j - 1) + a(1, j + {offset}))
  end do
"""
SCATTER = """\
  !$acc parallel loop
  do j = 1, 10
    {atomic}
    w(at(j)) = w(at(j)) + 1
  end do
"""
SUM = """\
  !$acc parallel loop {clause}
  do j = 1, 10
    total = total + a(1, j)
  end do
"""
TWO_LOOPS = """\
  !$acc parallel
  !$acc loop
  do j = 1, 10
    a(1, j) = j
  end do
  !$acc loop
  do j = 1, 10
    b(1, j) = a(1, {index})
  end do
  !$acc end parallel
"""
BROADCAST = """\
  !$acc parallel loop gang
  do j = 1, 10
    !$acc loop vector
    do i = 1, 10
      {target} = i
    end do
  end do
"""


@pytest.mark.parametrize(
    ("kernel", "last", "kinds", "lines"),
    [
        pytest.param(
            WORK_ARRAY.format(clause=""),
            10,
            {"race-write-write", "race-read-write"},
            {3},
            id="no private",
        ),
        pytest.param(
            RECURRENCE.format(clause="collapse(2)", inner=""),
            10,
            {"race-write-read"},
            {4},
            id="collapse over a recurrence",
        ),
        pytest.param(
            RECURRENCE.format(clause="", inner="!$acc loop"),
            10,
            {"race-write-read"},
            {4},
            id="parallel recurrence",
        ),
        pytest.param(
            IN_PLACE.format(offset=1),
            10,
            {"race-write-read", "race-read-write"},
            {2},
            id="stencil in place",
        ),
        pytest.param(
            SCATTER.format(atomic=""),
            9,
            {"race-write-write", "race-write-read", "race-read-write"},
            {3},
            id="no atomic",
        ),
        pytest.param(
            SUM.format(clause="copy(total)"),
            10,
            {"race-write-write", "race-write-read", "race-read-write"},
            {2},
            id="no reduction",
        ),
        pytest.param(
            TWO_LOOPS.format(index="11 - j"), 10, {"race-between-loops"}, {7}, id="no barrier"
        ),
        pytest.param(
            BROADCAST.format(target="w(i)"), 10, {"race-write-write"}, {4}, id="inner index only"
        ),
        pytest.param(
            BROADCAST.format(target="w(j)"), 10, {"race-write-write"}, {4}, id="outer index only"
        ),
    ],
)
def test_iterations_that_meet_are_named(emulate, kernel, last, kinds, lines):
    run = emulate(program(kernel, last), accesses=True)
    assert run.kinds <= kinds
    assert run.kinds
    assert {f.at.line - FIRST for f in run.summary.findings if f.at} <= lines
    assert all(f.error for f in run.summary.findings)
    if "race-between-loops" not in kinds:
        assert all(f.loop for f in run.summary.findings)


@pytest.mark.parametrize(
    ("kernel", "last"),
    [
        pytest.param(WORK_ARRAY.format(clause="private(w)"), 10, id="private"),
        pytest.param(RECURRENCE.format(clause="", inner=""), 10, id="sequential recurrence"),
        pytest.param(RECURRENCE.format(clause="", inner="!$acc loop seq"), 10, id="loop seq"),
        pytest.param(SCATTER.format(atomic="!$acc atomic update"), 9, id="atomic"),
        pytest.param(SCATTER.format(atomic=""), 10, id="distinct indices"),
        pytest.param(SUM.format(clause="reduction(+:total)"), 10, id="reduction"),
        pytest.param(
            SUM.format(clause="reduction(+:total) copy(total)"), 10, id="reduction and copy"
        ),
        pytest.param(TWO_LOOPS.format(index="j"), 10, id="same iteration of two loops"),
        pytest.param(
            TWO_LOOPS.format(index="11 - j").replace("parallel", "parallel num_gangs(1)", 1),
            10,
            id="two loops of one gang",
        ),
        pytest.param(BROADCAST.format(target="a(i, j)"), 10, id="both indices"),
        pytest.param(
            IN_PLACE.format(offset=1).replace("a(1, j) =", "b(1, j) ="), 10, id="two arrays"
        ),
    ],
)
def test_right_loops_raise_no_alarm(emulate, kernel, last):
    run = emulate(program(kernel, last), accesses=True)
    assert run.kinds == set()
    assert run.summary.accesses_logged


def test_values_that_agree_do_not_hide_a_race(emulate):
    """Every iteration writes the same number to the same element."""
    kernel = "  !$acc parallel loop\n  do j = 1, 10\n    w(1) = 7\n  end do\n"
    run = emulate(program(kernel), accesses=True)
    assert run.kinds == {"race-write-write"}
    assert run.line("race-write-write") == FIRST + 2
    (finding,) = run.summary.findings
    assert (finding.loop, finding.iterations) == (1, (1, 2))


def test_elements_smaller_than_a_granule_are_told_apart(emulate):
    source = """\
program p
  use iso_fortran_env, only: int8
  implicit none
  integer(int8) :: flag(40)
  integer :: i
  !$acc parallel loop copyout(flag)
  do i = 1, 40
    flag({index}) = 1_int8
  end do
  print *, sum(int(flag))
end program
"""
    assert emulate(source.format(index="i"), accesses=True).kinds == set()
    wrong = emulate(source.format(index="1 + i / 2"), accesses=True)
    assert "race-write-write" in wrong.kinds


def test_accesses_in_device_routines_belong_to_the_iteration_that_calls(emulate):
    source = """\
module columns
  implicit none
contains
  subroutine column(x, w, n)
    !$acc routine seq
    integer, intent(in) :: n
    real(8), intent(inout) :: x(n), w(n)
    integer :: k
    w(1) = x(1)
    do k = 2, n
      w(k) = w(k - 1) + x(k)
    end do
    x = w
  end subroutine
end module
program p
  use columns
  implicit none
  real(8) :: a(20, 10), w(20)
  integer :: j
  a = 1
  !$acc parallel loop copy(a) {clause}
  do j = 1, 10
    call column(a(:, j), w, 20)
  end do
  print *, sum(a)
end program
"""
    assert emulate(source.format(clause="private(w)"), accesses=True).kinds == set()
    wrong = emulate(source.format(clause="create(w)"), accesses=True)
    assert "race-write-write" in wrong.kinds
    assert {f.at.line for f in wrong.summary.findings if f.at} <= {9, 11, 13}
