"""What may fail where it is evaluated, and what loops leave in their indices.

Loops that change places evaluate their bounds elsewhere, and leave other values behind where one
of them does not run. Neither is in the effects; both depend on what stands around: on which loops
and branches, not on their order, since all of them together say how often something is done.
"""

from collections.abc import Iterator, Sequence

from acclimate.analysis.dependence.statements import bodies, operands, own_expressions, parts
from acclimate.analysis.ir import (
    Apply,
    Binary,
    Component,
    Do,
    DoKind,
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
_REALS = ("real", "complex", "double precision", "doubleprecision")
_FUNCTIONS_OF_REALS = """
    abs acos aimag aint anint any all asin atan atan2 ceiling cmplx conjg cos cosh count dble dim
    epsilon erf exp float floor gamma huge hypot kind log log10 logical maxval merge minval real
    sign sin sinh sqrt sum tan tanh tiny
"""
_REAL_FUNCTIONS = frozenset(_FUNCTIONS_OF_REALS.split())
_ASKING = frozenset({"allocated", "associated", "present"})  # what is asked about may be absent
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


def failing_parts(project: Project, unit: Unit, expr: Expr) -> Iterator[Expr]:
    """What in an expression may fail by what it is: elements, absent variables, integer quotients.

    Arithmetic of reals goes on with Inf and NaN where nobody asks for traps.
    """
    match expr:
        case Binary() if expr.op not in _OPERATORS:
            if project.type_of(unit, expr) not in _REALS:
                yield expr
        case Name():
            symbol = _variable(project, unit, expr)
            if symbol is not None and (symbol.is_array or symbol.attributes & _ABSENT):
                yield expr
        case Apply(base=Name(id=name)) if isinstance(project.resolve(unit, name), Intrinsic):
            if name in _ASKING:
                return
            if name not in _SAFE | _INQUIRIES | _REAL_FUNCTIONS:
                yield expr
        case Apply() | Component():
            yield expr
    inner = expr.args if isinstance(expr, Apply) and isinstance(expr.base, Name) else operands(expr)
    for operand in inner:
        yield from failing_parts(project, unit, operand)


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


def subscripts_of(target: Expr) -> Iterator[Expr]:
    """What is evaluated to find the place of an assignment."""
    while isinstance(target, Apply | Component):
        if isinstance(target, Apply):
            yield from target.args
        target = target.base


def may_not_end(loop: Do) -> bool:
    """Whether it counts nothing, or by a step that may be zero."""
    step = loop.step.operand if isinstance(loop.step, Unary) else loop.step
    if loop.kind not in (DoKind.COUNTED, DoKind.CONCURRENT):
        return True
    return step is not None and not (isinstance(step, Literal) and step.value)


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
