"""Loops inside the walked statements: one pass over the body stands for all their iterations."""

from collections.abc import Callable

from acclimate.analysis.dependence.affine import Affine, Range, of_atom
from acclimate.analysis.dependence.conditions import (
    Literal,
    at_most,
    facts_of,
    holds,
    literals,
)
from acclimate.analysis.dependence.context import Context
from acclimate.analysis.dependence.evaluation import Evaluator
from acclimate.analysis.dependence.jumps import Frame, Jumps
from acclimate.analysis.dependence.records import Access
from acclimate.analysis.dependence.references import References
from acclimate.analysis.dependence.regions import Definition, Region
from acclimate.analysis.dependence.state import State
from acclimate.analysis.flow.jump_loop import JumpLoop
from acclimate.analysis.ir import Do, DoKind, Name, Statement
from acclimate.analysis.source import Lines

ModifiedIn = Callable[[Statement], tuple[str, ...]]
"""The keys of what a construct may write, in order."""
Block = Callable[[list[Statement]], None]


class InnerLoops:
    def __init__(
        self,
        context: Context,
        evaluator: Evaluator,
        references: References,
        jumps: Jumps,
        modified_in: ModifiedIn,
    ) -> None:
        self.context, self.evaluator, self.references = context, evaluator, references
        self._jumps, self._modified_in = jumps, modified_in

    def walk(self, loop: Do, block: Block) -> None:
        context = self.context
        for bound in (loop.first, loop.last, loop.step):
            self.references.read(bound, loop.at)
        if loop.kind is not DoKind.COUNTED and loop.kind is not DoKind.CONCURRENT:
            self.references.read(loop.condition, loop.at)
        index_range = self._range(loop)
        index = context.values.inner(index_range, tuple(context.enclosing))
        trip = self._trip(loop, index_range)
        if loop.index is not None and loop.kind is DoKind.COUNTED:
            self._note_index(loop.index, loop.at)
        start, first_access = len(self._jumps.departures), len(context.record.accesses)
        before = context.state
        facts = context.prover.facts
        context.enclosing.append(index)
        frame = Frame(loop)
        self._jumps.frames.append(frame)
        self._enter_loop(loop, index, index_range, trip)
        block(loop.body)
        is_jumps = isinstance(loop, JumpLoop)  # its end is never reached, its jumps carry on
        made = {} if is_jumps else self._made(before)
        if context.state.alive and loop.kind is DoKind.WHILE:
            self.references.read(loop.condition, loop.at)
        self._settle_earlier(first_access, before, made, index, trip)
        context.prover.facts = facts
        self._jumps.frames.pop()
        context.enclosing.pop()
        self._leave_loop(loop, before, made, index, trip, frame)
        context.state.alive = not is_jumps
        self._jumps.departures[start:] = [
            d for d in self._jumps.departures[start:] if d is not frame
        ]
        if len(self._jumps.departures) > start:
            state = context.state
            state.conditions = (*state.conditions, holds(context.fresh()))

    def _range(self, loop: Do) -> Range:
        if loop.first is None or loop.last is None or not self._has_integer_index(loop):
            return Range(None, None, None, None, False)
        first, last = self.evaluator.value(loop.first), self.evaluator.value(loop.last)
        return self.evaluator.index_range(first, last, loop.step, is_section=False)

    def _has_integer_index(self, loop: Do) -> bool:
        return loop.index is not None and self.evaluator.is_integer(Name(loop.index))

    def _trip(self, loop: Do, index_range: Range) -> Literal:
        """That the loop runs at least once."""
        if loop.kind is DoKind.FOREVER:
            return at_most(Affine(0), Affine(0))
        if index_range.low is None or index_range.high is None:
            return holds(self.context.fresh())
        return at_most(index_range.low, index_range.high)

    def _enter_loop(self, loop: Do, index: int, index_range: Range, trip: Literal) -> None:
        context = self.context
        context.state = context.state.copy()
        context.forget_all(self._modified_in(loop))
        state = context.state
        if not context.prover.implies(trip, facts_of(state.conditions)):
            state.conditions = (*state.conditions, trip)
        if loop.index is not None:
            here = of_atom(index)
            if self._has_integer_index(loop):
                self._define_index(loop.index, here)
                if index_range.low is not None and index_range.high is not None:
                    context.prover.facts += (
                        at_most(index_range.low, here),
                        at_most(here, index_range.high),
                    )
            else:
                self._define_index(loop.index, context.fresh())
        if loop.kind in (DoKind.WHILE, DoKind.CONCURRENT) and loop.condition is not None:
            if loop.kind is DoKind.CONCURRENT:
                self.references.read(loop.condition, loop.at)
            state.conditions = (
                *state.conditions,
                *literals(loop.condition, True, self.evaluator.value, self.evaluator.is_integer),
            )

    def _note_index(self, name: str, at: Lines) -> None:
        """A DO statement sets its index, also where the loop runs no iteration."""
        self.references.store(Name(name), at)
        designator = self.evaluator.designator(Name(name))
        known = self.context.record.inner_indices
        if designator is not None and designator.key not in known:
            known.append(designator.key)

    def _define_index(self, name: str, value: Affine) -> None:
        designator = self.evaluator.designator(Name(name))
        if designator is None or not designator.is_scalar:
            return
        key = designator.key
        self.context.forget(key, value)
        self.context.state.define(key, Definition((), self.context.state.conditions))

    def _made(self, before: State) -> dict[str, list[Definition]]:
        """Definitions made in the body, if its end is reached at all."""
        made: dict[str, list[Definition]] = {}
        for key, definitions in self.context.state.definitions.items():
            old = before.definitions.get(key, ())
            if definitions is old:
                continue
            new = [d for d in definitions if d not in old]
            if new:
                made[key] = new
        return made

    def _settle_earlier(
        self,
        first_access: int,
        before: State,
        made: dict[str, list[Definition]],
        index: int,
        trip: Literal,
    ) -> None:
        """Reads of what earlier iterations of an inner loop have written are not exposed."""
        coverage, accesses = self.context.coverage, self.context.record.accesses
        known_earlier: dict[str, list[Definition]] = {}
        for number in range(first_access, len(accesses)):
            access = accesses[number]
            if access.key not in made or not access.exposed:
                continue
            earlier = known_earlier.get(access.key)
            if earlier is None:
                swept = (coverage.in_earlier_iterations(d, index, trip) for d in made[access.key])
                earlier = known_earlier[access.key] = [d for d in swept if d is not None]
            if not earlier:
                continue
            candidates = [*before.definitions.get(access.key, ()), *earlier]
            known = facts_of(access.conditions)
            left = tuple(
                rest for region in access.left for rest in coverage.left(region, known, candidates)
            )
            if left and access.settled:
                left = self._from_the_whole(access, left, earlier)
            if left != access.left:
                accesses[number] = access.exposing(left)

    def _from_the_whole(
        self, read: Access, left: tuple[Region, ...], earlier: list[Definition]
    ) -> tuple[Region, ...]:
        """What is left of the read when its pieces are joined anew, if that is single elements."""
        coverage = self.context.coverage
        region = coverage.read(read.subscripts, read.declared)
        known = facts_of(read.conditions)
        written = [*(Definition(region) for region in read.settled), *earlier]
        rests = coverage.left(region, known, written)
        single = all(side and side.low is side.high for rest in rests for side in rest)
        return rests if single else left

    def _leave_loop(
        self,
        loop: Do,
        before: State,
        made: dict[str, list[Definition]],
        index: int,
        trip: Literal,
        frame: Frame,
    ) -> None:
        context = self.context
        context.state = before.copy()
        context.forget_all(self._modified_in(loop))
        if loop.index is not None and loop.kind is DoKind.COUNTED:
            self._define_index(loop.index, context.fresh())
        runs_through = not frame.left_early and loop.kind is DoKind.COUNTED
        for key, definitions in made.items():
            for definition in definitions:
                after = context.coverage.after_loop(definition, index, trip, runs_through)
                if after is not None:
                    context.state.define(key, after)
