"""What kept statements from being read, counted."""

import re
from collections.abc import Iterable
from typing import NamedTuple

from acclimate.analysis.facts import ReadingProblem
from acclimate.analysis.source import Lines

_QUOTED = re.compile(r"'[^']*'")


class Cause(NamedTuple):
    """A kind of problem; names in its words are left out."""

    reason: str
    places: int
    files: int
    first: Lines


def causes(problems: Iterable[ReadingProblem]) -> tuple[Cause, ...]:
    """The most frequent first; each place counts once."""
    found: dict[str, dict[Lines, None]] = {}
    for problem in problems:
        found.setdefault(_QUOTED.sub("'...'", problem.reason), {})[problem.at] = None
    counted = [
        Cause(reason, len(places), len({at.file for at in places}), next(iter(places)))
        for reason, places in found.items()
    ]
    return tuple(sorted(counted, key=lambda cause: (-cause.places, cause.reason)))
