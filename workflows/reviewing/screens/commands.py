"""Every action of the screen in front, in the command palette."""

from collections.abc import Iterator

from textual.command import DiscoveryHit, Hit, Hits, Provider


class Actions(Provider):
    """The bindings that have a description; the key stands behind it."""

    async def discover(self) -> Hits:
        for text, action in self._actions():
            yield DiscoveryHit(text, lambda action=action: self._run(action))

    async def search(self, query: str) -> Hits:
        matcher = self.matcher(query)
        for text, action in self._actions():
            score = matcher.match(text)
            if score > 0:
                highlighted = matcher.highlight(text)
                yield Hit(score, highlighted, lambda action=action: self._run(action))

    def _actions(self) -> Iterator[tuple[str, str]]:
        told: set[str] = set()
        for active in self.screen.active_bindings.values():
            binding = active.binding
            if binding.description and binding.action not in told:
                told.add(binding.action)
                key = self.app.get_key_display(binding)
                yield f"{binding.description} ({key})", binding.action

    async def _run(self, action: str) -> None:
        focused = self.screen.focused
        namespace = focused if focused is not None and "." not in action else self.screen
        if not await self.app.run_action(action, namespace):
            await self.app.run_action(action, self.screen)
