"""All calls and function references of a project, found once."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from acclimate.analysis.dependence.statements import inside
from acclimate.analysis.ir import Statement, Unit, UnitKind
from acclimate.analysis.names.resolution import Procedures
from acclimate.porter.names.invocations import Invocation, invocations
from acclimate.porter.names.scope import Scope, Scopes


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
        self._scopes = scopes
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

    @cached_property
    def reached(self) -> frozenset[int]:
        """id() of every unit that a program may get to; all of them where there is no program.

        Names count as much as calls. Procedures beside bindings, FINAL and operators are reached.
        """
        units = self._scopes.executable()
        programs = [unit for unit in units if unit.kind is UnitKind.PROGRAM]
        waiting = [*programs, *filter(_is_unseen, units)] if programs else units
        seen = {id(unit) for unit in waiting}
        while waiting:
            unit = waiting.pop()
            for other in [*self.callees(unit), *self._mentioned(unit)]:
                if id(other) not in seen:
                    seen.add(id(other))
                    waiting.append(other)
        return frozenset(seen)

    def _mentioned(self, unit: Unit) -> Iterator[Unit]:
        """Procedures by name; of a generic, which is no actual argument, its calls count."""
        for name in sorted(unit.mentioned):
            found = self._scopes.project.resolve(unit, name)
            if isinstance(found, Procedures):
                is_called_only = len(found.candidates) > 1 and name in unit.applied
                yield from () if is_called_only else found.candidates

    def callees(self, unit: Unit) -> list[Unit]:
        """Procedures of the project a unit refers to, each once, in the order of the text."""
        found: dict[int, Unit] = {}
        for site in self.of(unit):
            for callee in site.invocation.candidates:
                found.setdefault(id(callee), callee)
        return list(found.values())


def _is_unseen(unit: Unit) -> bool:
    """References to the procedure may not show its name."""
    home = unit.parent
    return home is not None and (
        home.kind is UnitKind.SUBMODULE
        or any(t.bindings or t.generic_bindings or t.has_final for t in home.types.values())
        or any("(" in name for name in home.generics)
    )
