"""The diff of one module: unified, or side by side where there is room."""

from collections.abc import Sequence
from functools import cached_property
from itertools import islice

from rich.segment import Segment
from rich.style import Style
from textual.strip import Strip

from acclimate.workflows.reviewing.diff import Pair, Row, rows, side_by_side
from acclimate.workflows.reviewing.hunks import Hunk
from acclimate.workflows.reviewing.screens.fortran_colours import coloured, is_fixed_form
from acclimate.workflows.reviewing.screens.line_view import LineView
from acclimate.workflows.reviewing.screens.palette import (
    FAINT,
    FOUND,
    MARK_SIGNS,
    MARK_STYLES,
    MINUS,
    PLUS,
)
from acclimate.workflows.reviewing.session import Session, Standing
from acclimate.workflows.reviewing.telling import heads

WIDE = 150  # columns from which on both sides have room
_NUMBERS = 6


class DiffView(LineView):
    """Rows of a diff, each of which knows its hunk; `whole` shows the file without gaps."""

    def __init__(self) -> None:
        super().__init__(id="diff")
        self.whole, self.search = False, ""
        self._standing: Standing | None = None
        self._rows: tuple[Row, ...] = ()
        self._widest = 0

    def take(self, session: Session, standing: Standing) -> None:
        """Show a module; the cursor stays on its hunk, or its line, as well as it can."""
        before = self.row
        self._standing = standing
        original = session.outcome.original(standing.module.file)
        context = None if self.whole else 3
        self._rows = rows(original, standing.module.hunks, heads(session, standing), context)
        self.__dict__.pop("_pairs", None)
        self._widest = max((len(row.text) for row in self._rows), default=0)
        self.renew()
        if before is not None:
            self.cursor = self._nearest(before)

    @cached_property
    def _pairs(self) -> tuple[Pair, ...]:
        """The rows side by side, made where they are first shown so."""
        return side_by_side(self._rows)

    @property
    def is_wide(self) -> bool:
        return self.size.width >= WIDE

    @property
    def row(self) -> Row | None:
        """The row under the cursor, of the port where there are two."""
        return self._row(self.cursor)

    @property
    def hunk(self) -> Hunk | None:
        """The hunk under the cursor; of context lines the one that follows."""
        number = self._hunk_number()
        if self._standing is None or number is None:
            return None
        return self._standing.module.hunks[number]

    @property
    def line(self) -> int:
        """The line of the original under the cursor, or the one below what was put in."""
        for place in range(self.cursor, self.count()):
            row = self._row(place)
            if row is not None and row.old:
                return row.old
        return max((row.old for row in self._rows), default=1)

    def count(self) -> int:
        return len(self._pairs) if self.is_wide else len(self._rows)

    def widest(self) -> int:
        if self.is_wide:
            return self.size.width + max(0, self._widest + _NUMBERS + 2 - self._half)
        return self._widest + 2 * _NUMBERS + 3

    @property
    def _half(self) -> int:
        """Columns of each side."""
        return (self.room - 1) // 2

    def strip(self, line: int, left: int, width: int) -> Strip:
        """Both sides move together. The head of a hunk stays: it belongs to all columns."""
        row = self._row(line)
        if row is None or row.sign not in "@~":
            if self.is_wide:
                return Strip(self._pair(self._pairs[line], left))
            return super().strip(line, left, width)
        strip = Strip(self.segments(line))
        over = strip.cell_length - width
        if row.sign == "~" or over <= 0:
            return strip.crop(0, width)
        state = strip.text.partition("(")[0].partition("[")[0]  # a long reason moves behind it
        kept, gone = len(state), min(left, over)
        shown = Strip.join([strip.crop(0, kept), strip.crop(kept + gone)])
        if gone == over:
            return shown
        more = Segment("…", FAINT)
        return Strip.join([shown.crop(0, width - 1), Strip([more], 1)])

    def segments(self, line: int) -> Sequence[Segment]:
        if not self.is_wide:
            return self._unified(self._rows[line])
        pair = self._pairs[line]
        if pair.left is not None and pair.left.sign in "@~":
            return self._unified(pair.left)
        return self._pair(pair, 0)

    def _pair(self, pair: Pair, shift: int) -> list[Segment]:
        left, right = self._side(pair.left, True, shift), self._side(pair.right, False, shift)
        return [*left, Segment("│", FAINT), *right]

    def go_to(self, step: int) -> bool:
        """To the next (1) or previous (-1) hunk, or match of the search; False at the end."""
        place = self.cursor + step
        while 0 <= place < self.count():
            if self._is_stop(place):
                self.cursor = place
                return True
            place += step
        return False

    def begin(self) -> None:
        """To the first hunk and the first column, without a search."""
        self.search, self.cursor = "", 0
        self.scroll_to(x=0, animate=False, force=True)
        self.go_to_hunk(0)

    def go_to_hunk(self, number: int) -> None:
        """To the head of a hunk, counted from 0."""
        heads = (place for place, row in enumerate(self._shown()) if row.sign == "@")
        self.cursor = next(islice(heads, number, None), self.cursor)

    def _is_stop(self, place: int) -> bool:
        row = self._row(place)
        if row is None:
            return False
        if self.search:
            return self.search.lower() in row.text.lower() and row.sign != "@"
        return row.sign == "@"

    def _row(self, place: int) -> Row | None:
        if not 0 <= place < self.count():
            return None
        if not self.is_wide:
            return self._rows[place]
        pair = self._pairs[place]
        return pair.right or pair.left

    def _hunk_number(self) -> int | None:
        for place in range(self.cursor, self.count()):
            row = self._row(place)
            if row is not None and row.hunk >= 0:
                return row.hunk
        hunks = self._standing.module.hunks if self._standing is not None else ()
        return len(hunks) - 1 if hunks else None

    def _shown(self) -> Sequence[Row]:
        """All rows, of the port where there are two."""
        if not self.is_wide:
            return self._rows
        return [row for pair in self._pairs if (row := pair.right or pair.left) is not None]

    def _nearest(self, before: Row) -> int:
        """The place of a row as it was, the nearest where several are alike."""
        known = (before.sign, before.old, before.new, before.hunk)
        same = (
            place
            for place, row in enumerate(self._shown())
            if (row.sign, row.old, row.new, row.hunk) == known
        )
        here = min(self.cursor, max(0, self.count() - 1))
        return min(same, key=lambda place: abs(place - here), default=here)

    def _unified(self, row: Row) -> list[Segment]:
        if row.sign == "@":
            return self._head(row)
        if row.sign == "~":
            return [Segment(f"{'':>{2 * _NUMBERS + 1}}··· {row.text} ···", FAINT)]
        numbers = f"{row.old or '':>{_NUMBERS}}{row.new or '':>{_NUMBERS}} "
        return [Segment(numbers, FAINT), *self._text(row)]

    def _head(self, row: Row) -> list[Segment]:
        assert self._standing is not None
        hunk = self._standing.module.hunks[row.hunk]
        mark = self._standing.marks[hunk.name]
        return [Segment(f"{MARK_SIGNS[mark]} {row.text}", MARK_STYLES[mark])]

    def _side(self, row: Row | None, left: bool, shift: int) -> list[Segment]:
        """One side of a line without the first `shift` columns of its text."""
        if row is None:
            return [Segment(" " * self._half, FAINT)]
        number = Segment(f"{(row.old if left else row.new) or '':>{_NUMBERS}} ", FAINT)
        text = Strip(self._text(row)).crop(shift)
        return Segment.adjust_line_length([number, *text], self._half, pad=True)

    def _text(self, row: Row) -> list[Segment]:
        """Sign and text; the sign says what happened to the line, its colour says it again."""
        assert self._standing is not None
        text = row.text.expandtabs(8)
        if self.search and self.search.lower() in text.lower():
            return [Segment(f"{row.sign}{text}", FOUND)]
        if row.sign == "-":
            return [Segment(f"-{text}", MINUS)]
        sign = Segment(row.sign, PLUS + Style(bold=True) if row.sign == "+" else None)
        return [sign, *coloured(text, is_fixed_form(self._standing.module.file))]
