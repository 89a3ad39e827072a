"""A port with units switched off: what is wrong only then is found by running it."""

import pytest

from acclimate.analysis.switches import DECLARATION, FUNCTION_LINES
from acclimate.verifier.checks.data_clauses import data_clauses
from acclimate.verifier.checks.switched_off import switched_off
from acclimate.verifier.comparing.baseline import Noise
from acclimate.verifier.evidence import Evidence, Light, Outcome

pytestmark = pytest.mark.gfortran

PORT = f"""\
module m
  implicit none
  integer, parameter :: n = 64
  real(8), allocatable :: a(:)
contains
  subroutine double
    {DECLARATION}
    integer :: i
    !$acc update self(a) if(.not. acc_on('m::double'))
    !$acc parallel loop default(present) if(acc_on('m::double'))
    do i = 1, n
      a(i) = 2*a(i)
    end do
    !$acc update device(a) if(.not. acc_on('m::double'))
  end subroutine double
  subroutine more
    {DECLARATION}
    integer :: i
    !$acc update self(a) if(.not. acc_on('m::more'))
    !$acc parallel loop default(present) if(acc_on('m::more'))
    do i = 1, n
      a(i) = a(i) + 1.0d0
    end do
    !$acc update device(a) if(.not. acc_on('m::more'))
  end subroutine more
end module m
program p
  use m
  allocate (a(n))
  a = 1.5d0
  !$acc enter data copyin(a)
  call double
  call more
  !$acc update self(a)
  print *, a
end program p
""" + "\n".join([*FUNCTION_LINES, ""])


def outcomes(found: list[Evidence]) -> list[Outcome]:
    assert all(e.light is Light.DATA and e.check == "switched_off" for e in found)
    return [e.outcome for e in found]


@pytest.mark.parametrize(
    ("dropped", "said"),
    [
        ("    !$acc update device(a) if(.not. acc_on('m::double'))\n", "with all units off"),
        ("    !$acc update self(a) if(.not. acc_on('m::more'))\n", "with the other units off"),
    ],
    ids=["device", "host"],
)
def test_an_update_missing_for_a_unit_that_is_off_fails(program, dropped, said):
    assert PORT.count(dropped) == 1
    found = list(switched_off(program(PORT.replace(dropped, ""))))
    assert outcomes(found)[-1] is Outcome.FAILS
    assert said in found[-1].message


def test_a_right_port_gives_the_same_bits_whatever_is_off(program):
    subject = program(PORT)
    found = list(switched_off(subject))
    assert outcomes(found) == [Outcome.HOLDS] * 3
    assert [e.message.split(",")[1].split()[0] for e in found] == ["2", "1", "1"]
    assert not any(e.decisive for e in found)  # the port as it usually runs is another question
    assert list(data_clauses(subject)) == []


def test_a_clock_that_showed_the_same_so_far_is_no_difference(program):
    text = PORT.replace("  print *, a\n", "  call system_clock(now)\n  print *, a, now\n")
    text = text.replace("  use m\n", "  use m\n  integer(8) :: now\n")
    subject = program(text, text)
    subject.noise = Noise()
    found = list(switched_off(subject))
    assert outcomes(found) == [Outcome.HOLDS] * 3 and subject.masks


def test_a_port_without_switches_is_not_asked(program):
    assert list(switched_off(program("program p\n  print *, 1\nend program p\n"))) == []
