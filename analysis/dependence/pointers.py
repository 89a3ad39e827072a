"""Pointers and targets: two of them may be one object, unless a condition says otherwise."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from acclimate.analysis.dependence.aliasing import shown
from acclimate.analysis.dependence.escapes import own_name
from acclimate.analysis.dependence.pointing import Pointing, SharedTarget
from acclimate.analysis.dependence.promises import Promises
from acclimate.analysis.dependence.records import Access, Overlap, Record
from acclimate.analysis.facts import Condition, ConditionKind, Obstacle, Verdict, Witness
from acclimate.analysis.source import Lines

Meet = Callable[[Access, Access], bool]
"""May two references to one array, of which one writes, touch an element out of order?"""


@dataclass(slots=True)
class Aliasing:
    """What the pointers of a loop leave open, and what stands against it."""

    conditions: list[Condition] = field(default_factory=list)
    obstacles: list[Obstacle] = field(default_factory=list)
    broken: list[tuple[Lines, Obstacle]] = field(default_factory=list)  # promises, by hint


def aliasing(
    record: Record,
    pointing: Pointing,
    promises: Promises,
    overlaps: tuple[Overlap, ...],
    meet: Meet,
) -> Aliasing:
    """One condition for each pair of pointers or targets of which one is written.

    None where they have storage of their own, and either share none of it or, as components of
    one object, no element in different iterations. Where the project itself associates both with
    one object, or passes one object as both, it is an obstacle. A promise removes it unless no
    other association exists.
    """
    result = Aliasing()
    for write, other in _pairs(record):
        names = (_name(record, write), _name(record, other))
        refs = (write.at, other.at)
        promise = promises.no_alias(*names) or promises.independent()
        shared = pointing.shared(write.key, other.key)
        passed = _passed(write, other, overlaps)
        if shared is None and passed is None and _are_apart(record, (write, other), pointing, meet):
            continue
        if shared is None and passed is None or promise and not (shared and shared.proved):
            condition = Condition(ConditionKind.NO_ALIAS, names, refs, promise)
            if condition not in result.conditions:
                result.conditions.append(condition)
            continue
        found = _obstacle(names, write, other, _evidence(shared, passed, names))
        result.obstacles.append(found)
        if promise:
            result.broken.append((promise, found))
    return result


def _are_apart(record: Record, pair: tuple[Access, Access], pointing: Pointing, meet: Meet) -> bool:
    """Do two names never lead to one element in different iterations?"""
    one, other = pair
    if pointing.are_apart(one, other):
        return True
    if own_name(one.key) != own_name(other.key) or not pointing.has_own_storage(one):
        return False
    if "%" not in one.key or not pointing.has_own_storage(other):
        return False
    first = [_of_component(a) for a in record.accesses if a.key == one.key]
    second = [_of_component(a) for a in record.accesses if a.key == other.key]
    return not any(meet(a, b) for a in first for b in second if a.write or b.write)


def _of_component(access: Access) -> Access:
    """The reference with the subscripts of its last component alone."""
    count = len(access.subscripts) - access.pointer_rank
    if access.part is not None:
        count = len(access.part.dims)
    kept = access.subscripts[len(access.subscripts) - count :]
    declared = access.declared[len(access.declared) - count :]
    return access._replace(subscripts=kept, declared=declared)


def _pairs(record: Record) -> Iterator[tuple[Access, Access]]:
    """A write and another reference that may mean the same object; each two places once."""
    places: dict[str, list[Access]] = {}
    for access in record.accesses:
        if access.is_target or access.through_pointer:
            places.setdefault(access.key, []).append(access)
    written = {key: next((a for a in found if a.write), None) for key, found in places.items()}
    seen: set[frozenset[str]] = set()
    for key, write in sorted(written.items()):
        if write is None:
            continue
        for other_key, others in sorted(places.items()):
            pair = frozenset((key, other_key))
            if other_key != key and pair not in seen and _may_be(write, others[0]):
                seen.add(pair)
                yield write, others[0]


def _may_be(one: Access, other: Access) -> bool:
    """May the two places share storage?"""
    if not (_moves(one) or _moves(other)):
        return False  # two objects with names of their own
    if _differ(one.kind, other.kind):
        return False
    if one.part is not None and other.part is not None:
        return one.part.name == other.part.name  # a component lies in objects of its type only
    for part, whole in ((one, other), (other, one)):
        if part.part is not None and not _moves(whole) and "%" not in whole.key:
            return False
    comparable = "%" not in one.key and "%" not in other.key
    return not (comparable and one.symbol.type != other.symbol.type)


def _differ(one: str | None, other: str | None) -> bool:
    """Are both types intrinsic, and not the same? Structures may hold either."""
    if one is None or other is None or one == other:
        return False
    return not one.startswith(("type", "class")) and not other.startswith(("type", "class"))


def _moves(access: Access) -> bool:
    """Does the name stand for whatever it has been associated with?"""
    owner = access.symbol.owner
    return access.through_pointer or (owner is not None and access.symbol.name in owner.args)


def _passed(one: Access, other: Access, overlaps: tuple[Overlap, ...]) -> Overlap | None:
    names = {one.symbol.name, other.symbol.name}
    return next((overlap for overlap in overlaps if set(overlap.names) == names), None)


def _evidence(shared: SharedTarget | None, passed: Overlap | None, names: tuple[str, str]) -> str:
    if shared is not None:
        places = " and ".join(str(at) for at in shared.at)
        target = shown(shared.target)
        if target in names:
            pointer = names[0] if target == names[1] else names[1]
            return f"`{pointer}` is associated with `{target}` at {places}"
        return f"both are associated with `{target}` at {places}"
    if passed is not None:
        return f"the call at {passed.at} passes one object as both"
    raise ValueError("nothing shows an overlap")


def _name(record: Record, access: Access) -> str:
    return record.names.get(access.key, shown(access.key))


def _obstacle(names: tuple[str, str], write: Access, other: Access, because: str) -> Obstacle:
    name, second = names
    return Obstacle(
        Verdict.UNKNOWN,
        "pointer-alias",
        f"`{name}` (line {write.at.first}) and `{second}` (line {other.at.first}) may be the same "
        f"object: {because}",
        write.at,
        (Witness(name, "output" if other.write else "flow", write.at, other.at),),
        f"associate `{name}` and `{second}` with different objects, or promise with a hint that "
        f"they do not overlap here: !$acclimate noalias({name}, {second})",
    )
