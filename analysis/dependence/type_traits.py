"""What objects of a derived type do without a statement that says so.

By name, over all definitions of a name in the project and its renames, so that a type is never
taken for one that does less.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

from acclimate.analysis.ir import DerivedType, Symbol
from acclimate.analysis.names.operations import is_operation
from acclimate.analysis.project import Project


@dataclass(frozen=True)
class TypeTraits:
    project: Project

    def calls_on_assignment(self, kind: str | None) -> bool:
        """Does `a = b` call a procedure that is bound to the type or to a component's?"""
        return self._is(kind, self._assigned)

    def calls_on_end(self, kind: str | None) -> bool:
        """Is there a FINAL procedure for objects that end or are assigned to?"""
        return self._is(kind, self._finalized)

    def is_reset(self, symbol: Symbol) -> bool:
        """Does a call change the actual argument of an INTENT(OUT) dummy before the body does?"""
        if symbol.intent != "out":
            return False
        return "allocatable" in symbol.attributes or self._is(symbol.type, self._initialised)

    def pointers_in(self, kind: str | None) -> frozenset[str] | None:
        """Names of the pointer components that an object of the type may hold; None: any."""
        name = (kind or "").partition("(")[2].rstrip(")").strip()
        if name not in self._by_name:
            return None
        seen, waiting, found = set(self._below(name)), list(self._below(name)), set[str]()
        while waiting:
            for derived in self._by_name.get(waiting.pop(), ()):
                parts = _parts(derived)
                found |= {c.name for c in parts if "pointer" in c.attributes}
                held = _made_of(derived)
                held |= {original for local, original in self._renames if local in held}
                if not all(each in self._by_name for each in held):
                    return None
                waiting += held - seen
                seen |= held
        return frozenset(found)

    @cached_property
    def _by_name(self) -> dict[str, list[DerivedType]]:
        found: dict[str, list[DerivedType]] = {}
        for derived in self._all:
            found.setdefault(derived.name, []).append(derived)
        for local, original in self._renames:
            if original in found:
                found.setdefault(local, []).extend(found[original])
        return found

    @cached_property
    def bound_operators(self) -> frozenset[str]:
        """Operators, and `=`, that some type gives a meaning of its own."""
        return operators(name for derived in self._all for name in derived.generic_bindings)

    def everywhere(self) -> list[list[str]]:
        """All that it knows, as plain values."""
        traits = (self.bound_operators, self._assigned, self._finalized, self._initialised)
        return [sorted(names) for names in traits]

    # --- the names of types that have a trait --------------------------------------------------

    @cached_property
    def _all(self) -> tuple[DerivedType, ...]:
        return tuple(d for unit in self.project.units.values() for d in unit.types.values())

    @cached_property
    def _assigned(self) -> frozenset[str]:
        return self._closed(d.name for d in self._all if "assignment(=)" in d.generic_bindings)

    @cached_property
    def _finalized(self) -> frozenset[str]:
        return self._closed(d.name for d in self._all if d.has_final)

    @cached_property
    def _initialised(self) -> frozenset[str]:
        return self._closed(
            d.name
            for d in self._all
            if any(c.initial is not None or "allocatable" in c.attributes for c in _parts(d))
        )

    def _is(self, kind: str | None, names: frozenset[str]) -> bool:
        if not names or kind is None:
            return False
        word, _, name = kind.partition("(")
        name = name.rstrip(")").strip()
        if name in names:
            return True
        return word == "class" and (name == "*" or bool(self._below(name) & names))

    def _closed(self, direct: Iterable[str]) -> frozenset[str]:
        """With all types that hold or extend one of them, under all their names."""
        found = set(direct)
        if not found:
            return frozenset()
        growing = True
        while growing:
            before = len(found)
            found |= {local for local, name in self._renames if name in found}
            found |= {d.name for d in self._all if _made_of(d) & found}
            growing = len(found) > before
        return frozenset(found)

    def _below(self, name: str) -> frozenset[str]:
        """Types that extend the one of this name."""
        found = {name} | {original for local, original in self._renames if local == name}
        growing = True
        while growing:
            before = len(found)
            found |= {d.name for d in self._all if d.extends in found}
            found |= {local for local, original in self._renames if original in found}
            growing = len(found) > before
        return frozenset(found)

    @cached_property
    def _renames(self) -> frozenset[tuple[str, str]]:
        """(local name, name in the module) wherever the two differ."""
        return frozenset(
            pair
            for unit in self.project.units.values()
            for use in unit.uses
            for pair in (*(use.only or ()), *use.renames)
            if pair[0] != pair[1]
        )


def operators(names: Iterable[str]) -> frozenset[str]:
    """The operators among generic names; `=` for assignment."""
    return frozenset(name.partition("(")[2][:-1] for name in names if is_operation(name))


def _parts(derived: DerivedType) -> list[Symbol]:
    return list(derived.components.values())


def _made_of(derived: DerivedType) -> set[str]:
    """Names of the types that lie in an object of the type."""
    held = {
        (c.type or "").partition("(")[2].rstrip(")").strip()
        for c in _parts(derived)
        if "pointer" not in c.attributes and (c.type or "").startswith(("type", "class"))
    }
    return held | ({derived.extends} if derived.extends else set())
