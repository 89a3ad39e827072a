"""Which calls of a procedure are worth keeping: those that take branches no call before has."""

from collections.abc import Mapping
from dataclasses import dataclass

MOST = 12  # calls of one procedure


@dataclass(frozen=True, slots=True)
class Seen:
    """A call that showed something new: branches no call before had taken, extents or flags."""

    call: int
    branches: int
    shape: bool


def chosen_calls(plan: str, most: int = MOST) -> Mapping[int, tuple[int, ...]]:
    """Calls to keep, by the number of the procedure, from what `runtime/edges.c` has written.

    The first and the last call are always among them; then those with the most new branches, then
    those with new extents of arrays or states of flags.
    """
    seen: dict[int, list[Seen]] = {}
    for line in plan.splitlines():
        words = line.split()
        if len(words) == 4:
            unit, call, branches, shape = map(int, words)
            seen.setdefault(unit, []).append(Seen(call, branches, shape == 1))
    return {unit: _best(calls, most) for unit, calls in sorted(seen.items())}


def _best(calls: list[Seen], most: int) -> tuple[int, ...]:
    first, last = min(c.call for c in calls), max(c.call for c in calls)
    by_worth = sorted(calls, key=lambda c: (-c.branches, not c.shape, c.call))
    kept = dict.fromkeys((first, last, *(c.call for c in by_worth)))
    return tuple(sorted(list(kept)[:most]))
