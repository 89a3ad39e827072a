"""Host statements that launch nothing, seen as one access each, host loops included."""

from collections.abc import Callable

from acclimate.analysis.dependence.statements import inside
from acclimate.analysis.ir import (
    Allocate,
    Assignment,
    Associate,
    Call,
    Continue,
    Deallocate,
    Do,
    Forall,
    If,
    InputOutput,
    Jump,
    PointerAssignment,
    Statement,
    Unit,
    Where,
)
from acclimate.porter.names.invocations import invocations
from acclimate.porter.names.scope import Scope
from acclimate.porter.names.settled import is_settled
from acclimate.porter.residency.host_accesses import Accesses, HostAccesses


class SimpleStatements:
    """Tells whether a statement can be one member of a group of host accesses."""

    def __init__(
        self, host: HostAccesses, launches: frozenset[int], inert: Callable[[Unit], bool]
    ) -> None:
        self._host = host
        self._launches = launches
        self._inert = inert

    def accesses(self, scope: Scope, statement: Statement) -> Accesses | None:
        """All a statement accesses; None if it must be entered, or stand alone."""
        if isinstance(statement, If) and statement.is_construct:
            return None  # its branches may launch, or run only where data exists
        found = self._accesses(scope, statement, ())
        if found is None or not isinstance(statement, Do | Associate | If):
            return found
        if not all(is_settled(scope, reference, statement) for reference in found.all):
            return None  # each round may be about another object
        return found

    def _accesses(
        self, scope: Scope, statement: Statement, loops: tuple[str | None, ...]
    ) -> Accesses | None:
        if id(statement) in self._launches or not self.calls_inert(scope, statement):
            return None
        match statement:
            case Assignment() | Call() | InputOutput() | Continue():
                return self._host.of_statement(scope, statement)
            case PointerAssignment():
                return Accesses()
            case Where() | Forall():
                found = self._host.of_statement(scope, statement)
                for inner in inside(_bodies(statement)):
                    found.add(self._host.of_statement(scope, inner))
                found.fills.clear()
                return found
            case Do():
                return self._all(scope, statement, statement.body, (*loops, statement.name))
            case If():
                bodies = [s for branch in statement.branches for s in branch.body]
                return self._all(scope, statement, bodies, loops)
            case Associate():
                return self._all(scope.within(statement), statement, statement.body, loops)
            case Jump():
                return self._jump(scope, statement, loops)
            case Allocate() | Deallocate():
                return self._allocation(scope, statement)
            case _:
                return None

    def _all(
        self, scope: Scope, outer: Statement, body: list[Statement], loops: tuple[str | None, ...]
    ) -> Accesses | None:
        found = self._host.of_statement(scope, outer)
        for statement in body:
            inner = self._accesses(scope, statement, loops)
            if inner is None or (statement.label is not None and loops == ()):
                return None
            found.add(inner)
        found.fills.clear()
        return found

    def _jump(
        self, scope: Scope, statement: Jump, loops: tuple[str | None, ...]
    ) -> Accesses | None:
        """STOP ends everything; EXIT and CYCLE are fine as long as they stay inside the group."""
        if statement.keyword == "stop":
            return self._host.of_statement(scope, statement)
        inside = statement.construct is None or statement.construct in loops
        if statement.keyword in ("exit", "cycle") and loops and inside:
            return Accesses()
        return None

    def _allocation(self, scope: Scope, statement: Allocate | Deallocate) -> Accesses | None:
        for item in statement.objects:
            found = scope.reference(item)
            if found is None or self._host.is_resident(found.node):
                return None
        return Accesses()

    def calls_inert(self, scope: Scope, statement: Statement) -> bool:
        """No procedure that the statement itself invokes launches anything."""
        return all(
            self._inert(callee) or self._host.is_host_only(callee)
            for invocation in invocations(scope, statement)
            for callee in invocation.candidates
        )


def _bodies(statement: Where | Forall) -> list[Statement]:
    if isinstance(statement, Forall):
        return statement.body
    return [inner for branch in statement.branches for inner in branch.body]


def jump_targets(body: list[Statement]) -> frozenset[str | None]:
    """Labels that GO TO, arithmetic IF and branches of I/O statements may jump to."""
    targets: set[str | None] = set()
    for statement in inside(body):
        if isinstance(statement, Jump):
            targets |= set(statement.targets)
        if isinstance(statement, InputOutput):
            targets |= set(statement.branches)
    return frozenset(targets)
