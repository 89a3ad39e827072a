"""Ways of a branch on which a procedure does nothing, since what it works on is empty.

`if (n < 1) return` in front of loops over `1, n` changes nothing where the original's loops have no
iterations then. No run has to go there: both versions leave all that outlives the call as it was,
but for numbers that both set to the same, a count to zero say.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product

from acclimate.analysis.dependence.intrinsics import IMPURE_FUNCTIONS
from acclimate.analysis.dependence.statements import bodies, inside, own_expressions, parts
from acclimate.analysis.ir import (
    Allocate,
    Apply,
    Assignment,
    Associate,
    Binary,
    BlockConstruct,
    Continue,
    Deallocate,
    Do,
    DoKind,
    Expr,
    Forall,
    If,
    Jump,
    Literal,
    LiteralKind,
    Name,
    Statement,
    Unary,
    Unit,
    Where,
)
from acclimate.analysis.names.resolution import Intrinsic, Variable
from acclimate.analysis.project import Project
from acclimate.verifier.structure.written import base_name, own_variables, written_in

Range = tuple[int | None, int | None]
Facts = Mapping[Expr, Range]

_ONE = Literal(LiteralKind.INTEGER, "1")
_PLAIN = frozenset({"integer", "real", "double precision", "logical", "complex", "character"})

_MIRRORED = {"<": ">", "<=": ">=", ">": "<", ">=": "<=", "==": "==", "/=": "/="}
_OPPOSITE = {"<": ">=", "<=": ">", ">": "<=", ">=": "<", "==": "/=", "/=": "=="}


class _ActsError(Exception):
    """Something that may be seen outside, or that is not understood."""


@dataclass(frozen=True, slots=True)
class Version:
    """A procedure in one version of the model."""

    project: Project
    unit: Unit


def idle_lines(version: Version, other: Version) -> frozenset[int]:
    """Lines of IF statements and of branches that only ways lead to on which both do nothing.

    The line of an IF is among them where one of its ways is so; whether its other way was taken
    shows by the lines it leads to.
    """
    found: set[int] = set()
    for statement in _in_sight(version.unit.body):
        if not isinstance(statement, If) or (condition := statement.branches[0].condition) is None:
            continue
        if _are_idle(ways(condition, wanted=True), version, other):
            idle = [statement.branches[0].body]
        elif statement.is_construct and _are_idle(ways(condition, wanted=False), version, other):
            idle = [branch.body for branch in statement.branches[1:]]
        else:
            continue
        found |= {*range(statement.at.first, statement.at.last + 1)}
        for inner in (s for body in idle for s in inside(body)):
            found |= {*range(inner.at.first, inner.at.last + 1)}
    return frozenset(found)


def _in_sight(body: Sequence[Statement]) -> Iterator[Statement]:
    """Statements whose names are the procedure's own: not those of ASSOCIATE and BLOCK."""
    for statement in body:
        yield statement
        if not isinstance(statement, (Associate, BlockConstruct)):
            for inner in bodies(statement):
                yield from _in_sight(inner)


def _are_idle(each: Sequence[Facts], version: Version, other: Version) -> bool:
    return all(
        facts
        and (left := left_behind(version, facts)) is not None
        and left == left_behind(other, facts)
        for facts in each
    )


def ways(condition: Expr, *, wanted: bool) -> list[Facts]:
    """What is known of whole numbers where a condition is as wanted: one of these holds."""
    match condition:
        case Unary(".not.", operand):
            return ways(operand, wanted=not wanted)
        case Binary(".or." | ".and." as op, left, right):
            both = (ways(left, wanted=wanted), ways(right, wanted=wanted))
            if (op == ".or.") is wanted:
                return [*both[0], *both[1]]
            return [_merged(a, b) for a, b in product(*both)]
        case Binary(op, left, right) if op in _MIRRORED:
            return [_fact(left, op if wanted else _OPPOSITE[op], right)]
    return [{}]


def _merged(one: Facts, other: Facts) -> Facts:
    found = dict(one)
    for atom, (low, high) in other.items():
        was = found.get(atom, (None, None))
        found[atom] = (was[0] if low is None else low, was[1] if high is None else high)
    return found


def _fact(left: Expr, op: str, right: Expr) -> Facts:
    """`atom op number`, either way round."""
    if isinstance(left, Literal):
        left, op, right = right, _MIRRORED[op], left
    limit = _linear(right)
    if limit is None or limit[0] or not _is_atom(left):
        return {}
    number = limit[1]
    match op:
        case "<" | "<=":
            return {left: (None, number - (op == "<"))}
        case ">" | ">=":
            return {left: (number + (op == ">"), None)}
        case "==":
            return {left: (number, number)}
    return {}


def _is_atom(expr: Expr) -> bool:
    return isinstance(expr, Name) or isinstance(expr, Apply) and expr.base == Name("size")


def _linear(expr: Expr) -> tuple[dict[Expr, int], int] | None:
    """Coefficients of atoms, and a number."""
    match expr:
        case Literal() if expr.value is not None:
            return {}, expr.value
        case Unary("-", operand):
            return _sum(({}, 0), _linear(operand), -1)
        case Binary("+" | "-" as op, left, right):
            return _sum(_linear(left), _linear(right), 1 if op == "+" else -1)
        case Binary("*", Literal() as factor, other) | Binary("*", other, Literal() as factor):
            value = factor.value
            return _sum(({}, 0), _linear(other), value) if value is not None else None
    return ({expr: 1}, 0) if _is_atom(expr) else None


def _sum(
    one: tuple[dict[Expr, int], int] | None, other: tuple[dict[Expr, int], int] | None, factor: int
) -> tuple[dict[Expr, int], int] | None:
    if one is None or other is None:
        return None
    found = dict(one[0])
    for atom, coefficient in other[0].items():
        found[atom] = found.get(atom, 0) + factor * coefficient
    return {a: c for a, c in found.items() if c}, one[1] + factor * other[1]


def _at_most(left: Expr, right: Expr, facts: Facts) -> int | None:
    """An upper limit of `left - right`."""
    difference = _sum(_linear(left), _linear(right), -1)
    if difference is None:
        return None
    total = difference[1]
    for atom, coefficient in difference[0].items():
        limit = facts.get(atom, (None, None))[coefficient > 0]
        if limit is None:
            return None
        total += coefficient * limit
    return total


def left_behind(version: Version, facts: Facts) -> dict[str, Expr] | None:
    """The constants that a procedure leaves in scalars, if `facts` hold and it does nothing else.

    None: it may do more, or it is not understood.
    """
    unit = version.unit
    named = {p.id for atom in facts for p in parts(atom) if isinstance(p, Name)}
    if unit.entries or unit.statement_functions or named & written_in(unit.body):
        return None
    if not all(_is_whole_number(version, atom) for atom in facts):
        return None
    walk = _Walk(version, facts)
    try:
        walk.through(unit.body)
    except _ActsError:
        return None
    return walk.left


def _is_whole_number(version: Version, atom: Expr) -> bool:
    if isinstance(atom, Name):
        found = version.project.resolve(version.unit, atom.id)
        return isinstance(found, Variable) and found.symbol.type == "integer"
    return isinstance(version.project.resolve(version.unit, "size"), Intrinsic)


class _Walk:
    """Every statement that may run where the facts hold."""

    def __init__(self, version: Version, facts: Facts) -> None:
        self._version, self._facts = version, facts
        self._own = own_variables(version.unit)
        self._doubtful = 0  # constructs around that may run or not
        self.left: dict[str, Expr] = {}

    def through(self, body: Sequence[Statement]) -> bool:
        """Whether the procedure is left at its end, in any case.

        Raises:
            _ActsError: where something else may be done.
        """
        return any(self._one(statement) for statement in body)

    def _one(self, statement: Statement) -> bool:
        if isinstance(statement, If):
            return self._branches(statement)
        for expr in own_expressions(statement):
            self._read(expr)
        match statement:
            case Assignment(target=Name(name), value=Literal() as value) if self._is_left(name):
                self.left[name] = value
            case Assignment():
                self._write(statement.target)
            case Do():
                self._loop(statement)
            case Where():
                for branch in statement.branches:
                    self._perhaps(branch.body)
            case Forall():
                self._perhaps(statement.body)
            case Allocate() | Deallocate():
                for item in statement.objects:
                    self._write(item)
            case Jump() if statement.keyword == "return" and statement.value is None:
                return True
            case Jump() if statement.keyword in ("cycle", "exit"):
                return False  # what follows is looked at all the same
            case Continue():
                return False
            case _:
                raise _ActsError
        return False

    def _branches(self, statement: If) -> bool:
        leaves: bool | None = None  # of the branches so far
        for branch in statement.branches:
            condition = branch.condition
            if condition is not None:
                self._read(condition)
            truth = True if condition is None else self._truth(condition)
            if truth is False:
                continue
            if truth and leaves is None:
                return self.through(branch.body)
            leaves = self._perhaps(branch.body) and leaves is not False
            if truth:
                return leaves
        return False

    def _perhaps(self, body: Sequence[Statement]) -> bool:
        self._doubtful += 1
        left = self.through(body)
        self._doubtful -= 1
        return left

    def _is_left(self, name: str) -> bool:
        """Whether a constant put there is there at the end, and nothing but that is done."""
        found = self._version.project.resolve(self._version.unit, name)
        return (
            not self._doubtful
            and name not in self._own
            and isinstance(found, Variable)
            and not found.symbol.is_array
            and found.symbol.type in _PLAIN
            and not found.symbol.attributes & {"pointer", "target", "volatile", "allocatable"}
        )

    def _truth(self, condition: Expr) -> bool | None:
        for answer in (True, False):
            if all(self._contradicts(facts) for facts in ways(condition, wanted=not answer)):
                return answer
        return None

    def _contradicts(self, wanted: Facts) -> bool:
        """Whether what is wanted of some atom cannot be where the facts hold."""
        for atom, (low, high) in wanted.items():
            known_low, known_high = self._facts.get(atom, (None, None))
            if low is not None and known_high is not None and low > known_high:
                return True
            if high is not None and known_low is not None and high < known_low:
                return True
        return False

    def _loop(self, statement: Do) -> None:
        if statement.kind not in (DoKind.COUNTED, DoKind.CONCURRENT):
            raise _ActsError
        if statement.kind is DoKind.COUNTED and statement.index not in self._own:
            raise _ActsError
        first, last = statement.first, statement.last
        if first is None or last is None:
            raise _ActsError
        match statement.step:
            case None:
                room = _at_most(last, first, self._facts)
            case Literal() as step if (step.value or 0) > 0:
                room = _at_most(last, first, self._facts)
            case Unary("-", Literal() as step) if (step.value or 0) > 0:
                room = _at_most(first, last, self._facts)
            case _:
                room = None
        if room is None or room >= 0:
            self._perhaps(statement.body)

    def _write(self, target: Expr) -> None:
        name = base_name(target)
        found = self._version.project.resolve(self._version.unit, name)
        is_whole = (
            isinstance(target, Name) or isinstance(target, Apply) and target.base == Name(name)
        )
        if not isinstance(found, Variable) or found.symbol.type not in _PLAIN or not is_whole:
            raise _ActsError
        if name in self._own:
            return
        for dimension in found.symbol.dims if found.symbol.owner is self._version.unit else ():
            upper, lower = dimension.upper, dimension.lower or _ONE
            room = None if upper is None else _at_most(upper, lower, self._facts)
            if room is not None and room < 0:
                return  # no element of it is there
        raise _ActsError

    def _read(self, expr: Expr) -> None:
        """A procedure that is called may do anything."""
        for part in parts(expr):
            if not isinstance(part, Apply):
                continue
            found = self._version.project.resolve(self._version.unit, base_name(part))
            if isinstance(found, Variable):
                continue
            if not isinstance(found, Intrinsic) or found.name in IMPURE_FUNCTIONS:
                raise _ActsError
