"""Lines that stand in the source already: nothing is inserted twice."""

import re

from acclimate.porter.text.margins import Margins
from acclimate.porter.text.placement import Insertion

_FREE = re.compile(
    rb"\s*(!|$|associate \(acc_|end associate|acc_\d+ => |use \w+, only: acc_)", re.IGNORECASE
)
_FIXED = re.compile(_FREE.pattern + rb"|[cC*]|     & acc_\d+ => ", re.IGNORECASE)


class StandingLines:
    """Looks for inserted text among the comments and directives around its place."""

    def __init__(self, margins: Margins) -> None:
        self._margins = margins

    def has(self, new: Insertion) -> bool:
        """The very lines of an insertion stand next to its place."""
        lines = self._margins.lines(new.file)
        neighbour = _FIXED if self._margins.form(new.file) == "fixed" else _FREE
        first = last = new.line - 1
        while first > 0 and neighbour.match(lines[first - 1]):
            first -= 1
        while last < len(lines) and neighbour.match(lines[last]):
            last += 1
        around = [_plain(line) for line in lines[first:last]]
        wanted = [_plain(line.encode("latin-1")) for line in new.text]
        size = len(wanted)
        return any(around[n : n + size] == wanted for n in range(len(around) - size + 1))


def _plain(line: bytes) -> bytes:
    return b" ".join(line.lower().split())
