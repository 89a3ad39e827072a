"""Which unit of the original a line of the port belongs to, and what failed about it."""

from bisect import bisect_right
from collections.abc import Callable, Iterable
from difflib import SequenceMatcher

from acclimate.porter.agent.artefacts import SurveyedUnit
from acclimate.verifier.evidence import Evidence, Outcome


class LineMap:
    """Lines of a port to lines of its original.

    A line that was changed maps to what it replaced, one that was added to the line it precedes.
    """

    def __init__(self, original: bytes, port: bytes) -> None:
        before, after = original.split(b"\n"), port.split(b"\n")
        self._opcodes = SequenceMatcher(None, after, before).get_opcodes()
        self._starts = [first for _, first, *_ in self._opcodes]
        self._last = len(before)

    def original(self, line: int) -> int:
        """The original's line for the port's `line`, both counted from 1."""
        at = max(0, bisect_right(self._starts, line - 1) - 1)
        _, first, _, begin, end = self._opcodes[at]
        inside = begin + min(line - 1 - first, max(0, end - begin - 1))
        return min(inside + 1, self._last)


def unit_at(units: Iterable[SurveyedUnit], file: str, line: int) -> str | None:
    """The innermost unit whose statements span `line` of the original `file`."""
    around = [u for u in units if u.at.file == file and u.at.first <= line <= u.end.last]
    return max(around, key=lambda unit: unit.at.first).name if around else None


def findings(
    evidence: Iterable[Evidence],
    units: Iterable[SurveyedUnit],
    line_map: Callable[[str], LineMap],
) -> dict[str, tuple[str, ...]]:
    """What failed, by the unit it names; failures that name no unit are under ""."""
    known = tuple(units)
    found: dict[str, list[str]] = {}
    for item in evidence:
        if item.outcome is not Outcome.FAILS:
            continue
        unit, where = "", ""
        if item.file is not None and item.line is not None:
            line = line_map(item.file).original(item.line)
            unit, where = unit_at(known, item.file, line) or "", f"{item.file}:{line}: "
        found.setdefault(unit, []).append(f"{where}{item.check}: {item.message}")
    return {unit: tuple(texts) for unit, texts in found.items()}
