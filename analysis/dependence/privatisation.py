"""Work arrays: may every iteration have its own copy?"""

from collections.abc import Sequence
from enum import StrEnum

from acclimate.analysis.dependence.arrays import DependenceTest
from acclimate.analysis.dependence.liveness import is_private_to
from acclimate.analysis.dependence.records import Access
from acclimate.analysis.ir import Unit


class Copy(StrEnum):
    PRIVATE = "private"
    FIRSTPRIVATE = "firstprivate"


def private_copy(
    accesses: Sequence[Access], unit: Unit, test: DependenceTest
) -> Copy | None:
    """The kind of copy that removes every dependence on the array, liveness aside.

    PRIVATE: whatever an iteration reads it has written before. FIRSTPRIVATE: what it reads
    unwritten is written by no iteration at all, so the value from before the loop is the right one.
    """
    symbol = accesses[0].symbol
    if "%" in accesses[0].key or not is_private_to(symbol, unit):
        return None
    if any(a.whole_procedure or a.through_pointer or a.is_target for a in accesses):
        return None
    exposed = [region for access in accesses if access.exposed for region in access.left]
    if not exposed:
        return Copy.PRIVATE
    writes = [access for access in accesses if access.write]
    if all(test.apart(region, write) for region in exposed for write in writes):
        return Copy.FIRSTPRIVATE
    return None
