"""What an author says of one loop: may its iterations run at once, and what decides it?"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from acclimate.analysis.facts import LoopFacts, Verdict
from acclimate.analysis.index import index_project
from acclimate.analysis.problems import Problem
from acclimate.porter.author.alone import question_explain
from acclimate.porter.author.consultant import Consultant
from acclimate.workflows.evaluating.scores import LONGEST, Score, tokens_of
from acclimate.workflows.evaluating.task_sets import EvaluationTask
from acclimate.workflows.showing.loop_account import explained

if TYPE_CHECKING:
    from acclimate.analysis.tree.manifest import Manifest

_PLAIN = {
    Verdict.PARALLEL: "parallel",
    Verdict.REDUCTION: "parallel",
    Verdict.ATOMIC: "parallel",
    Verdict.SERIAL: "serial",
    Verdict.HOST: "host",
}
_NAMED = re.compile(r"`([^`]+)`")
_REASONS = 5


@dataclass(frozen=True, slots=True)
class Answer:
    """A verdict, "" where none was given, and the names that are said to decide it, lower case."""

    verdict: str
    names: frozenset[str]


def score_explained(
    task: EvaluationTask,
    author: str,
    manifest: "Manifest",
    file: str,
    consultant: Consultant | None,
) -> Score:
    """Solved where the verdict is the task's, and one of its names is named if it has any.

    The rules answer with the analysis; a model alone reads the bare file, together it is given the
    analysis' account of the loop, which it may contradict.

    Raises:
        Problem: no loop begins at the task's line.
    """
    index = index_project(manifest)
    place = (file, task.line)
    loop = next((one for one in index.loops if (one.at.file, one.at.first) == place), None)
    if loop is None:
        raise Problem(f"task '{task.name}': no loop begins at {file}:{task.line}")
    tokens = 0
    if consultant is None:
        answer = answer_of_analysis(loop)
    else:
        facts = "" if author == "alone" else explained(loop, index.texts, _REASONS)
        asked = question_explain(index.texts[file], task.line, facts, consultant.settings)
        answer = answer_of(consultant.asker.ask(asked, f"{task.name}.{author}.1").text)
        tokens = tokens_of(consultant.asker.journal.lines())
    right = answer.verdict == task.verdict
    named = not task.names or bool(answer.names & set(task.names))
    said = f"said {answer.verdict or 'nothing'}: {', '.join(sorted(answer.names)) or 'no name'}"
    return Score(
        task=task.name,
        author=author,
        solved=right and named,
        at_first=True,
        verdict=answer.verdict or "no answer",
        plausible=0,
        attempts=int(consultant is not None),
        tokens=tokens,
        launches=0,
        bytes=0,
        note="" if right and named else said[:LONGEST],
    )


def answer_of_analysis(loop: LoopFacts) -> Answer:
    """The analysis' verdict in the words of the tasks; "unknown" and "rewrite" are none of them."""
    return Answer(_PLAIN.get(loop.verdict, loop.verdict.value), frozenset(_names(loop)))


def _names(loop: LoopFacts) -> Iterator[str]:
    for obstacle in loop.obstacles:
        yield from (name.lower() for name in _NAMED.findall(obstacle.detail))
        yield obstacle.detail.split()[0].lower()  # "RETURN leaves the loop", "PRINT statement"


def answer_of(text: str) -> Answer:
    """What a reply says in its two lines; the last of each counts."""
    verdicts = re.findall(r"^\W*VERDICT\W+(parallel|serial|host)\b", text, re.I | re.M)
    reasons = re.findall(r"^\W*BECAUSE\W+(.*)$", text, re.I | re.M)
    words = re.findall(r"[A-Za-z]\w*", reasons[-1]) if reasons else []
    return Answer(verdicts[-1].lower() if verdicts else "", frozenset(map(str.lower, words)))
