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


QUEUE = """\
program p
  real :: a(4), b(4)
  integer :: i
  !$acc data create(a, b)
  !$acc parallel loop async(1)
  do i = 1, 4
    a(i) = real(i)
  end do
{}
  !$acc wait
  !$acc end data
  print *, a
end program p
"""
COPY = """\
  !$acc parallel loop {}
  do i = 1, 4
    b(i) = a(i)
  end do"""


@pytest.mark.parametrize(
    ("body", "line"),
    [
        ("!$acc update self(a) async(1)\nprint *, a(1)", 9),
        ("!$acc update self(a) async(1)\nif (i > 3) then\nprint *, a(1)\nend if", 9),
        ("!$acc update self(a)", 5),
        ("!$acc update self(a) async(2)", 5),
        (COPY.format("async(2)"), 5),
        (COPY.format(""), 5),
        ("!$acc wait(2)\n!$acc update self(a)", 5),
    ],
)
def test_results_are_used_while_the_queue_may_still_be_at_work(body, line, program, failures):
    assert failures(list(queue_order(program(QUEUE.format(body))))) == [("data", "port.f90", line)]


@pytest.mark.parametrize(
    "body",
    [
        "!$acc update self(a) async(1)\n!$acc wait(1)\nprint *, a(1)",
        "!$acc update self(a) async(1)\nprint *, b(1)",
        "!$acc update self(a) async(1) wait(1)",
        "!$acc update self(a) wait(1)",
        "!$acc update self(a) async(1)\ncall wait_for_all()\nprint *, a(1)",
        "if (i > 3) then\n!$acc update self(a) async(1)\nelse\nprint *, a(1)\nend if",
        COPY.format("async(1)"),
        COPY.format("async(i)") + "\n!$acc wait(i)",
    ],
)
def test_what_is_ordered_by_a_queue_or_a_wait_is_left_open(body, program):
    if "async(i)" in body:
        body = "!$acc wait(1)\n" + body
    found = list(queue_order(program(QUEUE.format(body))))
    assert {e.outcome for e in found} == {Outcome.INCONCLUSIVE}
