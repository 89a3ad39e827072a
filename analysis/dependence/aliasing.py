"""Which object a designator names, and which objects can share storage.

A place is written as a key: the storage key of the symbol table, a view where one storage area is
seen through several names (COMMON, EQUIVALENCE), and the component path: `physics::state%t`.
"""

import re
from dataclasses import dataclass
from functools import cache, cached_property

from acclimate.analysis.dependence.folding import Folding
from acclimate.analysis.dependence.sections import selected
from acclimate.analysis.dependence.statements import parts
from acclimate.analysis.dependence.type_traits import TypeTraits, operators
from acclimate.analysis.ir import (
    Apply,
    Assignment,
    Component,
    Dimension,
    Expr,
    Name,
    OpaqueStatement,
    Section,
    Symbol,
    Unit,
)
from acclimate.analysis.names.resolution import Resolution, Variable
from acclimate.analysis.project import Project

_WORD = re.compile(r"[a-z]\w*")
WHOLE = Section(None, None, None)


@dataclass(frozen=True, slots=True)
class Designator:
    """A data object or part of one; one subscript and one dimension per rank of the whole path."""

    key: str
    root: Symbol
    last: Symbol  # the symbol of the last component, or the root
    subscripts: tuple[Expr, ...]
    dims: tuple[Dimension, ...]
    through_pointer: bool  # any symbol on the path is a POINTER
    pointer_rank: int  # subscripts written before the last pointer component of the path
    is_target: bool
    substring: bool
    part: Symbol | None = None  # the last component, where it is data of its type's own

    @property
    def is_scalar(self) -> bool:
        return not self.subscripts

    @property
    def is_aliased(self) -> bool:
        return self.is_target or self.through_pointer

    @property
    def is_character(self) -> bool:
        return (self.last.type or "").startswith("character")

    @property
    def is_whole(self) -> bool:
        return not self.substring and all(subscript == WHOLE for subscript in self.subscripts)


class Places:
    """Designators of one unit's expressions."""

    def __init__(self, project: Project, unit: Unit, storage: "Storage") -> None:
        self.project, self.unit, self.storage = project, unit, storage
        self._known: dict[int, tuple[Expr, Designator | None]] = {}
        self._names: dict[str, Designator | None] = {}
        self._whole: dict[int, Designator] = {}

    def designator(self, expr: Expr) -> Designator | None:
        """None where the expression is no variable or part of one."""
        if isinstance(expr, Name):
            if expr.id not in self._names:
                self._names[expr.id] = self._named(expr.id)
            return self._names[expr.id]
        known = self._known.get(id(expr))
        if known is None:  # the expression is kept, so that its id stays its own
            known = self._known[id(expr)] = (expr, self._designator(expr))
        return known[1]

    def meaning(self, name: str) -> Resolution:
        """What a name stands for in the unit."""
        return self.project.resolve(self.unit, name)

    def _designator(self, expr: Expr) -> Designator | None:
        if isinstance(expr, Component):
            return self._component(expr)
        if isinstance(expr, Apply):
            return self._applied(expr)
        return None

    def _named(self, name: str) -> Designator | None:
        resolution = self.project.resolve(self.unit, name)
        if not isinstance(resolution, Variable) or resolution.symbol.is_parameter:
            return None
        return self.whole(resolution.symbol)

    def whole(self, symbol: Symbol) -> Designator:
        """All of a variable, which the unit need not have a name for."""
        found = self._whole.get(id(symbol))
        if found is None:
            found = self._whole[id(symbol)] = self._find_whole(symbol)
        return found

    def _find_whole(self, symbol: Symbol) -> Designator:
        pointer = "pointer" in symbol.attributes
        return Designator(
            self.storage.key(self.unit, symbol),
            symbol,
            symbol,
            tuple(WHOLE for _ in symbol.dims),
            symbol.dims,
            pointer,
            0,
            pointer or "target" in symbol.attributes,
            False,
        )

    def _component(self, expr: Component) -> Designator | None:
        base = self.designator(expr.base)
        symbol = self.project.component(self.unit, expr) if base is not None else None
        if base is None or symbol is None or base.substring:
            return None
        pointer = "pointer" in symbol.attributes
        return Designator(
            f"{base.key}%{symbol.name}",
            base.root,
            symbol,
            base.subscripts + tuple(WHOLE for _ in symbol.dims),
            base.dims + symbol.dims,
            base.through_pointer or pointer,
            len(base.subscripts) if pointer else base.pointer_rank,
            base.is_target or pointer,
            False,
            None if pointer or (symbol.type or "").startswith(("type", "class")) else symbol,
        )

    def _applied(self, expr: Apply) -> Designator | None:
        base = self.designator(expr.base)
        if base is None:
            return None
        own = len(base.last.dims)
        tail = base.subscripts[len(base.subscripts) - own :]
        if own and len(expr.args) == own and all(subscript is WHOLE for subscript in tail):
            kept = base.subscripts[: len(base.subscripts) - own]
            return _with(base, kept + expr.args, substring=False)
        if isinstance(expr.base, Apply) and not base.is_character:
            kept = base.subscripts[: len(base.subscripts) - own]
            found = selected(expr.base.base, base.last.dims, tail, expr.args)
            return None if found is None else _with(base, kept + found, substring=False)
        if base.is_character and len(expr.args) == 1 and isinstance(expr.args[0], Section):
            return _with(base, base.subscripts, substring=True)
        return None


def _with(base: Designator, subscripts: tuple[Expr, ...], substring: bool) -> Designator:
    return Designator(
        base.key,
        base.root,
        base.last,
        subscripts,
        base.dims,
        base.through_pointer,
        base.pointer_rank,
        base.is_target,
        substring,
        base.part,
    )


class Storage:
    """Keys of places, and overlap between them.

    A COMMON block whose layout (types, kinds and shapes, in order) is the same in every unit is
    as many objects as it has members. Otherwise it is one object seen through views: the names
    of one unit are disjoint among themselves, those of different units are not. Names joined by
    EQUIVALENCE always overlap.
    """

    def __init__(self, project: Project) -> None:
        self._project = project
        self._keys: dict[tuple[int, str], str] = {}
        self._unread: dict[int, frozenset[str]] = {}

    def key(self, unit: Unit, symbol: Symbol) -> str:
        place = (id(symbol.owner or unit), symbol.name)
        cached = self._keys.get(place)
        if cached is None:
            cached = self._keys[place] = self._key(unit, symbol)
        return cached

    def _key(self, unit: Unit, symbol: Symbol) -> str:
        storage = self._project.storage_key(unit, symbol)
        owner = symbol.owner or unit
        if symbol.common is not None:
            position = self._uniform.get(storage, {}).get(f"{owner.qualified_name}:{symbol.name}")
            if position is not None:
                return f"{storage}#{position}"
        elif storage == f"{owner.qualified_name}::{symbol.name}":
            return storage
        return f"{storage}@{owner.qualified_name}:{symbol.name}"

    def everywhere(self) -> list[object]:
        """All that the units of the project decide together, as plain values."""
        return [
            sorted(self.overloaded),
            self.types.everywhere(),
            sorted(self._uniform.items()),
        ]

    @cached_property
    def overloaded(self) -> frozenset[str]:
        """Operators, and `=`, that some unit or type of the project gives a meaning of its own."""
        names = (name for unit in self._project.units.values() for name in unit.generics)
        return operators(names) | self.types.bound_operators

    @cached_property
    def types(self) -> TypeTraits:
        return TypeTraits(self._project)

    def unread_declarations(self, owner: Unit | None) -> frozenset[str]:
        """Words of the declarations of a unit that could not be read."""
        if owner is None:
            return frozenset()
        found = self._unread.get(id(owner))
        if found is None:
            words: set[str] = set()
            for statement in owner.body:
                if isinstance(statement, OpaqueStatement):
                    words |= set(_WORD.findall(statement.text.lower()))
                elif not isinstance(statement, Assignment):  # or a statement function
                    break
            found = self._unread[id(owner)] = frozenset(words)
        return found

    @cached_property
    def _uniform(self) -> dict[str, dict[str, int]]:
        """Block -> "unit:name" -> position, for blocks with one layout and no EQUIVALENCE."""
        layouts: dict[str, dict[str, tuple[tuple[str, str, str], ...]]] = {}
        names: dict[str, dict[str, int]] = {}
        spoilt: set[str] = set()
        for unit in self._project.units.values():
            for symbol in list(unit.symbols.values()):
                if symbol.common is None:
                    continue
                storage = self._project.storage_key(unit, symbol)
                members = layouts.setdefault(storage, {})
                members.setdefault(unit.qualified_name, ())
                typed = self._project.resolve(unit, symbol.name)
                declared = typed.symbol if isinstance(typed, Variable) else symbol
                members[unit.qualified_name] += ((symbol.name, *self._layout(unit, declared)),)
                if _is_joined(symbol.name, unit):
                    spoilt.add(storage)
        for storage, by_unit in layouts.items():
            shapes = {tuple(member[1:] for member in members) for members in by_unit.values()}
            orders = {tuple(member[0] for member in members) for members in by_unit.values()}
            if storage in spoilt or len(shapes) != 1 or len(orders) != 1:
                continue
            names[storage] = {
                f"{unit}:{member[0]}": position
                for unit, members in by_unit.items()
                for position, member in enumerate(members)
            }
        return names

    def _layout(self, unit: Unit, symbol: Symbol) -> tuple[str, str]:
        """Type and shape of a COMMON member; names count by what they are, not how they spell."""
        kind = symbol.kind or ""
        if kind and not kind.isdigit():
            known = self._project.resolve(unit, kind)
            owner = known.symbol.owner if isinstance(known, Variable) else None
            kind = f"{kind} of {(owner or unit).qualified_name}"
        folding = Folding(self._project)
        extents = []
        for dimension in symbol.dims:
            for bound in (dimension.lower, dimension.upper):
                value = 1 if bound is None else folding.fold(bound, unit)
                extents.append(f"{bound} in {unit.qualified_name}" if value is None else str(value))
        return f"{symbol.type}({kind})", ",".join(extents)

    def overlapping(self, one: str, other: str) -> bool:
        """Can the two places share storage (POINTER and dummy aliasing aside)?"""
        if one == other:
            return True
        if root(one) != root(other):
            return False
        first, second = view(one), view(other)
        if first == second:
            return _is_prefix(one, other) or _is_prefix(other, one)
        return self.views_overlap(root(one), first, second)

    def views_overlap(self, area: str, one: str, other: str) -> bool:
        """Can what is seen of an area through two different views share storage?"""
        if one.startswith("#") and other.startswith("#"):
            return False
        same_unit = one.rpartition(":")[0] == other.rpartition(":")[0]
        return not (same_unit and area.startswith("common:") and not self._joined(one))

    def _joined(self, view: str) -> bool:
        unit = self._project.units.get(view.lstrip("@").rpartition(":")[0])
        return unit is None or bool(unit.equivalences)


def _is_joined(name: str, unit: Unit) -> bool:
    """Does an EQUIVALENCE of the unit name the variable?"""
    items = (item for group in unit.equivalences for item in group)
    return any(isinstance(p, Name) and p.id == name for item in items for p in parts(item))


ANY_POINTED = "pointed:any"


def pointed(kind: str | None) -> str:
    """All that pointers to and targets of a type may share, as the key of a place.

    What is written as a whole structure, or is of no known type, may hold any of them.
    """
    derived = kind is None or kind.startswith(("type", "class"))
    return ANY_POINTED if derived else f"pointed:{kind}"


def read_with(designator: Designator) -> tuple[str, ...]:
    """Keys of places under other names of which a write may change the object."""
    if designator.is_target or designator.through_pointer:
        return (pointed(designator.last.type), ANY_POINTED)
    return ()


@cache
def root(key: str) -> str:
    """The storage area a place lies in."""
    return key.partition("%")[0].partition("@")[0].partition("#")[0]


@cache
def view(key: str) -> str:
    """The member or the unit's name through which the area is seen; "" where there is one only."""
    head = key.partition("%")[0]
    return head[len(root(key)) :]


def _is_prefix(short: str, long: str) -> bool:
    return long.startswith(short) and long[len(short)] == "%"


@cache
def shown(key: str) -> str:
    """The name a user knows the place by."""
    head, dot, path = key.partition("%")
    name = head.partition("@")[2].rpartition(":")[2] or head.rpartition("::")[2]
    return name + dot + path
