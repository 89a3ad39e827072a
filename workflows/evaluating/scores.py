"""One author on one task: what came of it, and what it took."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from math import sqrt
from pathlib import Path
from typing import TYPE_CHECKING, Any

from acclimate.porter.asking.asker import Asker
from acclimate.porter.asking.journal import Journal
from acclimate.porter.author.consultant import Consultant
from acclimate.porter.author.settings import Settings
from acclimate.workflows.evaluating.task_sets import EvaluationTask

if TYPE_CHECKING:
    from acclimate.porter.agent.outcome import Outcome
    from acclimate.verifier.ladder import Examination

LONGEST = 200  # characters of a note
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
        tokens=tokens_of(noted),
        note=why[:LONGEST],
        calls=task.calls,
        stays=bool(task.stays),
        **figures_of(outcome.examination),
    )


def tokens_of(noted: Iterable[dict[str, Any]]) -> int:
    """Prompt and output tokens of all calls in the lines of a journal."""
    calls = [e for e in noted if e["what"] in ("call", "failed-call")]
    return sum(int(e["prompt_tokens"]) + int(e["output_tokens"]) for e in calls)


def figures_of(examination: "Examination") -> dict[str, int]:
    """Launches and bytes moved in the judged run."""
    moved = [t for t in examination.transfers if t.direction != "allocation"]
    return {
        "launches": sum(kernel.launches for kernel in examination.kernels),
        "bytes": sum(t.bytes for t in moved),
    }


def unmended(task: EvaluationTask, author: str) -> Score:
    """What rules make of a wrong port: nothing, they mend none."""
    return Score(task.name, author, False, True, "no attempt", 0, 0, 0, 0, 0, "rules mend no port")


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
