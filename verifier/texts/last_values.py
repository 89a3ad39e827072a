"""Which variables the statements right behind a loop give the value that the loop would leave."""

from collections.abc import Iterable, Iterator

from acclimate.analysis.dependence.statements import (
    bodies,
    inside,
    own_expressions,
    parts,
)
from acclimate.analysis.ir import Assignment, Binary, Do, Expr, If, Name, Statement, Unit


def given_behind(unit: Unit, line: int, wanted: Iterable[str]) -> frozenset[str]:
    """Those of `wanted` that are given a value behind the loop on `line` before they are read.

    A condition may ask whether loops of the nest run at all: where one does not, no iteration
    would have changed the variable. Statements count up to the first that is of another kind.
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
        first = _first(statement, loop)
        if not isinstance(first, Assignment) or not isinstance(first.target, Name):
            break
        given |= {first.target.id}
    return given & wanted


def _first(statement: Statement, loop: Do) -> Statement | None:
    """What is done first, wherever some iteration of the loop was."""
    if not isinstance(statement, If):
        return statement
    branch = statement.branches[0]
    asked = len(statement.branches) == 1 and _asks_for_trips(branch.condition, loop)
    return branch.body[0] if asked and branch.body else None


def _read(statement: Statement) -> frozenset[str]:
    """Names that a statement and those inside read, but for indices in their own loops."""
    exprs = list(own_expressions(statement))
    if isinstance(statement, Assignment) and isinstance(statement.target, Name):
        exprs = [statement.value]
    found = {p.id for expr in exprs for p in parts(expr) if isinstance(p, Name)}
    inner = frozenset().union(*(_read(s) for body in bodies(statement) for s in body))
    own = {statement.index} if isinstance(statement, Do) else set()
    return frozenset(found | (inner - own))


def _given_anew(statement: If, given: frozenset[str]) -> bool:
    """Does it only choose another value for what has got one just now?"""
    targets = [s.target for s in inside([statement]) if isinstance(s, Assignment)]
    only = all(isinstance(s, Assignment | If) for s in inside([statement]))
    return only and all(isinstance(t, Name) and t.id in given for t in targets)


def _asks_for_trips(condition: Expr | None, loop: Do) -> bool:
    """Is it false only where some loop of the nest has no iteration?"""
    if isinstance(condition, Binary) and condition.op == ".and.":
        return _asks_for_trips(condition.left, loop) and _asks_for_trips(condition.right, loop)
    if not isinstance(condition, Binary) or condition.op not in ("<=", ">="):
        return False
    ends = (condition.left, condition.right)
    loops = (s for s in inside([loop]) if isinstance(s, Do))
    return any((each.first, each.last) == ends for each in loops)
