"""Every action of the screen in front, for the command palette and the list of keys."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from textual.app import App
from textual.binding import Binding, BindingType
from textual.command import DiscoveryHit, Hit, Hits, Provider
from textual.dom import DOMNode
from textual.screen import Screen

from acclimate.workflows.reviewing.screens.line_view import LineView


@dataclass(frozen=True, slots=True)
class Action:
    """One action with the keys that do it, and the node that knows how."""

    keys: tuple[str, ...]
    text: str
    name: str
    node: DOMNode


def actions(app: App[Any], screen: Screen[object]) -> Iterator[Action]:
    """This program's own actions in front of a user: the screen's first, moving about last."""
    for kind in type(screen).__mro__:
        if kind is Screen:
            break
        yield from _of(app, kind.__dict__.get("BINDINGS", ()), screen)
    for view in screen.query(LineView):
        yield from _of(app, LineView.BINDINGS, view)
    yield from _of(app, type(app).__dict__.get("BINDINGS", ()), app)


def _of(app: App[Any], bindings: list[BindingType], node: DOMNode) -> Iterator[Action]:
    for binding in bindings:
        assert isinstance(binding, Binding)
        keys = binding.key_display or ", ".join(
            app.get_key_display(Binding(key, "")) for key in binding.key.split(",")
        )
        text = binding.tooltip or binding.description
        yield Action(tuple(keys.split(", ")), text, binding.action, node)


class Actions(Provider):
    """The same in the command palette; the key stands behind each."""

    async def discover(self) -> Hits:
        for action in actions(self.app, self.screen):
            yield DiscoveryHit(_named(action), lambda action=action: self._run(action))

    async def search(self, query: str) -> Hits:
        matcher = self.matcher(query)
        for action in actions(self.app, self.screen):
            score = matcher.match(_named(action))
            if score > 0:
                shown = matcher.highlight(_named(action))
                yield Hit(score, shown, lambda action=action: self._run(action))

    async def _run(self, action: Action) -> None:
        await self.app.run_action(action.name, action.node)


def _named(action: Action) -> str:
    return f"{action.text} ({', '.join(action.keys)})"
