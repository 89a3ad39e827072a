"""The verdicts on the tagged cases and on the sample model hold in a run of each."""

import copy
from pathlib import Path

import pytest

from acclimate.analysis.dependence.judging import judge_loops
from acclimate.analysis.facts import Verdict
from acclimate.analysis.project import read_project
from acclimate.analysis.tree.manifest import load_manifest
from acclimate.verifier.oracle.whole_program import watch_program

pytestmark = [pytest.mark.gfortran, pytest.mark.needs("gcc"), pytest.mark.needs("addr2line")]

ROOT = Path(__file__).parents[3]
CASES = sorted((ROOT / "tests/analysis/cases").glob("*.[fF]*"))
NEEDS_COARRAYS = "48_coarray.f90"
# A call passes overlapping arguments, which the standard forbids and the loop's notes tell.
OVERLAPPING = {"08_dummy_alias.f90": 10}


def watched(path, work, runtime, edits=None):
    project = read_project(load_manifest(path))
    return watch_program(project, judge_loops(project), work, runtime, edits)


@pytest.mark.parametrize("path", CASES, ids=lambda path: path.name)
def test_case(path, tmp_path, runtime):
    if path.name == NEEDS_COARRAYS:
        pytest.skip("gfortran builds coarrays with a library only")
    found = watched(path, tmp_path, runtime)
    assert found.seen or not found.instrumented.marks.loops
    lines = {c.loop.facts.at.first for c in found.contradictions}
    if path.name in OVERLAPPING:
        assert lines == {OVERLAPPING[path.name]}
        (facts,) = {c.loop.facts for c in found.contradictions}
        assert any("one object as `a` and `b`" in note for note in facts.notes)
        return
    assert [str(c) for c in found.contradictions] == []


@pytest.mark.slow  # two steps of the sample model, each access logged at every loop around it
def test_sample_model(tmp_path, runtime):
    path = ROOT / "sample_model"
    edits = copy.deepcopy(load_manifest(path).run.short)
    edits["namelist.nml"]["run"]["nsteps"] = 2
    found = watched(path, tmp_path, runtime, edits)
    assert [str(c) for c in found.contradictions] == []
    assert len(found.powerful()) >= 140
    serial = [
        number
        for number, loop in found.instrumented.marks.loops.items()
        if loop.facts.verdict is Verdict.SERIAL and number in found.seen
    ]
    assert sum(bool(found.seen[number].findings) for number in serial) >= len(serial) // 2
