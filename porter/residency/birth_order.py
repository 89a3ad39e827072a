"""In which order an object and the objects that lie in it get their components."""

from collections.abc import Iterator
from dataclasses import dataclass

from acclimate.analysis.ir import Statement, Unit
from acclimate.porter.names.call_sites import CallSites
from acclimate.porter.names.scope import Reference, Scope, Scopes
from acclimate.porter.residency.allocations import Allocations
from acclimate.porter.residency.containers import Containers
from acclimate.porter.residency.object_types import DEFERRED, Part


@dataclass(frozen=True, eq=False)
class BirthOrder:
    """Follows components of embedded objects that a procedure allocates through its argument."""

    scopes: Scopes
    calls: CallSites
    allocations: Allocations
    containers: Containers

    def follows(self, kind: str, node: str) -> bool:
        """A component of what lies in objects of a type is always allocated after their own.

        Procedures that allocate it get the object that lies in the other as an argument, in a call
        behind the ALLOCATE statements of the other, in the same block.
        """
        for unit in self.scopes.executable():
            scope = self.scopes.of(unit)
            for birth in self.allocations.births(scope):
                if birth.found.node == node and not self._follows(scope, birth.found, kind):
                    return False
        return True

    def _follows(self, scope: Scope, found: Reference, kind: str) -> bool:
        around = self._around(self.containers.types.parts(scope.unit, found)[:-1])
        if not around or any(part.kind == kind for part in around):
            return False
        is_passed = found.root.name in scope.unit.args and around[-1].symbol is found.root
        return not is_passed or all(
            self._stands(caller, statement, self.containers.types.parts(caller.unit, actual), kind)
            for caller, statement, actual in self._passed(scope.unit, found.root.name)
        )

    def _passed(
        self, callee: Unit, dummy: str
    ) -> Iterator[tuple[Scope, Statement, Reference | None]]:
        """Every call with what it passes for a dummy argument."""
        callers = {id(scope.unit): scope for scope, _ in self.calls.calls_of(callee)}
        for scope in callers.values():
            for site in self.calls.of(scope.unit):
                if any(candidate is callee for candidate in site.invocation.candidates):
                    for argument, actual in site.invocation.bindings(callee):
                        if argument.name == dummy:
                            yield scope, site.statement, scope.reference(actual)

    def _stands(self, scope: Scope, call: Statement, parts: list[Part], kind: str) -> bool:
        """The object that is passed lies in none of the type, or in one that has all its own."""
        around = self._around(parts)
        if not around:
            return False
        if around[-1].symbol.name in scope.unit.args and len(around) == len(parts) == 1:
            return False  # its caller knows what it lies in
        for part in around[1:]:
            if part.kind == kind:
                nodes = {
                    birth.found.node
                    for birth in self.allocations.births(scope)
                    if birth.found.designator.rpartition("%")[0] == part.designator
                    and any(statement is call for statement in birth.place.block)
                    and birth.place.statement.at < call.at
                }
                if not nodes >= set(self.containers.deferred_in(kind)):
                    return False
        return True

    def _around(self, parts: list[Part]) -> list[Part]:
        """An object and those it lies in, from the inside; nothing lies in a deferred one."""
        found: list[Part] = []
        for part in reversed(parts):
            found.append(part)
            if part.symbol.attributes & DEFERRED:
                break
        return found
