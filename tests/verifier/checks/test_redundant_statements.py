"""What stands in a parallel construct outside of its gang loops is done once for each gang."""

import pytest

from acclimate.verifier.checks.redundant_statements import redundant_statements
from acclimate.verifier.evidence import Light, Outcome

PORT = """\
program p
  implicit none
  real :: a(8), c(8), s
  integer :: i
  a = 1; c = 1; s = 0
  !$acc parallel num_gangs(8) copy(a, c) copy(s)
  c(1) = c(1) + 1
  !$acc loop gang
  do i = 1, 8
    a(i) = a(i) + 1
  end do
  !$acc end parallel
  print *, a, c, s
end program p
"""
STATEMENT = "  c(1) = c(1) + 1\n"
VECTOR = "  !$acc loop vector\n  do i = 1, 8\n    c(i) = c(i) + 1\n  end do\n"

WRONG = {
    "element": (PORT, 7),
    "shared scalar": (PORT.replace(STATEMENT, "  s = s + 1\n"), 7),
    "gangs by default": (PORT.replace("num_gangs(8) ", ""), 7),
    "vector loop": (PORT.replace(STATEMENT, VECTOR), 9),
}
RIGHT = {
    "one gang": PORT.replace("num_gangs(8)", "num_gangs(1)"),
    "serial": PORT.replace("parallel num_gangs(8)", "serial").replace("parallel", "serial"),
    "private": PORT.replace("copy(s)", "private(c)").replace("copy(a, c)", "copy(a)"),
    "the same value": PORT.replace(STATEMENT, "  c(1) = 2\n"),
    "own scalar": PORT.replace(STATEMENT, "  s = s + 1\n").replace(" copy(s)", ""),
    "gang loop": PORT.replace(STATEMENT, VECTOR.replace("vector", "gang vector")),
    "combined": PORT.replace(STATEMENT, "")
    .replace("parallel num", "parallel loop num")
    .replace("  !$acc loop gang\n", "")
    .replace("  !$acc end parallel\n", ""),
}


@pytest.mark.parametrize(("text", "line"), WRONG.values(), ids=WRONG)
def test_an_update_by_every_gang_fails_at_its_statement(program, text, line):
    found = list(redundant_statements(program(text)))
    assert [(e.light, e.outcome, e.line) for e in found] == [(Light.RACES, Outcome.FAILS, line)]


@pytest.mark.parametrize("text", RIGHT.values(), ids=RIGHT)
def test_what_one_gang_does_or_every_gang_may_do_is_let_be(program, text):
    assert list(redundant_statements(program(text))) == []
