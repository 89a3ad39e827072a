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


@pytest.mark.parametrize(
    "right",
    [TEXT, TEXT.replace("    coef = real(step)\n", ""), TEXT.replace("declare", "wait !")],
    ids=["updated", "never written", "not declared"],
)
def test_right_programs_raise_nothing(program, right):
    assert list(declared_data(program(right))) == []
