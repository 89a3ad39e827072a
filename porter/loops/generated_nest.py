"""The text of a loop nest that takes the place of an array statement."""

from collections.abc import Callable, Sequence

from acclimate.porter.loops.array_statement import INDEX, ArrayStatement
from acclimate.porter.text.directives_text import clause, directive
from acclimate.porter.text.fortran_text import fortran, statement_lines

Body = Callable[[int], list[str]]
"""The statements of the innermost loop at a margin."""


def nest_text(
    array: ArrayStatement,
    body: Body,
    *,
    reductions: Sequence[str] = (),
    private: Sequence[str] = (),
) -> list[str]:
    """Directive, DO statements, body and END DO statements, at the statement's margin.

    Args:
        reductions: clauses.
        private: names besides those of the indices.
    """
    at = array.statement.at
    margin, form = array.margins.of(at.file, at.first), array.margins.form(at.file)
    extents = array.extents()
    rank = len(extents)
    indices = index_names(rank)
    words = (
        "parallel loop gang vector",
        f"collapse({rank})" if rank > 1 else "",
        "default(present)",
        *array.visits.words(),
        clause("private", [*indices, *private]),
        *reductions,
    )
    lines = list(directive(words, margin, form))
    for depth, number in enumerate(reversed(range(rank))):
        extent = extents[number]
        head = f"do {indices[number]} = {fortran(extent.lower)}, {fortran(extent.upper)}"
        head += f", {fortran(extent.step)}" if extent.step is not None else ""
        lines += statement_lines(head, margin + 2 * depth, form)
    mask, inner = array.mask(), margin + 2 * rank
    if mask is None:
        lines += body(inner)
    else:
        lines += statement_lines(f"if ({fortran(mask)}) then", inner, form)
        lines += body(inner + 2)
        lines += statement_lines("end if", inner, form)
    for depth in reversed(range(rank)):
        lines += statement_lines("end do", margin + 2 * depth, form)
    return lines


def index_names(rank: int) -> list[str]:
    return [f"{INDEX}{number}" for number in range(1, rank + 1)]


def kept_comments(array: ArrayStatement) -> list[str]:
    """Comments on the lines of the statement, each on a line of its own."""
    if not array.is_first:
        return []
    at = array.statement.at
    margin = array.margins.of(at.file, at.first)
    last = max(getattr(array.statement, "end", at).last, at.last)
    notes = array.margins.comments(at.file, at.first, last)
    return [" " * margin + note for note in notes]
