"""Replies that write the unit out in full instead of editing it."""

import re
from collections.abc import Sequence

_OPENING = re.compile(
    r"\s*(?:(?:pure|elemental|recursive|impure|module|integer|real|logical|double\s+precision)\b"
    r"(?:\s*\([^)]*\))?\s*)*\b(subroutine|function|program|module)\s+(\w+)",
    re.IGNORECASE,
)
_END = re.compile(
    r"\s*end\s*(?:(?:subroutine|function|program|module)(?:\s+\w+)?)?\s*(?:!.*)?$", re.IGNORECASE
)


def whole_unit(fenced: Sequence[tuple[str, ...]], old: Sequence[str]) -> tuple[str, ...]:
    """The lines of the unit in the longest fence that holds it, empty where none does.

    `old` are the unit's lines as they stand; a fence may hold what is around the unit too.
    """
    opening = next((m for line in old if (m := _OPENING.match(line))), None)
    if opening is None:
        return ()
    kind, name = opening[1].lower(), opening[2].lower()
    for lines in sorted(fenced, key=len, reverse=True):
        first = next((n for n, line in enumerate(lines) if _opens(line, kind, name)), None)
        if first is None:
            continue
        last = _last(lines, first)
        if last is not None:
            return tuple(lines[first : last + 1])
    return ()


def _opens(line: str, kind: str, name: str) -> bool:
    found = _OPENING.match(line)
    return found is not None and (found[1].lower(), found[2].lower()) == (kind, name)


def _last(lines: Sequence[str], first: int) -> int | None:
    """The END statement of the unit that opens at `first`, procedures inside it counted."""
    depth = 0
    for number in range(first, len(lines)):
        if _OPENING.match(lines[number]) and not _END.match(lines[number]):
            depth += 1
        elif _END.match(lines[number]):
            depth -= 1
            if depth == 0:
                return number
    return None
