"""Walks over statements and expressions."""

from collections.abc import Iterable, Iterator
from itertools import chain

from acclimate.analysis.ir import (
    Allocate,
    Apply,
    ArrayConstructor,
    Assignment,
    Associate,
    Binary,
    BlockConstruct,
    Call,
    Component,
    Deallocate,
    Do,
    Expr,
    Forall,
    If,
    ImpliedDo,
    InputOutput,
    Jump,
    Keyword,
    Literal,
    Name,
    OpaqueStatement,
    PointerAssignment,
    Section,
    Statement,
    Unary,
    Where,
)

_WITHOUT_BODIES = frozenset({Assignment, Call, InputOutput, Jump})  # nearly all that have none


def bodies(statement: Statement) -> tuple[list[Statement], ...]:
    """The statement lists directly inside a statement."""
    if type(statement) in _WITHOUT_BODIES:
        return ()
    match statement:
        case Do() | Associate() | Forall() | BlockConstruct():
            return (statement.body,)
        case If() | Where():
            return tuple(branch.body for branch in statement.branches)
    return ()


def inside(statements: Iterable[Statement]) -> Iterator[Statement]:
    """All statements, outer ones first, in the order of the source."""
    waiting = [iter(statements)]
    while waiting:
        for statement in waiting[-1]:
            yield statement
            if found := bodies(statement):
                waiting.append(chain.from_iterable(found))
                break
        else:
            waiting.pop()


def own_expressions(statement: Statement) -> Iterator[Expr]:
    """The expressions of a statement itself, not those of the statements inside it."""
    match statement:
        case Assignment() | PointerAssignment():
            yield statement.target
            yield statement.value
        case Call():
            yield statement.procedure
            yield from statement.args
        case Do():
            yield from _given(statement.first, statement.last, statement.step, statement.condition)
        case If() | Where():
            yield from _given(*(branch.condition for branch in statement.branches))
        case Forall():
            for index in statement.indices:
                yield from _given(index.first, index.last, index.step)
            yield from _given(statement.mask)
        case InputOutput():
            yield from statement.reads
            yield from statement.writes
        case Allocate() | Deallocate():
            yield from statement.objects
            yield from statement.options
        case Associate():
            yield from (expr for _, expr in statement.associations)
        case Jump() if statement.keyword != "entry":
            yield from _given(statement.value)


def _given(*exprs: Expr | None) -> Iterator[Expr]:
    return (expr for expr in exprs if expr is not None)


def parts(expr: Expr) -> Iterator[Expr]:
    """The expression and everything inside it, outer parts first."""
    waiting = [expr]
    while waiting:
        part = waiting.pop()
        yield part
        if not isinstance(part, (Name, Literal)):  # half of all parts
            waiting += operands(part)[::-1]


def operands(expr: Expr) -> tuple[Expr, ...]:
    """The expressions directly inside an expression, in the order of the source."""
    match expr:
        case Apply():
            return (expr.base, *expr.args)
        case Binary():
            return (expr.left, expr.right)
        case Component():
            return (expr.base,)
        case Unary():
            return (expr.operand,)
        case Keyword():
            return (expr.value,)
        case Section():
            return tuple(_given(expr.lower, expr.upper, expr.stride))
        case ArrayConstructor():
            return expr.items
        case ImpliedDo():
            return (*expr.items, *_given(expr.first, expr.last, expr.step))
    return ()


def contains(expr: Expr, wanted: Expr) -> bool:
    return any(part == wanted for part in parts(expr))


def labels(statements: Iterable[Statement]) -> frozenset[str]:
    return frozenset(s.label for s in inside(statements) if s.label is not None)


def has_opaque(statements: Iterable[Statement]) -> bool:
    return any(
        isinstance(s, OpaqueStatement) and not isinstance(s, BlockConstruct)
        for s in inside(statements)
    )
