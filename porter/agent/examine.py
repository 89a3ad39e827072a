"""Examine: let the verifier doubt the assembled port."""

from dataclasses import replace
from pathlib import Path

from langgraph.runtime import Runtime

from acclimate.analysis.tree.manifest import Manifest
from acclimate.porter.agent.artefacts import Survey, Tree
from acclimate.porter.agent.job import Job, Step
from acclimate.porter.agent.state import Migration
from acclimate.porter.agent.tree import put_tree, remove_tree
from acclimate.verifier.evidence import Outcome
from acclimate.verifier.ladder import Examination
from acclimate.verifier.ladder import examine as climb
from acclimate.verifier.subject import Subject
from acclimate.verifier.toolchains import toolchain


def forget_examinations(job: Job) -> None:
    """Let the verifier measure again what it has measured before."""
    remove_tree(job.work / "verifier" / "examinations")


def examine(state: Migration, runtime: Runtime[Job]) -> Migration:
    job = runtime.context
    tree = job.store.get(state["tree"], Tree)
    survey = job.store.get(state["surveyed"], Survey)
    port = candidate(job, survey, tree)

    def say(text: str) -> None:
        job.tell(Step("examine", text))

    subject = Subject(
        original=job.manifest,
        port=port,
        toolchain=toolchain("gfortran"),
        work=job.work / "verifier",
        say=say,
        gated=frozenset(unit.name for unit in survey.units),
    )
    examination = climb(subject, say, stop_at_first_failure=not job.choice.keep_going)
    if not places(examination):
        examination = climb(subject, say)  # later checks may say where it fails
    verdict = examination.assessment.verdict
    job.tell(Step("examine", verdict, 1, 1))
    return {
        "examination": job.store.put(examination, Examination),
        "mendable": verdict == "reject" and bool(tree.changed),
    }


def places(examination: Examination) -> bool:
    """Whether what failed, if anything did, has a place."""
    failed = [e for e in examination.assessment.evidence if e.outcome is Outcome.FAILS]
    return not failed or any(item.file is not None for item in failed)


def candidate(job: Job, survey: Survey, tree: Tree) -> Manifest:
    """Put the assembled port into the work folder and describe it as the original is described."""
    folder: Path = job.work / "candidate"
    remove_tree(folder)
    folder.mkdir()
    changed = {file: job.store.get_bytes(key) for file, key in tree.changed.items()}
    put_tree(job.manifest.root, survey.files, changed, folder)
    added = changed.keys() - survey.files.keys()
    sources = tuple(sorted({*job.manifest.sources, *added}))
    return replace(job.manifest, root=folder, sources=sources)
