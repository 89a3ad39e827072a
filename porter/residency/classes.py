"""Classes of arrays that share storage, by argument association (Fortran 2018, 15.5.2)."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from acclimate.analysis.dependence.statements import inside
from acclimate.analysis.ir import Allocate, Deallocate, PointerAssignment, Shape, Symbol, Unit
from acclimate.analysis.source import Lines
from acclimate.porter.invocations import Invocation, invocations
from acclimate.porter.routines import is_contiguous
from acclimate.porter.scope import Reference, Scope, Scopes


@dataclass
class Classes:
    """A union-find over storage nodes, and why some of them can never be on the device."""

    _parent: dict[str, str] = field(default_factory=dict)
    barred: dict[str, tuple[Lines, str]] = field(default_factory=dict)

    def find(self, node: str) -> str:
        """The representative of a node's class: its smallest member."""
        root = node
        while (above := self._parent.get(root, root)) != root:
            root = above
        while (above := self._parent.get(node, node)) != node:
            self._parent[node] = root
            node = above
        return root

    def union(self, one: str, other: str) -> None:
        first, second = sorted((self.find(one), self.find(other)))
        self._parent.setdefault(first, first)
        self._parent[second] = first

    def bar(self, node: str, at: Lines, reason: str) -> None:
        """No kernel may touch the class of this node; the first reason by place counts."""
        known = self.barred.get(node)
        if known is None or (at, reason) < known:
            self.barred[node] = (at, reason)

    def members(self, representative: str) -> list[str]:
        """All nodes of a class, sorted."""
        found = {node for node in self._parent if self.find(node) == representative}
        return sorted(found | {representative})

    def why_barred(self) -> dict[str, tuple[Lines, str]]:
        """By representative: where and why."""
        reasons: dict[str, tuple[Lines, str]] = {}
        for node, reason in sorted(self.barred.items(), key=lambda item: item[1]):
            reasons.setdefault(self.find(node), reason)
        return reasons


def build_classes(
    scopes: Scopes, host_only: Callable[[Unit], bool], allocates: Callable[[Unit, str], bool]
) -> Classes:
    """Unite actual and dummy arguments, pointers and targets, over the whole project.

    Args:
        host_only: procedures whose array arguments are accessed on behalf of the caller
            (device routines, pure and lifted procedures): they join no class.
        allocates: whether a procedure allocates the given dummy; the caller enters such data.
    """
    classes = Classes()
    for unit in scopes.executable():
        if host_only(unit):
            continue
        scope = scopes.of(unit)
        for statement in inside(unit.body):
            for invocation in invocations(scope, statement):
                for callee in invocation.candidates:
                    if not host_only(callee):
                        _bind(classes, scope, statement.at, invocation, callee, allocates)
            if isinstance(statement, PointerAssignment):
                _point(classes, scope, statement)
        _bar_declarations(classes, scope)
    return classes


def _bind(
    classes: Classes, scope: Scope, at: Lines, invocation: Invocation, callee: Unit,
    allocates: Callable[[Unit, str], bool],
) -> None:  # fmt: skip
    for dummy, actual in invocation.bindings(callee):
        if not dummy.is_array:
            continue
        node = scope.project.storage_key(callee, dummy)
        found = scope.reference(actual)
        if found is None or not found.is_array:
            classes.bar(node, at, f"an expression is passed to '{dummy.name}'")
            continue
        if allocates(callee, dummy.name):
            classes.bar(node, dummy.at, f"'{dummy.name}' is allocated in this procedure")
            continue
        complaint = _copied(found, dummy)
        if complaint:
            classes.bar(node, at, complaint)
            classes.bar(found.node, at, complaint)
            continue
        classes.union(found.node, node)


def _copied(found: Reference, dummy: Symbol) -> str:
    """Why the compiler may pass a temporary copy, which the device does not know."""
    if not found.has_section or is_contiguous(found):
        return ""
    return f"a part of '{found.designator}' that is not contiguous is passed to '{dummy.name}'"


def _point(classes: Classes, scope: Scope, statement: PointerAssignment) -> None:
    pointer, target = scope.reference(statement.target), scope.reference(statement.value)
    if pointer is None:
        return
    if target is None:
        if pointer.is_array:
            classes.bar(pointer.node, statement.at, f"'{pointer.designator}' has no known target")
        return
    if pointer.is_array:
        classes.union(pointer.node, target.node)
        if target.has_section and not is_contiguous(target):
            classes.bar(pointer.node, statement.at, "a pointer to storage that is not contiguous")


def _bar_declarations(classes: Classes, scope: Scope) -> None:
    unit = scope.unit
    for name, symbol in sorted(unit.symbols.items()):
        if not symbol.is_array or symbol.owner is not unit:
            continue
        node = scope.project.storage_key(unit, symbol)
        if symbol.common is not None:
            classes.bar(node, symbol.at, f"'{name}' is in COMMON")
        if name == (unit.result or unit.name) and name not in unit.args:
            classes.bar(node, symbol.at, f"'{name}' is the result of a function")
        if any(dim.shape is Shape.ASSUMED_SIZE for dim in symbol.dims):
            classes.bar(node, symbol.at, f"'{name}' is of assumed size")
        if "optional" in symbol.attributes:
            classes.bar(node, symbol.at, f"'{name}' is OPTIONAL")
    for group in unit.equivalences:
        for member in group:
            found = scope.reference(member)
            if found is not None:
                classes.bar(found.node, unit.at, f"'{found.designator}' is in EQUIVALENCE")


def allocation_sites(scope: Scope) -> Iterator[tuple[Allocate | Deallocate, Reference]]:
    """Objects of ALLOCATE and DEALLOCATE statements of a unit."""
    for statement in inside(scope.unit.body):
        if isinstance(statement, Allocate | Deallocate):
            for item in statement.objects:
                found = scope.reference(item)
                if found is not None:
                    yield statement, found
