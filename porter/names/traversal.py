"""Walks over the IR that the rewriting needs besides those of the analysis."""

from collections.abc import Iterable, Iterator

from acclimate.analysis.dependence.statements import parts
from acclimate.analysis.ir import (
    Apply,
    ArrayConstructor,
    Associate,
    Binary,
    Component,
    Do,
    Expr,
    Forall,
    If,
    ImpliedDo,
    Keyword,
    Name,
    OpaqueStatement,
    Section,
    Statement,
    Unary,
    Where,
)


def last_line(statement: Statement) -> int:
    """The last original line of a statement or construct."""
    match statement:
        case Do() | If() | Where() | Forall() | Associate() | OpaqueStatement():
            return max(statement.end.last, statement.at.last)
        case _:
            return statement.at.last


def operands(expr: Expr) -> Iterator[Expr]:
    """What stands directly inside an expression."""
    found: Iterable[Expr | None]
    match expr:
        case Apply(base, args):
            found = (base, *args)
        case Component(base, _):
            found = (base,)
        case Unary(_, operand):
            found = (operand,)
        case Binary(_, left, right):
            found = (left, right)
        case Section(lower, upper, stride):
            found = (lower, upper, stride)
        case Keyword(_, value):
            found = (value,)
        case ArrayConstructor(items):
            found = items
        case ImpliedDo(items, _, first, last, step):
            found = (*items, first, last, step)
        case _:
            found = ()
    yield from (operand for operand in found if operand is not None)


def names_in(expr: Expr) -> set[str]:
    """Every plain name in an expression."""
    return {part.id for part in parts(expr) if isinstance(part, Name)}
