"""A program that forgets a transfer computes something else, or is stopped."""

import pytest

from acclimate.verifier.running.emulation import EXIT_FINDING, POISONS

pytestmark = pytest.mark.gfortran

TWICE = """\
program p
  implicit none
  real(8), allocatable :: a(:)
  integer :: i
  allocate (a(100))
  a = 1
  {enter}
  {before}
  !$acc parallel loop {clause}
  do i = 1, 100
    a(i) = 2 * a(i)
  end do
  {after}
  print *, nint(sum(a))
end program
"""


def twice(enter: str = "", before: str = "", clause: str = "", after: str = "") -> str:
    return TWICE.format(enter=enter, before=before, clause=clause, after=after)


ENTER = "!$acc enter data copyin(a)"
SELF = "!$acc update self(a)"


@pytest.mark.parametrize(
    ("source", "kind", "line"),
    [
        pytest.param(twice(clause="present(a)"), "not-present", 9, id="present"),
        pytest.param(twice(clause="default(present)"), "not-present", 9, id="default-present"),
        pytest.param(twice(after=SELF), "update-absent", 13, id="update"),
        pytest.param(
            twice(enter="!$acc enter data copyin(a(1:50))", clause="present(a)"),
            "partially-present",
            9,
            id="present-part",
        ),
        pytest.param(
            twice(enter="!$acc enter data copyin(a(1:50))", before="!$acc enter data copyin(a)"),
            "partially-present",
            8,
            id="enter-part",
        ),
    ],
)
def test_absent_data_stops_the_run(emulate, source, kind, line):
    run = emulate(source)
    assert run.code == EXIT_FINDING
    assert run.summary.ended == "finding"
    assert run.kinds == {kind}
    assert run.line(kind) == line


@pytest.mark.parametrize("poison", POISONS)
@pytest.mark.parametrize(
    "source",
    [
        pytest.param(twice(enter=ENTER, clause="present(a)"), id="no update self"),
        pytest.param(
            twice(enter="!$acc enter data create(a)", clause="present(a)", after=SELF),
            id="create for copyin",
        ),
        pytest.param(
            twice(enter=ENTER, before="a = 3", clause="present(a)", after=SELF),
            id="no update device",
        ),
        pytest.param(twice(clause="copyin(a)"), id="copyin for copy"),
        pytest.param(twice(clause="copyout(a)"), id="copyout for copy"),
    ],
)
def test_a_lost_transfer_shows_in_the_result(emulate, source, poison):
    run = emulate(source, poison=poison)
    assert run.code == 0
    right = 600 if "a = 3" in source else 200
    assert run.words != [str(right)]


@pytest.mark.parametrize("poison", POISONS)
@pytest.mark.parametrize(
    "source",
    [
        pytest.param(twice(), id="implicit"),
        pytest.param(twice(clause="copy(a)"), id="copy"),
        pytest.param(twice(enter=ENTER, clause="present(a)", after=SELF), id="enter and update"),
        pytest.param(
            twice(enter=ENTER, after="!$acc exit data copyout(a)"), id="enter and copyout"
        ),
        pytest.param(
            twice(before="!$acc data copy(a)", clause="present(a)", after="!$acc end data"),
            id="region",
        ),
        pytest.param(twice(clause="if(.false.)"), id="on the host"),
        pytest.param(twice(clause="async(1)", after="!$acc wait(1)"), id="asynchronous"),
    ],
)
def test_a_right_program_keeps_its_result(emulate, source, poison):
    run = emulate(source, poison=poison)
    assert (run.code, run.words, run.kinds) == (0, ["200"], set())
    assert run.summary.ended == "exit"


def test_host_data_wants_the_data_on_the_device(emulate):
    source = """\
program p
  implicit none
  real(8) :: a(100)
  a = 1
  {enter}
  !$acc host_data use_device(a)
  call see(a)
  !$acc end host_data
contains
  subroutine see(x)
    real(8), intent(in) :: x(100)
    print *, x(1) == 1
  end subroutine
end program
"""
    wrong = emulate(source.format(enter=""))
    assert (wrong.kinds, wrong.line("not-present")) == ({"not-present"}, 6)
    assert emulate(source.format(enter="!$acc enter data create(a)")).words == ["F"]
    assert emulate(source.format(enter="!$acc enter data copyin(a)")).words == ["T"]


def test_counters_keep_nested_regions_and_dynamic_data_apart(emulate):
    source = """\
program p
  implicit none
  real(8) :: a(100)
  integer :: i
  a = 1
  !$acc enter data copyin(a)
  !$acc enter data copyin(a)
  !$acc data copy(a)
  !$acc exit data delete(a)
  !$acc parallel loop present(a)
  do i = 1, 100
    a(i) = 2
  end do
  !$acc end data
  print *, nint(sum(a))
  !$acc exit data copyout(a)
  print *, nint(sum(a))
  !$acc enter data copyin(a)
  !$acc enter data copyin(a)
  !$acc exit data delete(a) finalize
  !$acc exit data delete(a)
end program
"""
    run = emulate(source)
    assert run.words == ["100", "200"]
    assert run.summary.mapped_at_exit == 0
    assert run.kinds == {"exit-absent"}
    assert not run.summary.errors
    assert run.line("exit-absent") == 21


def test_a_kernel_that_leaves_its_array_is_seen(emulate):
    source = twice(enter=ENTER, after="!$acc exit data delete(a)").replace("2 * a(i)", "i")
    assert emulate(source).kinds == set()
    run = emulate(source.replace("1, 100", "1, 101"))
    assert run.kinds == {"out-of-bounds"}
    assert run.line("out-of-bounds") == 13


def test_reallocation_needs_data_directives_of_its_own(emulate):
    source = """\
program p
  implicit none
  real(8), allocatable :: a(:)
  integer :: i, n
  do n = 10, 30, 10
    allocate (a(n))
    !$acc enter data create(a)
    !$acc parallel loop present(a)
    do i = 1, n
      a(i) = i
    end do
    !$acc exit data copyout(a)
    print *, nint(sum(a))
    deallocate (a)
  end do
end program
"""
    right = emulate(source)
    assert (right.words, right.kinds) == (["55", "210", "465"], set())
    wrong = emulate(source.replace("!$acc exit data copyout(a)", "!$acc update self(a)"))
    assert wrong.summary.mapped_at_exit > 0


def test_static_module_arrays_are_arrays_like_others(emulate):
    source = """\
module tables
  implicit none
  real(8) :: weight(50) = 1, field(50) = 2
end module
program p
  use tables
  implicit none
  integer :: i
  !$acc enter data copyin(weight, field)
  weight = 3
  {update}
  !$acc parallel loop default(present)
  do i = 1, 50
    field(i) = field(i) * weight(i)
  end do
  !$acc update self(field)
  print *, nint(sum(field))
end program
"""
    assert emulate(source.format(update="!$acc update device(weight)")).words == ["300"]
    assert emulate(source.format(update="")).words == ["100"]


def test_a_section_that_is_not_contiguous_is_copied_whole_and_past_the_end(emulate):
    source = """\
program p
  implicit none
  real(8), save :: a(4, 5) = 1

  !$acc enter data copyin(a)
  !$acc update self(a(:, 2:3))
  !$acc update self(a(2:3, :))
end program
"""
    run = emulate(source)
    assert run.kinds == {"section-overrun"}
    assert run.line("section-overrun") == 7
    assert run.summary.findings[0].variable == "a"
    assert not run.summary.errors
