"""The last line of a screen: the keys that matter most, each of which may be clicked."""

from collections.abc import Sequence

from rich.text import Text
from textual import events
from textual.widgets import Static

from acclimate.workflows.reviewing.screens.commands import Action
from acclimate.workflows.reviewing.screens.palette import HEAD

_GAP = 2  # columns between two keys


class KeyLine(Static):
    """Keys with a word each. Textual's own footer is made anew whenever a screen comes to the
    front, which takes longer than all the rest of it."""

    def __init__(self, shown: Sequence[Action]) -> None:
        super().__init__(id="keys", markup=False)
        self._shown = shown

    def on_mount(self) -> None:
        parts = [
            part for a in self._shown for part in ((a.keys[0], HEAD), f" {a.word}", " " * _GAP)
        ]
        self.update(Text.assemble(*parts, no_wrap=True, overflow="crop"))

    async def on_click(self, event: events.Click) -> None:
        place = 0
        for action in self._shown:
            width = len(action.keys[0]) + 1 + len(action.word)
            if place <= event.x < place + width:
                await self.app.run_action(action.name, action.node)
                return
            place += width + _GAP
