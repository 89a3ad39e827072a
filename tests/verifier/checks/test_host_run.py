"""Bad runs of a port fail the numerics light, each with its own message."""

import pytest

from acclimate.analysis.problems import Kind, Problem
from acclimate.verifier.checks.host_run import host_run
from acclimate.verifier.evidence import Evidence, Light, Outcome
from acclimate.verifier.ladder import examine

pytestmark = pytest.mark.gfortran

GOOD = """\
program p
  real(8) :: x
  x = 2.0d0
  print *, 'result', sqrt(x)
end program p
"""


def program_of(statement: str) -> str:
    return GOOD.replace("  print *", f"  {statement}\n  print *")


BAD = {
    "prints and fails": (GOOD.replace("end program", "  stop 3\nend program"), "exit code 3"),
    "never ends": (program_of("do while (x > 0); x = x + 0; end do"), "did not end within"),
    "NaN": (GOOD.replace("sqrt(x)", "sqrt(-x)"), "NaN, first in the candidate"),
    "prints nothing": ("program p\nend program p\n", "shape"),
    "other words": (GOOD.replace("'result'", "'Result'"), "words' differs"),
    "too many numbers": (GOOD.replace("sqrt(x)", "sqrt(x), 1"), "changed its shape"),
    "eats memory": (
        GOOD.replace("  x =", "  real(8), allocatable :: b(:)\n  allocate (b(1000000000))\n  x ="),
        "memory",
    ),
}


def measured(subject) -> list[Evidence]:
    return list(host_run(subject))


@pytest.mark.parametrize(("port", "message"), BAD.values(), ids=BAD)
def test_a_bad_run_fails_with_its_own_message(program, port, message):
    found = measured(program(port, GOOD))
    failed = [e for e in found if e.outcome is Outcome.FAILS]
    assert any(message in e.message for e in failed), [e.message for e in found]
    assert {e.light for e in failed} == {Light.NUMERICS}
    assert all(e.file == "port.f90" for e in failed)


def test_the_last_bit_counts_and_the_changed_statement_is_named(program):
    found = measured(program(GOOD.replace("2.0d0", "2.00000000000001d0"), GOOD))
    assert [(e.outcome, e.file, e.line) for e in found] == [(Outcome.FAILS, "port.f90", 3)]
    assert "constant changed" in found[0].message


def test_the_same_numbers_hold(program):
    found = measured(program(GOOD.replace("x = 2.0d0", "x = 1.0d0 + 1.0d0"), GOOD))
    assert [(e.outcome, e.figure) for e in found] == [(Outcome.HOLDS, 2)]


def test_an_original_that_fails_is_not_blamed_on_the_port(program):
    with pytest.raises(Problem, match="the original model ended with exit code 3") as caught:
        measured(program(GOOD, BAD["prints and fails"][0]))
    assert caught.value.kind is Kind.ENVIRONMENT


def test_an_original_that_does_not_build_is_a_problem_at_its_line(program):
    with pytest.raises(Problem, match="the original model does not build") as caught:
        examine(program(GOOD, GOOD.replace("sqrt(x)", "sqrt(x")))
    assert caught.value.where is not None
    assert (caught.value.where.path.name, caught.value.where.line) == ("original.f90", 4)


CLOCK = GOOD.replace(
    "  print *", "  integer(8) :: t\n  call system_clock(t)\n  print *, 'clock', t\n  print *"
).replace("  x = 2.0d0\n  integer(8) :: t\n", "  integer(8) :: t\n  x = 2.0d0\n")


def test_a_clock_in_the_output_is_said_and_left_out(program):
    subject = program(CLOCK, CLOCK)
    assert not subject.noise.stable
    assert [e.outcome for e in measured(subject)] == [Outcome.HOLDS]


def test_a_clock_does_not_hide_a_wrong_number(program):
    found = measured(program(CLOCK.replace("sqrt(x)", "sqrt(3.0d0)"), CLOCK))
    assert {e.outcome for e in found} == {Outcome.FAILS}
