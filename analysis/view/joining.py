"""Logical statements from joined source lines: origins, `;`, labels."""

import re
from bisect import bisect_right
from collections.abc import Iterator

from acclimate.analysis.source import Lines
from acclimate.analysis.view.view import SourceLine, ViewStatement

_LABEL = re.compile(r"(\d{1,5})\s*(?=[A-Za-z])")
_QUOTE_OR_SEMICOLON = re.compile(r"""'[^']*'|"[^"]*"|;""")


class Joined:
    """Text put together from pieces of source lines, each with the number of its line."""

    __slots__ = ("offsets", "orders", "pieces", "size")

    def __init__(self) -> None:
        self.pieces: list[str] = []
        self.offsets: list[int] = []
        self.orders: list[int] = []
        self.size = 0

    def add(self, piece: str, order: int) -> None:
        self.pieces.append(piece)
        self.offsets.append(self.size)
        self.orders.append(order)
        self.size += len(piece)

    def order_at(self, offset: int) -> int:
        return self.orders[bisect_right(self.offsets, offset) - 1]

    def statements(self, lines: list[SourceLine]) -> Iterator[ViewStatement]:
        """Cut at `;` outside quotes and give each part its label and its lines."""
        text = "".join(self.pieces)
        for start, end in _parts(text):
            part = text[start:end]
            stripped = part.strip()
            if not stripped:
                continue
            first = self.order_at(start + len(part) - len(part.lstrip()))
            last = self.order_at(start + len(part.rstrip()) - 1)
            yield statement(stripped, lines, first, last)


def statement(text: str, lines: list[SourceLine], first: int, last: int) -> ViewStatement:
    """One statement from stripped text; a leading label is split off."""
    label = None
    if text[0].isdigit():
        match = _LABEL.match(text)
        if match:
            label, text = match[1].lstrip("0") or "0", text[match.end() :]
    origin, end = lines[first], lines[last]
    last_line = end.line if end.file == origin.file and end.line >= origin.line else origin.line
    return ViewStatement(text, label, Lines(origin.file, origin.line, last_line), first)


def _parts(text: str) -> Iterator[tuple[int, int]]:
    start = 0
    if ";" in text:
        for match in _QUOTE_OR_SEMICOLON.finditer(text):
            if match[0] == ";":
                yield start, match.start()
                start = match.end()
    yield start, len(text)
