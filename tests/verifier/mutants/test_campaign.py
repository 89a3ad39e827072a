"""Mutants of the column model, tried: the kill rate that this project holds itself to.

Reading alone is cheap, and finds every fault of some kinds.
"""

import signal

import pytest

from acclimate.analysis.problems import Problem
from acclimate.verifier.mutants.account import Standing, account, standing
from acclimate.verifier.mutants.bench import prepare
from acclimate.verifier.mutants.campaign import _stopped_with_its_programs, campaign
from acclimate.verifier.mutants.mutant import Family
from acclimate.verifier.mutants.sampling import chosen_operators, every_mutant, sample
from acclimate.verifier.mutants.trial import Rungs
from acclimate.verifier.toolchains import toolchain

BY_READING = (
    "async_without_wait",
    "drop_reduction",
    "private_outer_index",
    "reduction_operator",
    "drop_term",
    "offset",
)


@pytest.fixture
def sides(column):
    subject = column()
    return subject.original, subject.port


def tried(sides, work, rungs, count, operators=(), only=lambda mutant: True):
    bench = prepare(*sides, toolchain("gfortran"), work, rungs)
    mutants = sample(every_mutant(bench.material, chosen_operators(operators)), count, 1)
    return campaign(bench, [m for m in mutants if only(m)], rungs, 2)


def test_reading_finds_every_fault_of_these_operators(sides, tmp_path):
    found = tried(sides, tmp_path / "work", Rungs.STATIC, 60, BY_READING)
    alive = [t.mutant.id for t in found if standing(t, Rungs.STATIC) is not Standing.KILLED]
    assert len(found) > 15
    assert alive == []


def test_reading_holds_nothing_against_equivalents(sides, tmp_path):
    only = lambda mutant: mutant.equivalent  # noqa: E731
    found = tried(sides, tmp_path / "work", Rungs.STATIC, 400, only=only)
    assert len(found) > 5
    assert {standing(t, Rungs.STATIC) for t in found} == {Standing.EQUIVALENT}


def test_what_was_tried_is_not_tried_again(sides, tmp_path, monkeypatch):
    work = tmp_path / "work"
    few = tried(sides, work, Rungs.STATIC, 10, BY_READING)
    (journal,) = (work / "mutants").iterdir()
    with journal.open("a") as stream:
        stream.write('{"mutant": "cut off when')
    more = tried(sides, work, Rungs.STATIC, 14, BY_READING)
    assert more[:10] == few
    assert len(journal.read_text().splitlines()) == len(more) == 14


def test_a_process_is_ended_between_two_mutants_at_once_and_else_with_its_programs():
    before = signal.getsignal(signal.SIGTERM)
    try:
        with pytest.raises(KeyboardInterrupt), _stopped_with_its_programs():
            signal.raise_signal(signal.SIGTERM)
        assert signal.getsignal(signal.SIGTERM) is signal.SIG_DFL
    finally:
        signal.signal(signal.SIGTERM, before)


def test_a_port_that_is_wrong_is_no_bench(sides, tmp_path):
    path = sides[1].root / "physics.f90"
    path.write_text(path.read_text().replace("reduction(+:rained)", ""))
    with pytest.raises(Problem, match="rejected as it is: races: 'rained'"):
        tried(sides, tmp_path / "work", Rungs.STATIC, 10)


@pytest.mark.slow
@pytest.mark.gfortran
def test_every_fault_of_a_sample_is_found_and_nothing_right_is_rejected(sides, tmp_path):
    """Not one survivor and not one false alarm; what no run reaches is said."""
    found = tried(sides, tmp_path / "work", Rungs.ALL, 48)
    told = account(found, Rungs.ALL)
    bad = (Standing.SURVIVED, Standing.FALSE_ALARM)
    assert [(t.mutant.id, s) for t, s in told.shown if s in bad] == []
    assert told.rate(Family.DIRECTIVE) == told.rate(Family.STATEMENT) == 1.0
    assert {t.trial.rung for t in found} >= {"static", "emulation"}
