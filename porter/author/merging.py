"""Edits from several replies about one unit: each nest its own, declarations shared."""

from collections.abc import Iterable, Sequence

from acclimate.analysis.source import Edit


def merged(parts: Iterable[Sequence[Edit]], lines: Sequence[str]) -> tuple[Edit, ...] | None:
    """All edits as one set; None where two of them do not go together.

    Two edits of the same lines go together if both keep them and only add lines behind.
    """
    found: dict[tuple[int, int], Edit] = {}
    for edit in (edit for part in parts for edit in part):
        place = (edit.first, edit.last)
        before = found.get(place)
        both = edit if before is None else _both(before, edit, lines)
        if both is None:
            return None
        found[place] = both
    ordered = sorted(found.values())
    if any(b.first <= a.last for a, b in zip(ordered, ordered[1:], strict=False)):
        return None
    return tuple(ordered)


def _both(one: Edit, other: Edit, lines: Sequence[str]) -> Edit | None:
    standing = [line.split() for line in lines[one.first - 1 : one.last]]
    size = len(standing)
    if any([text.split() for text in edit.text[:size]] != standing for edit in (one, other)):
        return None
    known = {" ".join(text.split()) for text in one.text}
    new = tuple(text for text in other.text[size:] if " ".join(text.split()) not in known)
    return Edit(one.file, one.first, one.last, (*one.text, *new))
