import pytest

from acclimate.verifier.checks.queue_order import queue_order
from acclimate.verifier.evidence import Light, Outcome

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


@pytest.mark.parametrize("wait", ["", "!$acc wait(2)", "!$acc update self(a) wait(2)"])
def test_a_queue_that_nothing_waits_for_fails_where_work_is_put_on_it(wait, program, failures):
    found = list(queue_order(program(TEXT.replace("!$acc wait", wait))))
    assert failures(found) == [("data", "port.f90", 4)]


@pytest.mark.parametrize(
    "wait",
    ["!$acc wait(1)", "!$acc wait(n)", "!$acc update self(a) wait(1)", "call acc_wait_all()"],
)
def test_any_wait_that_may_be_for_the_queue_leaves_the_question_open(wait, program):
    found = list(queue_order(program(TEXT.replace("!$acc wait", wait))))
    assert {e.outcome for e in found} == {Outcome.INCONCLUSIVE}


def test_synchronous_work_raises_no_question(program):
    assert list(queue_order(program(TEXT.replace(" async(1)", "")))) == []
