"""The cyclic garbage collector during long walks.

A model's trees and summaries are millions of objects that all stay alive. The collector would
look through them again and again while walks make new ones: half of the time of a large model.
Walks make no cycles, so reference counts alone free what they leave behind.
"""

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def without_collecting() -> Iterator[None]:
    """Switch the collector off inside the block."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()
