"""The shapes that arrays may have: as declared, as allocated, as passed by the callers."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from acclimate.analysis.dependence.statements import inside
from acclimate.analysis.ir import (
    Allocate,
    Apply,
    Call,
    Component,
    Expr,
    Keyword,
    Name,
    Section,
    Shape,
    Symbol,
    Unit,
    UnitKind,
)
from acclimate.analysis.names.resolution import Procedures, Variable
from acclimate.analysis.project import Project

_DEEPEST = 6


@dataclass(frozen=True, slots=True)
class Context:
    """A procedure in which an expression stands; `actuals` are those of its call in `caller`."""

    unit: Unit
    actuals: Mapping[str, Expr] = field(default_factory=dict)
    caller: "Context | None" = None


@dataclass(frozen=True, slots=True)
class Extent:
    """Bounds of one dimension; the lower one None: 1. `like`: as many as that one has."""

    context: Context
    lower: Expr | None
    upper: Expr | None
    like: "Extent | None" = None


Extents = tuple[Extent, ...]


class Shapes:
    """Shapes of the arrays of a project, by what allocates them and what is passed for them."""

    def __init__(self, project: Project) -> None:
        self.project = project

    def of(self, unit: Unit, symbol: Symbol, owner_type: str | None = None) -> list[Extents] | None:
        """The shapes an array may have; None: not all of them are known."""
        owner = symbol.owner or unit
        kinds = {dimension.shape for dimension in symbol.dims}
        if kinds == {Shape.EXPLICIT}:
            context = Context(owner)
            return [tuple(Extent(context, d.lower, d.upper) for d in symbol.dims)]
        if Shape.DEFERRED in kinds:
            return self._allocated.get(self._key(owner, symbol, owner_type)) or None
        if kinds == {Shape.ASSUMED}:
            return self._assumed(owner, symbol)
        return None

    def _key(self, owner: Unit, symbol: Symbol, owner_type: str | None) -> str:
        if owner_type is not None:
            return f"{owner_type}%{symbol.name}"
        return self.project.storage_key(owner, symbol)

    # --- callers ---------------------------------------------------------------------------------

    @cached_property
    def _calls(self) -> dict[int, list[tuple[Unit, Call]]]:
        found: dict[int, list[tuple[Unit, Call]]] = defaultdict(list)
        for unit in self.project.units.values():
            if unit.kind is UnitKind.INTERFACE_BODY:
                continue
            for statement in inside(unit.body):
                if isinstance(statement, Call):
                    reached = self.project.procedures(unit, statement.procedure, statement.args)
                    if isinstance(reached, Procedures):
                        for candidate in reached.candidates:
                            found[id(candidate)].append((unit, statement))
        return found

    def _contexts(self, unit: Unit, depth: int = 0) -> Iterator[Context]:
        for caller, call in self._calls.get(id(unit), ()):
            actuals = _bound(unit, call.args)
            if depth < _DEEPEST:
                yield Context(unit, actuals, Context(caller))

    def _assumed(self, owner: Unit, symbol: Symbol) -> list[Extents] | None:
        """Of an assumed-shape dummy: as many elements as every caller's actual has."""
        if owner.kind is UnitKind.FUNCTION:
            return None
        found: list[Extents] = []
        for context in self._contexts(owner):
            actual = context.actuals.get(symbol.name)
            assert context.caller is not None
            like = None if actual is None else self._of_actual(context.caller.unit, actual)
            if like is None:
                return None
            for extents in like:
                if len(extents) != len(symbol.dims):
                    return None
                pairs = zip(symbol.dims, extents, strict=True)
                inner = Context(owner)
                found.append(tuple(Extent(inner, d.lower, None, like=e) for d, e in pairs))
        return found or None

    def _of_actual(self, unit: Unit, actual: Expr) -> list[Extents] | None:
        match actual:
            case Name():
                meaning = self.project.resolve(unit, actual.id)
                if isinstance(meaning, Variable) and meaning.symbol.is_array:
                    return self.of(unit, meaning.symbol)
            case Component():
                symbol = self.project.component(unit, actual)
                if symbol is not None and symbol.is_array:
                    return self.of(unit, symbol, self.project.type_of(unit, actual.base))
            case Apply():
                return self._of_section(unit, actual)
        return None

    def _of_section(self, unit: Unit, actual: Apply) -> list[Extents] | None:
        context = Context(unit)
        sections = [arg for arg in actual.args if isinstance(arg, Section)]
        if not sections or any(
            s.lower is None or s.upper is None or s.stride is not None for s in sections
        ):
            return None
        return [tuple(Extent(context, s.lower, s.upper) for s in sections)]

    # --- allocations -----------------------------------------------------------------------------

    @cached_property
    def _allocated(self) -> dict[str, list[Extents]]:
        found: dict[str, list[Extents]] = defaultdict(list)
        for unit in self.project.units.values():
            for statement in inside(unit.body):
                if isinstance(statement, Allocate):
                    for item in statement.objects:
                        if isinstance(item, Apply):
                            self._note(found, Context(unit), item.base, item.args, 0)
        return found

    def _note(
        self,
        found: dict[str, list[Extents]],
        context: Context,
        base: Expr,
        bounds: Sequence[Expr],
        depth: int,
        inner: Context | None = None,
    ) -> None:
        """An allocation of `base` in `context`; of a dummy, that of the callers' actuals."""
        unit, where = context.unit, inner or context
        extents = tuple(_extent(where, bound) for bound in bounds)
        if isinstance(base, Component):
            symbol = self.project.component(unit, base)
            if symbol is not None:
                key = self._key(unit, symbol, self.project.type_of(unit, base.base))
                found[key].append(extents)
            return
        meaning = self.project.resolve(unit, base.id) if isinstance(base, Name) else None
        if not isinstance(meaning, Variable) or not isinstance(base, Name):
            return
        found[self._key(unit, meaning.symbol, None)].append(extents)
        if base.id in unit.args and depth < _DEEPEST:
            for call in self._contexts(unit, depth):
                actual = call.actuals.get(base.id)
                chained = _chained(where, unit, call)
                if actual is not None and call.caller is not None:
                    self._note(found, call.caller, actual, bounds, depth + 1, chained)


def _chained(where: Context, unit: Unit, call: Context) -> Context:
    """The context of the allocation, its outermost known procedure now called as in `call`."""
    if where.unit is unit and where.caller is None:
        return call
    if where.caller is None:
        return where
    return Context(where.unit, where.actuals, _chained(where.caller, unit, call))


def _bound(unit: Unit, args: Sequence[Expr]) -> dict[str, Expr]:
    found: dict[str, Expr] = {}
    for position, arg in enumerate(args):
        if isinstance(arg, Keyword):
            found[arg.name] = arg.value
        elif position < len(unit.args):
            found[unit.args[position]] = arg
    return found


def _extent(context: Context, bound: Expr) -> Extent:
    if isinstance(bound, Section):
        return Extent(context, bound.lower, bound.upper)
    return Extent(context, None, bound)
