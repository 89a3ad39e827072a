"""Where a run contradicts the verdict on a loop.

A verdict of parallel, reduction or atomic says that iterations do not meet on shared storage, that
private variables are written before they are read and not read behind the loop, and that reduction
and atomic variables are touched by updates only.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from acclimate.analysis.source import Lines
from acclimate.verifier.oracle.marks import MarkedLoop
from acclimate.verifier.oracle.report import Seen
from acclimate.verifier.texts.source_file import SourceFile
from acclimate.verifier.texts.statements import Statement

_SHARED = ("flow", "anti", "output")
_OPERATORS = {"+", "-", "*", "max", "min", ".and.", ".or.", ".eqv.", ".neqv.", "iand", "ior"}


@dataclass(frozen=True, slots=True)
class Contradiction:
    """`variable` is empty for shared storage; lines are None where they cannot be told."""

    loop: MarkedLoop
    kind: str
    variable: str
    earlier: Lines | None
    later: Lines | None
    iterations: tuple[int, int]

    def __str__(self) -> str:
        facts = self.loop.facts
        what = f" of '{self.variable}'" if self.variable else ""
        lines = f"{self.earlier} and {self.later}, iterations {self.iterations}"
        return f"{facts.at} ({facts.unit}): {facts.verdict}, but {self.kind}{what}: {lines}"


def contradictions(
    loop: MarkedLoop, seen: Seen, lines: Mapping[int, Lines], files: Mapping[str, SourceFile]
) -> Iterator[Contradiction]:
    """What one run saw against a verdict that allows any order; nothing for other verdicts."""
    if not loop.claims_order_free:
        return
    for finding in seen.findings:
        name = loop.variables[finding.variable] if finding.variable >= 0 else ""
        earlier, later = lines.get(finding.earlier), lines.get(finding.later)
        yield Contradiction(loop, finding.kind, name, earlier, later, finding.iterations)
    places = {(name, lines[at]) for name, _, at in seen.updates if at in lines}
    for number, at in sorted(places):
        name = loop.variables[number]
        touching = _touching(files.get(at.file), at, loop, name)
        if touching and not any(_updates(statement, name) for statement in touching):
            yield Contradiction(loop, "update", name, at, at, (0, 0))


def _touching(file: SourceFile | None, at: Lines, loop: MarkedLoop, name: str) -> list[Statement]:
    """Statements on a line that name the variable; none inside a called procedure."""
    unit = loop.facts.unit.partition("@")[0]
    return [
        statement
        for statement in (file.statements if file else ())
        if statement.at.first <= at.first <= statement.at.last
        and statement.unit == unit
        and name in statement.tokens
    ]


def _updates(statement: Statement, name: str) -> bool:
    """Whether a statement that touches `name` can be part of an update of it.

    `x = x op e`, `x = max(x, e)`; an IF that compares it and the assignment it governs; a call.
    """
    words = list(statement.tokens)
    if words[0] in ("if", "elseif") or words[:2] == ["else", "if"]:
        close = _closing(words, words.index("("))
        condition, words = words[: close + 1], words[close + 1 :]
        if not words or words[0] == "then":
            return name in condition and bool({"<", ">", "<=", ">="} & _relations(condition))
        return words[0] == name or name in condition
    if words[0] != name:
        return words[0] == "call"
    target = words[: words.index("=")]
    value = words[len(target) + 1 :]
    if name not in value:
        return True  # governed by an IF, or it would have met another iteration
    return bool(_OPERATORS & set(value))


def _relations(words: list[str]) -> set[str]:
    spelt = {".lt.": "<", ".gt.": ">", ".le.": "<=", ".ge.": ">="}
    return {spelt.get(word, word) for word in words}


def _closing(words: list[str], opening: int) -> int:
    depth = 0
    for position in range(opening, len(words)):
        depth += {"(": 1, ")": -1}.get(words[position], 0)
        if depth == 0:
            return position
    return len(words) - 1
