"""Which variables the statements right behind a loop give the value that the loop would leave."""

from collections import Counter
from collections.abc import Iterable, Iterator

from acclimate.analysis.dependence.statements import (
    bodies,
    inside,
    own_expressions,
    parts,
)
from acclimate.analysis.ir import (
    Apply,
    Assignment,
    Binary,
    Component,
    Do,
    DoKind,
    Expr,
    If,
    Literal,
    Name,
    Statement,
    Unary,
    Unit,
    Where,
)

_Extent = tuple[Expr | None, Expr | None]  # the lower and the upper end of a loop


def given_behind(unit: Unit, line: int, wanted: Iterable[str]) -> frozenset[str]:
    """Those of `wanted` that are given a value behind the loop on `line` before they are read.

    A condition may ask whether a loop runs at all, if everything that changes the variable is in
    loops with these bounds or inside them: where it does not run, nothing does. The loop over an
    index is not around the index, which gets its initial value in zero trips too (Fortran 2018,
    11.1.7.4.3). Statements count up to the first that is of another kind.
    """
    for body in _blocks(unit.body):
        for place, statement in enumerate(body):
            if isinstance(statement, Do) and statement.at.first == line:
                return _given(statement, body[place + 1 :], frozenset(wanted))
    return frozenset()


def _blocks(body: list[Statement]) -> Iterator[list[Statement]]:
    yield body
    for statement in inside(body):
        yield from bodies(statement)


def _given(loop: Do, behind: list[Statement], wanted: frozenset[str]) -> frozenset[str]:
    given: frozenset[str] = frozenset()
    for statement in behind:
        if _read(statement) & (wanted - given):
            break
        if isinstance(statement, If) and _given_anew(statement, given):
            continue
        if isinstance(statement, Do):  # of the same launch, which has its statements behind all
            given |= {statement.index or ""}
            continue
        name = _assigned(statement, loop, given)
        if name is None:
            break
        given |= {name}
    return given & wanted


def _assigned(statement: Statement, loop: Do, given: frozenset[str]) -> str | None:
    """What is given a value first, wherever the loop has changed it."""
    condition = None
    if isinstance(statement, If) and len(statement.branches) == 1 and statement.branches[0].body:
        condition, statement = statement.branches[0].condition, statement.branches[0].body[0]
    if not isinstance(statement, Assignment) or not isinstance(statement.target, Name):
        return None
    name = statement.target.id
    if condition is None:
        return name
    asked = _names(condition)
    as_before = not asked & given and not any(list(_changes([loop], each)) for each in asked)
    return name if as_before and _asks_for_trips(condition, list(_changes([loop], name))) else None


def _read(statement: Statement) -> frozenset[str]:
    """Names that a statement and those inside read, but for indices in their own loops."""
    exprs = list(own_expressions(statement))
    if isinstance(statement, Assignment) and isinstance(statement.target, Name):
        exprs = [statement.value]
    found = frozenset().union(*map(_names, exprs))
    inner = frozenset().union(*(_read(s) for body in bodies(statement) for s in body))
    own = {statement.index} if isinstance(statement, Do) else set()
    return found | (inner - own)


def _names(expr: Expr) -> frozenset[str]:
    return frozenset(part.id for part in parts(expr) if isinstance(part, Name))


def _given_anew(statement: If, given: frozenset[str]) -> bool:
    """Does it only choose another value for what has got one just now?"""
    targets = [s.target for s in inside([statement]) if isinstance(s, Assignment)]
    only = all(isinstance(s, Assignment | If) for s in inside([statement]))
    return only and all(isinstance(t, Name) and t.id in given for t in targets)


def _changes(body: list[Statement], name: str, *around: Do) -> Iterator[tuple[Do, ...]]:
    """For each statement that changes a variable, or may, the loops around it."""
    for statement in body:
        if _may_change(statement, name):
            yield around
        deeper = (*around, statement) if isinstance(statement, Do) else around
        for inner in bodies(statement):
            yield from _changes(inner, name, *deeper)


def _may_change(statement: Statement, name: str) -> bool:
    match statement:
        case Do():
            return statement.index == name
        case Assignment():
            return _root(statement.target) == name
        case If() | Where():
            return False
    return any(name in _names(expr) for expr in own_expressions(statement))


def _root(target: Expr) -> str | None:
    while isinstance(target, Apply | Component):
        target = target.base
    return target.id if isinstance(target, Name) else None


def _asks_for_trips(condition: Expr, changes: list[tuple[Do, ...]]) -> bool:
    """Is it false only where each of these changes is inside a loop that has no iteration?"""
    if not isinstance(condition, Binary):
        return False
    left, right = condition.left, condition.right
    if condition.op == ".and.":
        return _asks_for_trips(left, changes) and _asks_for_trips(right, changes)
    if condition.op not in ("<=", ">="):
        return False
    asked = (left, right) if condition.op == "<=" else (right, left)
    return all(any(_is_within(_extent(loop), asked) for loop in around) for around in changes)


def _is_within(inner: _Extent | None, outer: _Extent) -> bool:
    """Is the first empty wherever the second is: are its ends a constant way inside, or there?"""
    if inner is None:
        return False
    above, below = (_apart(*ends) for ends in zip(inner, outer, strict=True))
    return above is not None and below is not None and above >= 0 >= below


def _apart(one: Expr | None, other: Expr | None) -> int | None:
    """`one - other`, None where that is no number."""
    left = _terms(one)
    left.subtract(_terms(other))
    constant = left.pop(None, 0)
    return None if any(left.values()) else constant


def _terms(expr: Expr | None) -> Counter[Expr | None]:
    """How often each term is added in an expression; under None the sum of the numbers."""
    if isinstance(expr, Literal) and expr.value is not None:
        return Counter({None: expr.value})
    if not isinstance(expr, Binary) or expr.op not in ("+", "-"):
        return Counter({expr: 1})
    found = _terms(expr.left)
    (found.update if expr.op == "+" else found.subtract)(_terms(expr.right))
    return found


def _extent(loop: Do) -> _Extent | None:
    """The lower and the upper end; None where the direction cannot be told."""
    step = loop.step
    backward = isinstance(step, Unary) and step.op == "-"
    size = step.operand if isinstance(step, Unary) and backward else step
    known = size is None or (isinstance(size, Literal) and (size.value or 0) > 0)
    if loop.kind is not DoKind.COUNTED or not known:
        return None
    return (loop.last, loop.first) if backward else (loop.first, loop.last)
