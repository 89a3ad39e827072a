"""Parts of an array, and what is said of them.

A definition says that every element of a region is written if its conditions hold. An empty one
covers only empty reads.
"""

from enum import StrEnum
from typing import NamedTuple

from acclimate.analysis.dependence.affine import Affine
from acclimate.analysis.dependence.conditions import Literal


class Extent(StrEnum):
    """A subscript that is no single value."""

    ALL = "all"  # every element of the dimension
    UNKNOWN = "unknown"  # some elements


Subscript = Affine | Extent


class Interval(NamedTuple):
    low: Affine
    high: Affine


Side = Interval | None  # None: the whole dimension
Region = tuple[Side, ...]


def with_side(region: Region, position: int, side: Side) -> Region:
    """The region with another side in one dimension."""
    return (*region[:position], side, *region[position + 1 :])


class Each(NamedTuple):
    """An inner index in whose values a definition is stated: it holds for each of them.

    Dimension `side` of the region is the element for one value, `swept` the elements for all.
    """

    atom: int
    side: int
    swept: Interval


class Definition(NamedTuple):
    region: Region
    conditions: tuple[Literal, ...] = ()
    each: tuple[Each, ...] = ()  # the innermost first
