"""Which part of an array of unknown extent a loop nest uses, as a section with explicit bounds."""

from collections.abc import Sequence

from acclimate.analysis.dependence.statements import inside
from acclimate.analysis.ir import Assignment, Binary, Do, Expr, Name, Statement
from acclimate.porter.names.constants import integer_value
from acclimate.porter.names.scope import Reference, Scope
from acclimate.porter.names.traversal import names_in
from acclimate.porter.text.fortran_text import fortran


class Unbounded(ValueError):
    """The part cannot be told before the nest runs; the message says why."""


def section_of(
    scope: Scope, nest: Statement, loops: Sequence[Do], name: str, references: list[Reference]
) -> tuple[str, list[str]]:
    """`name(:,lo:hi)` and the condition that it is not empty.

    The last subscript of every reference has to be a loop index with an integer constant added,
    or a value that the nest does not change.

    Raises:
        Unbounded: another subscript, or bounds that the nest changes.
    """
    written = {
        found.root.name
        for statement in inside([nest])
        if isinstance(statement, Assignment)
        and (found := scope.reference(statement.target)) is not None
    }
    bounds: list[tuple[Expr, Expr]] = []
    for found in references:
        if not found.subscripts:
            raise Unbounded(f"'{name}' of assumed size is named as a whole")
        range_ = _range(scope, found.subscripts[-1], loops)
        if any(names_in(bound) & (written | {d.index for d in loops}) for bound in range_):
            raise Unbounded(f"which part of '{name}' is used changes inside the loops")
        if range_ not in bounds:
            bounds.append(range_)
    lower = _extreme("min", [fortran(low) for low, _ in bounds])
    upper = _extreme("max", [fortran(high) for _, high in bounds])
    section = f"{name}({':,' * (len(references[0].symbol.dims) - 1)}{lower}:{upper})"
    return section, [f"{lower} <= {upper}"]


def _range(scope: Scope, subscript: Expr, loops: Sequence[Do]) -> tuple[Expr, Expr]:
    index, shift = _split(scope, subscript)
    loop = next((d for d in loops if index is not None and d.index == index.id), None)
    if loop is None:
        return subscript, subscript
    step = 1 if loop.step is None else integer_value(scope, loop.step)
    if loop.first is None or loop.last is None or not step:
        raise Unbounded(f"the step of the loop over '{loop.index}' is not constant")
    low, high = (loop.first, loop.last) if step > 0 else (loop.last, loop.first)
    return (low, high) if shift is None else (shift(low), shift(high))


class _Shift:
    """Adds or subtracts a constant."""

    def __init__(self, op: str, by: Expr) -> None:
        self._op, self._by = op, by

    def __call__(self, expr: Expr) -> Expr:
        return Binary(self._op, expr, self._by)


def _split(scope: Scope, subscript: Expr) -> tuple[Name | None, _Shift | None]:
    match subscript:
        case Name():
            return subscript, None
        case Binary("+" | "-" as op, Name() as index, by) if integer_value(scope, by) is not None:
            return index, _Shift(op, by)
        case Binary("+", by, Name() as index) if integer_value(scope, by) is not None:
            return index, _Shift("+", by)
        case _:
            return None, None


def _extreme(function: str, texts: list[str]) -> str:
    unique = list(dict.fromkeys(texts))
    return unique[0] if len(unique) == 1 else f"{function}({','.join(unique)})"
