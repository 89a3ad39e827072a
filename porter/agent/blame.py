"""Which unit of the original a line of the port belongs to, and what failed about it."""

from collections.abc import Callable, Iterable

from acclimate.analysis.source import Edit
from acclimate.porter.agent.artefacts import SurveyedUnit
from acclimate.verifier.evidence import Evidence, Outcome


class LineMap:
    """Lines of a port to lines of its original, by the edits that made the one from the other.

    A line that was changed maps to what it replaced, one that was added to the line it precedes.
    """

    def __init__(self, original: bytes, edits: Iterable[Edit]) -> None:
        inserted: dict[int, int] = {}
        replaced: dict[int, Edit] = {}
        for edit in edits:
            if edit.inserts:
                inserted[edit.first] = inserted.get(edit.first, 0) + len(edit.text)
            else:
                replaced |= dict.fromkeys(range(edit.first, edit.last + 1), edit)
        self._last = original.count(b"\n") + 1
        self._origins: list[int] = []
        place = 1  # the next line of the original
        for number in sorted(n for n in inserted.keys() | replaced.keys() if 1 <= n <= self._last):
            self._origins += range(place, number)
            self._origins += [number] * inserted.get(number, 0)
            self._origins += _origins(number, replaced.get(number))
            place = number + 1
        self._origins += range(place, self._last + 1)

    def original(self, line: int) -> int:
        """The original's line for the port's `line`, both counted from 1."""
        return self._origins[line - 1] if 1 <= line <= len(self._origins) else self._last

    def originals(self, lines: Iterable[int]) -> list[int]:
        """The same for many lines at once."""
        origins, count, last = self._origins, len(self._origins), self._last
        return [origins[line - 1] if 1 <= line <= count else last for line in lines]


def _origins(number: int, edit: Edit | None) -> list[int]:
    """Where the port's lines come from that stand at line `number` of the original."""
    if edit is None:
        return [number]
    if number != edit.first:
        return []
    return [min(number + place, edit.last) for place in range(len(edit.text))]


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
        found.setdefault(unit, []).append(f"{where}{item.check}: {item.seen}")
    return {unit: tuple(texts) for unit, texts in found.items()}
