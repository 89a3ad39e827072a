"""The lines that kernels and routines need in a unit: loop directives, declarations."""

from dataclasses import dataclass

from acclimate.analysis.ir import Do, Unit
from acclimate.analysis.source import Lines
from acclimate.porter.rule import Offload
from acclimate.porter.text.directives_text import directive
from acclimate.porter.text.margins import Margins
from acclimate.porter.text.placement import Insertion, Slot

_BELOW = 50  # behind the updates that belong to the kernel itself


@dataclass(frozen=True, eq=False)
class UnitLines:
    """Lays out new lines of units in the margins and the form of their files."""

    margins: Margins

    def loop_directives(self, offload: Offload) -> list[Insertion]:
        """The directives of one kernel, and the lines that it moves."""
        new = list(offload.moved)
        for order, line in enumerate(offload.directives):
            text = directive(line.words, *self._layout(line.above))
            place = line.above
            new.append(Insertion(place.file, place.first, Slot.LOOP, order, text))
        if offload.above:
            at = offload.at
            new.append(Insertion(at.file, at.first, Slot.LOOP, -2, offload.above))
        if offload.below:
            behind = max(offload.at.last, offload.end.last) + 1
            new.append(Insertion(offload.at.file, behind, Slot.AFTER, _BELOW, offload.below))
        return new

    def routine(self, unit: Unit) -> Insertion:
        """`routine seq` in the specification part."""
        at, line = behind_specification(unit, self.margins)
        text = directive(("routine seq",), *self._layout(at))
        return Insertion(at.file, line, Slot.AFTER, 0, text)

    def declarations(self, unit: Unit, indices: set[str], others: set[str]) -> list[Insertion]:
        """Declarations of the loop indices that a unit does not have yet, and of other names."""
        missing = sorted(indices - set(unit.symbols))
        texts = [f"integer :: {', '.join(missing)}"] if missing else []
        texts += sorted(others)
        if not texts:
            return []
        at, line = behind_specification(unit, self.margins)
        margin, _ = self._layout(at)
        text = tuple(f"{' ' * margin}{declaration}" for declaration in texts)
        return [Insertion(at.file, line, Slot.AFTER, -1, text)]

    def _layout(self, at: Lines) -> tuple[int, str]:
        return self.margins.of(at.file, at.first), self.margins.form(at.file)


def behind_specification(unit: Unit, margins: Margins) -> tuple[Lines, int]:
    """A statement to align with, and the line before which the specification part ends.

    Where the part ends in an include file, that is the line of the first statement behind it;
    a conditional block that its last statement stands in is left first.
    """
    at = unit.specification_end
    first = unit.body[0] if unit.body else None
    behind = first.at if first is not None else unit.end
    if at.file == unit.at.file:
        end = behind.first if behind.file == at.file and behind.first > at.last else at.last
        return at, _outside_conditionals(margins.lines(at.file), at.last + 1, end)
    if first is None:
        return unit.end, unit.end.first
    above = [d.at.first for d in first.directives] if isinstance(first, Do) else []
    return first.at, min([first.at.first, *above])


def _outside_conditionals(lines: list[bytes], place: int, end: int) -> int:
    """The first line from `place` on, before `end`, behind every #endif of an open block."""
    depth = 0
    for number in range(place, end):
        line = lines[number - 1].lstrip()
        if line.startswith(b"#if"):
            depth += 1
        elif line.startswith(b"#endif"):
            if depth == 0:
                place = number + 1
            else:
                depth -= 1
    return place
