"""Places that recursive procedures name, few enough for a fix-point to end."""

from acclimate.analysis.dependence.records import Access
from acclimate.analysis.dependence.regions import Extent


def bounded(access: Access) -> Access:
    """The access, or one to somewhere in the whole object if its path repeats a component.

    `call s(list%next)` in `s(list)` would name `list%next%next%next` and so on without an end.
    """
    key = bounded_key(access.key)
    if key == access.key:
        return access
    rank = len(access.symbol.dims)
    return access._replace(
        key=key,
        subscripts=(Extent.UNKNOWN,) * rank,
        declared=(None,) * rank,
        conditions=(),
        pointer_rank=min(access.pointer_rank, rank),
    )


def bounded_key(key: str) -> str:
    whole, *path = key.split("%")
    return key if len(set(path)) == len(path) else whole
