"""Reads and writes of places, noted as they are met."""

from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import NamedTuple

from acclimate.analysis.dependence.affine import Affine, of_atom
from acclimate.analysis.dependence.aliasing import WHOLE, Designator, pointed
from acclimate.analysis.dependence.cases import with_cases
from acclimate.analysis.dependence.context import Context
from acclimate.analysis.dependence.evaluation import Evaluator
from acclimate.analysis.dependence.expressions import Inquiry
from acclimate.analysis.dependence.intrinsics import INTRINSIC_OPERATORS
from acclimate.analysis.dependence.records import Access, Trait
from acclimate.analysis.dependence.regions import Definition, Extent, Region, Side, Subscript
from acclimate.analysis.dependence.substitution import replaced
from acclimate.analysis.dependence.unwritten import Unwritten
from acclimate.analysis.ir import (
    Apply,
    Binary,
    Component,
    Expr,
    ImpliedDo,
    Name,
    Section,
    Unary,
    Unreadable,
)
from acclimate.analysis.names.resolution import (
    DummyProcedure,
    External,
    Intrinsic,
    Procedures,
    StatementFunction,
    Unresolved,
    Variable,
)
from acclimate.analysis.source import Lines


class _Located(NamedTuple):
    """Where a reference lies; the same while what its subscripts are computed from is."""

    given: tuple[Affine, ...]
    subscripts: tuple[Subscript, ...]
    region: Region  # that a read may touch


class References(ABC):
    """What expressions read; a procedure reference in one is left to `invoke`."""

    def __init__(self, context: Context, evaluator: Evaluator) -> None:
        self._context, self._evaluator = context, evaluator
        self._located: dict[int, _Located] = {}  # by the id of a designator
        self._reads: dict[object, object] = {}  # the last read of each, as in `_is_repeated`
        self._unwritten = Unwritten(context)

    @abstractmethod
    def invoke(self, callee: Expr, args: tuple[Expr, ...], at: Lines) -> None:
        """Note what a subroutine call or function reference reads and writes."""

    # --- reading -------------------------------------------------------------------------------

    def read(self, expr: Expr | None, at: Lines, operator: str | None = None) -> None:
        """Note every read that evaluating `expr` makes."""
        if expr is None:
            return
        context = self._context
        if context.aliases:
            expr = replaced(expr, context.aliases)
        steps = context.expressions.steps(expr)
        for step in steps:
            if isinstance(step, Designator):
                last = step is steps[-1]
                self.access(step, at, write=False, operator=operator if last else None)
            elif isinstance(step, Inquiry):
                self.ask(step.designator, at)
            else:
                self._follow(step, at)

    def ask(self, designator: Designator, at: Lines) -> None:
        """Allocation and bounds are a value of the object where assignments may change them.

        Where they are not changed here, callers may change them between two calls.
        """
        context, key = self._context, designator.key
        if context.is_reallocated(key, designator.through_pointer or designator.is_target):
            self.access(designator, at, write=False)
        elif key not in context.record.asked:
            place = Access(
                key,
                tuple(Extent.UNKNOWN for _ in designator.subscripts),
                False,
                at,
                (),
                designator.root,
                tuple(None for _ in designator.subscripts),
                through_pointer=designator.through_pointer,
                is_target=designator.is_target,
                pointer_rank=designator.pointer_rank,
                part=designator.part,
                kind=designator.last.type,
            )
            context.record.symbols.setdefault(key, designator.root)
            context.record.asked[key] = place

    def note_asked(self, asked: Access) -> None:
        """Put what a callee asks about, as a place of ours, on record."""
        if self._context.is_reallocated(asked.key, asked.is_aliased):
            self.note(asked)
        else:
            record = self._context.record
            record.symbols.setdefault(asked.key, asked.symbol)
            record.asked.setdefault(asked.key, asked.anywhere)

    def _follow(self, expr: Expr, at: Lines) -> None:
        """An expression that does more than read data objects."""
        match expr:
            case Name():
                self._context.record.flag(
                    Trait.UNRESOLVED, at, f"nothing the analysis has read declares `{expr.id}`"
                )
            case Apply() | Component():
                self._follow_reference(expr, at)
            case Unary():
                self._defined_operator(expr.op, (expr.operand,), at)
                self.read(expr.operand, at)
            case Binary():
                self._defined_operator(expr.op, (expr.left, expr.right), at)
                self.read(expr.left, at)
                self.read(expr.right, at)
            case ImpliedDo():
                self._read_implied(expr, at)
            case Unreadable():
                text = expr.text.strip()
                self._context.record.flag(Trait.OPAQUE, at, f"`{text}` could not be read")

    def _defined_operator(self, operator: str, operands: tuple[Expr, ...], at: Lines) -> None:
        derived = any(map(self._is_derived, operands))
        if derived and operator in self._context.storage.types.bound_operators:
            self._context.record.flag(Trait.DISPATCH, at, f"`{operator}` may be bound to a type")
            return
        if operator not in INTRINSIC_OPERATORS or derived:
            self.invoke(Name(f"operator({operator})"), operands, at)

    def _is_derived(self, operand: Expr) -> bool:
        kind = self._context.expressions.type(operand)
        return kind is None or kind.startswith(("type", "class"))

    def _follow_reference(self, expr: Apply | Component, at: Lines) -> None:
        if isinstance(expr, Component):
            self.invoke(expr, (), at)
        elif isinstance(expr.base, Name):
            self._read_function(expr, expr.base.id, at)
        elif isinstance(expr.base, Apply):
            self._read_substring(expr, expr.base, at)
        else:
            self.invoke(expr.base, expr.args, at)

    def _read_substring(self, expr: Apply, base: Apply, at: Lines) -> None:
        """`c(i)(2:3)`, or an element of what a function returns."""
        self._context.record.flag(Trait.OPAQUE, at, "an element of an expression is taken")
        self.read(base, at)
        for arg in expr.args:
            self.read(arg, at)

    def _read_function(self, expr: Apply, name: str, at: Lines) -> None:
        context = self._context
        resolution = context.project.resolve(context.unit, name)
        match resolution:
            case StatementFunction():
                if resolution.owner is not context.unit:
                    context.record.flag(
                        Trait.OPAQUE, at, f"statement function `{name}` of another unit"
                    )
                actuals = dict(zip(resolution.args, expr.args, strict=False))
                for arg in expr.args:
                    self.read(arg, at)
                self.read(replaced(resolution.body, actuals), at)
            case Intrinsic():
                self._context.record.flag(Trait.RANDOM, at, f"`{name}` keeps a state between calls")
                for arg in expr.args:
                    self.read(arg, at)
            case Procedures() | External() | DummyProcedure() | Unresolved() | Variable():
                self.invoke(expr.base, expr.args, at)

    def _read_implied(self, expr: ImpliedDo, at: Lines) -> None:
        for bound in (expr.first, expr.last, expr.step):
            self.read(bound, at)
        with_index = self.section_index(expr.first, expr.last, expr.step)
        self.with_local_index(expr.index, with_index, lambda: self._read_items(expr, at))

    def _read_items(self, expr: ImpliedDo, at: Lines) -> None:
        for item in expr.items:
            self.read(item, at)

    def with_local_index(self, name: str, index: int, action: Callable[[], None]) -> None:
        """Run `action` while `name` stands for an index whose scope is the construct."""
        context = self._context
        designator = self._evaluator.designator(Name(name))
        if designator is None or not designator.is_scalar:
            action()
            return
        state, key = context.state, designator.key
        value, definitions = state.values.get(key), state.definitions.get(key)
        state.values[key] = of_atom(index)
        state.definitions[key] = (Definition(()),)
        action()
        state = context.state
        state.values.pop(key, None)
        state.definitions.pop(key, None)
        if value is not None:
            state.values[key] = value
        if definitions is not None:
            state.definitions[key] = definitions

    # --- places --------------------------------------------------------------------------------

    def read_subscripts(self, designator: Designator, at: Lines) -> None:
        for subscript in designator.subscripts:
            self.read(subscript, at)

    def subscripts(self, designator: Designator) -> tuple[Subscript, ...]:
        return self._locate(designator).subscripts

    def _locate(self, designator: Designator) -> _Located:
        context = self._context
        inputs = None if context.aliases else context.expressions.inputs(designator)
        if inputs is None:
            return self._located_anew(designator, ())
        given = tuple(map(context.value_of, inputs))
        known = self._located.get(id(designator))
        if known is None or known.given != given:
            known = self._located[id(designator)] = self._located_anew(designator, given)
        return known

    def _located_anew(self, designator: Designator, given: tuple[Affine, ...]) -> _Located:
        declared = self._evaluator.declared(designator)
        subscripts = tuple(map(self._subscript, designator.subscripts, declared))
        return _Located(given, subscripts, self._context.coverage.read(subscripts, declared))

    def _subscript(self, subscript: Expr, declared: Side) -> Subscript:
        if isinstance(subscript, Section):
            if subscript is WHOLE or subscript == WHOLE:
                return Extent.ALL
            low = None if declared is None else declared.low
            high = None if declared is None else declared.high
            return of_atom(
                self.section_index(subscript.lower, subscript.upper, subscript.stride, low, high)
            )
        if self._context.expressions.rank(subscript) != 0:
            return Extent.UNKNOWN
        return self._evaluator.value(subscript)

    def section_index(
        self,
        lower: Expr | None,
        upper: Expr | None,
        stride: Expr | None,
        declared_low: Affine | None = None,
        declared_high: Affine | None = None,
    ) -> int:
        """A new index that runs over a triplet at once."""
        first = declared_low if lower is None else self._evaluator.value(lower)
        last = declared_high if upper is None else self._evaluator.value(upper)
        index_range = self._evaluator.index_range(first, last, stride, is_section=True)
        return self._context.values.inner(index_range, tuple(self._context.enclosing))

    def access(
        self,
        designator: Designator,
        at: Lines,
        *,
        write: bool,
        operator: str | None = None,
        sure: bool = True,
        value: Affine | None = None,
    ) -> None:
        """Note one reference; `sure` is False for a write that may leave some elements alone."""
        if designator.is_character:
            name = designator.root.name
            self._context.record.flag(Trait.CHARACTER, at, f"character variable `{name}`")
        self._note_declaration(designator, at)
        located = self._locate(designator)
        key, declared = designator.key, self._evaluator.declared(designator)
        conditions = self._context.state.conditions
        left: tuple[Region, ...] = ()
        if not write:
            if operator is None and self._is_repeated(id(designator), key, located.subscripts):
                return
            self._context.record.mention(key, designator.root)
            left = self._unwritten.left(key, located.region, conditions, declared)
        access = Access(
            key,
            located.subscripts,
            write,
            at,
            conditions,
            designator.root,
            declared,
            operator,
            left=left,
            value=value,
            through_pointer=designator.through_pointer,
            is_target=designator.is_target,
            pointer_rank=designator.pointer_rank,
            part=designator.part,
            kind=designator.last.type,
        )
        if write:
            self._note_write(access, sure=sure and not designator.substring)
        else:
            self._note_read(access)

    def _is_repeated(self, place: object, key: str, subscripts: tuple[Subscript, ...]) -> bool:
        """Was the same read noted, and has nothing been learnt since that tells on it?"""
        context = self._context
        state, enclosing = context.state, context.enclosing
        point = (
            subscripts,
            state.conditions,
            state.definitions_of(key, len(subscripts)),
            context.changes_to(key),
            context.prover.facts,
            enclosing[-1] if enclosing else None,
        )
        if self._reads.get(place) == point:
            return True
        self._reads[place] = point
        return False

    def forget_reads(self) -> None:
        """What has been read is on record no longer."""
        self._context.record.accesses.clear()
        self._reads.clear()

    def _note_declaration(self, designator: Designator, at: Lines) -> None:
        """Attributes, and declarations that could not be read, that forbid to judge by name."""
        symbol = designator.root
        if "volatile" in symbol.attributes or "volatile" in designator.last.attributes:
            self._context.record.flag(Trait.VOLATILE, at, f"`{symbol.name}` is VOLATILE")
        if symbol.name in self._context.storage.unread_declarations(symbol.owner):
            detail = f"a declaration that speaks of `{symbol.name}` could not be read"
            self._context.record.flag(Trait.OPAQUE, at, detail)

    def note(self, access: Access) -> None:
        """Put a reference that a callee makes on record."""
        context = self._context
        context.record.symbols.setdefault(access.key, access.symbol)
        if access.write:
            self._note_write(access, sure=False)
            return
        region = context.coverage.read(access.subscripts, access.declared)
        left = self._unwritten.left(access.key, region, access.conditions, access.declared)
        self._note_read(access._replace(left=left))

    def is_noted(self, read: Access) -> bool:
        """Is the same read of a callee on record? If not, it is expected to be noted now."""
        aliasing = (read.is_target, read.through_pointer, read.pointer_rank)
        place = (read.key, read.declared, read.whole_procedure, *aliasing, read.subscripts)
        return self._is_repeated(place, read.key, read.subscripts)

    def _note_read(self, read: Access) -> None:
        context = self._context
        context.record.accesses.append(with_cases(context, read) if read.left else read)

    def _note_write(self, access: Access, *, sure: bool) -> None:
        context = self._context
        context.record.accesses.append(access)
        plain = not access.subscripts and not access.is_target
        context.forget(access.key, access.value if plain else None)
        if access.is_target or access.through_pointer:
            context.forget(pointed(access.kind))
        if sure:
            region_written = context.coverage.written(access.subscripts, access.declared)
            if region_written is not None:
                context.state.define(access.key, Definition(region_written, access.conditions))

    def store(
        self,
        target: Expr,
        at: Lines,
        *,
        value: Affine | None = None,
        operator: str | None = None,
        sure: bool = True,
    ) -> None:
        """Note a write to what `target` names."""
        designator = self._evaluator.designator(target)
        if designator is None:
            self._context.record.flag(
                Trait.OPAQUE, at, "the left side of an assignment could not be resolved"
            )
            return
        self.read_subscripts(designator, at)
        self.access(designator, at, write=True, operator=operator, sure=sure, value=value)
