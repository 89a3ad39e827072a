"""What verdicts rest on besides the source, and what contradicts it, as lines of a report."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from acclimate.analysis.index import ProjectIndex

FINDINGS_SHOWN = 20


def basis_of(index: "ProjectIndex") -> Iterator[str]:
    """Every hint, every promise a verdict rests on, and the first findings."""
    hints = {(h.at, h.text): None for loop in index.loops for h in loop.hints}
    for at, text in sorted(hints):
        yield f"{at}: hint: {text}"
    promised = {
        (loop.at, condition.promise, condition.detail)
        for loop in index.loops
        for condition in loop.conditions
        if condition.promise is not None
    }
    for at, promise, detail in sorted(promised):
        yield f"{at}: rests on a promise at {promise}: {detail}"
    unproved = sum(bool(loop.unproved) for loop in index.loops)
    if unproved:
        verb, it = ("is", "it") if unproved == 1 else ("are", "them")
        yield (
            f"{unproved} loop{'s' * (unproved != 1)} {verb} parallel only under conditions that "
            f"nothing proves; explain names {it}"
        )
    for found in index.findings[:FINDINGS_SHOWN]:
        yield f"{found.at}: {found.kind}: `{found.claim}`: {found.detail}"
    if len(index.findings) > FINDINGS_SHOWN:
        yield f"and {len(index.findings) - FINDINGS_SHOWN} more findings (see --json)"
