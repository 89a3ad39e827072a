"""The last line of a screen, or two: the keys that matter most, each of which may be clicked."""

from collections.abc import Iterator, Sequence

from rich.style import Style
from rich.text import Text
from textual import events
from textual.geometry import Size
from textual.widget import Widget

from acclimate.workflows.reviewing.screens.commands import Action
from acclimate.workflows.reviewing.screens.palette import HEAD

_GAP = 2  # columns between two keys


class KeyLine(Widget):
    """Keys with a word each. Textual's own footer is made anew whenever a screen comes to the
    front, which takes longer than all the rest of it."""

    def __init__(self, shown: Sequence[Action]) -> None:
        super().__init__(id="keys")
        self._shown = shown

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        return len(self._lines(width))

    def render(self) -> Text:
        lines = self._lines(self.content_size.width)
        parts = [part for line in lines for part in (*_parts(line), "\n")]
        return Text.assemble(*parts[:-1], no_wrap=True, overflow="crop")

    async def on_click(self, event: events.Click) -> None:
        offset = event.get_content_offset(self)
        if offset is None:
            return
        place = 0
        for action in self._lines(self.content_size.width)[offset.y]:
            if place <= offset.x < place + _width(action):
                await self.app.run_action(action.name, action.node)
                return
            place += _width(action) + _GAP

    def _lines(self, room: int) -> list[list[Action]]:
        """The keys in lines of at most so many columns."""
        lines: list[list[Action]] = [[]]
        for action in self._shown:
            if sum(_width(a) + _GAP for a in lines[-1]) + _width(action) > room:
                lines.append([])
            lines[-1].append(action)
        return lines


def _width(action: Action) -> int:
    return len(action.keys[0]) + 1 + len(action.word)


def _parts(line: Sequence[Action]) -> Iterator[str | tuple[str, Style]]:
    for number, action in enumerate(line):
        yield " " * _GAP if number else ""
        yield action.keys[0], HEAD
        yield f" {action.word}"
