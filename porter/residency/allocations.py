"""Where storage begins and ends: ALLOCATE, DEALLOCATE, and calls that do it for the caller."""

from collections.abc import Iterator
from dataclasses import dataclass

from acclimate.analysis.dependence.statements import bodies
from acclimate.analysis.ir import Allocate, Deallocate, If, Statement, Unit
from acclimate.porter.names.invocations import invocations
from acclimate.porter.names.scope import Reference, Scope, Scopes


@dataclass(frozen=True, slots=True)
class Standing:
    """A statement with the list it stands in, and whether that is a one-line IF."""

    statement: Statement
    block: list[Statement]
    one_line_if: If | None


def standing(body: list[Statement], one_line_if: If | None = None) -> Iterator[Standing]:
    """Every statement of a body with its surroundings, in the order of the text."""
    for statement in body:
        yield Standing(statement, body, one_line_if)
        short = statement if isinstance(statement, If) and not statement.is_construct else None
        for block in bodies(statement):
            yield from standing(block, short)


@dataclass(frozen=True, slots=True)
class Birth:
    """An object that gets its storage at a statement.

    `filled`: it may hold values already (SOURCE=, or allocated and filled by a called procedure).
    """

    place: Standing
    found: Reference
    filled: bool


@dataclass(frozen=True, slots=True)
class Death:
    place: Standing
    found: Reference


class Allocations:
    """Allocation as callers see it: a call that allocates its argument counts as ALLOCATE."""

    def __init__(self, scopes: Scopes) -> None:
        self._scopes = scopes
        self._allocating: dict[str, set[str]] = {}
        self._fill()
        self._known: dict[int, tuple[list[Birth], list[Death]]] = {}

    def allocates(self, unit: Unit, dummy: str) -> bool:
        """Whether a procedure allocates the dummy argument, itself or through a call."""
        return dummy in self._allocating.get(self._name(unit), set())

    def births(self, scope: Scope) -> list[Birth]:
        """Objects that get storage in a unit, its own allocated dummies left to the caller."""
        return self._of(scope)[0]

    def deaths(self, scope: Scope) -> list[Death]:
        """Objects that lose their storage in a DEALLOCATE statement of a unit."""
        return self._of(scope)[1]

    def _of(self, scope: Scope) -> tuple[list[Birth], list[Death]]:
        known = self._known.get(id(scope.unit))
        if known is None:
            own = self._allocating.get(self._name(scope.unit), set())
            births = [
                b for b in self._births(scope) if b.found.path or b.found.root.name not in own
            ]
            known = self._known[id(scope.unit)] = (births, self._deaths(scope))
        return known

    def _deaths(self, scope: Scope) -> list[Death]:
        found: list[Death] = []
        for place in standing(scope.unit.body):
            statement = place.statement
            if isinstance(statement, Deallocate) and not statement.nullify:
                for item in statement.objects:
                    reference = scope.reference(item)
                    if reference is not None:
                        found.append(Death(place, reference))
        return found

    def _name(self, unit: Unit) -> str:
        return self._scopes.project.name_of(unit)

    def _fill(self) -> None:
        units = self._scopes.executable()
        changed = True
        while changed:
            changed = False
            for unit in units:
                known = self._allocating.setdefault(self._name(unit), set())
                found = {
                    birth.found.root.name
                    for birth in self._births(self._scopes.of(unit))
                    if not birth.found.path and birth.found.root.name in unit.args
                }
                changed = changed or not found <= known
                known |= found

    def _births(self, scope: Scope) -> Iterator[Birth]:
        for place in standing(scope.unit.body):
            statement = place.statement
            if isinstance(statement, Allocate):
                filled = any(option.name.lower() == "source" for option in statement.options)
                for item in statement.objects:
                    found = scope.reference(item)
                    if found is not None:
                        yield Birth(place, found, filled)
            for invocation in invocations(scope, statement):
                for callee in invocation.candidates:
                    for dummy, actual in invocation.bindings(callee):
                        found = scope.reference(actual)
                        if found is not None and self.allocates(callee, dummy.name):
                            yield Birth(place, found, True)
