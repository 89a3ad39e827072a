"""Errors a user can act on; anything else is a bug and keeps its traceback."""

from enum import IntEnum
from pathlib import Path

from acclimate.analysis.source import Span


class Kind(IntEnum):
    """What sort of trouble; the value is the command's exit code (see workflows/_exit.py)."""

    MISUSED = 2
    ENVIRONMENT = 4
    BUDGET = 5  # a cap is reached, or an answer waited for; the same command goes on


class Problem(Exception):
    """Something the user can mend: what, where in the original source, facts, and a next step."""

    def __init__(
        self,
        what: str,
        *,
        kind: Kind = Kind.MISUSED,
        where: Span | None = None,
        notes: tuple[str, ...] = (),
        hint: str = "",
    ) -> None:
        super().__init__(what)
        self.what, self.kind, self.where, self.notes, self.hint = what, kind, where, notes, hint

    def render(self) -> str:
        """Text in the manner of a compiler, with an excerpt where the file can be read."""
        if self.where is None:
            head = [f"error: {self.what}"]
        else:
            at = self.where
            head = [f"{at.path}:{at.line}:{at.column}: error: {self.what}", *_excerpt(at)]
        notes = [f"note: {note}" for note in self.notes]
        return "\n".join(head + notes + ([f"hint: {self.hint}"] if self.hint else []))


def _excerpt(at: Span) -> list[str]:
    line = _line(at.path, at.line)
    if line is None:
        return []
    gutter = " " * len(str(at.line))
    return [
        f"{gutter} |",
        f"{at.line} | {line}",
        f"{gutter} | {' ' * (at.column - 1)}{'^' * at.width}",
    ]


def _line(path: Path, number: int) -> str | None:
    try:
        lines = path.read_bytes().decode("latin-1").splitlines()
    except OSError:
        return None
    return lines[number - 1] if 1 <= number <= len(lines) else None
