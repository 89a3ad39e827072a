"""Wrong rewrites that the runs and other values do not tell: they are not settled by them."""

from dataclasses import replace

import pytest

from acclimate.verifier.checks.changed_lines import changed_lines
from acclimate.verifier.checks.value_classes import value_classes
from acclimate.verifier.evidence import Outcome

pytestmark = pytest.mark.gfortran

TEXT = """\
module kern
  implicit none
contains
  subroutine step(n, opt, a, b)
    integer, intent(in) :: n, opt
    real, intent(in) :: a(n)
    real, intent(inout) :: b(n)
    integer :: i
    real :: x
    do i = 1, n
      x = a(i)*2.0
      b(i) = b(i)*0.5 + x
    end do
  end subroutine step
end module kern
program p
  use kern
  implicit none
  real :: a(8), b(8)
  integer :: i, opt
  opt = 1
  do i = 1, 8
    a(i) = 280.0 + real(mod(5*i, 7))
    b(i) = real(i)
  end do
  call step(8, opt, a, b)
  print '(8f12.6)', b
end program p
"""
BODY = "      x = a(i)*2.0\n      b(i) = b(i)*0.5 + x\n"
POINT = """\
  subroutine point(opt, a, b)
    integer, intent(in) :: opt
    real, intent(in) :: a
    real, intent(inout) :: b
    b = b*0.5 + a*2.0
  end subroutine point
end module kern
"""
CALL = "      call point(opt, a(i), b(i))\n"


def settled(program, port: str, original: str = TEXT) -> tuple[bool, list[str]]:
    """Whether nothing is left unsettled, and all messages that say that something is."""
    subject = program(port, original)
    found = [*value_classes(subject), *changed_lines(subject)]
    open_ = [e for e in found if e.unsettled]
    assert all(e.file and e.line and "next: " in e.message for e in open_)
    held = any(e.check == "changed_lines" and e.outcome is Outcome.HOLDS for e in found)
    return held and not open_, [e.message for e in open_]


def outlined(point: str = POINT) -> str:
    return TEXT.replace(BODY, CALL).replace("end module kern\n", point, 1)


def test_work_moved_to_a_procedure_that_ran_all_ways_is_settled(program):
    done, open_ = settled(program, outlined())
    assert done, open_


def test_work_moved_to_a_procedure_with_a_branch_that_never_ran_is_not(program):
    wrong = POINT.replace(
        "    b = b*", "    if (opt == 2) then\n      b = 3.0\n    end if\n    b = b*"
    )
    done, open_ = settled(program, outlined(wrong))
    assert not done and any("never validated" in text for text in open_)


def test_bounds_of_what_cannot_be_tried_are_not_settled(program):
    pure = TEXT.replace("  subroutine step", "  pure subroutine step")
    done, open_ = settled(program, pure.replace("do i = 1, n", "do i = 1, 2*(n/2)"), pure)
    assert not done and any("was not tried on other values" in text for text in open_)


CACHED = TEXT.replace(
    "    real :: x\n", "    real, save :: c\n    logical, save :: first = .true.\n    real :: x\n"
)
CACHED = CACHED.replace(
    "    do i = 1, n\n", "    if (first) c = 2.0*opt\n    first = .false.\n    do i = 1, n\n", 1
)
CACHED = CACHED.replace("a(i)*2.0", "a(i)*c").replace(
    "  print", "  call step(8, opt, a, b)\n  print"
)
EACH = TEXT.replace("a(i)*2.0", "a(i)*(2.0*opt)").replace(
    "  print", "  call step(8, opt, a, b)\n  print"
)


@pytest.mark.parametrize(
    ("original", "port"), [(EACH, CACHED), (CACHED, EACH)], ids=["gained", "lost"]
)
def test_what_lasts_from_call_to_call_in_one_version_alone_is_not_settled(program, original, port):
    done, open_ = settled(program, port, original)
    assert not done and any("from call to call" in text for text in open_)


SHARED = TEXT.replace(
    "  implicit none\ncontains", "  implicit none\n  real :: c = 2.0\ncontains", 1
)
SHARED = SHARED.replace("a(i)*2.0", "a(i)*c")


def test_a_shared_variable_that_moves_to_a_new_procedure_with_its_work_is(program):
    point = POINT.replace("a*2.0", "a*c")
    port = SHARED.replace(BODY.replace("2.0", "c"), CALL).replace("end module kern\n", point, 1)
    done, open_ = settled(program, port, SHARED)
    assert done, open_


def test_a_new_procedure_that_keeps_something_is_not(program):
    point = POINT.replace("    b = b*0.5", "    real, save :: last = 0.5\n    b = b*last")
    done, open_ = settled(program, outlined(point))
    assert not done and any("'last' from call to call" in text for text in open_)


OPTION = TEXT.replace(
    "    end do\n  end sub", "    end do\n    if (opt == 2) b = 0.0\n  end sub", 1
)
ABOVE = TEXT.replace(
    "      x = a(i)*2.0\n", "      x = 2.0\n      if (a(i) > 9e30) x = 0.5\n      x = x*a(i)\n"
)


@pytest.mark.slow
@pytest.mark.parametrize(
    "original, port",
    [
        (OPTION, TEXT),
        (
            ABOVE,
            TEXT.replace("      x = a(i)*2.0\n", "      x = merge(1., 2., a(i) > 9e30)*a(i)\n"),
        ),
        (TEXT, TEXT.replace("= b(i)*0.5 + x", "= min(9e30, 0.5*b(i) + x)")),
        (TEXT, TEXT.replace("  opt = 1\n", "  opt = 1\n  read (*, *, end=9) opt\n9 continue\n")),
    ],
    ids=["an option dropped", "a threshold never reached", "a clamp", "a main program that reads"],
)
def test_what_no_run_reaches_is_not_settled(program, original, port):
    done, open_ = settled(program, port, original)
    assert not done and open_


def test_a_toolchain_that_counts_no_lines_settles_nothing(program):
    subject = program(outlined(), TEXT)
    subject.toolchain = replace(subject.toolchain, capabilities=frozenset())
    assert [e.unsettled for e in changed_lines(subject)] == [True]
