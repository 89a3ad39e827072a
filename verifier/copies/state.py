"""Which copies are out of date at one point of a program, and since which write."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from enum import StrEnum

from acclimate.analysis.source import Lines
from acclimate.verifier.copies.regions import Region


class Copy(StrEnum):
    """The copy of a variable that a write on the other side leaves behind."""

    HOST = "host"
    DEVICE = "device"


@dataclass(frozen=True, slots=True)
class Place:
    """A variable, or a component of one by its path.

    `apart` is the length of the path up to its last allocatable component: what is mapped or
    updated with less than that much of the path leaves the place alone.
    """

    root: str
    path: tuple[str, ...] = ()
    apart: int = 0

    def is_inside(self, other: "Place") -> bool:
        return self.root == other.root and self.path[: len(other.path)] == other.path


class Standing(StrEnum):
    """What has become of a write since it was made."""

    MISSED = "missed"  # no path has brought its value to the other copy
    BROUGHT = "brought"
    DOUBTFUL = "doubtful"  # some path may have


Guard = tuple[object, ...]
"""The branches that are taken where something is done, outermost first."""


@dataclass(frozen=True, slots=True)
class Write:
    """The last time a statement was executed that leaves one copy of a variable behind."""

    at: Lines
    guard: Guard
    region: Region
    standing: Standing = Standing.MISSED


_Writes = dict[Lines, Write]


@dataclass(slots=True)
class State:
    """Writes by copy and variable, and which variables are mapped (None: not known).

    Copies share the writes of a variable until one of them changes them; `_own` are those that no
    other state has. What hangs below them is never changed in place.
    """

    writes: dict[str, dict[tuple[Copy, Place], _Writes]] = field(default_factory=dict)
    mapped: dict[Place, bool | None] = field(default_factory=dict)
    anything: bool = False  # what is mapped elsewhere is not known either
    _own: set[str] = field(default_factory=set)

    @property
    def size(self) -> int:
        """What a copy of it costs."""
        return len(self.mapped) + sum(map(len, self.writes.values()))

    def copied(self) -> "State":
        self._own.clear()
        return State(dict(self.writes), dict(self.mapped), self.anything)

    def become(self, other: "State") -> "State":
        """The same object with another content: branches and loops hold on to it."""
        self.writes, self.mapped, self.anything = other.writes, other.mapped, other.anything
        self._own = other._own
        return self

    def changing(self, root: str) -> dict[tuple[Copy, Place], _Writes]:
        """The writes of a variable, to be changed in this state alone."""
        if root not in self._own:
            self._own.add(root)
            self.writes[root] = dict(self.writes.get(root, {}))
        return self.writes[root]

    def is_mapped(self, place: Place) -> bool | None:
        """None: not known, or not on every path."""
        held = [
            Place(place.root, place.path[:n], place.apart)
            for n in range(place.apart, len(place.path) + 1)
        ]
        found = [self.mapped.get(each, None if self.anything else False) for each in held]
        return True if True in found else None if None in found else False

    def leave_behind(self, copy: Copy, place: Place, write: Write) -> None:
        """A statement writes the other copy of `place`."""
        found = self.changing(place.root)
        found[copy, place] = {**found.get((copy, place), {}), write.at: write}

    def missed(self, copy: Copy, place: Place) -> Iterator[Write]:
        """Writes that have not reached this copy for certain, if they were executed."""
        for write in self.writes.get(place.root, {}).get((copy, place), {}).values():
            if write.standing is Standing.MISSED:
                yield write

    def bring(self, copy: Copy, place: Place) -> None:
        """The copy is brought up to date; of what overlaps with it, that may be."""
        self._settle(copy, place, Standing.BROUGHT)
        self._doubt_relatives(copy, place)

    def doubt(self, copy: Copy, place: Place) -> None:
        """The copy may be up to date, in part or as a whole."""
        self._settle(copy, place, Standing.DOUBTFUL)
        self._doubt_relatives(copy, place)

    def doubt_all(self) -> None:
        """Anything may have been done."""
        for found in list(self.writes.values()):
            for copy, place in list(found):
                self._settle(copy, place, Standing.DOUBTFUL)
        self.mapped, self.anything = {}, True

    def forget(self, place: Place) -> None:
        """The variable is made anew."""
        for key in [k for k in self.writes.get(place.root, {}) if k[1].is_inside(place)]:
            del self.changing(place.root)[key]
        for other in [p for p in self.mapped if p.is_inside(place)]:
            del self.mapped[other]

    def _settle(self, copy: Copy, place: Place, standing: Standing) -> None:
        known = self.writes.get(place.root, {}).get((copy, place), {})
        settled = {at: _settled(write, standing) for at, write in known.items()}
        if any(write is not known[at] for at, write in settled.items()):
            self.changing(place.root)[copy, place] = settled

    def _doubt_relatives(self, copy: Copy, place: Place) -> None:
        for other_copy, other in list(self.writes.get(place.root, ())):
            if other_copy is copy and other != place and _share(other, place):
                self._settle(copy, other, Standing.DOUBTFUL)


def joined(states: Iterable[State | None]) -> State | None:
    """What holds where paths meet; None: nowhere, no path comes here."""
    alive = [state for state in states if state is not None]
    if not alive:
        return None
    result = alive[0].copied()
    for state in alive[1:]:
        result.anything |= state.anything
        for place in {*result.mapped, *state.mapped}:
            known = result.is_mapped(place), state.is_mapped(place)
            result.mapped[place] = known[0] if known[0] is known[1] else None
        for root, found in state.writes.items():
            known_writes = result.writes.get(root, {})
            if known_writes is found:
                continue
            for key, writes in found.items():
                one = known_writes.get(key, {})
                if one is not writes:
                    result.changing(root)[key] = _joined(one, writes)
    return result


def _joined(one: _Writes, two: _Writes) -> _Writes:
    both = {**one, **two}
    for at in one.keys() & two.keys():
        if one[at] != two[at]:
            both[at] = replace(both[at], standing=Standing.DOUBTFUL)
    return both


def _settled(write: Write, standing: Standing) -> Write:
    if standing is Standing.DOUBTFUL and write.standing is Standing.BROUGHT:
        return write
    return write if write.standing is standing else replace(write, standing=standing)


def _share(one: Place, two: Place) -> bool:
    """Whether one is part of the other's storage."""
    inner, outer = (one, two) if len(one.path) > len(two.path) else (two, one)
    return inner.is_inside(outer) and inner.apart <= len(outer.path)
