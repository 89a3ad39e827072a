"""A model that is asked for a whole file: its file replaces the original's, and is judged."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from acclimate.analysis.problems import Problem
from acclimate.porter.asking.question import Question
from acclimate.porter.author.alone import file_alone, question_alone, question_repair
from acclimate.porter.author.consultant import Consultant
from acclimate.verifier.building.variant import variant_tree
from acclimate.workflows.evaluating.scores import LONGEST, Score, figures_of, tokens_of
from acclimate.workflows.evaluating.stalled import stalled
from acclimate.workflows.evaluating.task_sets import EvaluationTask

if TYPE_CHECKING:
    from acclimate.analysis.tree.manifest import Manifest
    from acclimate.verifier.evidence import Evidence
    from acclimate.verifier.ladder import Examination

_FINDINGS = 8  # a model hears of at most


@dataclass(frozen=True, slots=True)
class FileTrial:
    """One file of a model that is asked for, and who judges the ports made of it."""

    manifest: "Manifest"
    file: str
    examine: Callable[["Manifest", str], "Examination"]
    work: Path

    @property
    def source(self) -> bytes:
        return (self.manifest.root / self.file).read_bytes()

    def port(self, content: bytes, name: str) -> "Manifest":
        """The model with another content of the file."""
        return variant_tree(self.manifest, {self.file: content}, self.work / name)


# From what was wrong with the last reply to what is asked next.
Asks = Callable[[Sequence[str]], Question]
# What an accepted port lacks that the task asks for.
Lacks = Callable[["Manifest", "Examination"], Sequence[str]]


def score_alone(task: EvaluationTask, consultant: Consultant, trial: FileTrial) -> Score:
    """A model without facts, rules or plan."""
    source = trial.source

    def asks(feedback: Sequence[str]) -> Question:
        return question_alone(source, consultant.settings, feedback)

    def lacks(port: "Manifest", found: "Examination") -> tuple[str, ...]:
        left = stalled(trial.manifest, port, task.only)
        return tuple(f"{unit}: no more loops run on the device" for unit in left)

    return _score(task, "alone", consultant, trial, asks, lacks)


def score_repair(
    task: EvaluationTask, author: str, consultant: Consultant, trial: FileTrial
) -> Score:
    """A model that mends a wrong port, alone or with what the verifier found.

    Raises:
        Problem: nothing is found to be wrong with the port.
    """
    source, wrong = trial.source, task.port.read_bytes()
    assessment = trial.examine(trial.port(wrong, "wrong"), "wrong").assessment
    if assessment.verdict == "accept":
        raise Problem(
            f"the port of task '{task.name}' is accepted",
            hint="a task of repair needs a port that is wrong",
        )
    findings = told(assessment.evidence) if author != "alone" else ()

    def asks(feedback: Sequence[str]) -> Question:
        return question_repair(source, wrong, findings, consultant.settings, feedback)

    def lacks(port: "Manifest", found: "Examination") -> tuple[str, ...]:
        runs = any(kernel.launches for kernel in found.kernels)
        return () if runs else ("nothing runs on the device any more",)

    return _score(task, author, consultant, trial, asks, lacks)


def _score(
    task: EvaluationTask,
    author: str,
    consultant: Consultant,
    trial: FileTrial,
    asks: Asks,
    lacks: Lacks,
) -> Score:
    """Ask until a port is accepted and nothing is missing, or all attempts are used up."""
    asker, attempts = consultant.asker, consultant.settings.attempts
    feedback: tuple[str, ...] = ()
    plausible, verdict, figures = 0, "reject", {"launches": 0, "bytes": 0}
    solved, attempt = False, 0
    while attempt < attempts and not solved:
        attempt += 1
        said = asker.ask(asks(feedback), f"{task.name}.{author}.{attempt}")
        made = file_alone(said, trial.source, trial.file)
        if isinstance(made, str):
            feedback = (made,)
            continue
        port = trial.port(made, f"{author}-{attempt}")
        found = trial.examine(port, f"{author}-{attempt}")
        verdict, figures = found.assessment.verdict, figures_of(found)
        missing = tuple(lacks(port, found)) if verdict == "accept" else ()
        solved = verdict == "accept" and not missing
        feedback = missing or told(found.assessment.evidence)
        plausible += verdict == "reject" and _passes_plain_runs(found.assessment.evidence)
    return Score(
        task=task.name,
        author=author,
        solved=solved,
        at_first=attempt == 1,
        verdict=verdict,
        plausible=plausible,
        attempts=attempt,
        tokens=tokens_of(asker.journal.lines()),
        note="" if solved else "; ".join(feedback)[:LONGEST],
        calls=task.calls,
        stays=bool(task.stays),
        **figures,
    )


def told(evidence: Sequence["Evidence"]) -> tuple[str, ...]:
    """What a model hears of a port that is not taken: failures, else what is not settled."""
    failed = [e for e in evidence if e.outcome.value == "fails"]
    open_ = failed or [e for e in evidence if e.unsettled]
    said = tuple(f"{_place(e)}{e.check}: {e.seen}" for e in open_[:_FINDINGS])
    return said or ("nothing could tell whether it is right",)


def _passes_plain_runs(evidence: Sequence["Evidence"]) -> bool:
    plain = [e for e in evidence if e.check == "host_run"]
    return bool(plain) and all(e.outcome.value == "holds" for e in plain)


def _place(evidence: "Evidence") -> str:
    return f"{evidence.file}:{evidence.line}: " if evidence.file else ""
