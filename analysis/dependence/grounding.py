"""What every walk over the statements of a unit uses, whatever it begins with."""

from dataclasses import dataclass

from acclimate.analysis.dependence.aliasing import Places
from acclimate.analysis.dependence.bounds import DeclaredBounds
from acclimate.analysis.dependence.expressions import Expressions
from acclimate.analysis.dependence.invocations import Invocations
from acclimate.analysis.dependence.modification import Modification
from acclimate.analysis.dependence.neighbours import Neighbours
from acclimate.analysis.dependence.reallocation import Reallocation
from acclimate.analysis.dependence.summary import Summary, SummaryOf
from acclimate.analysis.flow.structuring import Structuring
from acclimate.analysis.ir import Unit


@dataclass(frozen=True, slots=True)
class Grounding:
    """`modified` are the keys that the unit may write; `asked`, by id, what it calls for that."""

    places: Places
    expressions: Expressions
    modification: Modification
    structuring: Structuring
    reallocation: Reallocation
    bounds: DeclaredBounds
    modified: frozenset[str]
    asked: dict[int, Unit]


def grounding(places: Places, invocations: Invocations, summary_of: SummaryOf) -> Grounding:
    asked: dict[int, Unit] = {}

    def summary_of_called(called: Unit) -> Summary:
        asked[id(called)] = called
        return summary_of(called)

    modification = Modification(places, invocations, summary_of_called)
    modified = modification.of_all(places.unit.body)
    written = Neighbours(places.storage, modified)
    return Grounding(
        places,
        Expressions(places),
        modification,
        Structuring(places.unit),
        Reallocation(modification),
        DeclaredBounds(places, lambda key: not written.touch(key)),
        modified,
        asked,
    )
