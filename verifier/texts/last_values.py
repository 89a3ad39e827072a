"""Which variables the statements right behind a loop give the value that the loop would leave."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from acclimate.analysis.dependence.statements import bodies, inside
from acclimate.analysis.ir import (
    Assignment,
    Binary,
    Do,
    DoKind,
    Expr,
    If,
    Literal,
    Name,
    Statement,
    Unary,
    Unit,
)
from acclimate.analysis.project import Project
from acclimate.verifier.texts.touching import Touching, may_leave, names_of

_Extent = tuple[Expr | None, Expr | None]  # the lower and the upper end of a loop


def given_behind(project: Project, unit: Unit, line: int, wanted: Iterable[str]) -> frozenset[str]:
    """Those of `wanted` that are given a value behind the loop on `line` before they are read.

    A condition may ask whether a loop runs at all, if everything that changes the variable is in
    loops with these bounds or inside them: where it does not run, nothing does. The loop over an
    index is not around the index, which gets its initial value in zero trips too (Fortran 2018,
    11.1.7.4.3). Statements count up to the first that is of another kind. What a procedure may
    reach it may read and change wherever it is called.
    """
    search = _Search(Touching(project, unit))
    for body in _blocks(unit.body):
        for place, statement in enumerate(body):
            if isinstance(statement, Do) and statement.at.first == line:
                return search.given(statement, body[place + 1 :], frozenset(wanted))
    return frozenset()


def _blocks(body: list[Statement]) -> Iterator[list[Statement]]:
    yield body
    for statement in inside(body):
        yield from bodies(statement)


class _Search:
    def __init__(self, touching: Touching) -> None:
        self._touching = touching

    def given(
        self, loop: Do, behind: Sequence[Statement], wanted: frozenset[str]
    ) -> frozenset[str]:
        wanted = frozenset(name for name in wanted if not self._touching.is_aliased(name))
        given: frozenset[str] = frozenset()
        for number, statement in enumerate(behind):
            if statement.label is not None or may_leave(statement):
                break
            if self._touching.may_read(statement, wanted - given):
                break
            if isinstance(statement, If) and _given_anew(statement, given):
                continue
            if isinstance(statement, Do):  # of the same launch, which has its statements behind all
                given |= {statement.index or ""}
                continue
            name = self._assigned(statement, loop, behind[:number])
            if name is None:
                break
            given |= {name}
        return given & wanted

    def _assigned(self, statement: Statement, loop: Do, passed: Sequence[Statement]) -> str | None:
        """What is given a value first, wherever the loop has changed it.

        The condition has to be as it was in front of the loop: neither the loop nor what has been
        `passed` behind it changes it.
        """
        condition = None
        if (
            isinstance(statement, If)
            and len(statement.branches) == 1
            and statement.branches[0].body
        ):
            condition, statement = statement.branches[0].condition, statement.branches[0].body[0]
        if not isinstance(statement, Assignment) or not isinstance(statement.target, Name):
            return None
        name = statement.target.id
        if condition is None:
            return name
        if not self._is_as_before(condition, [loop, *passed]):
            return None
        changes = list(self._changes([loop], name))
        return name if _asks_for_trips(condition, changes) else None

    def _is_as_before(self, condition: Expr, done: list[Statement]) -> bool:
        """Whether a condition has the value that it had before statements were executed."""
        if self._touching.has_parts_elsewhere(condition):
            return False
        return not any(list(self._changes(done, name)) for name in names_of(condition))

    def _changes(self, body: list[Statement], name: str, *around: Do) -> Iterator[tuple[Do, ...]]:
        """For each statement that changes a variable, or may, the loops around it."""
        for statement in body:
            if self._touching.may_change(statement, name):
                yield around
            deeper = (*around, statement) if isinstance(statement, Do) else around
            for inner in bodies(statement):
                yield from self._changes(inner, name, *deeper)


def _given_anew(statement: If, given: frozenset[str]) -> bool:
    """Does it only choose another value for what has got one just now?"""
    targets = [s.target for s in inside([statement]) if isinstance(s, Assignment)]
    only = all(isinstance(s, Assignment | If) for s in inside([statement]))
    return only and all(isinstance(t, Name) and t.id in given for t in targets)


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
