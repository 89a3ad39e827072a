"""Procedures whose accesses to resident data count at their calls, not inside them.

Device routines and pure procedures cannot hold update directives. A small host procedure that is
called in a loop is better bracketed around that loop than inside.
"""

from collections import Counter
from collections.abc import Callable
from dataclasses import replace

from acclimate.analysis.dependence.statements import inside
from acclimate.analysis.ir import (
    Allocate,
    Assignment,
    Associate,
    Deallocate,
    Do,
    Expr,
    InputOutput,
    Literal,
    Statement,
    Symbol,
    Unit,
    UnitKind,
)
from acclimate.analysis.names.namelists import visible_name
from acclimate.porter.device.device_code import references_in
from acclimate.porter.names.call_sites import CallSites
from acclimate.porter.names.invocations import Invocation
from acclimate.porter.names.scope import Reference, Scope, Scopes
from acclimate.porter.residency.classes import copy_complaint
from acclimate.porter.residency.host_accesses import Accesses
from acclimate.porter.text.fortran_text import fortran

Uses = dict[Reference, bool]
"""Data a procedure names that is not its own, each with: may it be written?"""


class HostProcedures:
    """Which procedures are accessed for, and what a call of one accesses in the caller's names.

    Args:
        routines: procedures compiled for the device, by qualified name.
        launching: procedures that hold kernels themselves.
        matters: storage that may become resident; only such must have a name at every call.
    """

    def __init__(
        self,
        scopes: Scopes,
        calls: CallSites,
        routines: frozenset[str],
        launching: frozenset[str],
        matters: Callable[[str], bool],
    ) -> None:
        self._scopes = scopes
        self._calls = calls
        self._project = scopes.project
        self._launching = launching
        self._matters = matters
        self._outside: dict[str, Uses] = {}
        self._names: set[str] = set(routines)
        for unit in scopes.executable():
            if unit.prefixes & {"pure", "elemental"}:
                self._names.add(self._project.name_of(unit))
        self._lift()

    def holds(self, unit: Unit) -> bool:
        """The procedure's accesses count at its calls."""
        return self._project.name_of(unit) in self._names

    def accesses(
        self, resident: Callable[[str], bool], scope: Scope, invocation: Invocation, callee: Unit
    ) -> Accesses:
        """Data behind components of dummies and module variables that a call may access.

        Plain dummies are left out: the caller sees their actual arguments itself.
        """
        found = Accesses()
        for reference, written in self._named(scope, invocation, callee):
            if reference is not None and resident(reference.node):
                found.reads.add(reference)
                if written:
                    found.writes.add(reference)
        return found

    def nameless(
        self, scope: Scope, invocation: Invocation, callee: Unit
    ) -> list[tuple[Reference, bool]]:
        """Data a call accesses for which the caller has no name, and whether it is written."""
        uses = self.outside(callee).items()
        actual = _actual(scope, invocation, callee)
        return [(r, w) for r, w in uses if in_caller(scope, r, actual) is None]

    def outside(self, unit: Unit) -> Uses:
        """Data a procedure and its callees name that is neither local nor a plain dummy."""
        name = self._project.name_of(unit)
        if name not in self._outside:
            self._outside[name] = {}  # ends recursion
            self._outside[name] = self._find_outside(unit)
        return self._outside[name]

    def _named(
        self, scope: Scope, invocation: Invocation, callee: Unit
    ) -> list[tuple[Reference | None, bool]]:
        actual = _actual(scope, invocation, callee)
        uses = self.outside(callee).items()
        return [(in_caller(scope, reference, actual), written) for reference, written in uses]

    def _find_outside(self, unit: Unit) -> Uses:
        scope = self._scopes.of(unit)
        found: Uses = {}
        for statement in inside(unit.body):
            targets = {scope.reference(target) for target in _targets(statement)}
            for reference in references_in(scope, statement):
                if not _is_own(reference, unit):
                    found[reference] = found.get(reference, False) or reference in targets
        for call in self._calls.of(unit):
            for callee in call.invocation.candidates:
                self._add_call(found, scope, call.invocation, callee)
        return found

    def _add_call(self, found: Uses, scope: Scope, call: Invocation, callee: Unit) -> None:
        for dummy, arg in call.bindings(callee):
            passed = scope.reference(arg)
            if passed is not None and passed in found and dummy.intent != "in":
                found[passed] = True
        for named, written in self._named(scope, call, callee):
            if named is not None and not _is_own(named, scope.unit):
                found[named] = found.get(named, False) or written
        for nameless, written in self.nameless(scope, call, callee):
            found[nameless] = found.get(nameless, False) or written

    # --- lifting ---------------------------------------------------------------------------------

    def _lift(self) -> None:
        """Add host procedures called in loops, callees before callers, until nothing changes.

        So are those called on a line that holds other statements: between them is no place for an
        update.
        """
        looped = self._called_in_loops() | self._given_copies() | self._called_beside_others()
        changed = True
        while changed:
            changed = False
            for name in sorted(looped - self._names):
                unit = self._project.units[name]
                if self._can_lift(unit) and self._nameable_everywhere(unit):
                    self._names.add(name)
                    looped |= {self._project.name_of(c) for c in self._calls.callees(unit)}
                    changed = True

    def _can_lift(self, unit: Unit) -> bool:
        if unit.kind is UnitKind.PROGRAM or self._project.name_of(unit) in self._launching:
            return False
        if any(isinstance(s, Allocate | Deallocate) for s in inside(unit.body)):
            return False
        return all(self.holds(callee) or callee is unit for callee in self._calls.callees(unit))

    def _given_copies(self) -> set[str]:
        """Procedures that get a temporary copy of an array in some call."""
        return {
            self._project.name_of(callee)
            for unit in self._scopes.executable()
            for site in self._calls.of(unit)
            for callee in site.invocation.candidates
            for dummy, actual in site.invocation.bindings(callee)
            if dummy.is_array and copy_complaint(self._scopes.of(unit).reference(actual), dummy)
        }

    def _called_in_loops(self) -> set[str]:
        return {
            self._project.name_of(callee)
            for unit in self._scopes.executable()
            for loop in inside(unit.body)
            if isinstance(loop, Do)
            for statement in inside(loop.body)
            for call in self._calls.at(statement)
            for callee in call.candidates
        }

    def _called_beside_others(self) -> set[str]:
        """Procedures with a call on a line where another statement begins or ends."""
        found: set[str] = set()
        for unit in self._scopes.executable():
            simple = [s for s in inside(unit.body) if not isinstance(s, Do | Associate)]
            lines = Counter(line for s in simple for line in {s.at.first, s.at.last})
            found |= {
                self._project.name_of(callee)
                for statement in simple
                if lines[statement.at.first] > 1 or lines[statement.at.last] > 1
                for call in self._calls.at(statement)
                for callee in call.candidates
            }
        return found

    def _nameable_everywhere(self, callee: Unit) -> bool:
        return not any(
            self._matters(reference.node)
            for scope, call in self._calls.calls_of(callee)
            for reference, _ in self.nameless(scope, call, callee)
        )


def in_caller(
    scope: Scope, reference: Reference, actual: dict[str, Reference | None]
) -> Reference | None:
    """A callee's reference in the caller's names; None when the caller has no name for it."""
    if not all(isinstance(index, Literal) for index in reference.indices):
        return None  # the callee chooses the object
    base = actual.get(reference.root.name) if reference.path else None
    if base is not None and (base.has_section or (base.is_array and base.subscripts is None)):
        return None  # an elemental procedure, or one that gets an array of objects
    if base is not None and reference.root.is_array:
        return None  # an element begins the callee's array of objects (Fortran 2018, 15.5.2.11)
    if base is not None:
        tail = "".join(f"%{part}" for part in reference.path)
        return replace(
            reference,
            designator=f"{_element(base)}{tail}",
            root=base.root,
            root_key=base.root_key,
            path=(*base.path, *reference.path),
            subscripts=None,
            indices=(*base.indices, *(base.subscripts or ()), *reference.indices),
        )
    name = _name_of(scope, reference.root)
    if name is None:
        return None
    tail = "".join(f"%{part}" for part in reference.path)
    return replace(reference, designator=f"{name}{tail}", subscripts=None)


def _name_of(scope: Scope, variable: Symbol) -> str | None:
    """What a unit calls a variable of a module, of a host or in a COMMON block."""
    if variable.common is None:
        return visible_name(scope.project, scope.unit, variable)
    node = scope.elsewhere(variable.owner or scope.unit).node(variable)
    for name, symbol in sorted(scope.unit.symbols.items()):
        if symbol.common is not None and scope.node(symbol) == node:
            return name
    return None


def _element(found: Reference) -> str:
    """The designator with the subscripts of its last part."""
    if found.subscripts is None:
        return found.designator
    return f"{found.designator}({', '.join(fortran(s) for s in found.subscripts)})"


def _actual(scope: Scope, invocation: Invocation, callee: Unit) -> dict[str, Reference | None]:
    return {dummy.name: scope.reference(arg) for dummy, arg in invocation.bindings(callee)}


def _is_own(reference: Reference, unit: Unit) -> bool:
    """A local variable, or a dummy argument as a whole."""
    if reference.root.owner is not unit or reference.root.common is not None:
        return False
    return reference.root.name not in unit.args or not reference.path


def _targets(statement: Statement) -> tuple[Expr, ...]:
    match statement:
        case Assignment():
            return (statement.target,)
        case InputOutput():
            return statement.writes
        case _:
            return ()
