"""Which elements are surely written before a read: the basis of privatisation."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from acclimate.analysis.dependence.affine import ONE, ZERO, Affine, Range, Values
from acclimate.analysis.dependence.conditions import NOTHING, Facts, Literal, Prover, at_most
from acclimate.analysis.dependence.regions import (
    Definition,
    Extent,
    Interval,
    Region,
    Side,
    Subscript,
)
from acclimate.analysis.dependence.sweeping import swept_definition, swept_interval


class _Element(NamedTuple):
    """What a definition, kept alive so that its id stays its own, says of one element."""

    definition: Definition
    found: Definition | None


class Coverage:
    """Regions, and what is left of a read after the definitions before it."""

    def __init__(self, values: Values, prover: Prover) -> None:
        self._values, self._prover = values, prover
        self._hulls: dict[Affine, Interval | None] = {}
        # of a subscript that is written: the interval it runs over, and its section positions
        self._sections: dict[Affine, tuple[Interval | None, set[int]]] = {}
        self._filled: dict[tuple[Literal, ...], dict[tuple[Interval, Interval], bool]] = {}
        self._filled_now: tuple[object, dict[tuple[Interval, Interval], bool]] = None, {}
        self._elements: dict[tuple[int, Region], _Element] = {}  # by the id of the definition

    def written(self, subscripts: Sequence[Subscript], declared: Sequence[Side]) -> Region | None:
        """The region surely written by a store, or None where it cannot be told."""
        sides: list[Side] = []
        seen: set[int] = set()
        for subscript, extent in zip(subscripts, declared, strict=True):
            if subscript is Extent.ALL:
                sides.append(None)
                continue
            if isinstance(subscript, Extent):
                return None
            found = self._sections.get(subscript)
            if found is None:
                found = self._section(subscript), self._positions(subscript)
                self._sections[subscript] = found
            side, positions = found
            if side is None or positions & seen:
                return None
            seen |= positions
            sides.append(None if self._fills(side, extent) else side)
        return tuple(sides)

    def _positions(self, form: Affine) -> set[int]:
        return {atom for atom in self._values.within(form) if self._values.ranges[atom].is_section}

    def _section(self, form: Affine) -> Interval | None:
        """The interval a subscript runs over while section positions run over theirs."""
        positions = self._positions(form)
        if not positions:
            return Interval(form, form)
        if len(positions) != 1:
            return None
        (atom,) = positions
        index_range = self._values.ranges[atom]
        if abs(form.coefficient(atom)) != 1 or index_range.step not in (1, -1):
            return None
        return swept_interval(Interval(form, form), atom, index_range)

    def read(self, subscripts: Sequence[Subscript], declared: Sequence[Side]) -> Region:
        """A region that holds every element a reference may touch."""
        sides: list[Side] = []
        for subscript, extent in zip(subscripts, declared, strict=True):
            if isinstance(subscript, Extent):
                sides.append(extent)
                continue
            side = self._hull(subscript)
            sides.append(extent if side is None else side)
        return tuple(sides)

    def _hull(self, form: Affine) -> Interval | None:
        """The interval a subscript may touch while section positions run over theirs."""
        found = self._hulls.get(form)
        if found is None:
            found = self._hulls[form] = self._find_hull(form)
        return found

    def _find_hull(self, form: Affine) -> Interval | None:
        positions = self._positions(form)
        if not positions:
            return Interval(form, form)
        low = high = form
        for atom in sorted(positions, reverse=True):
            bounds = self._values.ranges[atom]
            if bounds.low is None or bounds.high is None:
                return None
            upward = form.coefficient(atom) > 0
            low = low.replaced(atom, bounds.low if upward else bounds.high)
            high = high.replaced(atom, bounds.high if upward else bounds.low)
        if self._positions(low) or self._positions(high):
            return None
        return Interval(low, high)

    def _fills(self, side: Interval, extent: Side) -> bool:
        """Does one side of a write reach over the whole dimension? Most arrays have one shape."""
        if extent is None:
            return False
        facts = self._prover.facts
        if self._filled_now[0] is not facts:
            self._filled_now = facts, self._filled.setdefault(facts, {})
        filled = self._filled_now[1]
        found = filled.get((side, extent))
        if found is None:
            found = filled[side, extent] = self._inside(extent, side, NOTHING)
        return found

    def _inside(self, inner: Side, outer: Side, known: Facts) -> bool:
        if outer is None or inner == outer:
            return True
        if inner is None:
            return False
        return self._prover.at_most(outer.low, inner.low, known) and self._prover.at_most(
            inner.high, outer.high, known
        )

    def left(
        self,
        region: Region,
        known: Facts,
        definitions: Iterable[Definition],
    ) -> tuple[Region, ...]:
        """Parts of `region` no definition is known to cover; empty: covered."""
        definitions = tuple(definitions)
        if not definitions:
            return (region,)
        candidates: list[Region] = []
        nearly: dict[Literal, Region] = {}
        for definition in definitions:
            if len(definition.region) != len(region):
                continue
            if definition.each:
                found = self._at_element(definition, region)
                if found is None:
                    continue
                definition = found
            missing = self._missing(definition.conditions, known)
            if not missing:
                candidates.append(definition.region)
            elif len(missing) == 1 and self._covers(definition.region, region, known):
                if missing[0].negated() in nearly:
                    return ()
                nearly[missing[0]] = definition.region
        if any(self._covers(candidate, region, known) for candidate in candidates):
            return ()
        if not candidates and all(side is None or side.low is side.high for side in region):
            return (region,)
        rests: list[tuple[Region, ...]] = []
        for side in range(len(region)):
            rests.append(self._rest(region, side, candidates, known))
            if not rests[-1]:
                return ()
        return _best(rests, region)

    def _missing(self, conditions: tuple[Literal, ...], known: Facts) -> list[Literal]:
        """Conditions that do not follow; the first two of them are enough to know."""
        missing: list[Literal] = []
        for condition in conditions:
            if not self._prover.implies(condition, known):
                missing.append(condition)
                if len(missing) > 1:
                    break
        return missing

    def _at_element(self, definition: Definition, region: Region) -> Definition | None:
        """What the definition says of a region with one element where it has an index."""
        known = self._elements.get((id(definition), region))
        if known is None:
            known = _Element(definition, self._find_at_element(definition, region))
            self._elements[id(definition), region] = known
        return known.found

    def _find_at_element(self, definition: Definition, region: Region) -> Definition | None:
        sides, conditions, each = list(definition.region), definition.conditions, definition.each
        while each:
            index, side, swept = each[-1]
            element, wanted = sides[side], region[side]
            if element is None or wanted is None or wanted.low != wanted.high:
                return None
            rest = wanted.low - element.low.replaced(index, ZERO)
            value = rest.times(element.low.coefficient(index))
            sides = [self._side_at(s, index, value) for s in sides]
            conditions = tuple(c.of(self._values.at(c.form, index, value)) for c in conditions)
            each = tuple(
                e._replace(swept=self._interval_at(e.swept, index, value)) for e in each[:-1]
            )
            sides[side] = swept
        return Definition(tuple(sides), conditions)

    def _side_at(self, side: Side, index: int, value: Affine) -> Side:
        return None if side is None else self._interval_at(side, index, value)

    def _interval_at(self, side: Interval, index: int, value: Affine) -> Interval:
        low = self._values.at(side.low, index, value)
        return Interval(low, self._values.at(side.high, index, value))

    def settled(self, known: Facts, definitions: Iterable[Definition]) -> tuple[Region, ...]:
        """Regions that are surely written where what is `known` holds."""
        return tuple(
            definition.region
            for definition in definitions
            if not definition.each
            and all(self._prover.implies(c, known) for c in definition.conditions)
        )

    def covered_if(
        self, region: Region, known: Facts, definitions: Sequence[Definition]
    ) -> tuple[tuple[Literal, ...], ...]:
        """Conditions, the same in all iterations, that leave nothing of it; each one is enough."""
        found: dict[tuple[Literal, ...], None] = {}
        for definition in definitions:
            missing = tuple(
                c
                for c in definition.conditions
                if not (definition.each or self._values.varies(c.form))
                and not self._prover.implies(c, known)
            )
            if missing:
                found[missing] = None
        return tuple(
            more
            for more in list(found)[:_MOST_CASES]
            if not self.left(region, Facts(more, known), definitions)
        )

    def _covers(self, outer: Region, inner: Region, known: Facts) -> bool:
        return all(self._inside(i, o, known) for i, o in zip(inner, outer, strict=True))

    def _rest(
        self, region: Region, side: int, candidates: list[Region], known: Facts
    ) -> tuple[Region, ...]:
        """What pieces that differ along one dimension leave of the region."""
        whole = region[side]
        if whole is None:
            return (region,)
        pieces = [
            piece
            for candidate in candidates
            if isinstance(piece := candidate[side], Interval)
            and all(
                self._inside(region[d], candidate[d], known)
                for d in range(len(region))
                if d != side
            )
        ]
        gaps = self._gaps(whole, pieces, known)
        return tuple(region[:side] + (gap,) + region[side + 1 :] for gap in gaps)

    def _gaps(self, whole: Interval, pieces: list[Interval], known: Facts) -> list[Interval]:
        gaps: list[Interval] = []
        starts = [start := whole.low]  # everything below each of them is covered or in a gap
        unused = list(pieces)
        while not self._prover.at_most(whole.high + ONE, start, known):
            unused = [p for p in unused if not self._prover.at_most(p.high + ONE, start, known)]
            reached = next(
                (p for p in unused if self._prover.at_most(p.low, start, known)),
                None,
            )
            if reached is None:
                reached = next(
                    (p for p in unused if self._prover.at_most(start, p.low, known)), None
                )
                if reached is None:
                    return [*gaps, self._last_gap(starts, whole.high, unused, known)]
                gaps.append(Interval(start, reached.low - ONE))
            unused.remove(reached)
            starts.append(start := reached.high + ONE)
        return gaps

    def _last_gap(
        self, starts: list[Affine], end: Affine, pieces: list[Interval], known: Facts
    ) -> Interval:
        """What is left up to `end`: at most one element where a piece begins next to a start."""
        for piece in pieces:
            before = piece.low - ONE
            if self._prover.at_most(end, piece.high, known) and any(
                self._prover.at_most(before, start, known) for start in starts
            ):
                return Interval(before, before)
        return Interval(starts[-1], end)

    def after_loop(
        self, definition: Definition, index: int, trip: Literal, runs_through: bool
    ) -> Definition | None:
        """What a definition made in the body of an inner loop says behind that loop.

        `runs_through` is False where the loop can be left early.
        """
        index_range = self._values.ranges[index]
        if not runs_through:  # what stands before the first way out is done once
            index_range = Range(index_range.first, None, None, None, False)
        return swept_definition(self._values, definition, index, trip, index_range)

    def in_earlier_iterations(
        self, definition: Definition, index: int, trip: Literal
    ) -> Definition | None:
        """What the iterations before the present one of an inner loop have surely written."""
        index_range = self._values.ranges[index]
        if index_range.first is None or index_range.step not in (1, -1):
            return None
        step = index_range.step
        here = Affine(0, ((index, 1),))
        previous = here - Affine(step)
        low, high = (index_range.first, previous) if step > 0 else (previous, index_range.first)
        before = Range(index_range.first, low, high, step, False)
        return swept_definition(self._values, definition, index, trip, before, at_most(low, high))


_MOST_CASES = 4  # conditions of which each is tried alone


def _best(rests: list[tuple[Region, ...]], region: Region) -> tuple[Region, ...]:
    """The most exact remainder: one that does not hold the region as a whole."""
    exact = [rest for rest in rests if region not in rest]
    return min(exact, key=len) if exact else (region,)
