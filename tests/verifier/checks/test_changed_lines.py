import pytest

from acclimate.verifier.checks.changed_lines import changed_lines
from acclimate.verifier.evidence import Outcome

pytestmark = pytest.mark.gfortran

TEXT = """\
program p
  real :: x
  x = 2.0
  if (x > 1.0) then
    x = x + 1.0
  else
    x = x - 1.0
  end if
  print *, x
end program p
"""


def outcomes(program, old: str, new: str) -> list[tuple[Outcome, int | None]]:
    found = changed_lines(program(TEXT.replace(old, new), TEXT))
    return [(e.outcome, e.line) for e in found]


def test_a_change_of_meaning_that_no_run_executes_fails(program):
    assert outcomes(program, "x - 1.0", "x + 1.0") == [(Outcome.FAILS, 7)]


def test_an_executed_change_is_for_the_numbers_to_judge(program):
    assert outcomes(program, "x + 1.0", "x - 1.0") == []


def test_executed_lines_are_kept_for_the_report(program):
    subject = program(TEXT, TEXT)
    list(changed_lines(subject))
    lines = subject.figures.executed_lines["port.f90"]
    assert 5 in lines and 7 not in lines
