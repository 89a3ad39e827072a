"""Which unit of the original a line of the port belongs to, and what failed about it."""

from bisect import bisect_right
from collections.abc import Callable, Iterable
from difflib import SequenceMatcher

from acclimate.porter.agent.artefacts import SurveyedUnit
from acclimate.verifier.evidence import Evidence, Outcome


class LineMap:
    """Lines of a port to lines of its original; an added line maps to the one it precedes."""

    def __init__(self, original: bytes, port: bytes) -> None:
        before, after = original.split(b"\n"), port.split(b"\n")
        blocks = SequenceMatcher(None, after, before).get_matching_blocks()
        self._starts = [block.a for block in blocks]
        self._blocks = blocks
        self._last = len(before)

    def original(self, line: int) -> int:
        """The original's line for the port's `line`, both counted from 1."""
        at = bisect_right(self._starts, line - 1) - 1
        if at >= 0:
            block = self._blocks[at]
            if line - 1 < block.a + block.size:
                return block.b + line - block.a
        following = self._blocks[at + 1].b + 1 if at + 1 < len(self._blocks) else self._last
        return min(following, self._last)


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
