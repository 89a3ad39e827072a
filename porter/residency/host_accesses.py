"""What a host statement reads and writes of the data that lives on the device."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from acclimate.analysis.ir import (
    Apply,
    Assignment,
    Call,
    Component,
    Do,
    Expr,
    Forall,
    If,
    ImpliedDo,
    InputOutput,
    Name,
    Section,
    Statement,
    Symbol,
    Unit,
    Where,
)
from acclimate.analysis.names.namelists import namelist_members, visible_name
from acclimate.porter.device.device_intrinsics import WITHOUT_ACCESS
from acclimate.porter.names.invocations import Invocation, invocations, invocations_in
from acclimate.porter.names.scope import Reference, Scope
from acclimate.porter.names.traversal import operands
from acclimate.porter.residency.library_buffers import reads_buffers, writes_buffers
from acclimate.porter.residency.mpi import BUFFERS, WAITS, WITHOUT_BUFFERS


@dataclass
class Accesses:
    """Designators read, written, and written as a whole without being read."""

    reads: set[Reference] = field(default_factory=set)
    writes: set[Reference] = field(default_factory=set)
    fills: set[Reference] = field(default_factory=set)

    def add(self, other: "Accesses") -> None:
        self.reads |= other.reads
        self.writes |= other.writes
        self.fills |= other.fills

    def copy(self) -> "Accesses":
        return Accesses(set(self.reads), set(self.writes), set(self.fills))

    @property
    def all(self) -> set[Reference]:
        return self.reads | self.writes

    def __bool__(self) -> bool:
        return bool(self.reads or self.writes)


Effects = Callable[[Scope, Invocation, Unit], Accesses]
"""What a call of a host-only procedure reads and writes, in the caller's names."""


class HostAccesses:
    """Finds accesses to resident data in statements and expressions of one project.

    Args:
        resident: whether a storage node lives on the device.
        host_only: procedures whose accesses count at the call.
        effects: those accesses.
    """

    def __init__(
        self,
        resident: Callable[[str], bool],
        host_only: Callable[[Unit], bool],
        effects: Effects,
    ) -> None:
        self._resident = resident
        self._host_only = host_only
        self._effects = effects
        self.beside: dict[int, frozenset[Reference]] = {}
        """By id() of a statement: what code that is not compiled here may access in its place."""
        self._known: dict[tuple[int, int], tuple[Scope, Statement, Accesses]] = {}

    def is_resident(self, node: str) -> bool:
        return self._resident(node)

    def is_host_only(self, unit: Unit) -> bool:
        return self._host_only(unit)

    def of_expressions(self, scope: Scope, exprs: Iterable[Expr | None]) -> Accesses:
        """What evaluating expressions reads (and, through function references, writes)."""
        found = Accesses()
        for expr in exprs:
            if expr is not None:
                self._read(scope, expr, found)
        return found

    def of_statement(self, scope: Scope, statement: Statement) -> Accesses:
        """What a statement itself does, without the statements nested in it."""
        key = id(scope), id(statement)
        if key not in self._known:
            self._known[key] = (scope, statement, self._of_statement(scope, statement))
        found = self._known[key][2].copy()
        beside = self.beside.get(id(statement))
        if beside:
            found.add(Accesses(set(beside), set(beside)))
            found.fills -= beside
        return found

    def _of_statement(self, scope: Scope, statement: Statement) -> Accesses:
        match statement:
            case Assignment():
                return self._assignment(scope, statement)
            case Call():
                return self._call(scope, statement)
            case InputOutput():
                return self._input_output(scope, statement)
            case Do():
                bounds = (statement.first, statement.last, statement.step, statement.condition)
                return self.of_expressions(scope, bounds)
            case If() | Where():
                return self.of_expressions(scope, [b.condition for b in statement.branches])
            case Forall():
                return self.of_expressions(scope, [statement.mask])
            case _:
                return self.of_expressions(scope, [getattr(statement, "value", None)])

    def written(self, scope: Scope, target: Expr) -> Accesses:
        """What storing into a designator does: the store, and the subscripts that are read."""
        found = Accesses()
        self._write(scope, target, found)
        return found

    def _assignment(self, scope: Scope, statement: Assignment) -> Accesses:
        found = self.of_expressions(scope, [statement.value])
        self._write(scope, statement.target, found)
        target = scope.reference(statement.target)
        if target in found.writes and target.is_whole and target not in found.reads:
            found.fills.add(target)
        return found

    def _input_output(self, scope: Scope, statement: InputOutput) -> Accesses:
        found = self.of_expressions(scope, statement.reads)
        for item in statement.writes:
            self._write(scope, item, found)
        members, _ = namelist_references(scope, statement)
        used = found.writes if statement.keyword == "read" else found.reads
        used |= {member for member in members if self._resident(member.node)}
        return found

    def _call(self, scope: Scope, statement: Call) -> Accesses:
        found = Accesses()
        for invocation in invocations(scope, statement):
            if invocation.is_call:
                self._invocation(scope, invocation, found)
        return found

    def _invocation(self, scope: Scope, invocation: Invocation, found: Accesses) -> None:
        if not invocation.candidates:
            self._outside(scope, invocation, found)
            return
        for callee in invocation.candidates:
            if self._host_only(callee):
                found.add(self._effects(scope, invocation, callee))
            self._arguments(scope, invocation, callee, found)

    def _arguments(
        self, scope: Scope, invocation: Invocation, callee: Unit, found: Accesses
    ) -> None:
        for dummy, actual in invocation.bindings(callee):
            reference = scope.reference(actual)
            if reference is None:
                self._read(scope, actual, found)
                continue
            self._subscripts(scope, actual, found)
            if dummy.is_array and not self._host_only(callee):
                continue  # the procedure brackets its own accesses
            if self._resident(reference.node):
                found.reads.add(reference)
                if dummy.intent != "in":
                    found.writes.add(reference)

    def _outside(self, scope: Scope, invocation: Invocation, found: Accesses) -> None:
        name = invocation.name.lower()
        use = BUFFERS.get(name)
        if name in WITHOUT_ACCESS:
            return
        for position, arg in enumerate(invocation.args):
            reference = scope.reference(arg)
            if reference is None:
                self._read(scope, arg, found)
                continue
            self._subscripts(scope, arg, found)
            if not self._resident(reference.node) or name in WITHOUT_BUFFERS or name in WAITS:
                continue
            if use is not None:
                reads, writes = position in use.reads, position in use.writes
            else:  # a buffer may be filled in part only
                writes = writes_buffers(name) and not _is_pure(invocation)
                reads = reads_buffers(name) or writes
            if reads:
                found.reads.add(reference)
            if writes:
                found.writes.add(reference)

    def _read(self, scope: Scope, expr: Expr, found: Accesses) -> None:
        reference = scope.reference(expr)
        if reference is not None:
            if self._resident(reference.node):
                found.reads.add(reference)
            self._subscripts(scope, expr, found)
            return
        if isinstance(expr, Apply):
            for invocation in invocations_in(scope, Apply(expr.base, expr.args))[:1]:
                self._invocation(scope, invocation, found)
            return
        for part in operands(expr):
            self._read(scope, part, found)

    def _write(self, scope: Scope, target: Expr, found: Accesses) -> None:
        if isinstance(target, ImpliedDo):
            for item in target.items:
                self._write(scope, item, found)
            found.add(self.of_expressions(scope, [target.first, target.last, target.step]))
            return
        reference = scope.reference(target)
        if reference is not None and self._resident(reference.node):
            found.writes.add(reference)
        self._subscripts(scope, target, found)

    def _subscripts(self, scope: Scope, expr: Expr, found: Accesses) -> None:
        match expr:
            case Apply(base, args):
                for arg in args:
                    for part in operands(arg) if isinstance(arg, Section) else (arg,):
                        self._read(scope, part, found)
                self._subscripts(scope, base, found)
            case Component(base, _):
                self._subscripts(scope, base, found)


def _is_pure(invocation: Invocation) -> bool:
    """Intrinsic functions write none of their arguments."""
    return invocation.is_intrinsic and not invocation.is_call


def namelist_references(
    scope: Scope, statement: InputOutput
) -> tuple[list[Reference], list[Symbol]]:
    """The members of the group that a statement transfers; and those it has no name for."""
    named: list[Reference] = []
    nameless: list[Symbol] = []
    project, unit = scope.project, scope.unit
    for symbol in namelist_members(project, unit, (statement.namelist or "").lower()):
        name = visible_name(project, unit, symbol)
        found = scope.reference(Name(name)) if name is not None else None
        if found is not None:
            named.append(found)
        else:
            nameless.append(symbol)
    return named, nameless
