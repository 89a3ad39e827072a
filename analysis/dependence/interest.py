"""Who asks about the references that a walk meets, and how much of a read is therefore noted."""

from enum import Enum

from acclimate.analysis.dependence.summary import outlives
from acclimate.analysis.ir import Symbol, Unit


class Interest(Enum):
    CALLERS = "callers"  # of the walked procedure: what outlives a call of it
    ITERATIONS = "iterations"  # of the walked loop: what one of them may change


class Need(Enum):
    NOTHING = "nothing"
    MENTION = "mention"  # that the place is read at all; where in it and when is all the same
    PLACE = "place"


def needed(
    interest: Interest, unit: Unit, key: str, symbol: Symbol, *, is_aliased: bool, is_modified: bool
) -> Need:
    """What of a read is of interest; `is_modified`: the walked statements may write the place."""
    if interest is Interest.CALLERS:
        # procedures inside the unit see what is local to it
        return Need.PLACE if unit.units or outlives(key, symbol, unit) else Need.NOTHING
    return Need.PLACE if is_aliased or is_modified else Need.MENTION
