"""Which objects an assignment may allocate anew (Fortran 2018, 10.2.1.3).

ALLOCATE, DEALLOCATE and MOVE_ALLOC are obstacles of their own; what is left are assignments to
whole allocatables, to objects with allocatable components, and callees that make such ones.
"""

from collections.abc import Iterator

from acclimate.analysis.dependence.arguments import bound_arguments
from acclimate.analysis.dependence.modification import Modification
from acclimate.analysis.dependence.statements import bodies
from acclimate.analysis.dependence.substitution import replaced
from acclimate.analysis.dependence.summary import is_shared
from acclimate.analysis.ir import Apply, Assignment, Expr, Statement
from acclimate.analysis.names.resolution import Procedures


class Reallocation:
    """Keys of objects whose allocation, bounds or length statements of one unit may change."""

    def __init__(self, modification: Modification) -> None:
        self._modification = modification
        self._known: dict[int, frozenset[str]] = {}

    def of_all(self, statements: list[Statement]) -> frozenset[str]:
        return frozenset().union(*map(self._of, statements))

    def _of(self, construct: Statement) -> frozenset[str]:
        found = self._known.get(id(construct))
        if found is None:
            found = frozenset(self._find_own(construct))
            for body in bodies(construct):
                found |= self.of_all(body)
            self._known[id(construct)] = found
        return found

    def _find_own(self, statement: Statement) -> Iterator[str]:
        modification = self._modification
        aliases = modification.associations.at(statement)
        if isinstance(statement, Assignment):
            yield from _by_assignment(statement, replaced(statement.target, aliases), modification)
        for callee, args in modification.invocations.of(statement):
            yield from _by_call(callee, args, modification)


def _by_assignment(
    statement: Assignment, target: Expr, modification: Modification
) -> Iterator[str]:
    places = modification.places
    designator = places.designator(target)
    if designator is None:
        return
    rank = places.project.rank
    if _is_derived(places.project.type_of(places.unit, target)):
        yield designator.key
    elif "allocatable" in designator.last.attributes and not isinstance(target, Apply):
        keeps_shape = rank(places.unit, target) and rank(places.unit, statement.value) == 0
        if not keeps_shape or designator.is_character:
            yield designator.key


def _by_call(callee: Expr, args: tuple[Expr, ...], modification: Modification) -> Iterator[str]:
    places = modification.places
    if places.designator(Apply(callee, args) if args else callee) is not None:
        return
    resolution = places.project.procedures(places.unit, callee, args)
    if not isinstance(resolution, Procedures):
        return  # nothing is known of it, which is an obstacle already
    for unit in resolution.candidates:
        actuals = dict(bound_arguments(unit, callee, args))
        for key in modification.summary_of(unit).allocated:
            area, percent, path = key.partition("%")
            name = area.rpartition("::")[2]
            if is_shared(key, unit) or name not in unit.args:
                yield key
            elif name in actuals:
                designator = places.designator(actuals[name])
                if designator is not None:
                    yield designator.key + percent + path


def _is_derived(kind: str | None) -> bool:
    return (kind or "").startswith(("type", "class"))
