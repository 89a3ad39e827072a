"""Migrations and examinations of evaluation tasks: nothing lands anywhere."""

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from acclimate.porter.agent.choice import Choice, not_asked
from acclimate.porter.author.consultant import Consultant
from acclimate.porter.author.task import tasks
from acclimate.porter.engine import propose
from acclimate.verifier.building.build import compiler_version
from acclimate.verifier.ladder import Examination
from acclimate.verifier.ladder import examine as climb
from acclimate.verifier.subject import Subject
from acclimate.verifier.toolchains import toolchain
from acclimate.workflows.evaluating.task_sets import EvaluationTask

if TYPE_CHECKING:
    from acclimate.analysis.tree.manifest import Manifest
    from acclimate.porter.agent.outcome import Outcome


def flow_outcome(
    task: EvaluationTask,
    manifest: "Manifest",
    work: Path,
    author: str,
    consultant: Consultant | None,
) -> tuple["Outcome", tuple[str, ...]]:
    """The outcome of a migration of the task's model by rules, a model, or both.

    Without a model also the units that one would be asked about.
    """
    from acclimate.porter.agent.graph import migrate
    from acclimate.porter.agent.job import open_job
    from acclimate.porter.agent.places import InFolder

    asked = repr(consultant.settings.asks_for) if consultant else ""
    job = open_job(
        manifest,
        whole_tree=task.path.is_dir(),
        choice=Choice(f"{author}:{asked}", ask=task.only),
        work=work,
        machine=compiler_version(manifest.compiler),
        workers=1,
        author=propose,
        tell=lambda step: None,
        place=InFolder(work / "port", manifest.root, work, task.path.is_dir()),
        publish=lambda outcome: {},
        consultant=consultant,
    )
    outcome, _ = migrate(job, landing=False, fresh=False)
    if consultant is not None:
        return outcome, ()
    index = job.index()
    leave = not_asked(index, job.choice)
    left = tasks(job.plan(outcome.turned_back), index, leave, everything=False)
    return outcome, tuple(one.unit for one in left)


def examiner(manifest: "Manifest", work: Path) -> Callable[["Manifest", str], Examination]:
    """What judges a port of `manifest` that came from elsewhere."""

    def judge(port: "Manifest", name: str) -> Examination:
        subject = Subject(manifest, port, toolchain("gfortran"), work / "verifier")
        return climb(subject)

    return judge


def main_file(manifest: "Manifest", only: tuple[str, ...]) -> str:
    """The file that a model alone is given: the one named, else the largest source."""
    named = [file for file in manifest.sources if file in only]
    sizes = {file: (manifest.root / file).stat().st_size for file in manifest.sources}
    return named[0] if named else max(manifest.sources, key=lambda file: sizes[file])
