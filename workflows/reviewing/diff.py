"""The lines of a diff as a reviewer sees them: numbered, and each with the hunk it belongs to."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import zip_longest

from acclimate.workflows.reviewing.hunks import Hunk, decoded, split

CONTEXT = 3  # lines around a hunk


@dataclass(frozen=True, slots=True)
class Row:
    """One line. `sign` is " ", "+", "-", "@" for the head of a hunk, or "~" for lines left out.

    `old` and `new` are line numbers in the original and in the port, 0 where the line is not
    there; `hunk` counts a file's hunks from 0, -1 for context.
    """

    sign: str
    old: int
    new: int
    text: str
    hunk: int = -1


@dataclass(frozen=True, slots=True)
class Pair:
    """One line side by side; a side is None where it has nothing to show.

    For heads of hunks and lines left out both sides are the same row.
    """

    left: Row | None
    right: Row | None


def rows(
    original: bytes, hunks: Sequence[Hunk], heads: Sequence[str], context: int | None = CONTEXT
) -> tuple[Row, ...]:
    """A unified diff, each hunk below its line of `heads`; `context` None shows the whole file."""
    lines = split(original)
    found: list[Row] = []
    place, shift = 1, 0  # the next line of the original, and how far the port is ahead of it

    def between(first: int, last: int, behind: bool) -> Iterable[Row]:
        """Context from one hunk, or the file's begin, to the next."""
        numbers = list(range(first, last + 1))
        near = len(numbers) if context is None else context
        kept = set(numbers[:near] if behind else ()) | set(numbers[-near:] if near else ())
        out = 0
        for number in numbers:
            if number in kept:
                if out:
                    yield Row("~", 0, 0, _left_out(out))
                    out = 0
                yield Row(" ", number, number + shift, decoded(lines[number - 1]))
            else:
                out += 1
        if out:
            yield Row("~", 0, 0, _left_out(out))

    for number, hunk in enumerate(hunks):
        found += between(place, hunk.first - 1, number > 0)
        found.append(Row("@", hunk.first, hunk.first + shift, heads[number], number))
        found += [
            Row("-", hunk.first + n, 0, decoded(line), number) for n, line in enumerate(hunk.old)
        ]
        found += [
            Row("+", 0, hunk.first + shift + n, decoded(line), number)
            for n, line in enumerate(hunk.new)
        ]
        place, shift = hunk.last + 1, shift + len(hunk.new) - len(hunk.old)
    tail = len(lines) if context is None else min(len(lines), place + context - 1)
    found += between(place, tail, True)
    if tail < len(lines):
        found.append(Row("~", 0, 0, _left_out(len(lines) - tail)))
    return tuple(found)


def side_by_side(unified: Iterable[Row]) -> tuple[Pair, ...]:
    """The same with what goes on the left and what comes on the right."""
    found: list[Pair] = []
    gone: list[Row] = []
    come: list[Row] = []

    def flush() -> None:
        found.extend(Pair(left, right) for left, right in zip_longest(gone, come))
        gone.clear()
        come.clear()

    for row in unified:
        if row.sign == "-":
            gone.append(row)
        elif row.sign == "+":
            come.append(row)
        else:
            flush()
            found.append(Pair(row, row))
    flush()
    return tuple(found)


def _left_out(count: int) -> str:
    return f"{count} line{'s' * (count != 1)} not changed"
