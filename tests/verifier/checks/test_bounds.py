import pytest

from acclimate.verifier.checks.bounds import bounds
from acclimate.verifier.evidence import Light, Outcome

pytestmark = pytest.mark.gfortran

TEXT = """\
program p
  real :: a(8)
  integer :: i, n = 8
  a = 0.0
  !$acc parallel loop copy(a)
  do i = 1, n
    a(i) = i
  end do
  print *, a
end program p
"""
OUTSIDE = TEXT.replace("a(i) = i", "a(i+1) = i")


def test_a_subscript_outside_its_array_fails_at_its_line(program):
    found = list(bounds(program(OUTSIDE, TEXT)))
    assert [(e.light, e.outcome, e.line) for e in found] == [(Light.RACES, Outcome.FAILS, 7)]


def test_what_the_original_does_too_is_not_blamed_on_the_port(program):
    found = list(bounds(program(OUTSIDE, OUTSIDE)))
    assert [(e.outcome, e.line) for e in found] == [(Outcome.INCONCLUSIVE, 7)]


def test_keeping_the_bounds_holds_but_lights_nothing(program):
    found = list(bounds(program(TEXT)))
    assert [(e.outcome, e.decisive) for e in found] == [(Outcome.HOLDS, False)]
