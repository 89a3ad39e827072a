"""A list of lines with a cursor: only what is on the screen is rendered."""

from collections.abc import Sequence
from functools import partial
from typing import ClassVar

from rich.segment import Segment
from rich.style import Style
from textual import events
from textual.binding import BindingType
from textual.geometry import Size
from textual.message import Message
from textual.reactive import reactive
from textual.scroll_view import ScrollView
from textual.strip import Strip

from acclimate.workflows.reviewing.screens.bindings import bound

_CURSOR = Style(color="#121212", bgcolor="#e0e0e0", bold=True)  # the line as a whole
_CURSOR_AWAY = Style(underline=True)
_MARGIN = 2  # lines kept visible above and below the cursor
_move = partial(bound, "lines", "move")


class LineView(ScrollView, can_focus=True):
    """Lines of segments; a view of very many makes each when it comes to be seen."""

    BINDINGS: ClassVar[list[BindingType]] = [
        _move("down,j", "move(1)", "down"),
        _move("up,k", "move(-1)", "up"),
        _move("pagedown,space", "page(1)", "page down"),
        _move("pageup,b", "page(-1)", "page up"),
        _move("home", "go(0)", "first line"),
        _move("end,G", "go(-1)", "last line"),
        _move("left", "shift(-8)", "to the left"),
        _move("right", "shift(8)", "to the right"),
    ]
    always_marked: ClassVar[bool] = True  # the line of the cursor, also where the keys go elsewhere
    cursor: reactive[int] = reactive(0)

    class Moved(Message):
        """The cursor stands on another line."""

        def __init__(self, view: "LineView") -> None:
            super().__init__()
            self.view = view

    class Chosen(Message):
        """The line under the cursor was clicked twice."""

        def __init__(self, view: "LineView") -> None:
            super().__init__()
            self.view = view

    def __init__(self, id: str) -> None:
        super().__init__(id=id)
        self.drawn: Sequence[Sequence[Segment]] = ()

    def count(self) -> int:
        return len(self.drawn)

    def segments(self, line: int) -> Sequence[Segment]:
        """One line from its first column on, without the cursor."""
        return self.drawn[line]

    def strip(self, line: int, left: int, width: int) -> Strip:
        """What is to be seen of a line when `left` columns are scrolled away."""
        return Strip(self.segments(line)).crop(left, left + width)

    @property
    def room(self) -> int:
        """Columns for text, beside the scrollbar."""
        return self.scrollable_content_region.width

    def widest(self) -> int:
        """Columns of the longest line."""
        return self.size.width

    def renew(self) -> None:
        """Draw everything again, after the lines have changed."""
        self.virtual_size = Size(self.widest(), self.count())
        self.cursor = max(0, min(self.cursor, self.count() - 1))
        self.refresh()

    def render_line(self, y: int) -> Strip:
        left, top = self.scroll_offset
        line, width = top + y, self.size.width
        if line >= self.count():
            return Strip.blank(width, self.rich_style)
        strip = self.strip(line, left, self.room)
        strip = strip.extend_cell_length(width).apply_style(self.rich_style)
        if line == self.cursor and (self.has_focus or self.always_marked):
            style = _CURSOR if self.has_focus else _CURSOR_AWAY
            return Strip(Segment.apply_style(strip, post_style=style), width)
        return strip

    def watch_cursor(self, before: int, now: int) -> None:
        self._show_cursor()
        self.refresh()
        if before != now:
            self.post_message(self.Moved(self))

    def on_resize(self, event: events.Resize) -> None:
        self.renew()
        self._show_cursor()

    def _show_cursor(self) -> None:
        top, height = self.scroll_offset.y, self.size.height
        margin = min(_MARGIN, max(0, height // 2 - 1))
        if self.cursor < top + margin:
            self.scroll_to(y=max(0, self.cursor - margin), animate=False, force=True)
        elif self.cursor >= top + height - margin:
            self.scroll_to(y=self.cursor - height + margin + 1, animate=False, force=True)

    def action_move(self, lines: int) -> None:
        self.cursor = max(0, min(self.count() - 1, self.cursor + lines))

    def action_page(self, pages: int) -> None:
        self.action_move(pages * max(1, self.size.height - 2))

    def action_go(self, line: int) -> None:
        self.cursor = line if line >= 0 else max(0, self.count() - 1)

    def action_shift(self, columns: int) -> None:
        self.scroll_to(x=max(0, self.scroll_offset.x + columns), animate=False, force=True)

    def on_click(self, event: events.Click) -> None:
        line = self.scroll_offset.y + event.y
        if line >= self.count():
            return
        again = line == self.cursor and event.chain > 1
        self.cursor = line
        if again:
            self.post_message(self.Chosen(self))
