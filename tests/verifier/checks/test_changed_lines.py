import pytest

from acclimate.verifier.checks.changed_lines import changed_lines
from acclimate.verifier.evidence import Evidence, Light, Outcome, light

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


HELD = Evidence("host_run", Light.NUMERICS, Outcome.HOLDS, "bit-identical")


def outcomes(program, old: str, new: str) -> list[tuple[Outcome, int | None]]:
    found = changed_lines(program(TEXT.replace(old, new), TEXT))
    return [(e.outcome, e.line) for e in found]


def test_a_change_of_meaning_that_no_run_executes_fails(program):
    assert outcomes(program, "x - 1.0", "x + 1.0") == [(Outcome.FAILS, 7)]


def test_an_executed_change_that_no_run_tells_apart_is_unsettled(program):
    found = list(changed_lines(program(TEXT.replace("x + 1.0", "x - 1.0"), TEXT)))
    assert [(e.outcome, e.line, e.unsettled) for e in found] == [(Outcome.INCONCLUSIVE, 5, True)]
    assert light([HELD, *found], Light.NUMERICS) is Outcome.INCONCLUSIVE


def test_a_change_in_another_configuration_is_unsettled(program):
    guarded = TEXT.replace(
        "    x = x + 1.0", "#ifdef OTHER\n    x = x + 2.0\n#endif\n    x = x + 1.0"
    )
    found = list(changed_lines(program(guarded.replace("+ 2.0", "- 2.0"), guarded)))
    assert [(e.outcome, e.unsettled) for e in found] == [(Outcome.INCONCLUSIVE, True)]


def test_what_reading_proves_needs_no_run(program):
    assert outcomes(program, "print *, x", "x = x\n  print *, x") == []


def test_a_change_of_any_class_that_nothing_has_settled_is_said_once(program):
    port = TEXT.replace("x = 2.0\n", "x = 2.0\n  if (x > 0.0) x = min(x, 9.0)\n  x = max(x, 0.0)\n")
    found = list(changed_lines(program(port, TEXT)))
    assert found and all(e.unsettled and "next: " in e.message for e in found)


def test_what_a_migration_gates_itself_is_held_back_for_changes_of_meaning_only(program):
    for now, held_back in (("x = 2.0\n  x = max(x, 0.0)\n", False), ("x = -2.0\n", True)):
        subject = program(TEXT.replace("x = 2.0\n", now), TEXT)
        assert any(e.unsettled for e in changed_lines(subject))
        subject = program(TEXT.replace("x = 2.0\n", now), TEXT)
        subject.gated = frozenset({"p"})
        assert any(e.unsettled for e in changed_lines(subject)) is held_back


def test_executed_lines_are_kept_for_the_report(program):
    subject = program(TEXT, TEXT)
    list(changed_lines(subject))
    lines = subject.figures.executed_lines["port.f90"]
    assert 5 in lines and 7 not in lines
