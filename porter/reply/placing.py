"""Where the blocks of a reply belong: their old text is looked for, their numbers only help."""

from collections.abc import Iterable, Sequence
from difflib import SequenceMatcher
from pathlib import PurePosixPath

from acclimate.analysis.source import Edit, Lines
from acclimate.porter.reply.blocks import Block
from acclimate.porter.reply.objection import Objection, Reason

_TAB = 8


def place_blocks(
    blocks: Sequence[Block], source: Sequence[str], may_edit: Lines, also: Lines | None = None
) -> tuple[tuple[Edit, ...], tuple[Objection, ...]]:
    """Edits for the lines of one file, those of `may_edit` and `also` only.

    The old text has to stand where the block says, or in exactly one other place; blanks, case and
    empty lines at its ends do not count. New lines are moved by the indentation that the reply
    got wrong.
    """
    edits: list[Edit] = []
    objections: list[Objection] = []
    for block in blocks:
        found = _placed(block, source, may_edit, also or may_edit)
        if isinstance(found, Objection):
            objections.append(found)
        elif found is not None:
            edits.append(found)
    objections += _overlaps(edits)
    return tuple(sorted(edits)), tuple(objections)


def between(old: Sequence[str], new: Sequence[str], file: str, first: int) -> tuple[Edit, ...]:
    """The edits that make `new` of `old`, whose first line is line `first` of its file."""
    matcher = SequenceMatcher(None, [_key(s) for s in old], [_key(s) for s in new], autojunk=False)
    return tuple(
        Edit(file, first + a, first + b - 1, tuple(new[c:d]))
        for tag, a, b, c, d in matcher.get_opcodes()
        if tag != "equal"
    )


def _placed(
    block: Block, source: Sequence[str], may_edit: Lines, also: Lines
) -> Edit | Objection | None:
    named = PurePosixPath(block.path.replace("\\", "/"))
    if block.path and named != PurePosixPath(may_edit.file) and str(named) != named.name:
        return Objection(Reason.OTHER_FILE, f"an edit names the file '{block.path}'")
    if block.path and named.name != PurePosixPath(may_edit.file).name:
        return Objection(Reason.OTHER_FILE, f"an edit names the file '{block.path}'")
    old, new = _trimmed(block)
    if not old:
        text = f"the edit of line {block.first} has no old text, so its place is not certain"
        return Objection(Reason.MISMATCH, text, Lines(may_edit.file, block.first, block.first))
    start = _start(block, old, source, (may_edit, also))
    if isinstance(start, Objection):
        return start
    standing = source[start : start + len(old)]
    moved = _moved(new, _indent(old), _indent(standing))
    if [_key(line) for line in new] == [_key(line) for line in standing]:
        return None
    first, last = start + 1, start + len(old)
    return Edit(may_edit.file, first, last, moved)


def _trimmed(block: Block) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Old and new text without the empty lines at both ends of the old."""
    old = list(block.old)
    new = list(block.new)
    while old and not old[0].strip():
        del old[0]
        if new and not new[0].strip():
            del new[0]
    while old and not old[-1].strip():
        del old[-1]
        if new and not new[-1].strip():
            del new[-1]
    return tuple(old), tuple(new)


def _start(
    block: Block, old: Sequence[str], source: Sequence[str], ranges: Sequence[Lines]
) -> int | Objection:
    """The index of the first line in `source` that `old` stands for."""
    wanted = [_key(line) for line in old]
    keys = [_key(line) for line in source]
    size = len(wanted)
    found = [n for n in range(len(keys) - size + 1) if keys[n : n + size] == wanted]
    inside = [n for n in found if any(r.first <= n + 1 and n + size <= r.last for r in ranges)]
    may_edit = ranges[0]
    said = Lines(may_edit.file, block.first, block.last)
    if block.first - 1 in inside:
        return block.first - 1
    if len(inside) == 1:
        return inside[0]
    if inside:
        places = ", ".join(str(n + 1) for n in inside)
        text = f"the old text of EDIT {block.first}-{block.last} stands at lines {places}"
        return Objection(Reason.AMBIGUOUS, text, said)
    if found or not any(r.first <= block.first <= block.last <= r.last for r in ranges):
        text = (
            f"EDIT {block.first}-{block.last} is outside the lines {may_edit.first} to"
            f" {may_edit.last} that may be edited"
        )
        return Objection(Reason.OUTSIDE, text, said)
    text = f"the old text of EDIT {block.first}-{block.last} does not stand there: '{old[0]}'"
    return Objection(Reason.MISMATCH, text, said)


def _key(line: str) -> str:
    """A line without what replies get wrong: blanks and case outside quotes."""
    quote = ""
    kept: list[str] = []
    for letter in line:
        if quote:
            kept.append(letter)
            quote = "" if letter == quote else quote
        elif letter in "'\"":
            quote = letter
            kept.append(letter)
        elif not letter.isspace():
            kept.append(letter.lower())
    return "".join(kept).rstrip()


def _indent(lines: Iterable[str]) -> int:
    filled = [line.expandtabs(_TAB) for line in lines if line.strip()]
    return min((len(line) - len(line.lstrip()) for line in filled), default=0)


def _moved(lines: Sequence[str], was: int, now: int) -> tuple[str, ...]:
    """Lines whose indentation `was` when it should have been `now`."""
    if was == now:
        return tuple(lines)
    moved: list[str] = []
    for line in lines:
        text = line.expandtabs(_TAB)
        own = len(text) - len(text.lstrip())
        moved.append(" " * max(own + now - was, 0) + text.lstrip() if text.strip() else "")
    return tuple(moved)


def _overlaps(edits: Sequence[Edit]) -> list[Objection]:
    ordered = sorted(edits)
    return [
        Objection(
            Reason.OVERLAP,
            f"two edits change line {after.first}",
            Lines(after.file, after.first, after.first),
        )
        for before, after in zip(ordered, ordered[1:], strict=False)
        if after.first <= before.last
    ]
