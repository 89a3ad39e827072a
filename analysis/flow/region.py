"""A flow graph taken apart into nested loops."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Region:
    """Nodes in an order in which only the edges to the headers of loops around them lead back.

    `header` is the first node of a loop, None for the whole graph.
    """

    header: int | None
    items: "tuple[int | Region, ...]"


def first(item: int | Region) -> int:
    while isinstance(item, Region):
        item = item.items[0]
    return item
