"""Which pointers a project associates with one target, and which it only ever allocates.

Where pointer assignments show an overlap, no loop is called parallel under a condition that the
project itself breaks. Apart are places of which one has storage of its own (`escapes`).
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from acclimate.analysis.dependence.aliasing import Places, Storage
from acclimate.analysis.dependence.escapes import EVERYTHING, MOVED, own_name
from acclimate.analysis.dependence.records import Access
from acclimate.analysis.dependence.statements import inside
from acclimate.analysis.ir import PointerAssignment, Unit
from acclimate.analysis.project import Project
from acclimate.analysis.source import Lines


@dataclass(frozen=True, slots=True)
class Association:
    pointer: str  # key
    target: str  # key of a target, or of another pointer
    at: Lines
    sure: bool  # in every execution of its unit, and with all of a target
    part: str = ""  # the subscripts that select it, where it is not all of the target


@dataclass(frozen=True, slots=True)
class SharedTarget:
    """Two keys that lead to one object. `proved`: there is no other way for either of them."""

    target: str  # key
    at: tuple[Lines, ...]
    proved: bool


def associations(project: Project, storage: Storage, unit: Unit) -> Iterator[Association]:
    """What the pointer assignments of one unit say."""
    found = [s for s in inside(unit.body) if isinstance(s, PointerAssignment)]
    if not found:
        return
    places = Places(project, unit, storage)
    top = {id(statement) for statement in unit.body}
    for statement in found:
        pointer = places.designator(statement.target)
        target = places.designator(statement.value)
        if pointer is not None and target is not None:
            sure = id(statement) in top and target.is_whole and not target.through_pointer
            part = "" if target.is_whole else repr(target.subscripts)
            yield Association(pointer.key, target.key, statement.at, sure, part)


def _are_different_parts(one: tuple[Association, ...], other: tuple[Association, ...]) -> bool:
    """Do the ways end in parts of the target that are written in different words?

    Parts may overlap or not: nothing is in plain sight.
    """
    return bool(one and other and one[-1].part and other[-1].part) and (
        one[-1].part != other[-1].part
    )


class Pointing:
    """The pointer assignments of a whole project, without regard to their order.

    `was_asked` tells whether somebody wanted an answer; it may be cleared.

    Args:
        escaping: the escapes of all units.
    """

    def __init__(
        self, found: Iterable[Association], escaping: frozenset[str] = frozenset({EVERYTHING})
    ) -> None:
        self.was_asked = False
        self._escaping = escaping
        self._from: dict[str, list[Association]] = defaultdict(list)
        for association in found:
            self._from[association.pointer].append(association)

    def shared(self, one: str, other: str) -> SharedTarget | None:
        """The object both keys may lead to, None where no assignments say so."""
        self.was_asked = True
        if not (self._from.get(one) or self._from.get(other)):
            return None
        first, second = self._reached(one), self._reached(other)
        for target, way in first.items():
            if target not in second:
                continue
            links = (*way, *second[target])
            if not links or _are_different_parts(way, second[target]):
                continue
            proved = all(link.sure and len(self._from[link.pointer]) == 1 for link in links)
            return SharedTarget(target, tuple(dict.fromkeys(link.at for link in links)), proved)
        return None

    def has_own_storage(self, access: Access) -> bool:
        """Does no pointer but the one it is named by lead to the place?

        Such a pointer, or allocatable or plain component, is associated with all of what was
        allocated for it, so two of one name in different objects share all or nothing.
        """
        self.was_asked = True
        if EVERYTHING in self._escaping or (access.kind or "type").startswith(("type", "class")):
            return False
        owner = access.symbol.owner
        if access.symbol.common is not None or owner is None or owner.equivalences:
            return False
        if "%" not in access.key:
            is_dummy = access.symbol.name in owner.args or owner.entries
            if is_dummy or "result" in access.symbol.attributes or access.symbol.name == owner.name:
                return False
        return own_name(access.key) not in self._escaping

    def are_of_one_owner(self, access: Access) -> bool:
        """The same, and so is every pointer on the way to the place."""
        _, *names = access.key.split("%")
        moved = {f"{MOVED}%{name}" for name in names}
        return self.has_own_storage(access) and moved.isdisjoint(self._escaping)

    def are_apart(self, one: Access, other: Access) -> bool:
        """Can places of two names share no storage?"""
        owned = self.has_own_storage(one) or self.has_own_storage(other)
        return owned and own_name(one.key) != own_name(other.key)

    def _reached(self, key: str) -> dict[str, tuple[Association, ...]]:
        """Keys that lead to what `key` leads to, with the assignments on the way."""
        found: dict[str, tuple[Association, ...]] = {key: ()}
        waiting = [key]
        while waiting:
            here = waiting.pop(0)
            for link in self._from.get(here, ()):
                if link.target not in found:
                    found[link.target] = (*found[here], link)
                    waiting.append(link.target)
        return found
