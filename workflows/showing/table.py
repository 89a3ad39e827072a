"""Tables on standard output: ruled and coloured on a terminal, aligned columns elsewhere."""

from collections.abc import Sequence
from dataclasses import dataclass

from rich.box import SIMPLE_HEAD
from rich.console import Console, JustifyMethod
from rich.table import Table
from rich.text import Text

PLAIN_WIDTH = 100  # columns of text where no terminal says how many it has
GAP = 2  # between two columns
RULED_GAP, RULED_EDGES = 3, 2  # the same of a ruled table, and what it has left and right of all


@dataclass(frozen=True, slots=True)
class Column:
    title: str
    numeric: bool = False


COLOURS = {
    "good": "green",
    "bad": "red",
    "open": "yellow",
    "": "default",
}


@dataclass(frozen=True, slots=True)
class Cell:
    """Text with a tone, "good", "bad", "open" or "": the words say it, colour repeats it."""

    text: str
    tone: str = ""


def show(columns: Sequence[Column], rows: Sequence[Sequence[Cell]]) -> None:
    """Print one table."""
    console = Console()
    if console.is_terminal:
        console.print(_ruled(columns, rows))
        return
    for line in aligned(columns, rows):
        print(line)


def columns_that_fit(
    columns: Sequence[Column], rows: Sequence[Sequence[Cell]], expendable: Sequence[int]
) -> list[int]:
    """The columns to show, by number: `expendable` ones go, in that order, until all fit."""
    console = Console()
    ruled = console.is_terminal
    room, gap = (console.width - RULED_EDGES, RULED_GAP) if ruled else (PLAIN_WIDTH, GAP)
    widths = [
        max(len(column.title), *(len(row[number].text) for row in rows)) + gap
        for number, column in enumerate(columns)
    ]
    kept = list(range(len(columns)))
    for number in expendable:
        if sum(widths[n] for n in kept) - gap > room:
            kept.remove(number)
    return kept


def _ruled(columns: Sequence[Column], rows: Sequence[Sequence[Cell]]) -> Table:
    table = Table(box=SIMPLE_HEAD, pad_edge=False)
    for column in columns:
        side: JustifyMethod = "right" if column.numeric else "left"
        table.add_column(column.title, justify=side, overflow="fold")
    for row in rows:
        table.add_row(*(Text(cell.text, style=COLOURS[cell.tone]) for cell in row))
    return table


def aligned(columns: Sequence[Column], rows: Sequence[Sequence[Cell]]) -> list[str]:
    """Lines of plain text; nothing is cut or wrapped."""
    texts = [[column.title for column in columns], *([cell.text for cell in row] for row in rows)]
    widths = [max(map(len, column)) for column in zip(*texts, strict=True)]
    lines = []
    for row in texts:
        parts = [
            text.rjust(width) if column.numeric else text.ljust(width)
            for text, width, column in zip(row, widths, columns, strict=True)
        ]
        lines.append((" " * GAP).join(parts).rstrip())
    return lines
