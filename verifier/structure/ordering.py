"""Do equal effects happen in the same order where the order counts?

Two references to one array conflict if one of them writes. With subscripts that are a constant
distance apart, the order of two conflicting instances follows from the loops both stand in, the
directions of those and the order of the statements (Allen and Kennedy 2001, 2.2); where it is the
other way round in the port, another value is read.
"""

from collections.abc import Container, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum

from acclimate.verifier.structure.effects import Effect, Kind, Loop
from acclimate.verifier.structure.fingerprints import Reference, Subscript
from acclimate.verifier.structure.states import overlap


class Order(StrEnum):
    KEPT = "kept"
    TURNED = "turned"
    OPEN = "open"


Pair = tuple[Effect, Effect]  # of the original, of the port


@dataclass(frozen=True, slots=True)
class Conflict:
    """Two pairs of equal effects whose order matters, and the variable it matters for."""

    first: Pair
    second: Pair
    name: str
    order: Order


def conflicts(pairs: Sequence[Pair], settled: Container[int]) -> Iterator[Conflict]:
    """Those whose order is turned or cannot be told; nothing if all orders are kept.

    Of effects of the port in `settled`, by their `order`, it is known that they read what the
    original reads.
    """
    ordered = sorted(pairs, key=lambda pair: pair[0].order)
    framed = [(pair, _frame(pair[0]), _frame(pair[1])) for pair in ordered]
    for n, (first, before_a, after_a) in enumerate(framed):
        for second, before_b, after_b in framed[n:]:
            turned = (first[1].order < second[1].order) != (first[0].order < second[0].order)
            same = _common(before_a, before_b) == _common(after_a, after_b)
            if same and not turned and not _changes_array_semantics(first, second):
                continue
            yield from _between(first, second, settled)


_Frame = tuple[tuple[int, int, bool], ...]  # node, counter, direction of each loop


def _frame(effect: Effect) -> _Frame:
    return tuple((loop.node, loop.counter, loop.forward) for loop in effect.loops)


def _common(one: _Frame, other: _Frame) -> list[tuple[int, bool]]:
    """The loops that two effects share, without what only tells loops of one text apart."""
    found = []
    for a, b in zip(one, other, strict=False):
        if a[0] != b[0]:
            break
        found.append(a[1:])
    return found


def _changes_array_semantics(first: Pair, second: Pair) -> bool:
    return first[0].order == second[0].order and first[0].is_array != first[1].is_array


def _between(first: Pair, second: Pair, settled: Container[int]) -> Iterator[Conflict]:
    if _acts(first[0]) or _acts(second[0]):
        yield Conflict(first, second, "", Order.OPEN)
        return
    skipped = [pair[0].order for pair in (first, second) if pair[1].order in settled]
    for name, one, other in _meetings(first[0], second[0], skipped):
        before = _sense(first[0], second[0], one, other)
        after = _sense(first[1], second[1], one, other)
        if before is None or after is None:
            yield Conflict(first, second, name, Order.OPEN)
        elif before != after:
            yield Conflict(first, second, name, Order.TURNED)


def _acts(effect: Effect) -> bool:
    """Whether it may touch anything: a call, I/O, a function of the model."""
    return effect.acts or effect.kind is not Kind.ASSIGNMENT


def _meetings(
    one: Effect, other: Effect, settled: Container[int]
) -> Iterator[tuple[str, Reference, Reference]]:
    """References of the two to one variable, one of them the write of an assignment."""
    for writer, reader, swap in ((one, other, False), (other, one, True)):
        written = Reference(writer.target, writer.subscripts)
        reads = () if reader.order in settled else reader.reads
        for read in reads:
            if overlap(read.name, writer.target):
                yield (writer.target, read, written) if swap else (writer.target, written, read)
        if one.order == other.order:
            break
    if overlap(one.target, other.target):
        yield (
            one.target,
            Reference(one.target, one.subscripts),
            Reference(other.target, other.subscripts),
        )


def _sense(a: Effect, b: Effect, one: Reference, other: Reference) -> int | None:
    """-1 if the instance of `a` comes first where both touch one element, 1 if that of `b`.

    0: they never touch one; None: it cannot be told, or differs from element to element.
    """
    shared = _shared(a.loops, b.loops)
    textual = -1 if a.order < b.order else 1
    if one.subscripts is None or other.subscripts is None:
        return None if shared else textual
    if not shared and a.excludes(b):
        return 0
    if not shared:
        return 0 if _never_meet(one.subscripts, other.subscripts) else textual
    if len(one.subscripts) != len(other.subscripts):
        return None
    distances = _distances(one.subscripts, other.subscripts, shared)
    if distances == 0:
        return 0
    is_whole = a.order == b.order and a.is_array  # all of it is read before any of it is written
    ordering = [loop for loop in shared if not (is_whole and loop.is_element)]
    known = distances if isinstance(distances, dict) else {}
    for loop in ordering:
        if loop.counter not in known:
            return None  # every iteration of this loop may touch the element
        distance = known[loop.counter]
        if distance:
            return (1 if distance > 0 else -1) * (1 if loop.forward else -1)
    if is_whole:
        return 1
    if not isinstance(distances, dict):
        return None
    if a.excludes(b):
        return 0
    return 1 if a.order == b.order else textual


def _distances(
    one: Sequence[Subscript], other: Sequence[Subscript], shared: Sequence[Loop]
) -> dict[int, int] | int | None:
    """Counter of `a` less counter of `b` of the loops that move a subscript; 0: never equal."""
    found: dict[int, int] = {}
    counters = {loop.counter for loop in shared}
    for a, b in zip(one, other, strict=True):
        distance = a.distance(b)
        if not a.counters & counters and not b.counters & counters:
            if distance not in (None, 0):
                return 0
            continue
        if distance is None or a.unit is None or a.unit != b.unit:
            return None
        if found.get(a.unit, -distance) != -distance:
            return 0
        found[a.unit] = -distance
    return found


def _never_meet(one: Sequence[Subscript], other: Sequence[Subscript]) -> bool:
    if len(one) != len(other):
        return False
    pairs = zip(one, other, strict=True)
    return any(
        a.distance(b) not in (None, 0) and not a.counters and not b.counters for a, b in pairs
    )


def _shared(a: Sequence[Loop], b: Sequence[Loop]) -> list[Loop]:
    found = []
    for one, other in zip(a, b, strict=False):
        if one.node != other.node:
            break
        found.append(one)
    return found
