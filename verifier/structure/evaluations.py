"""What may fail where it is evaluated, and what loops leave in their indices.

Loops that change places evaluate their bounds elsewhere, and leave other values behind where one
of them does not run. Neither is in the effects; both depend on what stands around: on which loops
and branches, not on their order, since all of them together say how often something is done.
"""

from collections.abc import Iterator, Sequence

from acclimate.analysis.dependence.statements import bodies, own_expressions, parts
from acclimate.analysis.ir import (
    Apply,
    Binary,
    Do,
    Expr,
    If,
    Keyword,
    Literal,
    Name,
    Section,
    Statement,
    Symbol,
    Unary,
    Unit,
)
from acclimate.analysis.names.resolution import Intrinsic, Variable
from acclimate.analysis.project import Project

_SAFE = frozenset({"abs", "int", "max", "min", "nint"})
_INQUIRIES = frozenset({"lbound", "size", "ubound"})
_OPERATORS = frozenset(
    ["+", "-", "*", "<", "<=", ">", ">=", "==", "/=", ".and.", ".or.", ".eqv.", ".neqv."]
)
_ABSENT = frozenset({"allocatable", "optional", "pointer"})
_Around = frozenset[object]


def may_fail(project: Project, unit: Unit, expr: Expr) -> bool:
    """Whether it may stop the program where the original does not evaluate it."""
    match expr:
        case Literal():
            return False
        case Unary():
            return may_fail(project, unit, expr.operand)
        case Keyword():
            return may_fail(project, unit, expr.value)
        case Binary():
            if expr.op not in _OPERATORS:
                return True
            return any(may_fail(project, unit, each) for each in (expr.left, expr.right))
        case Name():
            symbol = _variable(project, unit, expr)
            return symbol is None or symbol.is_array or bool(symbol.attributes & _ABSENT)
        case Apply(base=Name(id=name)) if name in _SAFE | _INQUIRIES:
            if not isinstance(project.resolve(unit, name), Intrinsic):
                return True
            if name in _SAFE:
                return any(may_fail(project, unit, arg) for arg in expr.args)
            array, *dimension = expr.args
            symbol = _variable(project, unit, array)
            if symbol is None or symbol.attributes & _ABSENT:
                return True
            return any(may_fail(project, unit, arg) for arg in dimension)
    return True


def extent_expressions(target: Expr) -> Iterator[Expr]:
    """What is evaluated to know the extent of an array statement: bounds, or the array's own."""
    if not isinstance(target, Apply):
        yield Apply(Name("size"), (target,))
        return
    for arg in target.args:
        if isinstance(arg, Section):
            for bound in (arg.lower, arg.upper):
                yield Apply(Name("size"), (target.base,)) if bound is None else bound
            if arg.stride is not None:
                yield arg.stride


def read_by_functions(unit: Unit) -> set[str]:
    """Names that statement functions read besides their arguments."""
    return {
        part.id
        for arguments, value in unit.statement_functions.values()
        for part in parts(value)
        if isinstance(part, Name) and part.id not in arguments
    }


def _variable(project: Project, unit: Unit, expr: Expr) -> Symbol | None:
    meaning = project.resolve(unit, expr.id) if isinstance(expr, Name) else None
    return meaning.symbol if isinstance(meaning, Variable) else None


def left_in(unit: Unit, seen: frozenset[str]) -> list[object]:
    """The loops, in order, that count in variables of `seen`, and what stands around each."""
    return [
        (_head(statement), around)
        for statement, around in _around(unit.body, frozenset())
        if isinstance(statement, Do) and statement.index in seen
    ]


def _around(body: Sequence[Statement], around: _Around) -> Iterator[tuple[Statement, _Around]]:
    for statement in body:
        yield statement, around
        if isinstance(statement, If):
            heads = [repr(branch.condition) for branch in statement.branches]
            for number, branch in enumerate(statement.branches):
                yield from _around(branch.body, around | {(*heads[: number + 1],)})
        elif found := bodies(statement):
            for inner in found:
                yield from _around(list(inner), around | {_head(statement)})


def _head(statement: Statement) -> object:
    if isinstance(statement, Do):
        bounds = (statement.first, statement.last, statement.step, statement.condition)
        return statement.index, repr(bounds)
    return type(statement).__name__, *map(repr, own_expressions(statement))
