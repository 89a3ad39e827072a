"""Which statements of a unit may set a variable: those of a loop, or others too."""

from collections import Counter
from collections.abc import Iterable

from acclimate.analysis.dependence.aliasing import shown
from acclimate.analysis.dependence.modification import Modification
from acclimate.analysis.dependence.statements import inside
from acclimate.analysis.ir import Do, Statement, Unit


class Setters:
    def __init__(self, unit: Unit, modification: Modification) -> None:
        self._modification = modification
        self._names: dict[int, frozenset[str]] = {}  # set by a statement, by its id
        self._everywhere = self._counted(inside(unit.body))
        self._inside: dict[int, Counter[str]] = {}  # by the id of a loop

    def are_outside(self, loop: Do, name: str) -> bool:
        """May statements outside the loop set the variable?"""
        inner = self._inside.get(id(loop))
        if inner is None:
            inner = self._inside[id(loop)] = self._counted(inside([loop]))
        return self._everywhere[name] > inner[name]

    def _counted(self, statements: Iterable[Statement]) -> Counter[str]:
        """Names, and by how many of the statements each may be set."""
        return Counter(name for statement in statements for name in self._set_by(statement))

    def _set_by(self, statement: Statement) -> frozenset[str]:
        found = self._names.get(id(statement))
        if found is None:
            keys = self._modification.by(statement)
            found = frozenset(shown(key).partition("%")[0] for key in keys)
            self._names[id(statement)] = found
        return found
