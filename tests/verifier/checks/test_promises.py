"""A contract that was handed in is tested by a run: kept, broken, or seen by no kernel."""

from dataclasses import replace

import pytest

from acclimate.verifier.checks.promises import promises
from acclimate.verifier.evidence import Outcome

pytestmark = pytest.mark.gfortran

TEXT = """\
program p
  implicit none
  integer :: idx(4) = [2, 4, 1, 3], i, n
  real :: a(4), b(4)
  n = size(idx)
  b = 1.0
  !$acc parallel loop
  do i = 1, n
    a(idx(i)) = b(i)
  end do
  print *, a
end program p
"""


@pytest.mark.parametrize(
    ("contracts", "outcomes"),
    [
        (("1 <= idx <= n", "injective(idx)", "n <= 4"), [Outcome.HOLDS]),
        (("1 <= idx <= 3",), [Outcome.FAILS]),
        (("n <= 4", "n < 4"), [Outcome.FAILS]),
        (("m <= 4",), [Outcome.INCONCLUSIVE]),
        ((), []),
    ],
)
def test_a_run_tells_whether_a_promise_is_kept(contracts, outcomes, program):
    subject = program(TEXT)
    subject.port = replace(subject.port, contracts=contracts)
    assert [e.outcome for e in promises(subject)] == outcomes


def test_a_table_that_holds_a_value_twice_is_not_injective(program):
    subject = program(TEXT.replace("[2, 4, 1, 3]", "[2, 4, 1, 2]"))
    subject.port = replace(subject.port, contracts=("1 <= idx <= n", "injective(idx)"))
    (failed,) = promises(subject)
    assert failed.outcome is Outcome.FAILS
    assert failed.message == "the contract 'injective(idx)' does not hold in a run"
