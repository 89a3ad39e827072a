"""Objects within objects and arrays of objects: what of their storage has to be on the device.

Data are followed by type and component, whichever object they belong to. So all objects of such a
type have to be on the device, and all that hold them: variables from the start of the program or
from their ALLOCATE on, components that are allocatable or pointers from theirs. Objects enter
before what they hold; whatever is allocated in them is attached to them (`objects.py`).

A single variable with components of its own is entered with them (`is_deep` is false for its
type).
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

from acclimate.analysis.dependence.statements import inside
from acclimate.analysis.ir import (
    Apply,
    Assignment,
    Expr,
    InputOutput,
    Name,
    PointerAssignment,
    Statement,
    Symbol,
    UnitKind,
)
from acclimate.analysis.source import Lines
from acclimate.porter.device.device_intrinsics import WITHOUT_ACCESS
from acclimate.porter.names.call_sites import CallSites
from acclimate.porter.names.invocations import Invocation
from acclimate.porter.names.scope import Reference, Scope, Scopes
from acclimate.porter.residency.allocations import Allocations, Death
from acclimate.porter.residency.classes import Classes, is_null
from acclimate.porter.residency.host_accesses import namelist_references
from acclimate.porter.residency.object_types import DEFERRED, Holder, ObjectTypes, is_deferred_array
from acclimate.porter.residency.storage import is_static

_TARGET = "has a target from the start"
_ASKING = WITHOUT_ACCESS - {"c_loc", "loc"}


@dataclass(eq=False)
class Containers:
    """The types whose objects are on the device, for one set of resident data.

    Args:
        born: nodes that some statement allocates.
        resident: whether data of a storage node live on the device.
        written: whether a kernel writes them.
    """

    types: ObjectTypes
    born: frozenset[str]
    resident: Callable[[str], bool]
    written: Callable[[str], bool]

    @cached_property
    def _involved(self) -> frozenset[str]:
        """Types with resident components, and types that hold objects of such types."""
        found = {
            kind
            for kind in self.types.types
            if any(self.resident(node) for node, _, _ in self.types.components(kind))
        }
        waiting = list(found)
        while waiting:
            for holder in self.types.by_kind.get(waiting.pop(), ()):
                if holder.within and holder.within not in found:
                    found.add(holder.within)
                    waiting.append(holder.within)
        return frozenset(found)

    @cached_property
    def deep(self) -> frozenset[str]:
        """Types of objects that are elements, components, or hold objects themselves."""
        found = {kind for kind in self._involved if any(map(_is_nested, self._all(kind)))}
        return frozenset(found | {h.within for k in found for h in self._all(k) if h.within})

    def _all(self, kind: str) -> list[Holder]:
        return self.types.by_kind.get(kind, [])

    def is_deep(self, kind: str) -> bool:
        return kind in self.deep

    def enters(self, node: str) -> bool:
        """The node is storage of objects that has to be on the device."""
        holder = self.types.by_node.get(node)
        return holder is not None and holder.kind in self.deep and holder.is_apart

    def deferred_in(self, kind: str) -> list[str]:
        """Nodes of the components of a type that get storage of their own on the device."""
        return [n for n, symbol, _ in self.types.components(kind) if self._gets_storage(n, symbol)]

    def below_in_storage(self, kind: str) -> list[tuple[str, str, Symbol]]:
        """What an object holds in its own storage that ALLOCATE gives more to: path and node."""
        return [f for f in self.types.embedded(kind) if self._gets_storage(f[1], f[2])]

    def arrays_in(self, kind: str) -> bool:
        """Elements of an array lie in the storage of an object, with components of their own."""
        return any(
            symbol.is_array and not symbol.attributes & DEFERRED and self._keeps(node)
            for _, node, symbol in self.types.embedded(kind)
        )

    def _keeps(self, node: str) -> bool:
        holder = self.types.by_node.get(node)
        return holder is not None and holder.kind in self.deep

    def is_mixed(self, kind: str) -> bool:
        """Components are allocated both in an object and in objects that lie in it."""
        return bool(self.deferred_in(kind)) and self._holds_deeper(kind)

    def _holds_deeper(self, kind: str) -> bool:
        return any(
            inner and not symbol.attributes & DEFERRED
            and (self.deferred_in(inner) or self._holds_deeper(inner))
            for _, symbol, inner in self.types.components(kind)
        )  # fmt: skip

    def _gets_storage(self, node: str, symbol: Symbol) -> bool:
        wanted = self.enters(node) or (self.resident(node) and is_deferred_array(symbol))
        return wanted and node in self.born


def _is_nested(holder: Holder) -> bool:
    symbol = holder.symbol
    return bool(holder.within) or symbol.is_array or "allocatable" in symbol.attributes


@dataclass(eq=False)
class ContainerBars:
    """Bars the components of objects that cannot be followed.

    Args:
        classes: takes the reasons.
    """

    scopes: Scopes
    calls: CallSites
    allocations: Allocations
    containers: Containers
    classes: Classes

    def plan(self) -> None:
        """Report what stands against objects being on the device."""
        if not self.containers.deep:
            return
        for kind in sorted(self.containers.deep):
            for holder in self.containers.types.by_kind.get(kind, ()):
                reason = self._complaint(holder)
                if reason:
                    self._bar(kind, holder.symbol.at, f"'{holder.symbol.name}' {reason}")
            self._written_beside(kind)
        for unit in self.scopes.executable():
            scope = self.scopes.of(unit)
            self._storage(scope)
            for statement in inside(unit.body):
                self._statement(scope, statement)
            for site in self.calls.of(unit):
                self._call(scope, site.statement.at, site.invocation)

    def pass_on(self) -> None:
        """What bars storage of objects bars their components."""
        barred = self.classes.why_barred()
        for holder in self.containers.types.holders:
            if holder.kind in self.containers.deep and not self.containers.resident(holder.node):
                why = barred.get(self.classes.find(holder.node))
                if why is not None:
                    self._bar(holder.kind, *why)

    def _bar(self, kind: str, at: Lines, reason: str) -> None:
        for node in sorted(self.containers.types.below(kind)):
            if self.containers.resident(node):
                self.classes.bar(node, at, reason)

    # --- declarations ----------------------------------------------------------------------------

    def _complaint(self, holder: Holder) -> str:
        symbol, unit, types = holder.symbol, holder.unit, self.containers.types
        if (symbol.type or "").startswith("class("):
            return "is polymorphic"
        if holder.kind in types.families or holder.within in types.families:
            return "is of a type that extends another, or is extended"
        if holder.is_dummy:
            return self._dummy(holder)
        if holder.within or "pointer" in symbol.attributes:
            return "" if is_null(symbol.initial) else _TARGET
        if symbol.common is not None or any(_names(g, symbol.name) for g in unit.equivalences):
            return "is in COMMON or EQUIVALENCE"
        if symbol.name == (unit.result or unit.name) and unit.kind is UnitKind.FUNCTION:
            return "is the result of a function"
        if unit.kind is UnitKind.INTERFACE_BODY or is_static(unit, symbol):
            private = symbol.name in unit.private or (
                unit.private_default and symbol.name not in unit.public
            )
            deferred = symbol.attributes & DEFERRED
            if unit.kind is UnitKind.MODULE and private and not deferred:
                return f"is private to '{unit.name}': the program cannot enter it"
            return ""
        return f"is local to '{unit.name}'"

    def _dummy(self, holder: Holder) -> str:
        symbol, unit = holder.symbol, holder.unit
        if "value" in symbol.attributes:
            return "is passed by value"
        if symbol.intent == "out":
            return f"is INTENT(OUT) in '{unit.name}': its components lose their storage"
        if self.allocations.allocates(unit, symbol.name):
            return f"is allocated in '{unit.name}' for its caller"
        return ""

    def _written_beside(self, kind: str) -> None:
        """An object is updated as a whole when something in it gets storage."""
        containers = self.containers
        if not containers.deferred_in(kind):
            return
        for _, node, symbol in containers.types.embedded(kind):
            in_object = containers.resident(node) and not symbol.attributes & DEFERRED
            if in_object and containers.written(node):
                name = node.rpartition("%")[2]
                reason = f"component '{name}', which kernels write, lies beside allocated ones"
                self.classes.bar(node, symbol.at, reason)

    # --- statements ------------------------------------------------------------------------------

    def _storage(self, scope: Scope) -> None:
        for birth in self.allocations.births(scope):
            holder = self._container(birth.found)
            if holder is not None and birth.filled:
                self._bar(
                    holder.kind, birth.place.statement.at,
                    f"'{birth.found.designator}' holds objects already when it is allocated",
                )  # fmt: skip
        for death in self.allocations.deaths(scope):
            holder = self._container(death.found)
            lost = self._left_behind(scope, death, holder) if holder is not None else ""
            if holder is not None and lost:
                reason = f"'{death.found.designator}' is deallocated together with its '{lost}'"
                self._bar(holder.kind, death.place.statement.at, reason)

    def _left_behind(self, scope: Scope, death: Death, holder: Holder) -> str:
        """A component that may be on the device still when its object loses its storage."""
        line = death.place.statement.at.first
        gone = {
            d.found.node
            for d in self.allocations.deaths(scope)
            if d.place.statement.at.first < line
        }
        earlier = [s for s in self.calls.of(scope.unit) if s.statement.at.first < line]
        waiting = [callee for site in earlier for callee in site.invocation.candidates]
        seen: set[int] = set()
        while waiting:
            unit = waiting.pop()
            if id(unit) not in seen:
                seen.add(id(unit))
                gone |= {d.found.node for d in self.allocations.deaths(self.scopes.of(unit))}
                waiting += self.calls.callees(unit)
        missing = [
            path
            for path, node, symbol in self.containers.below_in_storage(holder.kind)
            if node not in gone and "allocatable" in symbol.attributes
        ]
        return missing[0] if missing else ""

    def _container(self, found: Reference | None) -> Holder | None:
        """The holder behind a reference to objects that have to be on the device."""
        holder = self.containers.types.by_node.get(found.node) if found is not None else None
        return holder if holder is not None and self.containers.is_deep(holder.kind) else None

    def _statement(self, scope: Scope, statement: Statement) -> None:
        match statement:
            case Assignment():
                holder = self._container(scope.reference(statement.target))
                if holder is not None:
                    self._bar(holder.kind, statement.at, "objects are assigned as a whole")
            case InputOutput():
                named, nameless = namelist_references(scope, statement)
                items = [*map(scope.reference, (*statement.reads, *statement.writes)), *named]
                nodes = [found.node for found in items if found is not None]
                nodes += [scope.node(s) for s in nameless]
                for holder in filter(None, map(self.containers.types.by_node.get, nodes)):
                    if self.containers.is_deep(holder.kind):
                        self._bar(holder.kind, statement.at, "objects are transferred as a whole")
            case PointerAssignment():
                found = scope.reference(statement.target)
                holder = self._container(found)
                is_moved = not is_null(statement.value)
                if holder is not None and found is not None and holder.within and is_moved:
                    reason = f"'{found.designator}' is made to point at other objects"
                    self._bar(holder.kind, statement.at, reason)

    def _call(self, scope: Scope, at: Lines, invocation: Invocation) -> None:
        if invocation.is_intrinsic and invocation.name in _ASKING:
            return
        if not invocation.candidates:
            for arg in invocation.args:
                holder = self._container(scope.reference(arg))
                if holder is not None:
                    self._bar(holder.kind, at, f"objects are passed to '{invocation.name}'")
        for callee in invocation.candidates:
            for dummy, actual in invocation.bindings(callee):
                holder = self._container(scope.reference(actual))
                if holder is not None and holder.within and "pointer" in dummy.attributes:
                    reason = f"a pointer to objects is passed to '{dummy.name}'"
                    self._bar(holder.kind, at, reason)


def _names(group: tuple[Expr, ...], name: str) -> bool:
    return any((item.base if isinstance(item, Apply) else item) == Name(name) for item in group)
