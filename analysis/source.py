"""Where a piece of Fortran stands, and edits to the bytes it stands in."""

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Span:
    """A run of characters on one line of an original file; `line` and `column` count from 1."""

    path: Path
    line: int
    column: int = 1
    width: int = 1


@dataclass(frozen=True, slots=True, order=True)
class Lines:
    """Whole lines `first` to `last` of an original file, both included, counted from 1.

    `file` is the path relative to the model's root, with forward slashes.
    """

    file: str
    first: int
    last: int

    def __str__(self) -> str:
        return f"{self.file}:{self.first}"


@dataclass(frozen=True, slots=True, order=True)
class Edit:
    """Replace lines `first`..`last` by `text`; `last == first - 1` inserts before `first`.

    `text` holds whole lines without terminators; the file's own line ending is used.
    An empty tuple deletes the lines.
    """

    file: str
    first: int
    last: int
    text: tuple[str, ...]

    @property
    def inserts(self) -> bool:
        return self.last == self.first - 1


def apply_edits(original: bytes, edits: Iterable[Edit]) -> bytes:
    """Apply edits to one file's bytes; every byte outside the edited lines is kept.

    Insertions at one place keep the order in which they are given.

    Raises:
        ValueError: two edits replace the same line, or a line does not exist.
    """
    ending = b"\r\n" if b"\r\n" in original else b"\n"
    lines = _split(original)
    inserted: dict[int, list[bytes]] = {}
    replaced: dict[int, list[bytes]] = {}
    for edit in edits:
        if not 1 <= edit.first <= len(lines) + 1 or edit.last > len(lines):
            raise ValueError(f"{edit.file} has no lines {edit.first}-{edit.last}")
        new = [text.encode("latin-1") + ending for text in edit.text]
        if edit.inserts:
            inserted.setdefault(edit.first, []).extend(new)
            continue
        for line in range(edit.first, edit.last + 1):
            if line in replaced:
                raise ValueError(f"{edit.file}:{line} is edited twice")
            replaced[line] = new if line == edit.first else []
    return b"".join(_merge(lines, inserted, replaced, ending))


def _merge(
    lines: list[bytes],
    inserted: dict[int, list[bytes]],
    replaced: dict[int, list[bytes]],
    ending: bytes,
) -> Iterable[bytes]:
    for number in range(1, len(lines) + 2):
        new = inserted.get(number, [])
        if new and number > 1 and not lines[number - 2].endswith(b"\n"):
            yield ending
        yield from new
        if number <= len(lines):
            yield from replaced.get(number, [lines[number - 1]])


def _split(original: bytes) -> list[bytes]:
    """Split at LF only: a lone CR is part of a line, as compilers read it."""
    parts = original.split(b"\n")
    lines = [part + b"\n" for part in parts[:-1]]
    return [*lines, parts[-1]] if parts[-1] else lines
