"""What a call of a procedure reads, writes and does, everything it calls included."""

from dataclasses import dataclass
from enum import StrEnum

from acclimate.analysis.dependence.aliasing import shown
from acclimate.analysis.dependence.intents import contradictions
from acclimate.analysis.dependence.procedures import Summaries
from acclimate.analysis.dependence.records import Access, Flag, Trait
from acclimate.analysis.dependence.summary import Summary, is_shared
from acclimate.analysis.ir import Unit
from acclimate.analysis.source import Lines


class Reach(StrEnum):
    """Where a place lives, seen from the procedure."""

    DUMMY = "dummy"
    SHARED = "shared"  # module, host or COMMON variable
    SAVED = "saved"  # local, kept between calls


@dataclass(frozen=True, slots=True, order=True)
class Place:
    """A variable or component that outlives the call; `key` is its storage key with the path."""

    key: str
    name: str
    reach: Reach
    is_array: bool


@dataclass(frozen=True, slots=True)
class Act:
    """Something besides data: I/O, STOP, MPI, random numbers, recursion, unknown calls, ..."""

    trait: Trait
    at: Lines
    detail: str


@dataclass(frozen=True, slots=True)
class Effects:
    """Transitive effects of one procedure.

    `reads` holds what may be read before the call has surely written it, `must_writes` what is
    written in whole or in part on every path to a return. Nothing rests on INTENT: where it
    contradicts the body, `contradictions` says so.
    """

    unit: str
    reads: frozenset[Place]
    writes: frozenset[Place]
    must_writes: frozenset[Place]
    acts: tuple[Act, ...]
    calls: tuple[str, ...]
    contradictions: tuple[str, ...]

    def does(self, trait: Trait) -> bool:
        return any(act.trait is trait for act in self.acts)


class EffectsTable:
    """Effects of the procedures of a project, computed on demand and kept."""

    def __init__(self, summaries: Summaries) -> None:
        self._summaries = summaries
        self._known: dict[int, Effects] = {}

    def of(self, unit: Unit) -> Effects:
        found = self._known.get(id(unit))
        if found is None:
            found = self._known[id(unit)] = _effects(self._summaries.of(unit))
        return found


def _effects(summary: Summary) -> Effects:
    unit = summary.unit
    surely = {key for key, _ in summary.definitions}
    writes = {a.key: _place(a, unit) for a in summary.accesses if a.write}
    return Effects(
        unit.qualified_name,
        frozenset(_place(a, unit) for a in summary.accesses if not a.write),
        frozenset(writes.values()),
        frozenset(place for key, place in writes.items() if key in surely),
        tuple(_act(flag) for flag in summary.flags),
        summary.calls,
        tuple(found.detail for found in contradictions(summary)),
    )


def _place(access: Access, unit: Unit) -> Place:
    reach = Reach.DUMMY
    if is_shared(access.key, unit):
        reach = Reach.SHARED
    elif access.symbol.name not in unit.args:
        reach = Reach.SAVED
    return Place(access.key, shown(access.key), reach, bool(access.subscripts))


def _act(flag: Flag) -> Act:
    return Act(flag.trait, flag.at, flag.detail)
