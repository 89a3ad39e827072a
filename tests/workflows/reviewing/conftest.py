"""A pond that was ported by the rules and examined on paper: no compiler is needed to review it."""

import shutil
from collections import Counter
from datetime import UTC, datetime
from pathlib import Path
from types import SimpleNamespace

import pytest

from acclimate.analysis.tree.manifest import load_manifest
from acclimate.porter.agent.assemble import assemble
from acclimate.porter.agent.choice import Choice
from acclimate.porter.agent.draft import draft, every_unit
from acclimate.porter.agent.job import open_job
from acclimate.porter.agent.places import InFolder
from acclimate.porter.agent.plan import plan
from acclimate.porter.agent.standing import Recorder
from acclimate.porter.agent.survey import survey
from acclimate.porter.agent.work_folder import work_folder
from acclimate.porter.engine import propose
from acclimate.porter.store import Store
from acclimate.verifier.evidence import Evidence, Light, Outcome, assess
from acclimate.verifier.figures import Kernel
from acclimate.verifier.ladder import Examination
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


def failing(file, check="host_run"):
    return Evidence(check, Light.NUMERICS, Outcome.FAILS, "wrong", file=file, line=16)


class Ported:
    """One ported pond in a folder of its own, and what tests do with it."""

    def __init__(self, model):
        self.model = model
        self.work = work_folder(model, None)

    def session(self, reviewer="Ada", now=NOON):
        return Session(self.model, self.work, reviewer, now=lambda: now)

    def failed_at(self, file):
        """Another examination, in which something about a file fails."""
        standing = self.session().material.standing
        key = Store(self.work / "store").put(held(failing(file)), Examination)
        state = {**standing.state, "examination": key}
        Recorder(self.work, standing.key, ()).follow("examine", state)

    @staticmethod
    def decide(session, words, verdict="accept", reason=""):
        for target in targets(session, words):
            session.decide(target.hunks, verdict, target.scope, reason)


@pytest.fixture(scope="session")
def template(tmp_path_factory):
    """Made once; tests work on copies."""
    model = Path(shutil.copytree(POND, tmp_path_factory.mktemp("review") / "pond"))
    manifest = load_manifest(model)
    work = work_folder(model, None)
    said = Counter()
    job = open_job(
        manifest,
        whole_tree=True,
        choice=Choice("rules"),
        work=work,
        machine="this",
        workers=1,
        author=propose,
        tell=lambda step: said.update([step.stage]),
        place=InFolder(work / "port", model, work, whole_tree=True),
        publish=lambda outcome: {},
    )
    runtime = SimpleNamespace(context=job)
    state = {"attempt": 0}
    state |= survey(state, runtime)
    state |= plan(state, runtime)
    sends = every_unit(state, runtime)
    state["drafts"] = {}
    for send in sends:
        state["drafts"] |= draft(send.arg, runtime)["drafts"]
    state |= assemble(state, runtime)
    state["examination"] = job.store.put(held(), Examination)
    recorder = Recorder(work, job.key, ("migrate", str(model)))
    recorder.follow("examine", state)
    return model


@pytest.fixture
def ported(template, tmp_path):
    return Ported(Path(shutil.copytree(template, tmp_path / "pond")))


@pytest.fixture
def session(ported):
    return ported.session()
