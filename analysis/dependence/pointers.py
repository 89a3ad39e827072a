"""Pointers and targets: two of them may be one object."""

from acclimate.analysis.dependence.aliasing import shown
from acclimate.analysis.dependence.records import Access, Record
from acclimate.analysis.facts import Obstacle, Verdict, Witness


def alias_obstacles(record: Record) -> list[Obstacle]:
    """One obstacle for each pointer or target written while another one may be the same object."""
    places: dict[str, list[Access]] = {}
    for access in record.accesses:
        if access.is_target or access.through_pointer:
            places.setdefault(access.key, []).append(access)
    found = []
    for key, accesses in sorted(places.items()):
        write = next((access for access in accesses if access.write), None)
        if write is None:
            continue
        other = next((o for k, o in sorted(places.items()) if _may_be(write, k, o)), None)
        if other is not None:
            found.append(_obstacle(record, write, other[0], key))
    return found


def _may_be(write: Access, key: str, others: list[Access]) -> bool:
    if key == write.key:
        return False
    pointer = write.through_pointer or any(other.through_pointer for other in others)
    types = {other.symbol.type for other in others}
    comparable = "%" not in key and "%" not in write.key
    return pointer and not (comparable and write.symbol.type not in types)


def _obstacle(record: Record, write: Access, other: Access, key: str) -> Obstacle:
    name = record.names.get(key, shown(key))
    second = record.names.get(other.key, shown(other.key))
    return Obstacle(
        Verdict.UNKNOWN,
        "pointer-alias",
        f"`{name}` (line {write.at.first}) and `{second}` (line {other.at.first}) are pointers or "
        "targets and may be the same object",
        write.at,
        (Witness(name, "output" if other.write else "flow", write.at, other.at),),
        f"make one of `{name}` and `{second}` allocatable, or promise that they never overlap",
    )
