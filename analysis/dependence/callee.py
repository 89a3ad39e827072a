"""One call: the summary of the callee, put in terms of the caller's places and values."""

from typing import NamedTuple

from acclimate.analysis.dependence.aliasing import Designator, shown
from acclimate.analysis.dependence.argument_overlap import Passed, overlaps
from acclimate.analysis.dependence.arguments import bound_arguments
from acclimate.analysis.dependence.conditions import Literal, facts_of, holds
from acclimate.analysis.dependence.context import Context
from acclimate.analysis.dependence.evaluation import Evaluator
from acclimate.analysis.dependence.notes import Notes
from acclimate.analysis.dependence.records import Access
from acclimate.analysis.dependence.regions import Definition, Extent, Interval, Region, Subscript
from acclimate.analysis.dependence.sequence import Association, Mapping
from acclimate.analysis.dependence.summary import Summary
from acclimate.analysis.dependence.translation import Actual, Translation
from acclimate.analysis.ir import (
    Expr,
    Symbol,
)
from acclimate.analysis.source import Lines


class _Target(NamedTuple):
    designator: Designator  # of the actual argument
    key: str
    is_component: bool  # of the actual argument


class _Referent(NamedTuple):
    """What an access of the callee is to, in the caller."""

    key: str
    symbol: Symbol
    rank: int
    kind: str | None
    is_aliased: bool


class Callee:
    """One callee at one call site."""

    def __init__(
        self,
        context: Context,
        evaluator: Evaluator,
        references: Notes,
        summary: Summary,
        at: Lines,
    ) -> None:
        self._context, self._evaluator, self._references = context, evaluator, references
        self._summary, self._at = summary, at
        self._actuals: dict[str, Actual] = {}
        self._translation = Translation(context, evaluator, summary, self._actuals)
        self._targets: dict[str, _Target | None] = {}  # by the key of a place of the callee
        self._mappings: dict[str, Mapping] = {}
        # by the id of what the summary holds, which most of its accesses share
        self._conditions_of: dict[int, tuple[Literal, ...]] = {}
        self._literals: dict[Literal, Literal | None] = {}
        self._bounds_of: dict[int, Region] = {}
        self._writes: list[Access] = []
        # key, type and aliasing of what writes that are foreseen change
        self._changes: dict[tuple[str, str | None, bool], None] = {}
        self._definitions: list[tuple[str, Definition]] = []
        self._name = summary.unit.qualified_name

    def bind(self, reference: Expr, args: tuple[Expr, ...]) -> None:
        for dummy, expr in bound_arguments(self._summary.unit, reference, args):
            self._actuals[dummy] = Actual(expr, self._evaluator.designator(expr))
        self._note_overlaps()

    def _note_overlaps(self) -> None:
        unit = self._summary.unit
        passed = [
            Passed(
                dummy,
                actual.designator,
                self._references.subscripts(actual.designator),
                dummy in unit.symbols and unit.symbols[dummy].is_array,
            )
            for dummy, actual in self._actuals.items()
            if actual.designator is not None
        ]
        context = self._context
        context.record.overlaps.extend(overlaps(self._summary, passed, context, self._at))

    def note_traits(self) -> None:
        record = self._context.record
        record.calls.update(dict.fromkeys((self._name, *self._summary.calls)))
        for flag in self._summary.told:
            record.flag(flag.trait, self._at, flag.detail)

    def read(self) -> None:
        """Note what is read; find what is written, whose forms are those before the call."""
        self._context.effort.spend(len(self._summary.accesses))
        for access in self._summary.accesses:
            if access.write:
                self._find_write(access)
            else:
                self._note_read(access)
        for asked in self._summary.asked:
            referent = self._referent(asked)
            if referent is not None:
                place = self._placed(asked, referent, self._subscripts(asked))
                self._references.note_asked(place)
        for key, definition in self._summary.definitions:
            target = self._placed_definition(key, definition)
            if target is not None:
                self._definitions.append(target)

    def _note_read(self, read: Access) -> None:
        references, whole = self._references, read.whole_procedure
        referent = self._referent(read)
        if referent is None or self._foresees_all(referent, read):
            return
        key, symbol, rank, _, is_aliased = referent
        if not references.is_asked_for(
            key, symbol, rank, self._at, is_aliased=is_aliased, call=self._name, whole=whole
        ):
            return
        if whole and not read.subscripts:  # nothing to be translated
            if not references.is_noted(read) and not self._foresees(key, (), read):
                references.note(self._placed(read, referent, ()))
            return
        subscripts = self._subscripts(read)
        if self._foresees(key, subscripts, read):
            return
        placed = self._placed(read, referent, subscripts)
        if not references.is_noted(placed):
            references.note(placed)

    def _find_write(self, write: Access) -> None:
        referent = self._referent(write)
        if referent is None:
            return
        if not self._foresees_all(referent, write):
            subscripts = self._subscripts(write)
            if not self._foresees(referent.key, subscripts, write):
                self._writes.append(self._placed(write, referent, subscripts))
                return
        self._changes[referent.key, referent.kind, referent.is_aliased] = None

    def write(self, *, sure: bool) -> None:
        for access in self._writes:
            self._references.note(access)
        for key, kind, is_aliased in self._changes:
            self._references.change(key, kind, is_aliased=is_aliased)
        if sure:
            for key, definition in self._definitions:
                self._context.state.define(key, definition)

    # --- what need not be put on record -------------------------------------------------------

    def _foresees_all(self, referent: _Referent, access: Access) -> bool:
        foreseen, whole = self._references.foreseen, access.whole_procedure
        return foreseen is not None and foreseen.holds_all(
            referent.key, write=access.write, whole=whole
        )

    def _foresees(self, key: str, subscripts: tuple[Subscript, ...], access: Access) -> bool:
        foreseen = self._references.foreseen
        if foreseen is None:
            return False
        is_conditional = bool(self._context.state.conditions or access.conditions)
        return foreseen.holds(
            key,
            subscripts,
            write=access.write,
            whole=access.whole_procedure,
            is_conditional=is_conditional,
        )

    # --- translation ---------------------------------------------------------------------------

    def _referent(self, access: Access) -> _Referent | None:
        """What the access is to; None where that is no variable of the caller."""
        rank, is_aliased = len(access.subscripts), access.is_aliased
        if access.whole_procedure:
            return _Referent(access.key, access.symbol, rank, access.kind, is_aliased)
        target = self._target(access)
        if target is None:
            return None
        designator = target.designator
        return _Referent(
            target.key,
            designator.root,
            rank + len(designator.subscripts) - len(access.symbol.dims),
            access.kind if target.is_component else designator.last.type,
            is_aliased or designator.is_aliased,
        )

    def _subscripts(self, access: Access) -> tuple[Subscript, ...]:
        """Those of the access, which is to something of the caller's, in the caller's terms."""
        own = tuple(map(self._subscript, access.subscripts))
        target = None if access.whole_procedure else self._target(access)
        if target is None:
            return own
        rank = len(access.symbol.dims)
        return self._mapping(access, target.designator).subscripts(own[:rank]) + own[rank:]

    def _placed(
        self, access: Access, referent: _Referent, subscripts: tuple[Subscript, ...]
    ) -> Access:
        """The access, with its subscripts put in the caller's terms, as one of the caller's."""
        key, symbol, _, kind, _ = referent
        target = None if access.whole_procedure else self._target(access)
        if target is None:
            return Access(
                key,
                subscripts,
                access.write,
                self._at,
                self._conditions(access),
                symbol,
                self._declared(access),
                through_pointer=access.through_pointer,
                is_target=access.is_target,
                pointer_rank=access.pointer_rank,
                part=access.part,
                kind=kind,
                call=self._name,
                whole_procedure=access.whole_procedure,
            )
        designator = target.designator
        declared = self._evaluator.declared(designator)
        rank = len(access.symbol.dims)
        if len(access.declared) > rank:
            declared += tuple(map(self._side, access.declared[rank:]))
        return Access(
            key,
            subscripts,
            access.write,
            self._at,
            self._conditions(access),
            symbol,
            declared,
            through_pointer=designator.through_pointer or access.through_pointer,
            is_target=designator.is_target or access.is_target,
            pointer_rank=max(designator.pointer_rank, access.pointer_rank),
            part=access.part if target.is_component else designator.part,
            kind=kind,
            call=self._name,
        )

    def _target(self, access: Access) -> _Target | None:
        """What of the caller a dummy argument, or a component of one, stands for."""
        if access.key not in self._targets:
            self._targets[access.key] = self._find_target(access.key)
        return self._targets[access.key]

    def _find_target(self, key: str) -> _Target | None:
        actual = self._translation.actual_of(key)
        designator = None if actual is None else actual.designator
        if designator is None:
            return None
        _, percent, path = key.partition("%")
        target = _Target(designator, designator.key + percent + path, bool(percent))
        names = self._context.record.names
        whole = names.get(designator.key, shown(designator.key))
        names.setdefault(target.key, whole + percent + path)
        return target

    def _conditions(self, access: Access) -> tuple[Literal, ...]:
        """When the reference is made; conditions that cannot be put in our terms are one opaque."""
        known = self._conditions_of.get(id(access.conditions))
        if known is not None:
            return known
        literals = [self._literal(literal) for literal in access.conditions]
        found = self._context.state.conditions
        found += tuple(literal for literal in literals if literal is not None)
        if None in literals:
            found += (holds(self._context.fresh()),)
        self._conditions_of[id(access.conditions)] = found
        return found

    def _literal(self, literal: Literal) -> Literal | None:
        if literal not in self._literals:
            form = self._translation.of(literal.form)
            found = None if form is None else Literal(literal.relation, form, literal.positive)
            self._literals[literal] = found
        return self._literals[literal]

    def _declared(self, access: Access) -> Region:
        known = self._bounds_of.get(id(access.declared))
        if known is None:
            known = tuple(self._side(side) for side in access.declared)
            self._bounds_of[id(access.declared)] = known
        return known

    def _mapping(self, access: Access, designator: Designator) -> Mapping:
        dummy = access.symbol.name
        found = self._mappings.get(dummy)
        if found is None:
            rank = len(access.symbol.dims)
            declared = self._summary.declared_of.get(dummy, access.declared)
            bounds = tuple(map(self._side, declared[:rank]))
            found = self._mappings[dummy] = Association(
                designator,
                self._references.subscripts(designator),
                self._evaluator.declared(designator),
                self._context.values,
                access.symbol,
                bounds,
                lambda position: self._evaluator.lower_bound(designator, position),
                lambda low, high: self._context.prover.at_most(
                    low, high, facts_of(self._context.state.conditions)
                ),
            ).mapping()
        return found

    def _placed_definition(self, key: str, definition: Definition) -> tuple[str, Definition] | None:
        conditions = self._context.state.conditions
        region = [self._side_of_definition(side) for side in definition.region]
        if any(side is _LOST for side in region):
            return None
        sides = tuple(side for side in region if not isinstance(side, str))
        access = self._summary.first_access.get(key)
        if access is None:
            return None
        if access.whole_procedure:
            return key, Definition(sides, conditions)
        actual = self._translation.actual_of(key)
        designator = None if actual is None else actual.designator
        if designator is None or "%" in key or designator.substring:
            return None
        mapped = self._mapping(access, designator)
        placed = mapped.region(sides, self._context.coverage)
        return None if placed is None else (designator.key, Definition(placed, conditions))

    def _side_of_definition(self, side: Interval | None) -> Interval | None | str:
        if side is None:
            return None
        placed = self._side(side)
        return _LOST if placed is None else placed

    def _side(self, side: Interval | None) -> Interval | None:
        if side is None:
            return None
        low, high = self._translation.of(side.low), self._translation.of(side.high)
        return None if low is None or high is None else Interval(low, high)

    def _subscript(self, subscript: Subscript) -> Subscript:
        if isinstance(subscript, Extent):
            return subscript
        form = self._translation.of(subscript)
        return Extent.UNKNOWN if form is None else form


_LOST = "lost"
