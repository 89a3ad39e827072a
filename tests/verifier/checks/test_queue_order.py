from acclimate.verifier.checks.queue_order import queue_order
from acclimate.verifier.evidence import Light

TEXT = """\
program p
  real :: a(4)
  integer :: i
  !$acc parallel loop copyout(a) async(1)
  do i = 1, 4
    a(i) = real(i)
  end do
  !$acc wait
  print *, a
end program p
"""


def test_asynchronous_work_is_never_said_to_hold(program):
    found = list(queue_order(program(TEXT)))
    assert [(e.light, e.unsettled, e.line) for e in found] == [
        (Light.DATA, True, 4),
        (Light.RACES, True, 4),
    ]


def test_synchronous_work_raises_no_question(program):
    assert list(queue_order(program(TEXT.replace(" async(1)", "")))) == []
