"""Which places are read and written, noted as they are met."""

from typing import NamedTuple

from acclimate.analysis.dependence.affine import Affine, of_atom
from acclimate.analysis.dependence.aliasing import WHOLE, Designator, pointed
from acclimate.analysis.dependence.cases import with_cases
from acclimate.analysis.dependence.context import Context
from acclimate.analysis.dependence.effects import Foreseen
from acclimate.analysis.dependence.evaluation import Evaluator
from acclimate.analysis.dependence.interest import Interest, Need
from acclimate.analysis.dependence.records import Access, Trait
from acclimate.analysis.dependence.regions import Definition, Extent, Region, Side, Subscript
from acclimate.analysis.dependence.unwritten import Unwritten
from acclimate.analysis.ir import Expr, Section, Symbol
from acclimate.analysis.source import Lines


class _Located(NamedTuple):
    """Where a reference lies; the same while what its subscripts are computed from is."""

    given: tuple[Affine, ...]
    subscripts: tuple[Subscript, ...]
    region: Region  # that a read may touch


class Notes:
    """Puts references to places on record, with what is known where they are made."""

    def __init__(self, context: Context, evaluator: Evaluator) -> None:
        self._context, self._evaluator = context, evaluator
        self._located: dict[int, _Located] = {}  # by the id of a designator
        self._reads: dict[object, object] = {}  # the last read of each, as in `_is_repeated`
        self._unwritten = Unwritten(context)
        self._mentioned: set[str] = set()  # keys
        self._settled: set[int] = set()  # ids of designators, as in `is_settled`
        self.foreseen = Foreseen() if context.interest is Interest.CALLERS else None

    def subscripts(self, designator: Designator) -> tuple[Subscript, ...]:
        return self._locate(designator).subscripts

    def _placed(self, designator: Designator) -> tuple[tuple[Subscript, ...], Region, Region]:
        """Its subscripts, the region that a read may touch, and the declared bounds."""
        if not designator.subscripts:
            return (), (), ()
        located = self._locate(designator)
        return located.subscripts, located.region, self._evaluator.declared(designator)

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
        plain = self._context.expressions.is_plain(designator)
        if not plain:
            self._note_attributes(designator, at)
        if write:
            if self.is_passed_over(designator):
                self._pass_over(designator, value, sure=sure)
                return
        elif not self._is_wanted(designator, at):
            if plain:
                self._settled.add(id(designator))
            return
        key, conditions = designator.key, self._context.state.conditions
        subscripts, region, declared = self._placed(designator)
        left: tuple[Region, ...] = ()
        if not write:
            if operator is None and self._is_repeated(id(designator), key, subscripts):
                return
            self._context.record.mention(key, designator.root)
            left = self._unwritten.left(key, region, conditions, declared)
        access = Access(
            key,
            subscripts,
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

    def is_passed_over(self, designator: Designator) -> bool:
        """Does nobody ask who writes the place?"""
        need = self._context.need(designator.key, designator.root, is_aliased=designator.is_aliased)
        return need is Need.NOTHING

    def _pass_over(self, designator: Designator, value: Affine | None, *, sure: bool) -> None:
        """Note of a write what the walk itself has to know: values, and scalars defined."""
        state, is_scalar = self._context.state, not designator.subscripts
        plain = is_scalar and not designator.is_target
        kind = designator.last.type
        self.change(
            designator.key, kind, value if plain else None, is_aliased=designator.is_aliased
        )
        blind = self._context.blind
        if is_scalar and sure and not (designator.substring or blind):
            state.define(designator.key, Definition((), state.conditions))

    def forget_reads(self) -> None:
        """What has been read is on record no longer."""
        self._context.record.accesses.clear()
        self._reads.clear()
        self._mentioned.clear()
        self._settled.clear()

    def _note_attributes(self, designator: Designator, at: Lines) -> None:
        """Types, attributes and unreadable declarations that forbid to judge by name."""
        symbol, flag = designator.root, self._context.record.flag
        if designator.is_character:
            flag(Trait.CHARACTER, at, f"character variable `{symbol.name}`")
        if "volatile" in symbol.attributes or "volatile" in designator.last.attributes:
            flag(Trait.VOLATILE, at, f"`{symbol.name}` is VOLATILE")
        if symbol.name in self._context.storage.unread_declarations(symbol.owner):
            detail = f"a declaration that speaks of `{symbol.name}` could not be read"
            flag(Trait.OPAQUE, at, detail)

    def is_settled(self, designator: Designator) -> bool:
        """Would noting a read of it again change nothing, wherever it stands?"""
        return id(designator) in self._settled

    def _is_wanted(self, designator: Designator, at: Lines) -> bool:
        rank, is_aliased = len(designator.subscripts), designator.is_aliased
        self._context.record.mention(designator.key, designator.root)
        return self.is_asked_for(designator.key, designator.root, rank, at, is_aliased=is_aliased)

    def is_asked_for(
        self,
        key: str,
        symbol: Symbol,
        rank: int,
        at: Lines,
        *,
        is_aliased: bool,
        call: str | None = None,
        whole: bool = False,
    ) -> bool:
        """Is a read to be noted with its place? If not, it is noted here as far as needed.

        `call` makes it on our behalf, if that is `whole` on a variable it shares with us.
        """
        need = self._context.need(key, symbol, is_aliased=is_aliased)
        if need is Need.MENTION and key not in self._mentioned:
            self._mentioned.add(key)
            unknown, declared = (Extent.UNKNOWN,) * rank, (None,) * rank
            read = Access(key, unknown, False, at, (), symbol, declared, left=(declared,))
            read = read._replace(call=call, whole_procedure=whole)
            self._context.record.accesses.append(read)
            self._context.record.symbols.setdefault(key, symbol)
        return need is Need.PLACE

    def note(self, access: Access) -> None:
        """Put a reference that a callee makes on record."""
        context = self._context
        context.record.symbols.setdefault(access.key, access.symbol)
        if access.write:
            self._note_write(access, sure=False)
            return
        region = context.coverage.read(access.subscripts, access.declared)
        left = self._unwritten.left(access.key, region, access.conditions, access.declared)
        self._note_read(access.exposing(left))

    def is_noted(self, read: Access) -> bool:
        """Is the same read of a callee on record? If not, it is expected to be noted now."""
        aliasing = (read.is_target, read.through_pointer, read.pointer_rank)
        place = (read.key, read.declared, read.whole_procedure, *aliasing, read.subscripts)
        return self._is_repeated(place, read.key, read.subscripts)

    def _note_read(self, read: Access) -> None:
        context = self._context
        context.record.accesses.append(with_cases(context, read) if read.left else read)
        if self.foreseen and read.left and not context.enclosing:
            self.foreseen.note(read)  # a loop around it might still show that it was written

    def _note_write(self, access: Access, *, sure: bool) -> None:
        context = self._context
        context.record.accesses.append(access)
        if self.foreseen:
            self.foreseen.note(access)
        plain = not access.subscripts and not access.is_target
        value = access.value if plain else None
        self.change(access.key, access.kind, value, is_aliased=access.is_aliased)
        if sure:
            region_written = context.coverage.written(access.subscripts, access.declared)
            if region_written is not None:
                context.state.define(access.key, Definition(region_written, access.conditions))

    def change(
        self, key: str, kind: str | None, value: Affine | None = None, *, is_aliased: bool
    ) -> None:
        """Let a place have another value from here on; `kind` is its type."""
        self._context.forget(key, value)
        if is_aliased:
            self._context.forget(pointed(kind))

    def ask(self, designator: Designator, at: Lines) -> None:
        """Allocation and bounds are a value of the object where assignments may change them.

        Where they are not changed here, callers may change them between two calls.
        """
        context, key = self._context, designator.key
        if context.is_reallocated(key, designator.is_aliased):
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
