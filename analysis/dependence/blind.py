"""For walks of what is too large: nothing is known to be written before anything else.

Every read is then one of a value from outside, which is always allowed to be believed.
"""

from collections.abc import Iterable, Sequence

from acclimate.analysis.dependence.conditions import Facts, Literal
from acclimate.analysis.dependence.coverage import Coverage
from acclimate.analysis.dependence.regions import Definition, Region, Side, Subscript


class Blind(Coverage):
    """Coverage that no definition enters and that asks the prover nothing."""

    def written(self, subscripts: Sequence[Subscript], declared: Sequence[Side]) -> Region | None:
        return None

    def left(
        self, region: Region, known: Facts, definitions: Iterable[Definition]
    ) -> tuple[Region, ...]:
        return (region,)

    def settled(self, known: Facts, definitions: Iterable[Definition]) -> tuple[Region, ...]:
        return ()

    def covered_if(
        self, region: Region, known: Facts, definitions: Sequence[Definition]
    ) -> tuple[tuple[Literal, ...], ...]:
        return ()

    def after_loop(
        self, definition: Definition, index: int, trip: Literal, runs_through: bool
    ) -> Definition | None:
        return None

    def in_earlier_iterations(
        self, definition: Definition, index: int, trip: Literal
    ) -> Definition | None:
        return None
