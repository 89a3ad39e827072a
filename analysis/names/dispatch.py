"""Which procedures a call or function reference may reach: generics, bindings, dummies."""

from collections.abc import Iterable

from acclimate.analysis.ir import Apply, Component, DerivedType, Expr, Keyword, Name, Symbol, Unit
from acclimate.analysis.names.expression_types import ExpressionTypes, ExprType
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
        elemental = "elemental" in candidate.prefixes and wanted.rank == 0
        if not elemental and None not in (wanted.rank, given.rank) and wanted.rank != given.rank:
            return False
        return _same_type(wanted, given)

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
        """The procedures a binding name stands for in a type or the types it extends."""
        current: tuple[DerivedType, Unit] | None = (derived, home)
        depth = 0
        while current is not None and depth < 30:
            kind, scope = current
            names = [kind.bindings[name]] if name in kind.bindings else []
            if name in kind.generic_bindings:
                bound = kind.generic_bindings[name]
                return [unit for n in bound for unit in self._specifics(derived, home, n)]
            for specific in names:
                meaning = self._table.resolve(scope, specific)
                if isinstance(meaning, Procedures):
                    return list(meaning.candidates)
            if kind.extends is None:
                return []
            current = self._types.derived_type(scope, f"type({kind.extends})")
            depth += 1
        return []


def _same_type(wanted: ExprType, given: ExprType) -> bool:
    if wanted.type is None or given.type is None:
        return True
    if wanted.type.startswith(("type(", "class(")) or given.type.startswith(("type(", "class(")):
        if wanted.type.startswith("class("):
            return given.type.startswith(("type(", "class("))
        return wanted.type.split("(")[-1] == given.type.split("(")[-1]
    if wanted.type != given.type:
        return False
    return wanted.kind is None or given.kind is None or wanted.kind == given.kind
