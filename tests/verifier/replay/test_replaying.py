"""Calls of a real run are given again: bit for bit, with everything else poisoned."""

from dataclasses import replace

import pytest

from acclimate.verifier.checks.replay import replay
from acclimate.verifier.evidence import Outcome
from acclimate.verifier.replay.replaying import replay_units

pytestmark = pytest.mark.gfortran

ALL = (
    *("flow::stir", "flow::settle", "flow::total", "flow::twice", "flow::slide"),
    "flow::lift",
    *("state::setup", "state::gauge", "tally"),
)


@pytest.mark.parametrize(
    ("unit", "name"),
    [
        ("flow::stir", "flow::stir::turns"),
        ("flow::stir", "l%q"),
        ("flow::stir", "l%fixed"),
        ("flow::stir", "b"),
        ("flow::settle", "state::depth"),
        ("flow::lift", "p"),
        ("state::gauge", "state::hidden"),
        ("state::gauge", "times"),
        ("tally", "common:book%kount"),
    ],
)
def test_a_variable_taken_off_the_list_is_noticed(pond, unit, name):
    (found,) = replay_units(pond(), [unit], without=[name])
    assert not found.calls
    assert found.why.startswith("the original ")
    assert "does not repeat its own call" in found.why or "in the replay of call" in found.why


def test_every_procedure_repeats_its_calls_bit_for_bit(pond):
    for found in replay_units(pond(), ALL):
        assert found.around == (found.unit,), found
        assert found.why == "", found
        assert found.calls
        assert found.values
        assert not found.failures


def test_a_wrong_port_is_found_with_variable_cell_and_call(pond):
    subject = pond(("flow.f90", "depth(:, j)*0.5_wp", "depth(:, j)*0.25_wp"))
    (found,) = [e for e in replay(subject) if e.outcome is Outcome.FAILS]
    assert (found.file, found.line) == ("flow.f90", 32)
    assert "'flow::settle' leaves something else" in found.message
    assert "'state::depth' differs in" in found.message
    assert "first at (-1,2)" in found.message
    assert "--unit flow::settle --call " in found.message


def test_a_failure_is_the_same_when_it_is_replayed_alone(pond):
    subject = pond(("state.f90", "x = x - 1.0_wp", "x = x - 1.5_wp"))
    (all_of_it,) = replay_units(subject, ["state::gauge"])
    first = all_of_it.failures[0]
    (again,) = replay_units(subject, ["state::gauge"], only_call=first.call)
    assert again.failures == (first,)


def test_a_change_that_the_kept_calls_see_only_in_a_late_branch_is_found(pond):
    subject = pond(("flow.f90", "l%fixed(2)*turns", "l%fixed(2)*(turns + 1)"))
    (found,) = replay_units(subject, ["flow::stir"])
    assert [failure.call > 2 for failure in found.failures] == [True] * len(found.failures)
    assert found.failures


def test_what_no_call_has_executed_is_named(pond):
    subject = pond(("flow.f90", "a(i - 1)", "a(i - 1)*1.0_wp"))
    subject.replay_all = True
    told = {e.line: e.message for e in replay(subject) if e.outcome is Outcome.HOLDS}
    (settle,) = [text for text in told.values() if text.startswith("'flow::settle'")]
    assert "never validated: no line" in settle
    (found,) = replay_units(subject, ["flow::settle"])
    assert found.coverage is not None
    assert 0 < found.coverage.taken < found.coverage.branches


def test_a_port_with_directives_alone_is_not_replayed(pond):
    line = "    do j = first, last\n"
    assert list(replay(pond(("flow.f90", line, f"    !$acc parallel loop\n{line}")))) == []


def test_other_arguments_in_the_port_are_said_and_not_guessed(pond):
    subject = pond(
        (
            "flow.f90",
            "subroutine lift(p)",
            "subroutine lift(p, by)\n    real(wp), intent(in) :: by",
        ),
        ("flow.f90", "p = p + 1.0_wp", "p = p + by"),
        ("pond.f90", "call lift(ph)", "call lift(ph, 1.0_8)"),
    )
    (found,) = replay_units(subject, ["flow::lift"])
    assert not found.calls
    assert "which the original's has not" in found.why


def test_a_work_array_that_nothing_reads_may_hold_anything(pond):
    subject = pond(("flow.f90", "scratch(j) = depth(first, j)", "scratch(j) = 0.0_wp"))
    (found,) = replay_units(subject, ["flow::settle"])
    assert found.values
    assert not found.failures


def test_a_variable_that_the_port_has_no_longer_is_said(pond):
    subject = pond(
        ("flow.f90", "    integer, save :: turns = 0\n", "    integer, save :: times = 0\n"),
        ("flow.f90", "    turns = turns + 1\n", "    times = times + 1\n"),
        ("flow.f90", "if (turns > 2)", "if (times > 2)"),
        ("flow.f90", "l%fixed(2)*turns", "l%fixed(2)*times"),
    )
    (found,) = replay_units(subject, ["flow::stir"])
    assert not found.calls
    assert "`flow::stir::t" in found.why


def test_a_procedure_that_only_prints_is_not_replayed_and_fails_nothing(pond):
    call = "  print '(6es24.16)'"
    tell = "\n  subroutine tell(a)\n    real(wp) :: a(:)\n    print *, a\n  end subroutine\n"
    subject = pond(
        ("flow.f90", "contains\n", f"contains{tell}"), ("pond.f90", call, f"  call tell(w)\n{call}")
    )
    both = replace(subject, original=subject.port)
    (found,) = replay_units(both, ["flow::tell"])
    assert not found.calls
    assert "leaves nothing behind" in found.why


def test_each_rank_has_a_file_of_its_own(pond, tmp_path, monkeypatch):
    monkeypatch.setenv("OMPI_COMM_WORLD_RANK", "3")
    subject = pond(("flow.f90", "p = p + 1.0_wp", "p = p + 2.0_wp"))
    subject.work = tmp_path / "work"
    (found,) = replay_units(subject, ["flow::lift"])
    assert {failure.rank for failure in found.failures} == {"3"}
    assert [path.name for path in subject.work.glob("replay/*/records/*")] == ["rank-3"]


def test_calls_beyond_the_limit_are_left_out_and_that_is_said(pond, tmp_path, monkeypatch):
    monkeypatch.setattr("acclimate.verifier.replay.bench.CAPTURE_LIMIT", 300)
    subject = pond()
    subject.work = tmp_path / "work"
    (found,) = replay_units(subject, ["flow::settle"])
    assert not found.calls
    assert "larger than the limit" in found.why
    assert sum(path.stat().st_size for path in subject.work.glob("replay/*/records/*")) < 2000


def test_a_file_that_does_not_build_instrumented_costs_its_own_procedures_only(pond):
    label = "subroutine lift(p)\n    use, intrinsic :: iso_c_binding, acclimate_on => c_int"
    subject = pond(("flow.f90", "subroutine lift(p)", label))
    both = replace(subject, original=subject.port)
    lift, gauge = replay_units(both, ["flow::lift", "state::gauge"])
    assert "does not build" in lift.why
    assert gauge.calls
    assert gauge.values
