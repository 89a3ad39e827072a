"""What a selection lacks, and which hunks that are left out of it hold it."""

import re
from collections.abc import Iterable, Iterator

from acclimate.porter.agent.blame import unit_at
from acclimate.workflows.reviewing.hunks import Hunk, decoded
from acclimate.workflows.reviewing.selection import Selection, by_file
from acclimate.workflows.reviewing.session import Session

_QUOTED = re.compile(r"'([A-Za-z][\w%]*)'")
_ENTERS = re.compile(r"\$acc\s+(enter\s+data|declare|data)\b|\bcopy(in|out)?\s*\(", re.IGNORECASE)
_PLACE = re.compile(r"(?P<file>[^:\s]+):(?P<line>\d+): ")
_NAMED = 4  # hunks of one file


def holders(session: Session, selection: Selection, messages: Iterable[str]) -> list[str]:
    """For each object that is said to be missing on the device: what would put it there, and where.

    Lines are the original's; an object that no hunk left out puts there is not told of.
    """
    names = dict.fromkeys(name.lower() for text in messages for name in _QUOTED.findall(text))
    found = []
    for name in names:
        for file, hunks in by_file(h for h in selection.left if _puts_there(h, name)).items():
            found.append(
                f"'{name}' is put on the device by {_named(session, hunks)}: accept {file} as well"
            )
    return found


def left_there(session: Session, selection: Selection, broken: Iterable[str]) -> list[str]:
    """For each place where the proof breaks ("file:line: message"): what is left out around it."""
    units = session.outcome.survey.units
    places = [match for text in broken if (match := _PLACE.match(text))]
    around = dict.fromkeys(unit_at(units, m["file"], int(m["line"])) for m in places)
    found = []
    for unit in around:
        hunks = [hunk for hunk in selection.left if unit and hunk.unit == unit]
        if hunks:
            found.append(f"left out of {unit}: {_named(session, hunks)}")
    return found


def _puts_there(hunk: Hunk, name: str) -> bool:
    """Whether a directive of the hunk maps an object, or a part of it."""
    word = re.compile(rf"(?<![\w%]){re.escape(name)}(?!\w)")
    text = " ".join(_directives(hunk))
    return bool(_ENTERS.search(text) and word.search(text))


def _directives(hunk: Hunk) -> Iterator[str]:
    return (text for line in hunk.new if "$acc" in (text := decoded(line).lower()))


def _named(session: Session, hunks: Iterable[Hunk]) -> str:
    """Hunks by number, place in the original, and what stands on them."""
    told = []
    for hunk in hunks:
        number = session.standing(hunk.file).module.hunks.index(hunk) + 1
        told.append(f"{hunk.file}#{number} ({hunk.file}:{hunk.first}, {session.marks[hunk.name]})")
    more = f" and {len(told) - _NAMED} more" if len(told) > _NAMED else ""
    return ", ".join(told[:_NAMED]) + more
