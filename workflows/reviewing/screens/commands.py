"""Every action of the screen in front, for the palette, the list of keys and the last line."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from textual.binding import Binding, BindingType
from textual.dom import DOMNode
from textual.screen import Screen

from acclimate.workflows.reviewing.screens.line_view import LineView

if TYPE_CHECKING:
    from acclimate.workflows.reviewing.screens.app import ReviewApp


@dataclass(frozen=True, slots=True)
class Action:
    """One action with the keys that do it, and the node that knows how; `word` says it in one."""

    keys: tuple[str, ...]
    text: str
    word: str
    name: str
    node: DOMNode
    is_shown: bool  # on the last line of the screen
    group: str  # what it is for, in a word

    @property
    def named(self) -> str:
        return f"{self.text} ({', '.join(self.keys)})"


def actions(app: "ReviewApp", screen: Screen[object]) -> Iterator[Action]:
    """This program's own actions in front of a user: the screen's first, moving about last."""
    for kind in type(screen).__mro__:
        if kind is Screen:
            break
        yield from _of(app, kind.__dict__.get("BINDINGS", ()), screen)
    for view in list(screen.query(LineView))[:1]:
        yield from _of(app, LineView.BINDINGS, view)
    yield from _of(app, type(app).__dict__.get("BINDINGS", ()), app)


def _of(app: "ReviewApp", bindings: list[BindingType], node: DOMNode) -> Iterator[Action]:
    for binding in bindings:
        assert isinstance(binding, Binding) and binding.group is not None
        given = app.given.get(binding.id or "")
        shown = "" if given else binding.key_display
        keys = shown or ", ".join(
            app.get_key_display(Binding(key, "")) for key in (given or binding.key).split(",")
        )
        yield Action(
            keys=tuple(keys.split(", ")),
            text=binding.tooltip,
            word=binding.description,
            name=binding.action,
            node=node,
            is_shown=binding.show,
            group=binding.group.description,
        )
