"""Set up and run the walk over one iteration of a loop."""

from collections.abc import Callable
from dataclasses import dataclass

from acclimate.analysis.dependence.affine import Affine, of_atom
from acclimate.analysis.dependence.aliasing import Places
from acclimate.analysis.dependence.arrays import LoopRange
from acclimate.analysis.dependence.conditions import at_most
from acclimate.analysis.dependence.context import Context
from acclimate.analysis.dependence.coverage import Definition
from acclimate.analysis.dependence.iteration import Iteration
from acclimate.analysis.dependence.modification import Modification
from acclimate.analysis.dependence.procedures import Summaries
from acclimate.analysis.dependence.references import index_range_of
from acclimate.analysis.dependence.statements import inside
from acclimate.analysis.ir import Do, Name, Unit


@dataclass(frozen=True, slots=True)
class WalkedLoop:
    """A counted loop after the walk over its body."""

    loop: Do
    context: Context
    range: LoopRange
    index_key: str

    def exposed_names(self) -> frozenset[str]:
        return frozenset(a.symbol.name for a in self.context.record.accesses if a.exposed)


class UnitWalks:
    """The walks over the loops of one unit."""

    def __init__(self, summaries: Summaries, unit: Unit) -> None:
        self.unit = unit
        self.places = Places(summaries.project, unit, summaries.storage)
        self._summaries = summaries
        self.modification = Modification(self.places, summaries.of)
        modified = self.modification.of_all(unit.body)
        storage = summaries.storage
        self._stable: Callable[[str], bool] = lambda key: not any(
            storage.overlapping(key, other) for other in modified
        )
        self._walked: dict[int, WalkedLoop] = {}

    def loops(self) -> list[Do]:
        return [s for s in inside(self.unit.body) if isinstance(s, Do)]

    def context_for(self, modified: frozenset[str]) -> Context:
        return Context(
            self._summaries.project,
            self.unit,
            self._summaries.storage,
            self.places,
            modified,
            self._stable,
        )

    def iteration(self, context: Context, loop: Do | None) -> Iteration:
        return Iteration(context, self._summaries.of, self.modification.of, loop)

    def walk(self, loop: Do) -> WalkedLoop:
        found = self._walked.get(id(loop))
        if found is None:
            found = self._walked[id(loop)] = self._walk(loop)
        return found

    def exposed_names(self, loop: Do) -> frozenset[str]:
        """Names an iteration may read before it writes them."""
        return self.walk(loop).exposed_names()

    def _walk(self, loop: Do) -> WalkedLoop:
        context = self.context_for(self.modification.of(loop))
        iteration = self.iteration(context, loop)
        evaluator = iteration.evaluator
        bounds = LoopRange(None, None, None)
        key = ""
        if loop.index is not None:
            designator = evaluator.designator(Name(loop.index))
            key = "" if designator is None else designator.key
            context.state.definitions[key] = (Definition(()),)
            if loop.first is not None and loop.last is not None and evaluator.is_integer(
                Name(loop.index)
            ):
                first, last = evaluator.value(loop.first), evaluator.value(loop.last)
                found = index_range_of(evaluator, first, last, loop.step, is_section=False)
                low, high = (
                    None if bound is None or context.values.varies(bound) else bound
                    for bound in (found.low, found.high)
                )
                bounds = LoopRange(low, high, found.step)
                context.state.values[key] = of_atom(context.values.loop)
                _know_range(context, bounds)
        if loop.condition is not None:
            iteration.references.read(loop.condition, loop.at)
        iteration.walk(loop.body)
        return WalkedLoop(loop, context, bounds, key)


def _know_range(context: Context, bounds: LoopRange) -> None:
    here: Affine = of_atom(context.values.loop)
    if bounds.low is not None:
        context.prover.facts.append(at_most(bounds.low, here))
    if bounds.high is not None:
        context.prover.facts.append(at_most(here, bounds.high))
    if bounds.low is not None and bounds.high is not None:
        context.prover.facts.append(at_most(bounds.low, bounds.high))
