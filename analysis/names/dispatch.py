"""Which procedures a call or function reference may reach: generics, bindings, dummies."""

from collections.abc import Iterable

from acclimate.analysis.ir import Apply, Component, DerivedType, Expr, Keyword, Name, Symbol, Unit
from acclimate.analysis.names.bindings import specifics
from acclimate.analysis.names.expression_types import ExpressionTypes, ExprType
from acclimate.analysis.names.operations import ASSIGNMENT, is_intrinsic, is_operation
from acclimate.analysis.names.resolution import (
    DummyProcedure,
    External,
    Intrinsic,
    Procedures,
    Resolution,
    StatementFunction,
    Unresolved,
    Variable,
)
from acclimate.analysis.names.symbols import SymbolTable

_EXTENSIONS = 30  # of a type by a type by a type that are followed
_LOGICAL_OPERATORS = frozenset(
    f"operator({name})" for name in (".not.", ".and.", ".or.", ".eqv.", ".neqv.")
)

Callee = Procedures | External | DummyProcedure | Intrinsic | StatementFunction | Unresolved


class Dispatch:
    """Finds the procedures behind a callee, narrowed by what is known of the arguments."""

    def __init__(self, table: SymbolTable, types: ExpressionTypes, units: Iterable[Unit]) -> None:
        self._table = table
        self._types = types
        self._extensions: dict[str, list[tuple[DerivedType, Unit]]] = {}
        for unit in units:
            for derived in unit.types.values():
                if derived.extends is not None:
                    self._extensions.setdefault(derived.extends, []).append((derived, unit))

    def procedures(self, unit: Unit, callee: Expr, args: tuple[Expr, ...]) -> Callee:
        match callee:
            case Name(id) if is_operation(id):
                return self._operation(unit, id, args)
            case Name(id):
                return self._named(unit, id, args)
            case Component():
                return self._bound(unit, callee, args)
            case Apply(inner, _):
                return self.procedures(unit, inner, args)
            case _:
                return Unresolved("?")

    def _named(self, unit: Unit, name: str, args: tuple[Expr, ...]) -> Callee:
        meaning: Resolution = self._table.resolve(unit, name)
        if isinstance(meaning, Procedures):
            return self._narrow(unit, meaning, args)
        if isinstance(meaning, Variable):
            return DummyProcedure(name) if name in unit.args else External(name)
        if isinstance(
            meaning, External | DummyProcedure | Intrinsic | StatementFunction | Unresolved
        ):
            return meaning
        return Unresolved(name)

    def _narrow(self, unit: Unit, found: Procedures, args: tuple[Expr, ...]) -> Procedures:
        if len(found.candidates) == 1:
            return found
        fitting = tuple(c for c in found.candidates if self._fits(unit, c, args))
        exact = tuple(c for c in fitting if "elemental" not in c.prefixes)
        if len(fitting) > 1 and len(exact) == 1 and self._all_known(unit, args):
            fitting = exact
        return Procedures(fitting) if fitting else found

    def _all_known(self, unit: Unit, args: tuple[Expr, ...]) -> bool:
        return all(None not in (t.type, t.rank) for t in (self._types.of(unit, a) for a in args))

    def _fits(self, unit: Unit, candidate: Unit, args: tuple[Expr, ...]) -> bool:
        """False only where number, names, type, kind or rank certainly differ."""
        if len(args) > len(candidate.args):
            return False
        given: dict[str, Expr] = {}
        for position, arg in enumerate(args):
            if isinstance(arg, Keyword):
                if arg.name not in candidate.args:
                    return False
                given[arg.name] = arg.value
            else:
                given[candidate.args[position]] = arg
        for dummy in candidate.args:
            symbol = candidate.symbols.get(dummy)
            if dummy not in given:
                if symbol is None or "optional" not in symbol.attributes:
                    return False
            elif symbol is not None and not self._argument_fits(
                unit, candidate, symbol, given[dummy]
            ):
                return False
        return True

    def _argument_fits(self, unit: Unit, candidate: Unit, dummy: Symbol, actual: Expr) -> bool:
        meaning = self._table.resolve(candidate, dummy.name)
        if not isinstance(meaning, Variable):
            return True
        wanted = self._types.of_symbol(candidate, meaning.symbol)
        given = self._types.of(unit, actual)
        if wanted.type in ("class(*)", "type(*)"):
            return True
        elemental = "elemental" in candidate.prefixes and wanted.rank == 0
        if not elemental and None not in (wanted.rank, given.rank) and wanted.rank != given.rank:
            return False
        if _is_derived(wanted) and _is_derived(given):
            home = meaning.symbol.owner or candidate
            return self._may_be_of(home, wanted, self._types.home(unit, actual), given)
        return _same_type(wanted, given)

    def _may_be_of(self, scope: Unit, wanted: ExprType, unit: Unit, given: ExprType) -> bool:
        """May an object of one derived type be passed as another? Each may be under any name."""
        if "type(" not in f"{wanted.type} {given.type}":
            return True  # whatever type it has at run time
        named = self._types.derived_type(scope, wanted.type)
        found = self._types.derived_type(unit, given.type)
        if named is None:
            return True
        for _ in range(_EXTENSIONS):
            if found is None or found[0].name == named[0].name:
                return True
            derived, home = found
            if derived.extends is None or wanted.type is None or wanted.type[0] != "c":
                return False
            found = self._types.derived_type(home, f"type({derived.extends})")
        return True

    # --- operators and assignment --------------------------------------------------------------

    def _operation(self, unit: Unit, name: str, args: tuple[Expr, ...]) -> Callee:
        """Intrinsic, or the procedures that the types of the operands select.

        Unresolved where no intrinsic meaning is possible and nothing that was read gives another.
        """
        types = [self._types.of(unit, arg) for arg in args]
        if is_intrinsic(name, types):
            return Intrinsic(name)
        meaning = self._table.resolve(unit, name)
        found = list(meaning.candidates) if isinstance(meaning, Procedures) else []
        for arg, type_ in zip(args, types, strict=True):
            found += [c for c in self._bound_to(unit, name, arg, type_) if c not in found]
        fitting = tuple(c for c in found if self._fits(unit, c, args))
        if fitting:
            return Procedures(fitting)
        if name == ASSIGNMENT and all(map(_is_derived, types)):
            return Intrinsic(name)
        defined = name.startswith("operator(.") and name not in _LOGICAL_OPERATORS
        return Unresolved(name) if defined or any(map(_is_derived, types)) else Intrinsic(name)

    def _bound_to(self, unit: Unit, name: str, operand: Expr, type_: ExprType) -> list[Unit]:
        found = self._types.derived_type(self._types.home(unit, operand), type_.type)
        if found is None:
            return []
        types = [found]
        if type_.type is not None and type_.type.startswith("class("):
            types += self._all_extensions(found[0].name)
        return [u for derived, home in types for u in self._specifics(derived, home, name)]

    # --- type-bound procedures -----------------------------------------------------------------

    def _bound(self, unit: Unit, callee: Component, args: tuple[Expr, ...]) -> Callee:
        symbol = self._types.component(unit, callee)
        if symbol is not None:
            return DummyProcedure(callee.name)
        base = self._types.of(unit, callee.base)
        found = self._types.derived_type(self._types.home(unit, callee.base), base.type)
        if found is None:
            return Unresolved(callee.name)
        types = [found]
        if base.type is not None and base.type.startswith("class("):
            types += self._all_extensions(found[0].name)
        candidates: list[Unit] = []
        for derived, home in types:
            candidates += [
                c for c in self._specifics(derived, home, callee.name) if c not in candidates
            ]
        if not candidates:
            return Unresolved(callee.name)
        if len(candidates) == 1:
            return Procedures(tuple(candidates))
        fitting = [c for c in candidates if self._fits(unit, c, args)]
        passing = [c for c in candidates if self._fits(unit, c, (callee.base, *args))]
        chosen = [c for c in candidates if c in fitting or c in passing]
        return Procedures(tuple(chosen or candidates))

    def _all_extensions(self, name: str) -> list[tuple[DerivedType, Unit]]:
        found: list[tuple[DerivedType, Unit]] = []
        pending, seen = [name], {name}
        while pending:
            for extension in self._extensions.get(pending.pop(), []):
                found.append(extension)
                if extension[0].name not in seen:
                    seen.add(extension[0].name)
                    pending.append(extension[0].name)
        return found

    def _specifics(self, derived: DerivedType, home: Unit, name: str) -> list[Unit]:
        return specifics(self._table, self._types.derived_type, derived, home, name)


def _is_derived(kind: ExprType) -> bool:
    return kind.type is not None and kind.type.startswith(("type(", "class("))


def _same_type(wanted: ExprType, given: ExprType) -> bool:
    if wanted.type is None or given.type is None:
        return True
    if wanted.type != given.type:
        return False
    return wanted.kind is None or given.kind is None or wanted.kind == given.kind
