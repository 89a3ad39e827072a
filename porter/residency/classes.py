"""Classes of arrays that share storage, by argument association (Fortran 2018, 15.5.2)."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from acclimate.analysis.dependence.statements import inside, parts
from acclimate.analysis.ir import (
    Apply,
    Assignment,
    Expr,
    InputOutput,
    Name,
    PointerAssignment,
    Shape,
    Symbol,
    Unit,
)
from acclimate.analysis.source import Lines
from acclimate.porter.device.routines import is_contiguous
from acclimate.porter.names.call_sites import CallSite, CallSites
from acclimate.porter.names.scope import Reference, Scope, Scopes
from acclimate.porter.residency.host_accesses import namelist_references

_MOVING = ("move_alloc", "c_f_pointer")


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

    def why(self, node: str, barred: Mapping[str, tuple[Lines, str]]) -> tuple[Lines, str]:
        """Why a node of a barred class stays on the host: its own reason before the class's."""
        own = self.barred.get(node)
        if own is not None:
            return own
        at, reason = barred[self.find(node)]
        return at, f"it shares storage with other data: {reason}"

    def why_barred(self) -> dict[str, tuple[Lines, str]]:
        """By representative: where and why."""
        reasons: dict[str, tuple[Lines, str]] = {}
        for node, reason in sorted(self.barred.items(), key=lambda item: item[1]):
            reasons.setdefault(self.find(node), reason)
        return reasons


class ClassBuilder:
    """Unites actual and dummy arguments, pointers and targets, over the whole project.

    Args:
        host_only: procedures whose array arguments are accessed on behalf of the caller
            (device routines, pure and lifted procedures): they join no class.
        allocates: whether a procedure allocates the given dummy; the caller enters such data.
    """

    def __init__(
        self,
        scopes: Scopes,
        calls: CallSites,
        host_only: Callable[[Unit], bool],
        allocates: Callable[[Unit, str], bool],
    ) -> None:
        self._scopes = scopes
        self._calls = calls
        self._host_only = host_only
        self._allocates = allocates
        self.classes = Classes()

    def build(self) -> Classes:
        """The classes of the project, with what is barred by declarations and statements alone."""
        for unit in self._scopes.executable():
            if self._host_only(unit):
                continue
            scope = self._scopes.of(unit)
            for site in self._calls.of(unit):
                self._call(scope, site)
            for statement in inside(unit.body):
                if isinstance(statement, PointerAssignment):
                    _point(self.classes, scope, statement)
                if isinstance(statement, Assignment):
                    self._object_copy(scope, statement)
                if isinstance(statement, InputOutput):
                    self._nameless(scope, statement)
            _bar_declarations(self.classes, scope, self._scopes.component_nodes)
        return self.classes

    def _call(self, scope: Scope, site: CallSite) -> None:
        invocation, at = site.invocation, site.statement.at
        if invocation.is_intrinsic and invocation.name in _MOVING:
            for arg in invocation.args:
                found = scope.reference(arg)
                if found is not None:
                    reason = f"{invocation.name.upper()} moves '{found.designator}'"
                    self.classes.bar(found.node, at, reason)
        for callee in invocation.candidates:
            if not self._host_only(callee):
                for dummy, actual in invocation.bindings(callee):
                    if dummy.is_array:
                        self._bind(scope, at, callee, dummy, actual)

    def _bind(self, scope: Scope, at: Lines, callee: Unit, dummy: Symbol, actual: Expr) -> None:
        node = self._scopes.node(callee, dummy)
        found = scope.reference(actual)
        complaint = copy_complaint(found, dummy)
        if found is not None and found.path and "pointer" in dummy.attributes:
            complaint = f"the pointer '{found.designator}' itself is passed to '{dummy.name}'"
        if self._allocates(callee, dummy.name):
            reason = f"'{dummy.name}' is allocated in this procedure"
            self.classes.bar(node, dummy.at, reason)
        elif complaint or found is None:
            self.classes.bar(node, at, complaint)
            if found is not None:
                self.classes.bar(found.node, at, complaint)
        else:
            self.classes.union(found.node, node)

    def _nameless(self, scope: Scope, statement: InputOutput) -> None:
        for symbol in namelist_references(scope, statement)[1]:
            node = scope.node(symbol)
            reason = f"the namelist transfers '{symbol.name}', which has no name here"
            self.classes.bar(node, statement.at, reason)

    def _object_copy(self, scope: Scope, statement: Assignment) -> None:
        """Assignment of whole objects copies, and may allocate, all components at once."""
        found = scope.reference(statement.target)
        kind = (found.symbol.type or "") if found is not None else ""
        if kind.startswith(("type(", "class(")):
            name = kind.split("(")[1].rstrip(")").strip()
            for node in self._scopes.component_nodes.values():
                if node.rsplit("%", 1)[0].endswith(f"::{name}"):
                    reason = f"objects of type '{name}' are assigned as a whole"
                    self.classes.bar(node, statement.at, reason)


def copy_complaint(found: Reference | None, dummy: Symbol) -> str:
    """Why a temporary copy is passed, which the device does not know; "" if none is."""
    if found is None or not found.is_array:
        return f"an expression is passed to '{dummy.name}'"
    if found.has_section and not is_contiguous(found):
        name = found.designator
        return f"a part of '{name}' that is not contiguous is passed to '{dummy.name}'"
    return ""


def _point(classes: Classes, scope: Scope, statement: PointerAssignment) -> None:
    pointer, target = scope.reference(statement.target), scope.reference(statement.value)
    if pointer is None:
        return
    if is_null(statement.value):
        return
    if pointer.is_array and pointer.path:
        reason = f"'{pointer.designator}' is made to point at other storage"
        classes.bar(pointer.node, statement.at, reason)
    if target is None:
        if pointer.is_array:
            classes.bar(pointer.node, statement.at, f"'{pointer.designator}' has no known target")
        return
    if pointer.is_array:
        classes.union(pointer.node, target.node)
        if target.has_section and not is_contiguous(target):
            classes.bar(pointer.node, statement.at, "a pointer to storage that is not contiguous")


def is_null(value: Expr | None) -> bool:
    """No target is given to a pointer: no value at all, or NULL()."""
    return value is None or (isinstance(value, Apply) and value.base == Name("null"))


def _bar_declarations(classes: Classes, scope: Scope, components: dict[int, str]) -> None:
    unit = scope.unit
    for name, symbol in sorted(unit.symbols.items()):
        if not symbol.is_array or symbol.owner is not unit:
            continue
        node = scope.node(symbol)
        if symbol.common is not None and "#" not in node:
            reason = f"'{name}' is in COMMON of more than one layout, or in EQUIVALENCE"
            classes.bar(node, symbol.at, reason)
        if name == (unit.result or unit.name) and name not in unit.args:
            classes.bar(node, symbol.at, f"'{name}' is the result of a function")
        if any(dim.shape is Shape.ASSUMED_SIZE for dim in symbol.dims):
            classes.bar(node, symbol.at, f"argument '{name}' of '{unit.name}' is of assumed size")
        if "optional" in symbol.attributes and symbol.attributes & {"allocatable", "pointer"}:
            reason = f"argument '{name}' of '{unit.name}' is OPTIONAL, and may be allocated in it"
            classes.bar(node, symbol.at, reason)
    for derived in unit.types.values():
        for name, symbol in sorted(derived.components.items()):
            is_pointer = symbol.is_array and "pointer" in symbol.attributes
            if is_pointer and not is_null(symbol.initial):
                reason = f"component '{name}' is a pointer with a target from the start"
                classes.bar(components[id(symbol)], symbol.at, reason)
    for name, (_, body) in sorted(unit.statement_functions.items()):
        for part in parts(body):
            found = scope.reference(part)
            if found is not None and (found.is_array or found.path):
                reason = f"the statement function '{name}' reads '{found.designator}'"
                classes.bar(found.node, unit.at, reason)
    for group in unit.equivalences:
        for member in group:
            found = scope.reference(member)
            if found is not None:
                classes.bar(found.node, unit.at, f"'{found.designator}' is in EQUIVALENCE")
