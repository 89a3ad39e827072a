"""A pond that was ported by the rules and examined on paper: no compiler is needed to review it."""

import shutil
from datetime import UTC, datetime
from pathlib import Path

import pytest

from acclimate.analysis.index import index_project
from acclimate.analysis.source import Edit, Lines, apply_edits
from acclimate.analysis.tree.manifest import load_manifest
from acclimate.porter.agent.artefacts import (
    Answer,
    ModelFile,
    Planned,
    Survey,
    SurveyedUnit,
    Tree,
)
from acclimate.porter.agent.standing import Recorder
from acclimate.porter.agent.state import Migration
from acclimate.porter.agent.work_folder import work_folder
from acclimate.porter.keeping.store import Store
from acclimate.porter.plan import KernelPlan, ResidentClass
from acclimate.porter.rewrite import Rewrite
from acclimate.verifier.evidence import Evidence, Light, Outcome, assess
from acclimate.verifier.figures import Kernel
from acclimate.verifier.ladder import Examination
from acclimate.workflows.reviewing import events
from acclimate.workflows.reviewing.session import Session
from acclimate.workflows.reviewing.targets import targets

POND = Path(__file__).parents[1] / "pond"
WATER, MAIN = "src/water.f90", "src/pond.f90"
NOON = datetime(2026, 11, 30, 12, tzinfo=UTC)


def held(*more):
    """An examination in which all holds, and what `more` says."""
    lit = [Evidence(str(light), light, Outcome.HOLDS, "as it should be") for light in Light]
    kernels = tuple(
        Kernel(WATER, line, 40, 0.1, 0, 0) for line in (16, 20, 28, 32)
    )  # the one in `highest` has never run
    return Examination(
        assess([*lit[:3], *more]),
        kernels=kernels,
        kernel_share=0.9,
        executed_lines={MAIN: (11,)},
        timings={"host_run": 1.0},
    )


def failing(file, check="host_run", line=16, message="wrong", light=Light.NUMERICS):
    return Evidence(check, light, Outcome.FAILS, message, file=file, line=line)


class Ported:
    """One ported pond in a folder of its own, and what tests do with it."""

    def __init__(self, model):
        self.model = model
        self.work = work_folder(model, None)

    def session(self, reviewer="Ada", now=NOON):
        return Session(self.model, self.work, reviewer, now=lambda: now)

    def failed_at(self, file):
        """Another examination, in which something about a file fails."""
        self._examined(failing(file))

    def failed_on(self, session, *more):
        """The same while a session looks on."""
        self._examined(*more)
        assert session.reload()

    def _examined(self, *more):
        standing = self.session().material.standing
        key = Store(self.work / "store").put(held(*more), Examination)
        state = {**standing.state, "examination": key}
        Recorder(self.work, standing.key, ()).follow("examine", state)

    @staticmethod
    def failing(file, **said):
        """What a check finds against a line of the port."""
        return failing(file, **said)

    @staticmethod
    def verified(session, verdict="accept", only=(), more=(), with_open=True):
        """Note a verification of the port as it is decided, in which `more` was found."""
        session.record(
            events.Verified,
            selection=session.selection(with_open=with_open).digest,
            verdict=verdict,
            key=session.material.standing.key,
            examination=session.outcome.store.put(held(*more), Examination),
            only=only,
        )

    @staticmethod
    def decide(session, words, verdict="accept", reason=""):
        for target in targets(session, words):
            session.decide(target.hunks, verdict, target.scope, reason)


def kernel(unit, line, reads, writes):
    at = Lines(WATER, line, line)
    return KernelPlan(unit, "offload_parallel_nest", at, at, (), reads, writes, (at,))


LOOP = "    !$acc parallel loop gang vector default(present) private(i)"
ADDED = {
    "water::fill": [
        (WATER, 14, "    !$acc enter data create(flow, level)"),
        (WATER, 14, LOOP),
        (WATER, 17, LOOP),
    ],
    "water::advance": [(WATER, 24, LOOP), (WATER, 27, LOOP)],
    "water::highest": [
        (WATER, 42, "    !$acc update self(level)"),
        (WATER, 43, f"{LOOP} reduction(max:top)"),
    ],
    "pond": [
        (MAIN, 12, "    !$acc update self(level)"),
        (MAIN, 13, "    !$acc update device(level)"),
        (MAIN, 15, "  !$acc update self(level)"),
    ],
}
PLANNED = Planned(
    units=tuple(ADDED),
    left_out=(),
    routines=(),
    refusals={},
    loops={},
    kernels=(
        kernel("water::fill", 14, (), ("water::level",)),
        kernel("water::fill", 17, (), ("water::flow",)),
        kernel("water::advance", 24, ("water::flow", "water::level"), ("water::flow",)),
        kernel("water::advance", 27, ("water::flow",), ("water::level",)),
        kernel("water::highest", 43, ("water::level",), ()),
    ),
    residency=(
        ResidentClass("water::flow", ("water::flow",), True),
        ResidentClass("water::level", ("water::level",), True),
    ),
)


def rewritten(unit):
    """What the rules said of a unit, written down here so that better rules change no test."""
    edits = tuple(Edit(file, line, line - 1, (text,)) for file, line, text in ADDED[unit])
    loops = tuple(Lines(e.file, e.first, e.first) for e in edits if "loop" in e.text[0])
    return Answer(Rewrite(unit, "rules", edits, (), loops))


@pytest.fixture(scope="session")
def template(tmp_path_factory):
    """Made once; tests work on copies."""
    model = Path(shutil.copytree(POND, tmp_path_factory.mktemp("review") / "pond"))
    manifest = load_manifest(model)
    index, work = index_project(manifest), work_folder(model, None)
    store = Store(work / "store")
    named = [*manifest.sources, *manifest.run.namelists, "acclimate.toml"]
    files = {name: ModelFile(store.put_bytes((model / name).read_bytes())) for name in named}
    units = sorted(index.project.units.items(), key=lambda item: (item[1].at, item[0]))
    survey = Survey(
        name="pond",
        files=files,
        sources=tuple(index.project.texts),
        units=tuple(SurveyedUnit(name, u.kind.value, u.at, u.end) for name, u in units),
        loops=index.loops,
        problems=(),
        compiler="none",
        flags=(),
        guessed=(),
        scores={"water::advance": 0.5},
    )
    answers = {unit: rewritten(unit) for unit in ADDED}
    edits = [edit for answer in answers.values() for edit in answer.rewrite.edits]
    changed = {
        file: store.put_bytes(
            apply_edits(index.project.texts[file], [e for e in edits if e.file == file])
        )
        for file in (WATER, MAIN)
    }
    state = Migration(
        surveyed=store.put(survey, Survey),
        planned=store.put(PLANNED, Planned),
        drafts={unit: store.put(answer, Answer) for unit, answer in answers.items()},
        attempt=1,
        tree=store.put(Tree(changed), Tree),
        examination=store.put(held(), Examination),
    )
    Recorder(work, "0" * 64, ("migrate", str(model))).follow("examine", state)
    return model


@pytest.fixture
def ported(template, tmp_path):
    model = Path(shutil.copytree(template, tmp_path / "pond"))
    standing = work_folder(model, None) / "standing.json"  # as if it had been migrated here
    standing.write_text(standing.read_text().replace(str(template), str(model)))
    return Ported(model)


@pytest.fixture
def session(ported):
    return ported.session()
