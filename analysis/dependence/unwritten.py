"""What of a region that is read the iteration has not surely written before."""

from typing import NamedTuple

from acclimate.analysis.dependence.conditions import Facts, Literal, at_most, facts_of
from acclimate.analysis.dependence.context import Context
from acclimate.analysis.dependence.regions import Definition, Region


class _Basis(NamedTuple):
    """What decides on the unwritten parts of a read; the same for most reads of a statement."""

    definitions: tuple[Definition, ...]
    conditions: tuple[Literal, ...]
    declared: Region
    facts: tuple[Literal, ...]

    def is_that_of(self, other: "_Basis") -> bool:
        return (
            self.definitions is other.definitions
            and self.conditions is other.conditions
            and self.declared is other.declared
            and self.facts is other.facts
        )


class Unwritten:
    """Answers for one walk; the last of each place are kept while what decides on them is."""

    def __init__(self, context: Context) -> None:
        self._context = context
        self._known: dict[str, tuple[_Basis, dict[Region, tuple[Region, ...]]]] = {}

    def left(
        self, key: str, region: Region, conditions: tuple[Literal, ...], declared: Region
    ) -> tuple[Region, ...]:
        """The parts of a region, read in the present state, that are not surely written."""
        context = self._context
        definitions = context.state.definitions_of(key, len(region))
        if not definitions:
            return (region,)
        basis = _Basis(definitions, conditions, declared, context.prover.facts)
        known = self._known.get(key)
        if known is None or not basis.is_that_of(known[0]):
            known = self._known[key] = (basis, {})
        left = known[1].get(region)
        if left is None:
            within = _within_bounds(region, declared)
            facts = Facts(within, facts_of(conditions))
            left = known[1][region] = context.coverage.left(region, facts, definitions)
        return left


def _within_bounds(region: Region, declared: Region) -> tuple[Literal, ...]:
    """A reference lies inside the declared bounds, in a program that conforms."""
    return tuple(
        literal
        for side, extent in zip(region, declared, strict=True)
        if side is not None and extent is not None and side is not extent
        for literal in (at_most(extent.low, side.low), at_most(side.high, extent.high))
        if literal.form.terms
    )
