"""The two references that a serial verdict names are seen to meet, the distance apart."""

from collections import defaultdict
from dataclasses import replace
from pathlib import Path

import pytest

from acclimate.analysis.dependence.judging import judge_loops
from acclimate.analysis.project import read_project
from acclimate.analysis.tree.manifest import load_manifest
from acclimate.verifier.oracle.report import lines_of
from acclimate.verifier.oracle.whole_program import watch_program
from acclimate.verifier.oracle.witnesses import confirmed, read_trace, witnesses_of

pytestmark = [pytest.mark.gfortran, pytest.mark.needs("gcc"), pytest.mark.needs("addr2line")]

ROOT = Path(__file__).parents[3]
PROGRAM = """program model
implicit none
integer :: i
real :: a(30), b(30), s, t
a = 1.0
b = 2.0
t = 0.0
do i = 3, 20
  a(i) = a(i - 2) + b(i)
end do
do i = 1, 20
  b(i) = b(i + 3)
end do
do i = 1, 20
  a(i) = t
  t = b(i)
end do
print *, a, b, t
end program model
"""


def traced(path, work, runtime, edits=None):
    """Per serial loop that ran twice: the loop, its accesses; and the lines of code."""
    project = read_project(load_manifest(path))
    trace = work / "trace"
    watched = watch_program(project, judge_loops(project), work, runtime, edits, trace)
    by_loop = defaultdict(list)
    for access in read_trace(trace):
        by_loop[access.loop].append(access)
    codes = {access.code for accesses in by_loop.values() for access in accesses}
    lines = lines_of(work / "program", work / "source", codes, work)
    loops = watched.instrumented.marks.loops
    ran = {number for number, seen in watched.seen.items() if seen.iterations > 1}
    return [(loops[n], accesses) for n, accesses in by_loop.items() if n in ran], lines


def test_a_witness_is_confirmed_by_lines_order_and_distance(tmp_path, runtime):
    (tmp_path / "model.f90").write_text(PROGRAM)
    work = tmp_path / "work"
    work.mkdir()
    found, lines = traced(tmp_path / "model.f90", work, runtime)
    assert [loop.facts.at.first for loop, _ in found] == [8, 11, 14]
    for loop, accesses in found:
        (witness,) = witnesses_of(loop)[:1]
        assert confirmed(witness, accesses, lines)
        distance = 7 if witness.distance is None else witness.distance + 1
        assert not confirmed(replace(witness, distance=distance), accesses, lines)
        if witness.source != witness.sink:
            swapped = replace(witness, source=witness.sink, sink=witness.source)
            assert not confirmed(swapped, accesses, lines)


@pytest.mark.slow  # a step of the sample model, each access logged at every loop around it
def test_witnesses_of_the_sample_model(tmp_path, runtime):
    edits = load_manifest(ROOT / "sample_model").run.short
    edits = {"namelist.nml": dict(edits["namelist.nml"])}
    edits["namelist.nml"]["run"] = {**edits["namelist.nml"]["run"], "nsteps": 1}
    found, lines = traced(ROOT / "sample_model", tmp_path, runtime, edits)
    assert len(found) >= 5
    unseen = [
        str(loop.facts.at)
        for loop, accesses in found
        if not any(confirmed(witness, accesses, lines) for witness in witnesses_of(loop))
    ]
    assert len(unseen) <= len(found) // 3, unseen
