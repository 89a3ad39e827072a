"""Where program units begin and end, found from the statements alone.

Units are parsed one by one, so a damaged one cannot swallow its neighbours.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from acclimate.analysis.ir import UnitKind
from acclimate.analysis.view.view import ViewStatement

UNNAMED_PROGRAM = "main__"
_NESTING = 10  # Fortran has three levels; more means that END statements are missing
_PROCEDURE = re.compile(
    r"(?:^|(?<=[\s)]))(subroutine|function)\s+([a-z]\w*)\s*(?=\(|$|bind\b|result\b)", re.IGNORECASE
)
_PREFIXES = frozenset(
    [
        "recursive",
        "non_recursive",
        "pure",
        "elemental",
        "impure",
        "module",
        "integer",
        "real",
        "double",
        "precision",
        "complex",
        "logical",
        "character",
        "byte",
        "type",
        "class",
    ]
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

    is_separate: bool = False  # MODULE PROCEDURE of a submodule

    @property
    def end_statement(self) -> str:
        """The END statement in full; a bare END could be taken for that of a construct."""
        return "end procedure" if self.is_separate else f"end {self.kind.value.replace('-', ' ')}"

    def all(self) -> "Iterator[UnitSpan]":
        """This unit and all it contains, innermost first."""
        for child in self.children:
            yield from child.all()
        yield self

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
        span = None
        if len(stack) < _NESTING:
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
        match = _PROCEDURE.search(lowered)
        if match and _are_prefixes(lowered[: match.start()]):
            return UnitSpan(_KINDS[match[1]], match[2], row, row)
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
        return UnitSpan(UnitKind.SUBROUTINE, match[1].lower(), row, row, is_separate=True)
    return None


def _are_prefixes(text: str) -> bool:
    """Whether text is a list of procedure prefixes and type specifications."""
    depth = 0
    outside: list[str] = []
    for letter in text:
        depth += {"(": 1, ")": -1}.get(letter, 0)
        if depth == 0:
            outside.append(" " if letter == ")" else letter)
    words = re.sub(r"\*\s*\d*", " ", "".join(outside)).split()
    return all(word in _PREFIXES for word in words)
