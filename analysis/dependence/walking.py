"""Set up and run the walk over one iteration of a loop."""

from dataclasses import dataclass
from functools import partial

from acclimate.analysis.dependence.affine import Affine, of_atom
from acclimate.analysis.dependence.aliasing import root
from acclimate.analysis.dependence.arrays import DependenceTest, LoopRange
from acclimate.analysis.dependence.conditions import at_most
from acclimate.analysis.dependence.context import Context
from acclimate.analysis.dependence.effort import Effort, TooLarge
from acclimate.analysis.dependence.interest import Interest
from acclimate.analysis.dependence.iteration import Iteration
from acclimate.analysis.dependence.privatisation import Privacy
from acclimate.analysis.dependence.procedures import Summaries
from acclimate.analysis.dependence.records import Access
from acclimate.analysis.dependence.regions import Definition
from acclimate.analysis.dependence.setters import Setters
from acclimate.analysis.dependence.statements import inside, own_expressions, parts
from acclimate.analysis.ir import Do, Name, Statement, Unit


@dataclass(frozen=True, slots=True)
class WalkedLoop:
    """A counted loop after the walk over its body."""

    loop: Do
    context: Context
    range: LoopRange
    index_key: str
    privacy: Privacy


class UnitWalks:
    """The walks over the loops of one unit."""

    def __init__(self, summaries: Summaries, unit: Unit) -> None:
        self.unit = unit
        self.effort = Effort()
        self._summaries = summaries
        self._ground = summaries.take_grounding(unit)
        self.places, self.modification = self._ground.places, self._ground.modification
        self._setters = Setters(unit, self.modification)
        self._walked: dict[int, WalkedLoop | None] = {}  # None: too large
        self._exposed: dict[int, tuple[frozenset[str], frozenset[str]]] = {}

    def loops(self) -> list[Do]:
        return [s for s in inside(self.unit.body) if isinstance(s, Do)]

    def context_for(self, construct: Statement) -> Context:
        return Context(
            self._summaries.project,
            self.unit,
            self._summaries.storage,
            self._ground.expressions,
            self._ground.structuring,
            self.modification.of(construct),
            self._ground.reallocation.of_all([construct]),
            self._ground.bounds,
            Interest.ITERATIONS,
            self.effort,
        )

    def iteration(self, context: Context, construct: Statement) -> Iteration:
        """A walk over a loop's body, or over another construct as it stands."""
        loop = construct if isinstance(construct, Do) else None
        iteration = Iteration(context, self._summaries.of, self.modification.in_order, loop)
        for associate in self.modification.associations.around(construct):
            iteration.enter_associate(associate)
        iteration.references.forget_reads()  # what the selectors read is read before the construct
        return iteration

    def walk(self, loop: Do) -> WalkedLoop:
        """
        Raises:
            TooLarge: as often as the loop is asked for.
        """
        if id(loop) not in self._walked:
            self._walked[id(loop)] = None
            with self.effort.share():
                self._walked[id(loop)] = self._walk(loop)
        found = self._walked[id(loop)]
        if found is None:
            raise TooLarge
        return found

    def exposed_names(self, loop: Do) -> tuple[frozenset[str], frozenset[str]]:
        """Names an iteration may read before it writes them.

        The second set leaves out what no iteration writes at all: it cannot carry a value.
        """
        found = self._exposed.get(id(loop))
        if found is None:
            try:
                walked = self.walk(loop)
                with self.effort.share():
                    found = self._find_exposed(walked)
            except TooLarge:
                found = (_mentioned_in(loop),) * 2
            self._exposed[id(loop)] = found
        return found

    def calls_of(self, construct: Statement) -> tuple[str, ...]:
        """What a loop or statement may call, also by what it calls."""
        called = self._summaries.called_in(self.unit, [construct])
        names = [name for unit in called for name in self._summaries.of(unit).calls]
        return tuple(sorted({*names, *(unit.qualified_name for unit in called)}))

    def _find_exposed(self, walked: WalkedLoop) -> tuple[frozenset[str], frozenset[str]]:
        areas: dict[str, list[Access]] = {}
        for access in walked.context.record.accesses:
            areas.setdefault(root(access.key), []).append(access)
        exposed: set[str] = set()
        carried: set[str] = set()
        for accesses in areas.values():
            writes = [access for access in accesses if access.write]
            for access in walked.privacy.exposed(accesses):
                name = access.symbol.name
                exposed.add(name)
                if name not in carried and not walked.privacy.is_kept(access, writes):
                    carried.add(name)
        return frozenset(exposed), frozenset(carried)

    def _walk(self, loop: Do) -> WalkedLoop:
        context = self.context_for(loop)
        iteration = self.iteration(context, loop)
        evaluator = iteration.evaluator
        bounds = LoopRange(None, None, None)
        key = ""
        if loop.index is not None:
            designator = evaluator.designator(Name(loop.index))
            key = "" if designator is None else designator.key
            context.state.definitions[key] = (Definition(()),)
            if (
                loop.first is not None
                and loop.last is not None
                and evaluator.is_integer(Name(loop.index))
            ):
                first, last = evaluator.value(loop.first), evaluator.value(loop.last)
                found = evaluator.index_range(first, last, loop.step, is_section=False)
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
        test = DependenceTest(context.values, bounds, context.effort)
        privacy = Privacy(context, test, partial(self._setters.are_outside, loop))
        return WalkedLoop(loop, context, bounds, key, privacy)


def _mentioned_in(loop: Do) -> frozenset[str]:
    return frozenset(
        part.id
        for statement in inside([loop])
        for expr in own_expressions(statement)
        for part in parts(expr)
        if isinstance(part, Name)
    )


def _know_range(context: Context, bounds: LoopRange) -> None:
    here: Affine = of_atom(context.values.loop)
    if bounds.low is not None:
        context.prover.facts += (at_most(bounds.low, here),)
    if bounds.high is not None:
        context.prover.facts += (at_most(here, bounds.high),)
    if bounds.low is not None and bounds.high is not None:
        context.prover.facts += (at_most(bounds.low, bounds.high),)
