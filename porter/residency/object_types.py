"""What derived types are made of, and which variables and components hold their objects."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from acclimate.analysis.ir import DerivedType, Shape, Symbol, Unit
from acclimate.porter.names.scope import Reference, Scopes

DEFERRED = frozenset({"allocatable", "pointer"})


@dataclass(frozen=True, eq=False)
class Holder:
    """A variable or component of a derived type.

    `node`: its storage node; `kind`: the type of the objects; `within`: the type it is a component
    of, "" for a variable; `unit`: where it is declared.
    """

    node: str
    symbol: Symbol
    unit: Unit
    kind: str
    within: str

    @property
    def is_dummy(self) -> bool:
        return not self.within and self.symbol.name in self.unit.args

    @property
    def is_apart(self) -> bool:
        """Its objects have storage of their own, which ALLOCATE or the declaration makes."""
        return not self.within or bool(self.symbol.attributes & DEFERRED)


@dataclass(frozen=True, slots=True)
class Part:
    """One step of a path: the text up to it, its symbol, the type it is of ("" for data)."""

    designator: str
    symbol: Symbol
    kind: str


class ObjectTypes:
    """The derived types of a project by qualified name (`module::type`)."""

    def __init__(self, scopes: Scopes) -> None:
        self._scopes = scopes
        self._project = scopes.project
        self.types: dict[str, tuple[DerivedType, Unit]] = {
            f"{self._project.name_of(unit)}::{derived.name}": (derived, unit)
            for unit in self._project.units.values()
            for derived in unit.types.values()
        }
        self.holders = tuple(self._holders())

    @cached_property
    def by_kind(self) -> dict[str, list[Holder]]:
        """Holders by the type of their objects."""
        found: dict[str, list[Holder]] = {}
        for holder in self.holders:
            found.setdefault(holder.kind, []).append(holder)
        return found

    @cached_property
    def by_node(self) -> dict[str, Holder]:
        return {holder.node: holder for holder in self.holders}

    @cached_property
    def families(self) -> frozenset[str]:
        """Types that extend others, and those that are extended."""
        found: set[str] = set()
        for kind, (derived, unit) in self.types.items():
            if derived.extends is not None:
                found |= {kind, self.kind_of(unit, f"type({derived.extends})")}
        return frozenset(found)

    def kind_of(self, unit: Unit, declared: str | None) -> str:
        """The qualified name behind `type(t)` or `class(t)`; "" for anything else."""
        if not (declared or "").startswith(("type(", "class(")):
            return ""
        definition = self._project.derived_type(unit, declared)
        if definition is None:
            return ""
        return f"{self._project.name_of(definition[1])}::{definition[0].name}"

    def components(self, kind: str) -> list[tuple[str, Symbol, str]]:
        """Components of a type: node, symbol, and the type of their own objects or ""."""
        derived, unit = self.types[kind]
        return [
            (f"{kind}%{name}", symbol, self.kind_of(unit, symbol.type))
            for name, symbol in sorted(derived.components.items())
        ]

    def below(self, kind: str) -> set[str]:
        """Nodes of all components of a type and of the types of its components."""
        found: set[str] = set()
        waiting, seen = [kind], {kind}
        while waiting:
            for node, _, inner in self.components(waiting.pop()):
                found.add(node)
                if inner and inner not in seen:
                    seen.add(inner)
                    waiting.append(inner)
        return found

    def embedded(self, kind: str) -> Iterator[tuple[str, str, Symbol]]:
        """What lies in the storage of an object itself: its path (`cells%area`), node, symbol.

        A component that is deferred is a descriptor there; one that is an array of objects is
        told, not entered.
        """
        for node, symbol, inner in self.components(kind):
            name = node.rpartition("%")[2]
            yield name, node, symbol
            if inner and not symbol.is_array and not symbol.attributes & DEFERRED:
                for path, deeper, found in self.embedded(inner):
                    yield f"{name}%{path}", deeper, found

    def parts(self, unit: Unit, found: Reference | None) -> list[Part]:
        """The steps of a path in a unit, from its root to its last component.

        Empty where a component is inherited, or nothing is referred to.
        """
        if found is None:
            return []
        texts = _prefixes(found.designator)
        kind = self.kind_of(found.root.owner or unit, found.root.type)
        steps = [Part(texts[0], found.root, kind)]
        for text, name in zip(texts[1:], found.path, strict=True):
            definition = self.types.get(kind)
            symbol = definition[0].components.get(name) if definition is not None else None
            if definition is None or symbol is None:
                return []
            kind = self.kind_of(definition[1], symbol.type)
            steps.append(Part(text, symbol, kind))
        return steps

    def _holders(self) -> Iterator[Holder]:
        for unit in self._project.units.values():
            for symbol in unit.symbols.values():
                kind = self.kind_of(unit, symbol.type) if symbol.owner is unit else ""
                if kind and not symbol.is_parameter:
                    yield Holder(self._scopes.node(unit, symbol), symbol, unit, kind, "")
        for within, (derived, unit) in self.types.items():
            for name, symbol in derived.components.items():
                kind = self.kind_of(unit, symbol.type)
                if kind:
                    yield Holder(f"{within}%{name}", symbol, unit, kind, within)


def is_deferred_array(symbol: Symbol) -> bool:
    """An array that gets its storage from ALLOCATE."""
    return symbol.is_array and symbol.dims[0].shape is Shape.DEFERRED


def _prefixes(designator: str) -> list[str]:
    """`a`, `a(i)%b`, `a(i)%b%c` of `a(i)%b%c`: the designator up to each of its parts.

    Subscripts of a part belong to what is behind it: `a(i)` comes with `%b`.
    """
    found, depth = [], 0
    for place, letter in enumerate(designator):
        depth += (letter == "(") - (letter == ")")
        if letter == "%" and depth == 0:
            found.append(designator[:place])
    return [*found, designator]
