"""Procedures called with made-up arguments: true verdicts hold, false ones and mutants are told.

`ACCLIMATE_MODEL=path` puts a whole model to the same test; see campaigns/__main__.py for figures.
"""

import os
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest
from campaigns.kernels import build_campaign, run_trials
from campaigns.mutants import build_round, kernels
from campaigns.mutation import MUTATIONS, Array, Nest, mutants
from campaigns.outcome import mutant_outcome, outcome

from acclimate.analysis.dependence.judging import judge_loops
from acclimate.analysis.facts import Verdict
from acclimate.analysis.project import read_project
from acclimate.analysis.tree.manifest import load_manifest

MODEL = Path(__file__).parent / "model"
NEEDS = [pytest.mark.gfortran, pytest.mark.needs("gcc"), pytest.mark.needs("addr2line")]


def campaign(work, model=MODEL, change=lambda loop: loop):
    project = read_project(load_manifest(model))
    loops = [change(loop) for loop in judge_loops(project)]
    return project, build_campaign(project.manifest, project, loops, work, seeds=2)


def outcome_of(made, wall=60.0):
    return outcome(made.instrumented, run_trials(made.program, wall), made.program.name)


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    return campaign(tmp_path_factory.mktemp("campaign"))


class TestKernels:
    pytestmark = NEEDS

    def test_every_procedure_is_called_and_no_verdict_contradicted(self, whole):
        _, made = whole
        assert {each.unit for each in made.drivers} >= {
            "column::advance", "column::settle", "column::collect", "column::smooth"
        }  # fmt: skip
        found = outcome_of(made)
        assert found.contradictions == ()
        assert len(found.powerful & found.claimed) >= 7
        loops = made.instrumented.marks.loops
        conflicting = {loops[n].facts.unit for n in found.conflicting}
        assert conflicting == {"column::settle"}

    def test_a_false_verdict_is_contradicted(self, tmp_path):
        def change(loop):
            if loop.unit == "column::settle" and loop.verdict is Verdict.SERIAL:
                return replace(loop, verdict=Verdict.PARALLEL, private=("i", "k"))
            return loop

        found = outcome_of(campaign(tmp_path, change=change)[1])
        assert [c.loop.facts.unit for c in found.contradictions] == ["column::settle"]


class TestMutants:
    NEST = Nest(
        ("do i = 1, n", "t = a(i, 1) + b(i)", "a(i, 2) = t", "b(i) = a(i, 2)", "end do"),
        (Array("a", 2, "real"), Array("b", 1, "real"), Array("c", 1, "real")),
        ("t", "s"),
        ("i",),
    )

    @pytest.mark.parametrize("kind", MUTATIONS)
    def test_a_mutation_changes_one_place(self, kind):
        changed = [MUTATIONS[kind](self.NEST, Random(seed)) for seed in range(20)]
        changed = [lines for lines in changed if lines and tuple(lines) != self.NEST.lines]
        assert changed
        for lines in changed:
            differ = [a for a, b in zip(lines, self.NEST.lines, strict=True) if a != b]
            assert len(differ) <= 2

    def test_mutants_differ_and_repeat_with_the_seed(self):
        first, again = (mutants(self.NEST, Random(5), 30) for _ in range(2))
        assert first == again
        assert len({lines for _, lines in first}) == len(first) > 15

    @pytest.mark.gfortran
    @pytest.mark.needs("gcc")
    @pytest.mark.needs("addr2line")
    def test_no_mutant_contradicts_its_verdict(self, whole, tmp_path):
        project, made = whole
        chosen = list(enumerate(kernels(project.manifest, project, {"column.f90"})))
        assert len(chosen) == 4
        built = build_round(made, project, chosen, tmp_path, Random(1), 12)
        assert len(built.mutants) > 30
        found = mutant_outcome(built, run_trials(built.program, 120.0))
        assert [str(c) for c in found.outcome.contradictions] == []
        assert len(found.conflicting) >= 5
        assert len(found.powerful - found.conflicting) >= 5


@pytest.mark.slow  # builds a whole model
@pytest.mark.skipif(
    "ACCLIMATE_MODEL" not in os.environ,
    reason="inconclusive: needs a model named by ACCLIMATE_MODEL",
)
def test_a_model_of_your_own(tmp_path):
    _, made = campaign(tmp_path, Path(os.environ["ACCLIMATE_MODEL"]))
    found = outcome_of(made, wall=3600.0)
    assert found.powerful & found.claimed
    assert [str(c) for c in found.contradictions] == []
