"""The iterations of a loop or an array statement, named by what they count.

A counter is known by how often its loop runs and which subscript it moves: interchanged loops,
other names of indices, other bounds with the same elements and array statements that are written
out all have the same counters.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from acclimate.analysis.ir import Apply, Do, DoKind, Expr, Section, Symbol
from acclimate.analysis.source import Lines
from acclimate.verifier.structure.effects import Loop
from acclimate.verifier.structure.evaluating import Evaluator, Scope
from acclimate.verifier.structure.fingerprints import Value, arithmetic, atom, integer, opaque
from acclimate.verifier.structure.written import slot_of


@dataclass(slots=True)
class Spaces:
    """Loops as they are met in one procedure, each with a number of its own."""

    evaluator: Evaluator
    _nodes: int = 0

    def node(self) -> int:
        self._nodes += 1
        return self._nodes

    def counted(
        self, statement: Do, around: Sequence[Loop], known: Mapping[str, Value]
    ) -> tuple[Loop, Value]:
        """A counted loop, and its index in terms of its counter."""
        assert statement.first is not None and statement.last is not None
        scope = Scope(known)
        first = self.evaluator.value(statement.first, scope)
        last = self.evaluator.value(statement.last, scope)
        step = integer(1)
        if statement.step is not None:
            step = self.evaluator.value(statement.step, scope)
        by_one = step.constant in (1, -1)
        low, high = (first, last) if step.constant != -1 else (last, first)
        trips = _count(low, high) if by_one else opaque("trips", (first, last, step))
        index = statement.index or ""
        counter = _counter(trips, slot_of(index, statement.body), around)
        scaled = counter if by_one else arithmetic("*", step, counter)
        forward = step.constant != -1
        kind = statement.kind.value if statement.kind is DoKind.CONCURRENT else ""
        loop = Loop(self.node(), counter.number, index, low, trips, forward, statement.at, kind)
        return loop, arithmetic("+", low, scaled)

    def uncounted(self, what: str, at: Lines) -> Loop:
        trips = opaque(what, ())
        return Loop(self.node(), trips.number, "", integer(0), trips, True, at)

    def elements(
        self, target: Expr, around: Sequence[Loop], known: Mapping[str, Value], at: Lines
    ) -> list[tuple[Loop, Value]]:
        """One loop with its counter for each dimension that an array statement assigns."""
        found: list[tuple[Loop, Value]] = []
        for slot, trips in self.extents(target, known):
            counter = _counter(trips, slot, [*around, *(loop for loop, _ in found)])
            loop = Loop(
                self.node(), counter.number, "", integer(0), trips, True, at, is_element=True
            )
            found.append((loop, counter))
        return found

    def extents(self, target: Expr, known: Mapping[str, Value]) -> list[tuple[int, Value]]:
        """Dimensions of a whole array or a section, and their extents; none for an element."""
        symbol = self.evaluator.symbol(target.base if isinstance(target, Apply) else target)
        if symbol is None or not symbol.is_array:
            return []
        scope = Scope(known)
        if isinstance(target, Apply):
            if len(target.args) != len(symbol.dims):
                return []
            sections = [d for d, arg in enumerate(target.args) if isinstance(arg, Section)]
            return [(d, self._extent(target, symbol, d, scope)) for d in sections]
        name, subscripts, _ = self.evaluator.place(target, scope)
        if subscripts is not None:
            return []
        low, high = self.evaluator.lower_bound, self.evaluator.upper_bound
        return [
            (d, _count(low(name, symbol, d), high(name, symbol, d)))
            for d in range(len(symbol.dims))
        ]

    def _extent(self, target: Apply, symbol: Symbol, dimension: int, scope: Scope) -> Value:
        first = self.evaluator.section_start(target, symbol, dimension, scope)
        last = self.evaluator.section_end(target, symbol, dimension, scope)
        section = target.args[dimension]
        assert isinstance(section, Section)
        if section.stride is None:
            return _count(first, last)
        return opaque("trips", (first, last, self.evaluator.value(section.stride, scope)))


def _counter(trips: Value, slot: int, around: Sequence[Loop]) -> Value:
    nested = 0
    number = atom("counter", trips.number, slot, nested)
    while any(loop.counter == number for loop in around):
        nested += 1
        number = atom("counter", trips.number, slot, nested)
    return Value(number, number, counters=frozenset({number}), unit=number)


def _count(first: Value, last: Value) -> Value:
    return arithmetic("+", arithmetic("-", last, first), integer(1))
