import pytest

from acclimate.verifier.checks.declared_data import declared_data
from acclimate.verifier.evidence import Light, Outcome

TEXT = """\
module table
  real :: coef = 1.0
  !$acc declare create(coef)
contains
  real function scaled(x)
    !$acc routine seq
    real, intent(in) :: x
    scaled = coef * x
  end function scaled
end module table
program p
  use table
  real :: a(4)
  integer :: i, step
  do step = 1, 3
    coef = real(step)
    !$acc update device(coef)
    !$acc parallel loop copyout(a)
    do i = 1, 4
      a(i) = scaled(real(i))
    end do
    print *, a
  end do
end program p
"""


def test_a_new_value_that_never_reaches_the_device_fails(program):
    found = list(declared_data(program(TEXT.replace("    !$acc update device(coef)\n", ""))))
    assert [(e.outcome, e.light, e.line) for e in found] == [(Outcome.FAILS, Light.DATA, 16)]


def test_an_update_in_another_procedure_leaves_the_question_open(program):
    moved = TEXT.replace("    !$acc update device(coef)\n", "").replace(
        "contains\n",
        "contains\n  subroutine send\n    !$acc update device(coef)\n  end subroutine send\n",
    )
    found = list(declared_data(program(moved)))
    assert [(e.outcome, e.unsettled) for e in found] == [(Outcome.INCONCLUSIVE, True)]


FILLED = """\
module table
  real :: coef(8) = 1.0
  !$acc declare copyin(coef)
contains
  real function scaled(x)
    !$acc routine seq
    real, intent(in) :: x
    scaled = coef(3) * x
  end function scaled
  subroutine fill
    integer :: i
    !$acc parallel loop default(present)
    do i = 1, 8
      coef(i) = real(i)
    end do
    !$acc update self(coef)
  end subroutine fill
end module table
program p
  use table
  real :: a(4)
  integer :: i
  call fill
  print *, scaled(2.0)
  !$acc parallel loop copyout(a)
  do i = 1, 4
    a(i) = scaled(real(i))
  end do
  print *, a
end program p
"""
ON_HOST = "  print *, scaled(2.0)\n"
BACK = "    !$acc update self(coef)\n"


def test_what_a_kernel_writes_and_never_comes_back_fails(program):
    found = list(declared_data(program(FILLED.replace(BACK, ""))))
    assert [(e.outcome, e.light, e.line) for e in found] == [(Outcome.FAILS, Light.DATA, 14)]
    assert found[0].message.endswith("read at port.f90:8, is updated nowhere")


def test_what_comes_back_in_another_procedure_leaves_the_question_open(program):
    moved = FILLED.replace(BACK, "").replace(ON_HOST, BACK + ON_HOST)
    found = list(declared_data(program(moved)))
    assert [(e.outcome, e.unsettled) for e in found] == [(Outcome.INCONCLUSIVE, True)]


@pytest.mark.parametrize(
    "right",
    [
        TEXT,
        TEXT.replace("    coef = real(step)\n", ""),
        TEXT.replace("declare", "wait !"),
        FILLED,
        FILLED.replace(BACK, "").replace(ON_HOST, ""),
    ],
    ids=["updated", "never written", "not declared", "back behind the kernel", "device's alone"],
)
def test_right_programs_raise_nothing(program, right):
    assert list(declared_data(program(right))) == []
