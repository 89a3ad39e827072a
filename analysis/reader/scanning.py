"""Where program units begin and end, found from the statements alone.

Units are parsed one by one, so a damaged one cannot swallow its neighbours.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from acclimate.analysis.ir import UnitKind
from acclimate.analysis.view import ViewStatement

UNNAMED_PROGRAM = "main__"
_TYPE = r"(?:[a-z]\w*(?:\s+precision)?(?:\s*\*\s*\d+|\s*\((?:[^()]|\([^()]*\))*\))?\s*)"
_PROCEDURE = re.compile(
    rf"(?:{_TYPE}\s*)*?(?<![\w%])(subroutine|function)\s+([a-z]\w*)\s*(?=[(]|$|bind\b|result\b)",
    re.IGNORECASE,
)
_HEAD = re.compile(
    r"(program)\s+([a-z]\w*)$|(module)\s+(?!procedure\b)([a-z]\w*)$"
    r"|(submodule)\s*\([\w\s:]+\)\s*([a-z]\w*)$|(block\s*data)(?:\s+([a-z]\w*))?$",
    re.IGNORECASE,
)
_MODULE_PROCEDURE = re.compile(r"module\s+procedure\s+([a-z]\w*)$", re.IGNORECASE)
_END = re.compile(
    r"end(?:\s*(?:subroutine|function|program|module|submodule|procedure|block\s*data)"
    r"(?:\s+[a-z]\w*)?)?$",
    re.IGNORECASE,
)
_INTERFACE = re.compile(r"(?:abstract\s+)?interface(?:\s+[^=(].*|\s*)$", re.IGNORECASE)
_END_INTERFACE = re.compile(r"end\s*interface\b", re.IGNORECASE)
_KINDS = {
    "program": UnitKind.PROGRAM,
    "module": UnitKind.MODULE,
    "submodule": UnitKind.SUBMODULE,
    "subroutine": UnitKind.SUBROUTINE,
    "function": UnitKind.FUNCTION,
    "blockdata": UnitKind.BLOCK_DATA,
}


@dataclass(slots=True)
class UnitSpan:
    """A program unit or procedure on lines `first`..`last` of the view, both included."""

    kind: UnitKind
    name: str
    first: int
    last: int
    has_header: bool = True
    closed: bool = True
    children: list["UnitSpan"] = field(default_factory=list)

    def innermost(self, row: int) -> "UnitSpan":
        """The innermost unit that contains a line."""
        for child in self.children:
            if child.first <= row <= child.last:
                return child.innermost(row)
        return self


def scan_units(statements: Sequence[ViewStatement]) -> list[UnitSpan]:
    """The outermost program units in order; statements outside any make an unnamed program."""
    tops: list[UnitSpan] = []
    stack: list[UnitSpan] = []
    in_interface = 0
    for row, statement in enumerate(statements):
        text = statement.text
        first = text[0]
        if in_interface:
            if first in "eE" and _END_INTERFACE.match(text):
                in_interface -= 1
            continue
        if first in "eE" and stack and _END.match(text):
            stack.pop().last = row
            continue
        if first in "iIaA" and stack and _INTERFACE.match(text):
            in_interface += 1
            continue
        span = _opening(text, row, stack[-1] if stack else None)
        if span is not None or not stack:
            span = span or UnitSpan(UnitKind.PROGRAM, UNNAMED_PROGRAM, row, row, has_header=False)
            (stack[-1].children if stack else tops).append(span)
            stack.append(span)
            if not span.has_header and _END.match(text):
                stack.pop()
    for span in stack:
        span.last, span.closed = len(statements) - 1, False
    return tops


def _opening(text: str, row: int, parent: UnitSpan | None) -> UnitSpan | None:
    lowered = text.lower()
    if "subroutine" in lowered or "function" in lowered:
        match = _PROCEDURE.match(text)
        if match and not lowered.startswith("end"):
            return UnitSpan(_KINDS[match[1].lower()], match[2].lower(), row, row)
    if lowered[0] not in "pmsb":
        return None
    match = _HEAD.match(text)
    if match and (parent is None or match[1] or match[3] is None):
        groups = [group for group in match.groups() if group is not None]
        kind = _KINDS["".join(groups[0].lower().split())]
        name = groups[1].lower() if len(groups) > 1 else "block_data__"
        return UnitSpan(kind, name, row, row)
    match = _MODULE_PROCEDURE.match(text)
    if match and parent is not None:
        return UnitSpan(UnitKind.SUBROUTINE, match[1].lower(), row, row)
    return None
