"""Where new lines go: insertions between statements, kept in the order that makes them right."""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import IntEnum

from acclimate.analysis.source import Edit


class Slot(IntEnum):
    """Order of insertions before one and the same line.

    What closes the statement above comes first, what opens the statement below comes last.
    """

    AFTER = 0  # belongs to the statement above: update device, enter data behind ALLOCATE
    ENTRY = 1  # entry of a procedure: enter data of local arrays
    EXIT = 2  # exit of a procedure: exit data of local arrays
    BEFORE = 3  # belongs to the statement below: update self, exit data before DEALLOCATE
    LOOP = 4  # the loop directive, right above its DO statement


@dataclass(frozen=True, slots=True, order=True)
class Insertion:
    """New whole lines before line `line` of `file`; `order` ranks insertions of one slot."""

    file: str
    line: int
    slot: Slot
    order: int
    text: tuple[str, ...]


def edits(insertions: Iterable[Insertion], replacements: Iterable[Edit]) -> tuple[Edit, ...]:
    """Insertions and replacements as edits, sorted by place."""
    inserted = [Edit(new.file, new.line, new.line - 1, new.text) for new in sorted(set(insertions))]
    return tuple(sorted([*inserted, *replacements], key=_place))


def _place(edit: Edit) -> tuple[str, int, bool]:
    return (edit.file, edit.first, not edit.inserts)
