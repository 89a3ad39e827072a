"""Dummy arguments that may share storage because a call passes the same variable twice.

Fortran forbids to change either then (Fortran 2018, 15.5.2.13); legacy code does it all the same.
"""

from acclimate.analysis.ir import Unit
from acclimate.porter.names.call_sites import CallSites
from acclimate.porter.names.invocations import Invocation
from acclimate.porter.names.scope import Scope

_State = tuple[int, str, str]


class SharedArguments:
    """Follows variables up the calls of their procedures, as far as is asked."""

    def __init__(self, calls: CallSites) -> None:
        self._calls = calls
        self._apart: set[_State] = set()
        self._actuals: dict[tuple[int, int], dict[str, str]] = {}

    def may_share(self, unit: Unit, one: str, other: str) -> bool:
        """Whether two storage keys of a procedure are one and the same storage in some call."""
        first, second = sorted((one, other))
        waiting = [(unit, first, second)]
        seen: set[_State] = set()
        while waiting:
            callee, first, second = waiting.pop()
            if first == second:
                return True
            state = (id(callee), first, second)
            if state in seen or state in self._apart:
                continue
            seen.add(state)
            for scope, invocation in self._calls.calls_of(callee):
                actual = self._actual(scope, invocation, callee)
                if first in actual or second in actual:
                    low, high = sorted((actual.get(first, first), actual.get(second, second)))
                    waiting.append((scope.unit, low, high))
        self._apart |= seen
        return False

    def _actual(self, scope: Scope, invocation: Invocation, callee: Unit) -> dict[str, str]:
        """Storage keys of array dummies and of the variables passed to them."""
        place = id(invocation), id(callee)
        known = self._actuals.get(place)
        if known is None:
            pairs = (
                (scope.project.storage_key(callee, dummy), scope.reference(actual))
                for dummy, actual in invocation.bindings(callee)
                if dummy.is_array
            )
            known = {key: found.root_key for key, found in pairs if found is not None}
            self._actuals[place] = known
        return known
