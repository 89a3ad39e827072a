"""Scalars that exist outside the procedure, of a module or a host, and are set in its loops.

Another procedure may read what a loop has left in one, but only once control has reached it: at
a reference of a procedure, or behind the end of this one.
"""

from acclimate.analysis.dependence.aliasing import Places
from acclimate.analysis.dependence.invocations import Invocations
from acclimate.analysis.dependence.statements import inside
from acclimate.analysis.ir import (
    Allocate,
    Assignment,
    Associate,
    Continue,
    Deallocate,
    Do,
    Forall,
    If,
    Jump,
    Name,
    Statement,
    Symbol,
    Where,
)
from acclimate.analysis.names.resolution import Variable

# Statements that run no procedure but those whose references stand in them.
_PLAIN = (Allocate, Assignment, Associate, Continue, Do, Forall, If, Jump, Where)
_OTHERWISE_REACHED = frozenset({"pointer", "target", "volatile", "asynchronous"})


class OutlivingScalars:
    """Indices and assigned scalars that outlive the unit and are reached by one name only."""

    def __init__(self, places: Places, invocations: Invocations) -> None:
        self._invocations, self._places = invocations, places
        self._symbols = dict(_found(places))
        self.names = frozenset(self._symbols)

    def holds(self, symbol: Symbol) -> bool:
        return self._symbols.get(symbol.name) is symbol

    def read_in(self, statement: Statement) -> frozenset[str]:
        """Those that procedures may read which the statement itself may run."""
        if not self.names:
            return self.names
        plain = isinstance(statement, _PLAIN) or self._frees_numbers(statement)
        runs = not plain or self._invocations.of(statement)
        return self.names if runs else frozenset()

    def _frees_numbers(self, statement: Statement) -> bool:
        """No object that a FINAL procedure could be called for."""
        if not isinstance(statement, Deallocate):
            return False
        found = [self._places.designator(each) for each in statement.objects]
        types = [each.last.type or "type" for each in found if each is not None]
        return len(types) == len(found) and not any(t.startswith(("type", "class")) for t in types)


def _found(places: Places) -> dict[str, Symbol]:
    unit = places.unit
    names = {name for loop in inside(unit.body) if isinstance(loop, Do) for name in _set_by(loop)}
    found = {name: symbol for name in sorted(names) if (symbol := _outside(places, name))}
    if not found:
        return found
    named = [_variable(places, name) for name in unit.mentioned]
    return {name: s for name, s in found.items() if sum(s is other for other in named) <= 1}


def _set_by(loop: Do) -> set[str]:
    """The index, and names that statements in the loop assign to."""
    targets = (s.target for s in inside(loop.body) if isinstance(s, Assignment))
    found = {target.id for target in targets if isinstance(target, Name)}
    return found | ({loop.index} if loop.index is not None else set())


def _outside(places: Places, name: str) -> Symbol | None:
    symbol = _variable(places, name)
    if symbol is None or symbol.owner is None or symbol.owner is places.unit:
        return None
    if symbol.name != name or symbol.common is not None or symbol.owner.equivalences:
        return None
    return None if symbol.is_array or symbol.attributes & _OTHERWISE_REACHED else symbol


def _variable(places: Places, name: str) -> Symbol | None:
    meaning = places.meaning(name)
    return meaning.symbol if isinstance(meaning, Variable) else None
