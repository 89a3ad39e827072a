"""Whether a path with subscripts (`p(jg)%prog(n)%h`) means one object all through a statement.

Its text stands in directives before and behind the statement, so its subscripts must be plain, be
valid there, and have the same values in both places.
"""

from collections.abc import Callable, Iterable, Iterator

from acclimate.analysis.dependence.statements import inside, own_expressions, parts
from acclimate.analysis.ir import (
    Allocate,
    Apply,
    Assignment,
    Binary,
    Component,
    Deallocate,
    Do,
    Expr,
    Forall,
    If,
    ImpliedDo,
    InputOutput,
    Literal,
    Name,
    OpaqueStatement,
    PointerAssignment,
    Statement,
    Symbol,
    Unary,
    Where,
)
from acclimate.porter.names.invocations import invocations
from acclimate.porter.names.scope import Reference, Scope, remembered
from acclimate.porter.names.traversal import names_in, operands


def is_settled(scope: Scope, found: Reference, statement: Statement) -> bool:
    """The subscripts of a path are plain, and nothing in the statement sets or questions them.

    Nor is the pointer at the root of the path associated anew.
    """
    root = found.root
    if "pointer" in root.attributes and _is_moved(scope, statement, root):
        return False
    if not all(is_plain(scope, index) for index in found.indices):
        return False
    names = {name for index in found.indices for name in names_in(index)}
    if names & (_set_in(scope, statement) | _asked_in(scope, statement)):
        return False
    return not any(_may_change(scope, statement, name) for name in names)


def is_plain(scope: Scope, index: Expr) -> bool:
    """An integer that can be evaluated anywhere: variables, constants, elements, sums of those."""
    match index:
        case Literal() | Name():
            return True
        case Apply(Name(), args):
            found = scope.reference(index)
            return found is not None and all(is_plain(scope, arg) for arg in args)
        case Binary("+" | "-" | "*", left, right):
            return is_plain(scope, left) and is_plain(scope, right)
        case Unary("+" | "-", operand):
            return is_plain(scope, operand)
        case _:
            return False


@remembered
def _set_in(scope: Scope, statement: Statement) -> frozenset[str]:
    """Names of variables that a statement, or one inside it, may give another value."""
    return frozenset(name for inner in inside([statement]) for name in _set_by(scope, inner))


def _set_by(scope: Scope, statement: Statement) -> Iterator[str]:
    targets: Iterable[Expr] = ()
    match statement:
        case OpaqueStatement():
            yield from scope.words(statement)
        case Assignment() | PointerAssignment():
            targets = (statement.target,)
        case Do():
            yield statement.index or ""
        case Forall():
            yield from (index.index for index in statement.indices)
        case InputOutput():
            targets = statement.writes
        case Allocate() | Deallocate():
            targets = (*statement.objects, *(option.value for option in statement.options))
    yield from map(_base, targets)
    for expr in own_expressions(statement):
        yield from (part.index for part in parts(expr) if isinstance(part, ImpliedDo))
    for invocation in invocations(scope, statement):
        if not invocation.is_intrinsic or invocation.is_call:
            yield from map(_base, invocation.args)


@remembered
def _asked_in(scope: Scope, statement: Statement) -> frozenset[str]:
    """Names that a condition inside a statement depends on, subscripts of objects left out.

    Where `jg > 1` decides, `p(jg - 1)` may be no object at all in front of the condition; nor may
    `p(n)` in front of a loop that runs to `n`.
    """
    return frozenset(
        name
        for inner in inside([statement])
        if inner is not statement or not isinstance(inner, Where)
        for condition in _conditions(inner)
        for name in _outside_subscripts(scope, condition)
    )


def _conditions(statement: Statement) -> list[Expr]:
    """What decides whether, and how often, the statements inside are executed."""
    asked: list[Expr | None] = []
    match statement:
        case If() | Where():
            asked = [branch.condition for branch in statement.branches]
        case Do():
            asked = [statement.first, statement.last, statement.step, statement.condition]
    return [expr for expr in asked if expr is not None]


def _outside_subscripts(scope: Scope, expr: Expr) -> Iterator[str]:
    found = scope.reference(expr)
    if found is not None:
        if not found.path:
            yield found.root.name
        return
    for part in operands(expr):
        yield from _outside_subscripts(scope, part)


def _is_moved(scope: Scope, statement: Statement, root: Symbol) -> bool:
    """A pointer variable may be associated anew in a statement."""
    here = (_moved_by(scope, inner) for inner in inside([statement]))
    if any(root.name in names for names in here):
        return True
    return scope.project.storage_key(scope.unit, root) in _moved_in_calls(scope, statement)


def _may_change(scope: Scope, statement: Statement, name: str) -> bool:
    """The variable may be set under another name: by a called procedure, a pointer, a member."""
    symbol = scope.symbol(name)
    if symbol is None or symbol.attributes & {"pointer", "target"} or symbol.common is not None:
        return True
    owner = symbol.owner or scope.unit
    if any(_base(item) == name for group in owner.equivalences for item in group):
        return True
    return scope.project.storage_key(scope.unit, symbol) in _set_in_calls(scope, statement)


@remembered
def _set_in_calls(scope: Scope, statement: Statement) -> frozenset[str]:
    """Variables of modules and hosts that procedures may set which a statement calls."""
    return frozenset(key for unit in _called(scope, statement) for key in _outside(unit, _set_by))


@remembered
def _moved_in_calls(scope: Scope, statement: Statement) -> frozenset[str]:
    """Pointers of modules and hosts that such procedures may associate."""
    return frozenset(key for unit in _called(scope, statement) for key in _outside(unit, _moved_by))


def _called(scope: Scope, statement: Statement) -> list[Scope]:
    """Procedures that run while a statement does."""
    found: dict[int, Scope] = {}
    waiting = [(scope, [statement])]
    while waiting:
        here, body = waiting.pop()
        for inner in inside(body):
            for callee in (c for i in invocations(here, inner) for c in i.candidates):
                if id(callee) not in found:
                    found[id(callee)] = here.elsewhere(callee)
                    waiting.append((found[id(callee)], callee.body))
    return list(found.values())


def _outside(scope: Scope, by: Callable[[Scope, Statement], Iterable[str]]) -> set[str]:
    """Storage keys of what the statements of a procedure change that is not its own."""
    names = {name for inner in inside(scope.unit.body) for name in by(scope, inner)}
    symbols = (scope.symbol(name) for name in names)
    return {
        scope.project.storage_key(scope.unit, symbol)
        for symbol in symbols
        if symbol is not None and symbol.owner is not scope.unit
    }


def _moved_by(scope: Scope, statement: Statement) -> set[str]:
    found: set[str] = set()
    match statement:
        case OpaqueStatement():
            found |= scope.words(statement)
        case PointerAssignment():
            found.add(_base(statement.target))
    for invocation in invocations(scope, statement):
        for callee in invocation.candidates:
            pairs = invocation.bindings(callee)
            found |= {_base(arg) for dummy, arg in pairs if "pointer" in dummy.attributes}
    return found


def _base(expr: Expr) -> str:
    """The variable at the base of a designator."""
    while isinstance(expr, Apply | Component):
        expr = expr.base
    return expr.id if isinstance(expr, Name) else ""
