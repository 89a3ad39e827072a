"""Lines that stand in the source already: nothing is inserted twice."""

import re
from collections.abc import Mapping

from acclimate.porter.margins import Margins
from acclimate.porter.placement import Insertion

_NEIGHBOUR = re.compile(
    rb"\s*(!|$|associate\b|end associate\b|acc_\d+ => |use \w+, only: acc_)|[cC*]", re.I
)


class StandingLines:
    """Looks for inserted text among the comments and directives around its place."""

    def __init__(self, texts: Mapping[str, bytes], margins: Margins) -> None:
        self._texts = texts
        self._margins = margins

    def has(self, new: Insertion) -> bool:
        """The very lines of an insertion stand next to its place."""
        lines = self._margins.lines(new.file)
        first = last = new.line - 1
        while first > 0 and _NEIGHBOUR.match(lines[first - 1]):
            first -= 1
        while last < len(lines) and _NEIGHBOUR.match(lines[last]):
            last += 1
        around = [_plain(line) for line in lines[first:last]]
        wanted = [_plain(line.encode("latin-1")) for line in new.text]
        size = len(wanted)
        return any(around[n : n + size] == wanted for n in range(len(around) - size + 1))


def _plain(line: bytes) -> bytes:
    return b" ".join(line.lower().split())
