"""All calls and function references of a project, found once."""

from dataclasses import dataclass

from acclimate.analysis.dependence.statements import inside
from acclimate.analysis.ir import Statement, Unit
from acclimate.porter.invocations import Invocation, invocations
from acclimate.porter.scope import Scope, Scopes


@dataclass(frozen=True, slots=True)
class CallSite:
    statement: Statement
    invocation: Invocation


class CallSites:
    """Invocations by caller, by statement and by callee."""

    def __init__(self, scopes: Scopes) -> None:
        self._by_caller: dict[int, list[CallSite]] = {}
        self._by_statement: dict[int, tuple[Invocation, ...]] = {}
        self._by_callee: dict[int, list[tuple[Scope, Invocation]]] = {}
        for unit in scopes.executable():
            scope = scopes.of(unit)
            sites = self._by_caller.setdefault(id(unit), [])
            for statement in inside(unit.body):
                found = invocations(scope, statement)
                self._by_statement[id(statement)] = found
                sites += [CallSite(statement, invocation) for invocation in found]
                for invocation in found:
                    for callee in invocation.candidates:
                        self._by_callee.setdefault(id(callee), []).append((scope, invocation))

    def of(self, unit: Unit) -> list[CallSite]:
        """Everything a unit refers to, in the order of the text."""
        return self._by_caller.get(id(unit), [])

    def at(self, statement: Statement) -> tuple[Invocation, ...]:
        """What one statement itself refers to."""
        return self._by_statement.get(id(statement), ())

    def calls_of(self, callee: Unit) -> list[tuple[Scope, Invocation]]:
        """Where a procedure is referred to."""
        return self._by_callee.get(id(callee), [])

    def callees(self, unit: Unit) -> list[Unit]:
        """Procedures of the project a unit refers to, each once, in the order of the text."""
        found: dict[int, Unit] = {}
        for site in self.of(unit):
            for callee in site.invocation.candidates:
                found.setdefault(id(callee), callee)
        return list(found.values())
