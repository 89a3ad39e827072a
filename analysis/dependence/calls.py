"""Calls: the summary of the callee, put in terms of the caller's places and values."""

from dataclasses import dataclass

from acclimate.analysis.dependence.affine import Affine, AtomKind, Range, of_atom
from acclimate.analysis.dependence.aliasing import Designator, shown
from acclimate.analysis.dependence.argument_overlap import Passed, overlaps
from acclimate.analysis.dependence.arguments import bound_arguments, spelt
from acclimate.analysis.dependence.conditions import Literal, facts_of, holds
from acclimate.analysis.dependence.context import Context
from acclimate.analysis.dependence.coverage import Definition, Extent, Interval, Region, Subscript
from acclimate.analysis.dependence.evaluation import Evaluator
from acclimate.analysis.dependence.intrinsics import SUBROUTINES
from acclimate.analysis.dependence.records import Access, Trait
from acclimate.analysis.dependence.references import References
from acclimate.analysis.dependence.sequence import Association, Mapping
from acclimate.analysis.dependence.summary import Summary, SummaryOf, is_shared, is_shared_term
from acclimate.analysis.ir import (
    Component,
    Expr,
    Keyword,
    Section,
    Star,
    Unit,
)
from acclimate.analysis.resolution import (
    DummyProcedure,
    External,
    Intrinsic,
    Procedures,
)
from acclimate.analysis.source import Lines


class Calls(References):
    """References, those that callees make on our behalf included."""

    def __init__(self, context: Context, evaluator: Evaluator, summary_of: SummaryOf) -> None:
        super().__init__(context, evaluator)
        self._summary_of = summary_of

    def invoke(self, callee: Expr, args: tuple[Expr, ...], at: Lines) -> None:
        context = self._context
        record = context.record
        name = spelt(callee)
        if any(isinstance(arg, Star) for arg in args):
            record.flag(Trait.ALTERNATE_RETURN, at, f"`{name}` may return to another label")
        if isinstance(callee, Component) and self._is_dispatched(callee):
            record.flag(Trait.DISPATCH, at, f"`{name}` is chosen at run time by the object's type")
            self._unknown(args, at)
            return
        resolution = context.project.procedures(context.unit, callee, args)
        match resolution:
            case Procedures() if resolution.candidates:
                self._call(resolution.candidates, callee, args, at)
            case Intrinsic():
                self._intrinsic(resolution.name, args, at)
            case External():
                self._external(name, args, at)
            case DummyProcedure():
                record.flag(
                    Trait.DUMMY_PROCEDURE, at, f"`{name}` is a procedure passed as an argument"
                )
                self._unknown(args, at)
            case _ if isinstance(callee, Component):
                record.flag(Trait.DISPATCH, at, f"`{name}` is a procedure of an object")
                self._unknown(args, at)
            case _:
                record.flag(Trait.EXTERNAL, at, f"`{name}` is declared by nothing that was read")
                self._unknown(args, at)

    def _is_dispatched(self, callee: Component) -> bool:
        base = self._evaluator.designator(callee.base)
        return base is None or (base.last.type or "").startswith("class")

    def _external(self, name: str, args: tuple[Expr, ...], at: Lines) -> None:
        trait = Trait.MPI if name.startswith(("mpi_", "pmpi_")) else Trait.EXTERNAL
        self._context.record.flag(trait, at, f"`{name}` is not part of the model's source")
        self._unknown(args, at)

    def _unknown(self, args: tuple[Expr, ...], at: Lines) -> None:
        """A procedure nothing is known of may read and write all its arguments."""
        for arg in args:
            self.read(arg, at)
        for arg in args:
            value = arg.value if isinstance(arg, Keyword) else arg
            if self._evaluator.designator(value) is not None:
                self.store(value, at, sure=False)

    def _intrinsic(self, name: str, args: tuple[Expr, ...], at: Lines) -> None:
        trait = SUBROUTINES.get(name)
        if trait is not None:
            self._context.record.flag(trait, at, f"`{name}` works on the host")
        self._unknown(args, at)

    # --- procedures of the project -------------------------------------------------------------

    def _call(
        self, candidates: tuple[Unit, ...], callee: Expr, args: tuple[Expr, ...], at: Lines
    ) -> None:
        for arg in args:
            self._read_argument(arg, at)
        calls = [
            _Call(self._context, self._evaluator, self, self._summary_of(unit), at)
            for unit in candidates
        ]
        for call in calls:
            call.bind(callee, args)
            call.note_traits()
        for call in calls:
            call.read()
        for call in calls:
            call.write(sure=len(calls) == 1)

    def _read_argument(self, arg: Expr, at: Lines) -> None:
        """Evaluate what is evaluated at the call itself: expressions and subscripts."""
        value = arg.value if isinstance(arg, Keyword) else arg
        designator = self._evaluator.designator(value)
        if designator is None:
            self.read(value, at)
        else:
            self.read_subscripts(designator, at)


@dataclass(frozen=True, slots=True)
class _Actual:
    expr: Expr
    designator: Designator | None


class _Call:
    """One callee at one call site."""

    def __init__(
        self,
        context: Context,
        evaluator: Evaluator,
        references: References,
        summary: Summary,
        at: Lines,
    ) -> None:
        self._context, self._evaluator, self._references = context, evaluator, references
        self._summary, self._at = summary, at
        self._actuals: dict[str, _Actual] = {}
        self._mappings: dict[str, Mapping] = {}
        self._atoms: dict[int, Affine | None] = {}
        self._forms: dict[Affine, Affine | None] = {}
        # by the id of what the summary holds, which most of its accesses share
        self._conditions_of: dict[int, tuple[Literal, ...]] = {}
        self._bounds_of: dict[int, Region] = {}
        self._accesses: list[Access] = []
        self._definitions: list[tuple[str, Definition]] = []
        self._name = summary.unit.qualified_name

    def bind(self, reference: Expr, args: tuple[Expr, ...]) -> None:
        for dummy, expr in bound_arguments(self._summary.unit, reference, args):
            self._actuals[dummy] = _Actual(expr, self._evaluator.designator(expr))
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
        context.record.overlaps.extend(
            overlaps(self._summary, passed, context.storage, context.values, self._at)
        )

    def note_traits(self) -> None:
        record = self._context.record
        record.calls.update(dict.fromkeys((self._name, *self._summary.calls)))
        seen: set[Trait] = set()
        for flag in self._summary.flags:
            if flag.trait in seen:
                continue
            seen.add(flag.trait)
            detail = flag.detail
            if " in `" not in detail:
                detail = f"{detail} in `{self._name}` ({flag.at})"
            record.flag(flag.trait, self._at, detail)

    def read(self) -> None:
        # Forms of entry values must be taken before the call changes anything.
        for access in self._summary.accesses:
            placed = self._placed(access)
            if placed is not None:
                self._accesses.append(placed)
        for key, definition in self._summary.definitions:
            target = self._placed_definition(key, definition)
            if target is not None:
                self._definitions.append(target)
        for access in self._accesses:
            if not access.write:
                self._references.note(access)

    def write(self, *, sure: bool) -> None:
        for access in self._accesses:
            if access.write:
                self._references.note(access)
        if sure:
            for key, definition in self._definitions:
                self._context.state.define(key, definition)

    # --- translation ---------------------------------------------------------------------------

    def _placed(self, access: Access) -> Access | None:
        """The access as one of the caller's, or None where it touches no variable of the caller."""
        if access.whole_procedure:
            return Access(
                access.key,
                tuple(map(self._subscript, access.subscripts)),
                access.write,
                self._at,
                self._conditions(access),
                access.symbol,
                self._declared(access),
                through_pointer=access.through_pointer,
                is_target=access.is_target,
                pointer_rank=access.pointer_rank,
                part=access.part,
                call=self._name,
                whole_procedure=True,
            )
        actual, designator = self._actual_of(access.key)
        if actual is None or designator is None:
            return None
        mapped = self._mapping(access, designator)
        rank = len(access.symbol.dims)
        tail = tuple(self._subscript(s) for s in access.subscripts[rank:])
        path = access.key.partition("%")
        key = designator.key + path[1] + path[2]
        names = self._context.record.names
        whole = names.get(designator.key, shown(designator.key))
        names.setdefault(key, whole + path[1] + path[2])
        head = mapped.subscripts(tuple(self._subscript(s) for s in access.subscripts[:rank]))
        declared = self._evaluator.declared(designator)
        return Access(
            key=key,
            subscripts=head + tail,
            write=access.write,
            at=self._at,
            conditions=self._conditions(access),
            symbol=designator.root,
            declared=declared + tuple(self._side(side) for side in access.declared[rank:]),
            through_pointer=designator.through_pointer or access.through_pointer,
            is_target=designator.is_target or access.is_target,
            pointer_rank=max(designator.pointer_rank, access.pointer_rank),
            part=access.part if path[1] else designator.part,
            kind=access.kind if path[1] else designator.last.type,
            call=self._name,
        )

    def _conditions(self, access: Access) -> tuple[Literal, ...]:
        """When the reference is made; conditions that cannot be put in our terms are one opaque."""
        known = self._conditions_of.get(id(access.conditions))
        if known is not None:
            return known
        found = self._context.state.conditions
        forms = [(literal, self._form(literal.form)) for literal in access.conditions]
        found += tuple(
            Literal(literal.relation, form, literal.positive)
            for literal, form in forms
            if form is not None
        )
        if any(form is None for _, form in forms):
            found += (holds(self._context.fresh()),)
        self._conditions_of[id(access.conditions)] = found
        return found

    def _declared(self, access: Access) -> Region:
        known = self._bounds_of.get(id(access.declared))
        if known is None:
            known = tuple(self._side(side) for side in access.declared)
            self._bounds_of[id(access.declared)] = known
        return known

    def _actual_of(self, key: str) -> tuple[_Actual | None, Designator | None]:
        dummy = key.partition("%")[0].rpartition("::")[2]
        actual = self._actuals.get(dummy)
        return actual, None if actual is None else actual.designator

    def _mapping(self, access: Access, designator: Designator) -> Mapping:
        dummy = access.symbol.name
        found = self._mappings.get(dummy)
        if found is None:
            rank = len(access.symbol.dims)
            bounds = tuple(self._side(side) for side in access.declared[:rank])
            found = self._mappings[dummy] = Association(
                designator,
                self._references.subscripts(designator),
                self._evaluator.declared(designator),
                self._context.values,
                access.symbol,
                bounds,
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
        _, designator = self._actual_of(key)
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
        low, high = self._form(side.low), self._form(side.high)
        return None if low is None or high is None else Interval(low, high)

    def _subscript(self, subscript: Subscript) -> Subscript:
        if isinstance(subscript, Extent):
            return subscript
        form = self._form(subscript)
        return Extent.UNKNOWN if form is None else form

    def _form(self, form: Affine) -> Affine | None:
        """The callee's form in the caller's values, or None where it has none there."""
        if not form.terms:
            return form
        if form not in self._forms:
            self._forms[form] = self._find_form(form)
        return self._forms[form]

    def _find_form(self, form: Affine) -> Affine | None:
        total = Affine(form.constant)
        for atom, coefficient in form.terms:
            value = self._atom(atom)
            if value is None:
                return None
            total = total + value.times(coefficient)
        return total

    def _bound(self, form: Affine | None) -> Affine | None:
        return None if form is None else self._form(form)

    def _atom(self, number: int) -> Affine | None:
        if number not in self._atoms:
            self._atoms[number] = self._translate(number)
        return self._atoms[number]

    def _translate(self, number: int) -> Affine | None:
        values = self._summary.values
        atom = values.atom(number)
        if atom.kind is AtomKind.ENTRY:
            return self._entry(atom.name)
        if atom.kind is AtomKind.INNER:
            bounds = values.ranges[number]
            moved = Range(
                self._bound(bounds.first),
                self._bound(bounds.low),
                self._bound(bounds.high),
                bounds.step,
                True,
            )
            return of_atom(self._context.values.inner(moved, tuple(self._context.enclosing)))
        if atom.kind is AtomKind.TERM and is_shared_term(atom.name, self._summary.unit):
            args = [self._form(arg) for arg in atom.args]
            if any(arg is None for arg in args):
                return None
            return self._context.values.term(atom.name, tuple(a for a in args if a is not None))
        return None

    def _entry(self, name: str) -> Affine | None:
        if name.startswith(("literal:", "parameter:")):
            return self._context.values.entry(name)
        if name.startswith("pointed:") or is_shared(name, self._summary.unit):
            return self._context.value_of(name)
        actual, designator = self._actual_of(name)
        subscripts = () if designator is None else designator.subscripts
        if actual is None or "%" in name or any(isinstance(s, Section) for s in subscripts):
            return None
        return self._evaluator.value(actual.expr)


_LOST = "lost"
