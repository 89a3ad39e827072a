import pytest

from acclimate.verifier.checks.original_repeatability import original_repeatability
from acclimate.verifier.evidence import Outcome

pytestmark = pytest.mark.gfortran

STABLE = "program p\n  print *, sqrt(2.0)\nend program p\n"
RANDOM = """\
program p
  integer(8) :: t
  call system_clock(t)
  print *, t, 1.5
end program p
"""
STOPS = """\
program p
  character(1000) :: folder
  call getcwd(folder)
  if (index(folder, 'again') > 0) then
    print *, 0.0
    error stop
  end if
  print *, 1.5
end program p
"""


@pytest.mark.parametrize(
    ("text", "outcome"),
    [(RANDOM, Outcome.INCONCLUSIVE), (STOPS, Outcome.INCONCLUSIVE), (STABLE, Outcome.HOLDS)],
)
def test_an_original_that_disagrees_with_itself_is_said(program, text, outcome):
    subject = program(text, text)
    found = list(original_repeatability(subject))
    assert [(e.outcome, e.decisive) for e in found] == [(outcome, False)]
    assert bool(subject.masks) is (text == RANDOM)
