"""The panel below a diff: lines of text, wrapped, of which only those on the screen are drawn."""

import textwrap
from collections.abc import Iterator, Sequence

from rich.segment import Segment
from textual import events

from acclimate.workflows.reviewing.screens.line_view import LineView


class PanelView(LineView):
    """A widget of Textual would lay out all of the text at each key: a tenth of a second where
    evidence is long."""

    always_marked = False

    def __init__(self) -> None:
        super().__init__(id="panel")
        self.text: Sequence[str] = ()

    def take(self, lines: Sequence[str]) -> None:
        """Show these lines; where they are the same as before nothing is done."""
        if lines != self.text:
            self.text = lines
            self._wrap()

    def on_resize(self, event: events.Resize) -> None:
        self._wrap()

    def _wrap(self) -> None:
        width = max(20, self.size.width - 1)
        self.drawn = [(Segment(line),) for line in _wrapped(self.text, width)]
        self.renew()


def _wrapped(lines: Sequence[str], width: int) -> Iterator[str]:
    """Lines that are at most so wide; what follows a break is set in."""
    for line in lines:
        if len(line) <= width:
            yield line
            continue
        inset = " " * (len(line) - len(line.lstrip()) + 2)
        yield from textwrap.wrap(line, width, subsequent_indent=inset)
