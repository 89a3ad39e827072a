"""OpenMP directives inside a nest whose loops change places: they go with their loops.

`!$omp do` on an inner loop binds that loop to the team. Where the loop becomes the outermost one,
the directive has to stand above it there, or its index would be shared by the threads.
"""

from dataclasses import dataclass

from acclimate.analysis.directives import parse
from acclimate.analysis.ir import Directive, Do, Unit
from acclimate.analysis.source import Edit
from acclimate.porter.text.margins import Margins
from acclimate.porter.text.placement import Insertion, Slot

_SHARING = frozenset({"do", "parallel do"})
_MOVABLE = frozenset({"schedule", "private", "shared", "default", "num_threads", "if", "nowait"})


@dataclass(frozen=True, slots=True)
class MovedLines:
    """Lines taken out at one place and put in, as they are, at another."""

    removed: tuple[Edit, ...] = ()
    inserted: tuple[Insertion, ...] = ()


def raised(unit: Unit, chain: tuple[Do, ...], margins: Margins) -> MovedLines | None:
    """Directives of the second loop of a tight nest, moved around the whole nest.

    None where a directive stands in the nest that cannot be moved: of another kind, with clauses
    that depend on the place (reduction, lastprivate, ordered, ...), or on a deeper loop.
    """
    outer, inner = chain[0], chain[1]
    body = chain[-1]
    within = [d for d in unit.directives if _is_inside(d, outer) and not _is_inside(d, body)]
    opening = [d for d in within if d in inner.directives]
    closing = [d for d in within if d.at.first > inner.end.last]
    if len(opening) + len(closing) < len(within) or len(opening) > 1 or len(closing) > 1:
        return None
    if closing and not opening:
        return None
    if not all(_can_move(d) for d in within):
        return None
    return MovedLines(
        tuple(Edit(d.at.file, d.at.first, d.at.last, ()) for d in within),
        tuple(
            Insertion(outer.at.file, line, slot, -1, _text(margins, d))
            for d, line, slot in (
                *((d, outer.at.first, Slot.LOOP) for d in opening),
                *((d, outer.end.last + 1, Slot.AFTER) for d in closing),
            )
        ),
    )


def _is_inside(directive: Directive, loop: Do) -> bool:
    at = directive.at
    return at.file == loop.at.file and loop.at.last < at.first and at.last < loop.end.first


def _can_move(directive: Directive) -> bool:
    construct = parse(directive)
    return (
        directive.sentinel == "omp"
        and construct.name.removeprefix("end ") in _SHARING
        and {clause.name for clause in construct.clauses} <= _MOVABLE
    )


def _text(margins: Margins, directive: Directive) -> tuple[str, ...]:
    lines = margins.lines(directive.at.file)[directive.at.first - 1 : directive.at.last]
    return tuple(line.rstrip(b"\r").decode("latin-1") for line in lines)
