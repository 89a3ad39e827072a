"""Which elements of a variable a reference touches, as far as two references can be compared."""

from collections.abc import Mapping
from dataclasses import dataclass

Bound = tuple[str, int]
"""A name (empty: none) and what is added to it."""
_FIRST: Bound = ("lower bound", 0)
_LAST: Bound = ("upper bound", 0)


@dataclass(frozen=True, slots=True)
class Range:
    """All subscripts of one dimension from `lower` to `upper`."""

    lower: Bound
    upper: Bound


FULL = Range(_FIRST, _LAST)
SOMEWHERE = None  # one subscript or some: which is not known
Region = tuple[Range | None, ...]
"""One entry a dimension; empty: the whole variable."""
Loops = Mapping[str, Range | None]
"""What each index of a DO loop runs through."""


def surely_meet(one: Region, two: Region) -> bool:
    """Whether two references have an element in common for certain, if neither is empty."""
    if not one or not two:
        return True
    return len(one) == len(two) and all(_meet(a, b) for a, b in zip(one, two, strict=True))


def _meet(one: Range | None, two: Range | None) -> bool:
    if FULL in (one, two):
        return True
    if one is None or two is None:
        return False
    return _holds(one, two) or _holds(two, one)


def _holds(outer: Range, inner: Range) -> bool:
    return _at_most(outer.lower, inner.lower) and _at_most(inner.upper, outer.upper)


def _at_most(one: Bound, two: Bound) -> bool:
    return one == _FIRST or two == _LAST or (one[0] == two[0] and one[1] <= two[1])
