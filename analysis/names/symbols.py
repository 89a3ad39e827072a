"""What a name means in a unit: local, use- or host-associated, global or implicit."""

from collections.abc import Iterable

from acclimate.analysis.ir import Apply, Jump, Name, Symbol, Unit, UnitKind, Use
from acclimate.analysis.names import intrinsic_modules, intrinsics
from acclimate.analysis.names.resolution import (
    DummyProcedure,
    External,
    Intrinsic,
    Procedures,
    Resolution,
    StatementFunction,
    TypeName,
    Unresolved,
    Variable,
)

_DEEP_USE = 50  # modules in a chain of USE, or of submodules, that are followed by recursion


class SymbolTable:
    """Scoping over all units of a project; answers are cached."""

    def __init__(self, tops: Iterable[Unit]) -> None:
        self.modules: dict[str, Unit] = {}
        self.submodules: dict[str, Unit] = {}
        self.external_procedures: dict[str, list[Unit]] = {}
        self._entries: dict[tuple[int, str], Unit] = {}
        self._cache: dict[tuple[int, str], Resolution] = {}
        self._exports: dict[tuple[int, str], Resolution | None] = {}
        self._use_depth = 0
        self._hosts: dict[int, Unit] = {}  # of submodules
        extensions: list[Unit] = []
        for unit in tops:
            if unit.kind is UnitKind.MODULE:
                self.modules.setdefault(unit.name, unit)
            elif unit.kind is UnitKind.SUBMODULE:
                self.submodules[unit.name] = unit
                extensions.append(unit)
            elif unit.kind in (UnitKind.SUBROUTINE, UnitKind.FUNCTION):
                self.external_procedures.setdefault(unit.name, []).append(unit)
            self._find_entries(unit)
        for unit in extensions:
            found = self._ancestor(unit)
            if found is not None:
                self._hosts[id(unit)] = found

    def _find_entries(self, unit: Unit) -> None:
        for statement in unit.body:
            match statement:
                case Jump(keyword="entry", value=Apply(Name(name), _)):
                    scope = 0 if unit.parent is None else id(unit.parent)
                    self._entries[scope, name] = unit
        for inner in unit.units.values():
            self._find_entries(inner)

    def entries_of(self, unit: Unit) -> tuple[str, ...]:
        """The names by which ENTRY statements make an outermost unit known."""
        return tuple(
            name for (scope, name), found in self._entries.items() if not scope and found is unit
        )

    def resolve(self, unit: Unit, name: str) -> Resolution:
        """The meaning of a name in a unit; see `resolution` for the cases."""
        key = (id(unit), name)
        found = self._cache.get(key)
        if found is None:
            found = self._cache[key] = self._resolve(unit, name)
        return found

    def _resolve(self, unit: Unit, name: str) -> Resolution:
        found = self.visible(unit, name)
        if found is not None:
            return found
        if name in unit.applied:
            return self._procedure_outside(unit, name)
        from_outside = self._may_come_from_unknown_module(unit, name)
        if has_implicit_none(unit):
            if name in intrinsics.NAMES and not from_outside:
                return Intrinsic(name)
            return Unresolved(name)
        if from_outside:
            return Unresolved(name)
        return Variable(self._implicit(unit, name))

    def _procedure_outside(self, unit: Unit, name: str) -> Resolution:
        """A name that is called or applied, and declared nowhere."""
        known = self._global(name)
        if known is not None:
            return known
        if name in intrinsics.NAMES:
            return Intrinsic(name)
        if self._may_come_from_unknown_module(unit, name):
            return Unresolved(name)
        return External(name)

    def _global(self, name: str) -> Procedures | None:
        """An external procedure of the project, or an entry of one."""
        if name in self.external_procedures:
            return Procedures(tuple(self.external_procedures[name]))
        entry = self._entries.get((0, name))
        return None if entry is None else Procedures((entry,))

    def visible(self, unit: Unit, name: str) -> Resolution | None:
        """What explicit declarations in the unit, its modules and its hosts say of a name."""
        own = self._local(unit, name)
        if own is not None and not isinstance(own, Procedures):
            return own
        used = self._used(unit, name)
        if isinstance(own, Procedures):
            if isinstance(used, Procedures) and name in unit.generics:
                return _merged(own, used)
            return own
        if used is not None:
            return used
        host = self.host(unit)
        if host is None:
            return None
        found = self.visible(host, name)
        is_implicit = name in host.mentioned and name not in host.applied
        if found is None and is_implicit and not has_implicit_none(host):
            return None if name in intrinsics.NAMES else self.resolve(host, name)
        return found

    def host(self, unit: Unit) -> Unit | None:
        """The unit whose names a unit sees by host association."""
        if unit.kind is UnitKind.INTERFACE_BODY:
            return None
        if unit.parent is not None:
            return unit.parent
        if unit.ancestor is not None:
            return self._hosts.get(id(unit))
        return None

    def _ancestor(self, unit: Unit) -> Unit | None:
        """What a submodule extends, unless it extends itself in a circle or far too deeply."""
        found: Unit | None = unit
        first: Unit | None = None
        for _ in range(_DEEP_USE):
            name = found.ancestor if found is not None else None
            if name is None:
                return first
            above = self.submodules.get(name)
            found = above if above is not None and above is not found else self.modules.get(name)
            first = first or found
        return None

    def _local(self, unit: Unit, name: str) -> Resolution | None:
        if name in unit.statement_functions:
            args, body = unit.statement_functions[name]
            return StatementFunction(args, body, unit)
        if name in unit.units:
            return Procedures((unit.units[name],))
        if name in unit.generics:
            candidates = self.specifics(unit, unit.generics[name])
            if candidates:
                return Procedures(candidates)
        symbol = unit.symbols.get(name)
        if symbol is not None:
            return self._declared(unit, symbol)
        if name in unit.interfaces:
            return self._interface(unit, name)
        if name in unit.types:
            return TypeName(name)
        if name in unit.args:
            if name in unit.applied:
                return DummyProcedure(name)
            return Variable(self._implicit(unit, name))
        entry = self._entries.get((id(unit), name))
        return Procedures((entry,)) if entry is not None else None

    def _interface(self, unit: Unit, name: str) -> Resolution:
        if name in unit.args:
            return DummyProcedure(name)
        if "module" in unit.interfaces[name].prefixes:
            found = [s.units[name] for s in self.submodules.values() if name in s.units]
            if found:
                return Procedures(tuple(found))
        if name in self.external_procedures:
            return Procedures(tuple(self.external_procedures[name]))
        return External(name)

    def _declared(self, unit: Unit, symbol: Symbol) -> Resolution:
        """A declared name: an object, unless an attribute or an argument list says procedure."""
        name, attributes = symbol.name, symbol.attributes
        if "intrinsic" in attributes:
            return Intrinsic(name)
        if "procedure" in attributes or ("external" in attributes and "pointer" in attributes):
            return DummyProcedure(name)
        is_data = symbol.is_array or "parameter" in attributes or symbol.common is not None
        is_function = "external" in attributes or (
            name in unit.applied
            and not is_data
            and symbol.type is not None
            and not symbol.type.startswith(("type(", "class("))
            and not ("result" in attributes and unit.result is not None)
            and not ("result" in attributes and unit.kind is not UnitKind.INTERFACE_BODY)
        )
        if not is_function or is_data:
            if symbol.type is None:
                self._give_implicit_type(unit, symbol)
            return Variable(symbol)
        if name in unit.args:
            return DummyProcedure(name)
        if name in unit.interfaces:
            return self._interface(unit, name)
        if "external" in attributes:  # none of the intrinsics, whatever it is called
            return self._global(name) or External(name)
        return self._procedure_outside(unit, name)

    def specifics(self, unit: Unit, names: Iterable[str]) -> tuple[Unit, ...]:
        """The procedures a generic's list names stand for; unknown ones are left out."""
        found: list[Unit] = []
        for name in names:
            meaning: Resolution | None
            if name in unit.units:
                meaning = Procedures((unit.units[name],))
            elif name in unit.interfaces:
                meaning = self._interface(unit, name)
            else:
                meaning = self._used(unit, name)
                host = self.host(unit)
                if meaning is None and host is not None:
                    meaning = self.visible(host, name)
            if isinstance(meaning, Procedures):
                found += [c for c in meaning.candidates if c not in found]
        return tuple(found)

    def _used(self, unit: Unit, name: str) -> Resolution | None:
        found: Resolution | None = None
        for use in unit.uses:
            module = self._module(use)
            if module is None:
                continue
            for original in self.originals(use, name):
                meaning = self.export(module, original)
                if isinstance(found, Procedures) and isinstance(meaning, Procedures):
                    found = _merged(found, meaning)
                elif found is None or isinstance(found, TypeName):
                    found = meaning or found
        return found

    def _module(self, use: Use) -> Unit | None:
        """The module of a USE statement: the project's own, else an intrinsic one."""
        return self.modules.get(use.module) or intrinsic_modules.MODULES.get(use.module)

    def export(self, module: Unit, name: str) -> Resolution | None:
        """What a module offers under a name to those that use it."""
        key = (id(module), name)
        if key not in self._exports:
            if self._use_depth >= _DEEP_USE:
                for deeper, original in self._used_first(module, name):
                    self._settle_export(deeper, original)
            self._use_depth += 1
            self._settle_export(module, name)
            self._use_depth -= 1
        return self._exports[key]

    def _settle_export(self, module: Unit, name: str) -> None:
        key = (id(module), name)
        if key in self._exports:
            return
        self._exports[key] = None  # a cycle of USE finds nothing more here
        if _is_public(module, name):
            own = self._local(module, name)
            used = self._used(module, name) if own is None or name in module.generics else None
            if isinstance(own, Procedures) and isinstance(used, Procedures):
                own = _merged(own, used)
            self._exports[key] = own if own is not None else used

    def _used_first(self, module: Unit, name: str) -> list[tuple[Unit, str]]:
        """What the export may come from at any depth, the deepest first; without recursion."""
        order: list[tuple[Unit, str]] = []
        seen = {(id(module), name)}
        work = [(module, name, iter(self._next_in_use(module, name)))]
        while work:
            current, original, remaining = work[-1]
            following = next(remaining, None)
            if following is None:
                order.append((current, original))
                work.pop()
                continue
            key = (id(following[0]), following[1])
            if key not in seen and key not in self._exports:
                seen.add(key)
                work.append((*following, iter(self._next_in_use(*following))))
        return order[:-1]

    def _next_in_use(self, module: Unit, name: str) -> list[tuple[Unit, str]]:
        return [
            (used, original)
            for use in module.uses
            if (used := self._module(use)) is not None
            for original in self.originals(use, name)
        ]

    @staticmethod
    def originals(use: Use, name: str) -> list[str]:
        """The names in a module that a local name may stand for under one USE statement."""
        if use.only is not None:
            return [original for local, original in use.only if local == name]
        renamed = [original for local, original in use.renames if local == name]
        hidden = any(original == name for _, original in use.renames)
        return renamed if hidden or renamed else [name]

    def _may_come_from_unknown_module(self, unit: Unit, name: str) -> bool:
        scope: Unit | None = unit
        while scope is not None:
            for use in scope.uses:
                if use.module in self.modules or not self.originals(use, name):
                    continue
                if use.only is not None or use.module not in intrinsic_modules.MODULES:
                    return True  # what an intrinsic module's ONLY names is there, known or not
            scope = self.host(scope)
        return False

    def elsewhere(self, unit: Unit, name: str) -> Resolution | None:
        """What USE and the hosts say of a name, the unit's own declarations left aside."""
        used = self._used(unit, name)
        host = self.host(unit)
        return used if used is not None or host is None else self.visible(host, name)

    def _implicit(self, unit: Unit, name: str) -> Symbol:
        symbol = Symbol(name=name, at=unit.at, owner=unit)
        self._give_implicit_type(unit, symbol)
        return symbol

    def _give_implicit_type(self, unit: Unit, symbol: Symbol) -> None:
        """By IMPLICIT of the unit, else of its hosts, else i-n integer and the rest real."""
        scope: Unit | None = unit
        while scope is not None:
            written = scope.implicit.get(symbol.name[0])
            if written is not None:
                symbol.type, symbol.kind = _type_and_kind(written)
                return
            scope = self.host(scope)
        symbol.type = "integer" if "i" <= symbol.name[0] <= "n" else "real"


def has_implicit_none(unit: Unit) -> bool:
    """Whether IMPLICIT NONE holds in a unit, by its own statement or its host's."""
    scope: Unit | None = unit
    while scope is not None:
        if scope.implicit_none:
            return True
        if scope.implicit:
            return False
        scope = scope.parent
    return False


def _is_public(module: Unit, name: str) -> bool:
    symbol = module.symbols.get(name)
    if symbol is not None and "private" in symbol.attributes:
        return False
    if symbol is not None and "public" in symbol.attributes:
        return True
    return name in module.public or (not module.private_default and name not in module.private)


def _merged(one: Procedures, other: Procedures) -> Procedures:
    more = tuple(c for c in other.candidates if c not in one.candidates)
    return Procedures(one.candidates + more)


def _type_and_kind(written: str) -> tuple[str, str | None]:
    """`real*8`, `real(wp)`, `doubleprecision`, `integer` as in an IMPLICIT statement."""
    if written.startswith("double"):
        return ("complex" if "complex" in written else "real"), "kind(1d0)"
    for position, letter in enumerate(written):
        if letter in "*(":
            base = written[:position]
            kind = written[position:].strip("*()")
            if letter == "*" and base == "complex" and kind.isdigit():
                kind = str(int(kind) // 2)
            return base, kind
    return written, None
