"""Hunks: the smallest changes a person decides on, and putting chosen ones into a file.

A hunk is a run of lines of an original file and what stands in their place. It is named by its
content and its place, so a decision on it holds for as long as it is the same change.
"""

import difflib
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256
from itertools import groupby

from acclimate.analysis.source import Edit

_NAME = 12  # hexadecimal digits


@dataclass(frozen=True)
class Hunk:
    """Lines `first` to `first + len(old) - 1` of the original become `new`.

    Lines are bytes with their terminators and count from 1; with no `old` lines, `new` is put
    before line `first`. `order` tells apart what several units put before the same line.
    """

    file: str
    unit: str  # qualified name, "" for lines outside of all units
    first: int
    old: tuple[bytes, ...]
    new: tuple[bytes, ...]
    order: int = 0

    @property
    def last(self) -> int:
        """The last line replaced; `first - 1` where lines are only put in."""
        return self.first + len(self.old) - 1

    @cached_property
    def name(self) -> str:
        """The first digits of the sha256 of file, place and both texts."""
        place = f"{self.file}\0{self.first}\0{len(self.old)}\0{self.order}\0".encode()
        return sha256(place + b"".join(self.old) + b"\0" + b"".join(self.new)).hexdigest()[:_NAME]

    @property
    def edit(self) -> Edit:
        """The same as an edit; terminators are the file's own again."""
        return Edit(self.file, self.first, self.last, tuple(map(_text, self.new)))


def of_edits(file: str, original: bytes, edits: Iterable[tuple[str, Edit]]) -> tuple[Hunk, ...]:
    """Hunks of a rewritten file, one for each edit, each with the unit it belongs to.

    `applied` with all of them gives what `apply_edits` gives with all edits, unless one edit puts
    lines in the middle of what another replaces.
    """
    lines = split(original)
    ending = b"\r\n" if b"\r\n" in original else b"\n"
    ordered = sorted(
        enumerate(edits), key=lambda item: (item[1][1].first, not item[1][1].inserts, item[0])
    )
    found: list[Hunk] = []
    for _, (unit, edit) in ordered:
        old = tuple(lines[edit.first - 1 : edit.last])
        new = tuple(text.encode("latin-1") + ending for text in edit.text)
        before = found[-1] if found else None
        order = before.order + 1 if before and before.first == edit.first else 0
        found.append(Hunk(file, unit, edit.first, old, new, order))
    return tuple(found)


def between(
    file: str,
    original: bytes,
    edited: bytes,
    unit_of: Callable[[int], str],
    known: Sequence[Hunk] = (),
) -> tuple[Hunk, ...]:
    """Hunks between two texts; `unit_of` a line of the original is the unit it stands in.

    What comes to the same as some of the `known` hunks is those: decisions on them hold on.
    """
    old, new = split(original), split(edited)
    matcher = difflib.SequenceMatcher(None, old, new, autojunk=False)
    found: list[Hunk] = []
    for tag, first, last, start, end in matcher.get_opcodes():
        if tag == "equal":
            continue
        run = Hunk(
            file, unit_of(first + 1), first + 1, tuple(old[first:last]), tuple(new[start:end])
        )
        same = [h for h in known if run.first <= h.first and h.last <= max(run.last, run.first)]
        found += same if _come_to(run, same) else [run]
    return tuple(found)


def beside(original: bytes, fresh: Iterable[Hunk], left: Iterable[Hunk]) -> tuple[Hunk, ...]:
    """The hunks of an edited text together with those `left` out of it that can still be put in.

    A hunk of which another has taken the lines is not among them.
    """
    found = list(fresh)
    for hunk in left:
        together = [*found, hunk]
        if hunk not in found and _fit(original, together):
            found = together
    return tuple(sorted(found, key=_place))


def _fit(original: bytes, hunks: Iterable[Hunk]) -> bool:
    try:
        applied(original, hunks)
    except ValueError:
        return False
    return True


def _come_to(run: Hunk, hunks: Sequence[Hunk]) -> bool:
    """Whether these hunks together are the same change as `run`."""
    ordered = sorted(hunks, key=_place)
    old = tuple(line for hunk in ordered for line in hunk.old)
    new = tuple(line for hunk in ordered for line in hunk.new)
    return bool(hunks) and (old, new) == (run.old, run.new)


def applied(original: bytes, hunks: Iterable[Hunk]) -> bytes:
    """The original with these of its hunks.

    Raises:
        ValueError: a hunk does not fit the original, or two replace the same line.
    """
    lines, place, parts = split(original), 0, list[bytes]()
    for hunk in sorted(hunks, key=_place):
        if hunk.first - 1 < place or tuple(lines[hunk.first - 1 : hunk.last]) != hunk.old:
            raise ValueError(f"{hunk.file}:{hunk.first}: the hunk does not fit the file")
        parts += lines[place : hunk.first - 1]
        if parts and hunk.new and not parts[-1].endswith(b"\n"):
            parts.append(b"\n")
        parts += hunk.new
        place = hunk.last
    return b"".join([*parts, *lines[place:]])


def by_unit(hunks: Iterable[Hunk]) -> dict[str, tuple[Hunk, ...]]:
    """Hunks of one file by unit, units in the order in which they first change."""
    found: dict[str, tuple[Hunk, ...]] = {}
    for unit, group in groupby(sorted(hunks, key=_place), key=lambda hunk: hunk.unit):
        found[unit] = (*found.get(unit, ()), *group)
    return found


def split(content: bytes) -> list[bytes]:
    """Lines with their terminators; only LF ends one, as git and compilers count."""
    parts = content.split(b"\n")
    lines = [part + b"\n" for part in parts[:-1]]
    return [*lines, parts[-1]] if parts[-1] else lines


def decoded(line: bytes) -> str:
    """A line as a person reads it, without its terminator."""
    bare = line.removesuffix(b"\n").removesuffix(b"\r")
    try:
        return bare.decode()
    except UnicodeDecodeError:
        return bare.decode("latin-1")


def is_directive(lines: Sequence[bytes]) -> bool:
    """Whether all these lines are comments to a compiler without OpenACC."""
    return all(line.lstrip()[:1] in (b"!", b"") or line[:1] in (b"c", b"C", b"*") for line in lines)


def _place(hunk: Hunk) -> tuple[int, int]:
    return hunk.first, hunk.order if not hunk.old else hunk.order + 1


def _text(line: bytes) -> str:
    return line.removesuffix(b"\n").removesuffix(b"\r").decode("latin-1")
