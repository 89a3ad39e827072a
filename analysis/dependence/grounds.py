"""What the verdicts on one unit rest on besides its statements, and how it is told."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from acclimate.analysis.dependence.pointing import Pointing
from acclimate.analysis.dependence.promises import Promises
from acclimate.analysis.dependence.records import Overlap
from acclimate.analysis.dependence.walking import UnitWalks
from acclimate.analysis.facts import Condition, Finding, Hint, Obstacle, Verdict
from acclimate.analysis.hints import Hints
from acclimate.analysis.ir import Statement, Unit
from acclimate.analysis.source import Lines


@dataclass(frozen=True, slots=True)
class Grounds:
    """`overlaps`: calls of the unit with arguments that share storage."""

    walks: UnitWalks
    hints: Hints
    pointing: Pointing
    overlaps: tuple[Overlap, ...]

    def promises(self, statement: Statement) -> Promises:
        return Promises(self.hints.of(statement), self.hints.around(statement))


def resting(verdict: Verdict, conditions: Sequence[Condition]) -> str:
    """What to say of a verdict that holds under conditions; nothing of a plain one."""
    unproved = [condition for condition in conditions if condition.promise is None]
    if not unproved:
        return ""
    more = f" (and {len(unproved) - 1} more conditions)" if len(unproved) > 1 else ""
    return f"{verdict.value} if {unproved[0].detail}{more}"


_NEVER_PROMISED = frozenset({"array-dependence", "array-reduction"})


def broken_promises(
    unit: Unit,
    hints: Sequence[Hint],
    obstacles: Sequence[Obstacle],
    broken: Sequence[tuple[Lines, Obstacle]],
) -> Iterator[Finding]:
    """Hints that the source contradicts: they change no verdict."""
    for at, obstacle in broken:
        yield _finding(unit, at, "noalias", obstacle)
    for hint in hints:
        for obstacle in obstacles:
            names = {witness.variable for witness in obstacle.witnesses}
            dependence = hint.word == "parallel" and obstacle.reason in _NEVER_PROMISED
            carried = hint.word == "private" and set(hint.names) & names
            if dependence or carried:
                yield _finding(unit, hint.at, hint.text, obstacle)


def _finding(unit: Unit, at: Lines, claim: str, obstacle: Obstacle) -> Finding:
    name = unit.qualified_name
    return Finding(at, name, "hint", f"acclimate {claim}", obstacle.detail, obstacle.witnesses)
