"""How much work a unit may cause, in steps and never in time: every machine gives up at one place.

A step is a question to the prover, a pair of references, or an entry of what is known at a point
of the walk; a million take a few seconds.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

MOST_STEPS = 4_000_000
_SHARE = 4


class TooLarge(Exception):
    """What is looked at needs more steps than it may take."""


@dataclass(slots=True)
class Effort:
    """The steps that are left."""

    left: int = MOST_STEPS

    def spend(self, steps: int) -> None:
        """
        Raises:
            TooLarge: that many are not left.
        """
        self.left -= steps
        if self.left < 0:
            raise TooLarge

    @contextmanager
    def share(self) -> Iterator[None]:
        """Let the body have a part of what is left: a loop leaves something for those behind it."""
        kept = self.left - self.left // _SHARE
        self.left //= _SHARE
        try:
            yield
        finally:
            self.left = kept + max(self.left, 0)
