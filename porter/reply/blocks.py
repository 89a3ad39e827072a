"""What a model's reply says, before anything of it is believed: edit blocks, contracts, a refusal.

    EDIT 12-14
    <<<<<<< OLD
    the lines 12 to 14 as they stand
    =======
    what shall stand there
    >>>>>>> NEW

    CONTRACT 30: injective(cell)
    REFUSE: why the unit should stay as it is

Prose, code fences, Markdown around the headers and numbered lines inside the blocks are read over.
"""

import re
from dataclasses import dataclass

from acclimate.porter.reply.objection import Objection, Reason

_HEADER = re.compile(
    r"[\s#>*_`-]*(?:edit|replace|change)\b[\s:*_`]*(?:(?:lines?|in|of|file|from)\b[\s:*_`]*){0,3}"
    r"(?P<path>[\w./\\~-]*[/\\.][\w./\\~-]*?[a-z]\w*)?[\s:,*_`]*(?:lines?\b[\s:*_`]*)?"
    r"(?P<first>\d{1,7})(?:\s*(?:-+|–|—|to|\.\.+|,|:)\s*(?P<last>\d{1,7}))?[^\w\n]*$",
    re.IGNORECASE,
)
_OPENS = re.compile(r"\s*<{5,9}(\s|$)")
_DIVIDES = re.compile(r"\s*={5,9}\s*$")
_CLOSES = re.compile(r"\s*>{5,9}(\s|$)")
_CONTRACT = re.compile(
    r"[\s#>*_`-]*contract\s+(?P<line>\d{1,7})\s*:\s*(?P<word>\w+)\s*(?:\((?P<names>[\w%,\s]*)\))?",
    re.IGNORECASE,
)
_REFUSE = re.compile(r"[\s#>*_`]*refuse\s*:\s*(?P<reason>.+?)[\s*_`]*$", re.IGNORECASE)
_NUMBERED = re.compile(r"\s{0,8}\d{1,7}\s?[|:]\s?")
_FENCE = re.compile(r"\s*(?:```|~~~)")


@dataclass(frozen=True, slots=True)
class Block:
    """One edit as written: lines `first` to `last` of `path` ("": of the unit's own file)."""

    first: int
    last: int
    old: tuple[str, ...]
    new: tuple[str, ...]
    path: str = ""


@dataclass(frozen=True, slots=True)
class Contract:
    """A property that the author claims of the loop at `line`, in the words of `!$acclimate`."""

    line: int
    word: str
    names: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Reply:
    """All that was understood; `fenced` are the code fences that hold no edit block."""

    blocks: tuple[Block, ...] = ()
    contracts: tuple[Contract, ...] = ()
    refusal: str = ""
    fenced: tuple[tuple[str, ...], ...] = ()
    objections: tuple[Objection, ...] = ()


def read_reply(text: str) -> Reply:
    """Take a reply apart; what cannot be read is an objection, never an exception."""
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    blocks: list[Block] = []
    objections: list[Objection] = []
    header: re.Match[str] | None = None
    place, rest = 0, list[str]()
    while place < len(lines):
        line = lines[place]
        if not _OPENS.match(line):
            header = _HEADER.match(line) or (header if _between(line) else None)
            rest.append(line)
            place += 1
            continue
        end, found = _block(lines, place, header)
        if isinstance(found, Block):
            blocks.append(found)
        else:
            objections.append(found)
        place, header = end, None
    contracts = tuple(_contract(m) for line in rest if (m := _CONTRACT.match(line)))
    reasons = [m["reason"] for line in rest if (m := _REFUSE.match(line))]
    return Reply(tuple(blocks), contracts, " ".join(reasons), _fences(rest), tuple(objections))


def _between(line: str) -> bool:
    """A line that may stand between the header of an edit and its block."""
    return not line.strip() or bool(_FENCE.match(line))


def _block(
    lines: list[str], start: int, header: re.Match[str] | None
) -> tuple[int, Block | Objection]:
    """The block that opens at `start`, and the place behind it."""
    divider = _find(lines, start + 1, _DIVIDES)
    end = _find(lines, start + 1 if divider is None else divider + 1, _CLOSES)
    if divider is None or end is None or divider > end:
        said = "an edit block is not closed: the reply was cut off or a marker is missing"
        return len(lines) if end is None else end + 1, Objection(Reason.UNREADABLE, said)
    if header is None:
        said = "an edit block has no 'EDIT first-last' line above it"
        return end + 1, Objection(Reason.UNREADABLE, said)
    first = int(header["first"])
    last = int(header["last"] or first)
    old, new = _plain(lines[start + 1 : divider]), _plain(lines[divider + 1 : end])
    return end + 1, Block(first, last, old, new, header["path"] or "")


def _find(lines: list[str], start: int, marker: re.Pattern[str]) -> int | None:
    return next((n for n in range(start, len(lines)) if marker.match(lines[n])), None)


def _plain(lines: list[str]) -> tuple[str, ...]:
    """Without fences, line numbers (where all lines have one) and trailing blanks."""
    kept = [line.rstrip() for line in lines if not _FENCE.match(line)]
    filled = [line for line in kept if line]
    if filled and all(_NUMBERED.match(line) for line in filled):
        kept = [_NUMBERED.sub("", line, count=1) for line in kept]
    return tuple(kept)


def _contract(found: re.Match[str]) -> Contract:
    names = tuple(n.strip().lower() for n in (found["names"] or "").split(",") if n.strip())
    return Contract(int(found["line"]), found["word"].lower(), names)


def _fences(lines: list[str]) -> tuple[tuple[str, ...], ...]:
    """The contents of code fences; one that is not closed ends with the reply and is left out."""
    found: list[tuple[str, ...]] = []
    inside: list[str] | None = None
    for line in lines:
        if _FENCE.match(line):
            if inside:
                found.append(tuple(text.rstrip() for text in inside))
            inside = [] if inside is None else None
        elif inside is not None:
            inside.append(line)
    return tuple(found)
