"""Which effect of the port is which of the original: equal ones first, then the most alike."""

from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass

from acclimate.verifier.structure.changes import Class
from acclimate.verifier.structure.effects import Effect

Key = Callable[[Effect], Hashable]


@dataclass(frozen=True, slots=True)
class Pairing:
    """Equal effects with what makes them equal, alike ones, and those left over."""

    equal: tuple[tuple[Effect, Effect, Class], ...]
    alike: tuple[tuple[Effect, Effect], ...]
    dropped: tuple[Effect, ...]
    added: tuple[Effect, ...]

    @property
    def open_port(self) -> tuple[Effect, ...]:
        return (*(port for _, port in self.alike), *self.added)

    @property
    def open_original(self) -> tuple[Effect, ...]:
        return (*(original for original, _ in self.alike), *self.dropped)


def _frame(effect: Effect) -> tuple[Hashable, ...]:
    return effect.kind, effect.target, effect.place, effect.conditions, effect.counters


_EQUAL: tuple[tuple[Class, Key], ...] = (
    (Class.SAME, lambda e: (*_frame(e), e.value.exact)),
    (Class.TEMPORARY, lambda e: (*_frame(e), e.versioned.exact)),
    (Class.REARRANGED, lambda e: (*_frame(e), e.value.number)),
    (Class.REARRANGED, lambda e: (*_frame(e), e.versioned.number)),
)
# Alike: the same variable, and all but one thing about it.
_ALIKE: tuple[Key, ...] = (
    lambda e: _frame(e),
    lambda e: (e.kind, e.target, e.place, e.counters, e.value.number),
    lambda e: (e.kind, e.target, e.conditions, e.counters, e.value.number),
    lambda e: (e.kind, e.place, e.conditions, e.counters, e.value.number),
    lambda e: (e.kind, e.target, e.place, e.conditions, e.value.number),
    lambda e: (e.kind, e.target, e.place, e.counters),
    lambda e: (e.kind, e.target, e.place, e.conditions),
    lambda e: (e.kind, e.target, e.conditions, e.counters),
    lambda e: (e.kind, e.target, e.counters),
    lambda e: (e.kind, e.target, e.place),
    lambda e: (e.kind, e.target),
)


def paired(original: Sequence[Effect], port: Sequence[Effect]) -> Pairing:
    """Pair the effects of two versions of a procedure, each at most once."""
    old, new = list(original), list(port)
    equal: list[tuple[Effect, Effect, Class]] = []
    for kind, key in _EQUAL:
        equal += [(a, b, kind) for a, b in _matches(old, new, key)]
    alike = [pair for key in _ALIKE for pair in _matches(old, new, key)]
    return Pairing(tuple(equal), tuple(alike), tuple(old), tuple(new))


def _matches(old: list[Effect], new: list[Effect], key: Key) -> list[tuple[Effect, Effect]]:
    """Pairs with the same key, in order; they are taken out of both lists."""
    waiting: dict[Hashable, list[Effect]] = defaultdict(list)
    for effect in old:
        waiting[key(effect)].append(effect)
    found = []
    for effect in new:
        candidates = waiting.get(key(effect))
        if candidates:
            found.append((candidates.pop(0), effect))
    _remove(old, (a for a, _ in found))
    _remove(new, (b for _, b in found))
    return found


def _remove(effects: list[Effect], gone: Iterable[Effect]) -> None:
    orders = {effect.order for effect in gone}
    effects[:] = [effect for effect in effects if effect.order not in orders]
