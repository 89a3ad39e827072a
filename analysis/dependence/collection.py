"""The cyclic garbage collector during long walks.

A model's trees and summaries are millions of objects that all stay alive. The collector would
look through them again and again while walks make new ones: half of the time of a large model.
"""

import gc
from collections.abc import Iterator
from contextlib import contextmanager

_UNITS_BETWEEN = 40  # the walks of so many units hold less than the trees of a large model


class Collector:
    """Collects when it is told that some work is done, not whenever objects are made."""

    def __init__(self) -> None:
        self._units = 0

    def unit_done(self) -> None:
        self._units += 1
        if self._units % _UNITS_BETWEEN == 0:
            gc.collect()

    def keep(self) -> None:
        """Whatever is alive now stays alive: do not look at it again."""
        gc.collect()
        gc.freeze()


@contextmanager
def seldom_collecting() -> Iterator[Collector]:
    """Leave garbage alone inside the block, and what was alive before it altogether."""
    was_on, frozen = gc.isenabled(), gc.get_freeze_count()
    gc.disable()
    gc.freeze()
    try:
        yield Collector()
    finally:
        if not frozen:
            gc.unfreeze()
        if was_on:
            gc.enable()
