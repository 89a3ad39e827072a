"""One author on one task: what came of it, and what it took."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from math import sqrt
from pathlib import Path
from typing import TYPE_CHECKING, Any

from acclimate.porter.asking.asker import Asker
from acclimate.porter.asking.journal import Journal
from acclimate.porter.author.alone import file_alone, question_alone
from acclimate.porter.author.consultant import Consultant
from acclimate.porter.author.settings import Settings
from acclimate.workflows.evaluating.stalled import stalled
from acclimate.workflows.evaluating.task_sets import EvaluationTask

if TYPE_CHECKING:
    from acclimate.analysis.tree.manifest import Manifest
    from acclimate.porter.agent.outcome import Outcome
    from acclimate.verifier.evidence import Evidence
    from acclimate.verifier.ladder import Examination

_LONGEST = 200  # characters of a note
_CONFIDENT = 1.96  # standard deviations of a 95 % interval


@dataclass(frozen=True, slots=True)
class Score:
    """`solved` holds at last, `at_first` with the first reply; `plausible` counts wrong replies
    that plain runs did not tell from the original. Launches and bytes are of the judged run, in
    which the unit is called `calls` times (0: not known). `stays`: no parallel form exists, so that
    leaving the loops on the host is right."""

    task: str
    author: str
    solved: bool
    at_first: bool
    verdict: str
    plausible: int
    attempts: int
    tokens: int
    launches: int
    bytes: int
    note: str = ""
    calls: int = 0
    stays: bool = False


def score_of_flow(
    task: EvaluationTask,
    author: str,
    outcome: "Outcome",
    refused: Sequence[str],
    lines: Iterable[dict[str, Any]],
) -> Score:
    """What a migration came to: solved where it is accepted and nothing that was asked is left.

    `refused` are the units that a model would be asked about where nobody was asked.
    """
    noted = list(lines)
    asked = outcome.consulted
    left = [*refused, *(unit for unit, said in asked.items() if not said.edits)]
    on_device = outcome.planned.loops.get("offloaded", 0) > 0
    verdict = outcome.examination.assessment.verdict
    why = "; ".join(text for unit in left if unit in asked for text in asked[unit].history[-1:])
    why = why or ", ".join(f"{unit} refused" for unit in left)
    return Score(
        task=task.name,
        author=author,
        solved=verdict == "accept" and not left and on_device,
        at_first=all(said.asked <= 1 for said in asked.values()),
        verdict=verdict,
        plausible=sum(1 for e in noted if e["what"] == "evidence" and e["plausible"]),
        attempts=max((said.asked for said in asked.values()), default=0),
        tokens=_tokens(noted),
        note=why[:_LONGEST],
        calls=task.calls,
        stays=bool(task.stays),
        **_figures(outcome.examination),
    )


def _tokens(noted: Iterable[dict[str, Any]]) -> int:
    calls = [e for e in noted if e["what"] in ("call", "failed-call")]
    return sum(int(e["prompt_tokens"]) + int(e["output_tokens"]) for e in calls)


def _figures(examination: "Examination") -> dict[str, int]:
    moved = [t for t in examination.transfers if t.direction != "allocation"]
    return {
        "launches": sum(kernel.launches for kernel in examination.kernels),
        "bytes": sum(t.bytes for t in moved),
    }


def score_alone(
    task: EvaluationTask,
    manifest: "Manifest",
    file: str,
    consultant: Consultant,
    examine: Callable[["Manifest", str], "Examination"],
    work: Path,
) -> Score:
    """A model without facts, rules or plan: its file replaces the original's, and is judged."""
    from acclimate.verifier.building.variant import variant_tree

    settings, asker = consultant.settings, consultant.asker
    source = (manifest.root / file).read_bytes()
    feedback: tuple[str, ...] = ()
    plausible, verdict, figures = 0, "reject", {"launches": 0, "bytes": 0}
    left: tuple[str, ...] = ()
    attempt = 0
    while attempt < settings.attempts:
        attempt += 1
        label = f"{task.name}.alone.{attempt}"
        said = asker.ask(question_alone(source, settings, feedback), label)
        made = file_alone(said, source, file)
        if isinstance(made, str):
            feedback = (made,)
            continue
        port = variant_tree(manifest, {file: made}, work / f"alone-{attempt}")
        found = examine(port, f"alone-{attempt}")
        verdict, figures = found.assessment.verdict, _figures(found)
        evidence = found.assessment.evidence
        left = stalled(manifest, port, task.only) if verdict == "accept" else ()
        if verdict == "accept" and not left:
            break
        feedback = _told(evidence, left)
        plain = [e for e in evidence if e.check == "host_run"]
        held = bool(plain) and all(e.outcome.value == "holds" for e in plain)
        plausible += held and verdict == "reject"
    solved = verdict == "accept" and not left
    return Score(
        task=task.name,
        author="alone",
        solved=solved,
        at_first=attempt == 1,
        verdict=verdict,
        plausible=plausible,
        attempts=attempt,
        tokens=_tokens(asker.journal.lines()),
        note="" if solved else "; ".join(feedback)[:_LONGEST],
        calls=task.calls,
        stays=bool(task.stays),
        **figures,
    )


def _told(evidence: Sequence["Evidence"], left: Sequence[str]) -> tuple[str, ...]:
    """What a model alone hears of a port that is not taken: at most eight findings."""
    failed = [e for e in evidence if e.outcome.value == "fails"]
    open_ = failed or [e for e in evidence if e.unsettled]
    said = tuple(f"{e.file}:{e.line}: {e.check}: {e.message}" for e in open_[:8])
    said = said or tuple(f"{unit}: no more loops run on the device" for unit in left)
    return said or ("nothing could tell whether it is right",)


def for_task(consultant: Consultant, settings: Settings, journal: Path, name: str) -> Consultant:
    """The same model with a journal of its own for one task."""
    asker = consultant.asker
    own = Asker(asker.provider, asker.replies, asker.budget, Journal(journal, name))
    return Consultant(own, settings)


def interval(hits: int, of: int) -> tuple[float, float]:
    """The 95 % interval of a proportion (Wilson 1927)."""
    if of == 0:
        return 0.0, 1.0
    z, share = _CONFIDENT, hits / of
    middle = (share + z * z / (2 * of)) / (1 + z * z / of)
    half = z * sqrt(share * (1 - share) / of + z * z / (4 * of * of)) / (1 + z * z / of)
    return max(0.0, middle - half), min(1.0, middle + half)


def seeded(settings: Settings, repeat: int) -> Settings:
    """Settings for one of several repeats."""
    return replace(settings, seed=settings.seed + repeat)
