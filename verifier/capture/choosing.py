"""Which calls of a procedure are worth keeping: those that take branches no call before has."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

MOST = 12  # calls of one procedure


@dataclass(frozen=True, slots=True)
class Seen:
    """A call that showed something new: branches no call before had taken, extents or flags."""

    call: int
    branches: int
    shape: bool


def chosen_calls(plans: Sequence[str], most: int = MOST) -> Mapping[int, tuple[int, ...]]:
    """Calls to keep, by the number of the procedure, from what `runtime/edges.c` has written.

    `plans` are the files of all MPI ranks; a call that one rank is to keep, all keep. The first
    and the last call are always among them; then those with the most new branches, then those with
    new extents of arrays or states of flags.
    """
    kept: dict[int, set[int]] = {}
    for plan in plans:
        seen: dict[int, list[Seen]] = {}
        for line in plan.splitlines():
            unit, call, branches, shape = map(int, line.split())
            seen.setdefault(unit, []).append(Seen(call, branches, shape == 1))
        for unit, calls in seen.items():
            kept.setdefault(unit, set()).update(_best(calls, most))
    return {unit: tuple(sorted(calls)) for unit, calls in sorted(kept.items())}


def _best(calls: list[Seen], most: int) -> tuple[int, ...]:
    first, last = min(c.call for c in calls), max(c.call for c in calls)
    by_worth = sorted(calls, key=lambda c: (-c.branches, not c.shape, c.call))
    kept = dict.fromkeys((first, last, *(c.call for c in by_worth)))
    return tuple(sorted(list(kept)[:most]))
