"""Tables on standard output: ruled and coloured on a terminal, aligned columns elsewhere."""

from collections.abc import Sequence
from dataclasses import dataclass

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table
from rich.text import Text


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


def _ruled(columns: Sequence[Column], rows: Sequence[Sequence[Cell]]) -> Table:
    table = Table(box=SIMPLE_HEAD, pad_edge=False)
    for column in columns:
        table.add_column(column.title, justify="right" if column.numeric else "left")
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
        lines.append("  ".join(parts).rstrip())
    return lines
