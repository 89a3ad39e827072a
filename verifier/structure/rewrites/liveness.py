"""What becomes of a variable behind a statement: is its value read before it is written again?"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from enum import Enum, auto

from acclimate.analysis.dependence.statements import inside, own_expressions, parts
from acclimate.analysis.ir import (
    Apply,
    Assignment,
    Call,
    Component,
    Continue,
    Do,
    DoKind,
    Expr,
    If,
    ImpliedDo,
    InputOutput,
    Jump,
    Name,
    Star,
    Statement,
    Unit,
    UnitKind,
)
from acclimate.verifier.structure.evaluations import read_by_functions
from acclimate.verifier.structure.written import own_variables


class Flow(Enum):
    READ = auto()  # some path reads it first
    WRITTEN = auto()  # every path writes it first
    UNTOUCHED = auto()  # neither for certain


@dataclass(frozen=True, slots=True)
class Level:
    """A list of statements, the one of them that is meant, and the construct the list is in."""

    siblings: Sequence[Statement]
    index: int
    owner: Statement | None


Place = tuple[Level, ...]  # outermost list first


def first_use(body: Sequence[Statement], name: str) -> Flow:
    """What statements do first with a scalar that no procedure they call can see by its name."""
    jumped = False
    for statement in body:
        flow = _of(statement, name)
        if flow is Flow.READ:
            return flow
        if flow is Flow.WRITTEN:
            return Flow.UNTOUCHED if jumped else flow
        jumped |= any(isinstance(each, Jump) for each in inside([statement]))
    return Flow.UNTOUCHED


def _of(statement: Statement, name: str) -> Flow:
    match statement:
        case Assignment(target=Name(id=target), value=value) if target == name:
            return Flow.READ if name in names_of(value) else Flow.WRITTEN
        case Do(kind=DoKind.COUNTED):
            if any(name in names_of(bound) for bound in own_expressions(statement)):
                return Flow.READ
            if statement.index == name:
                return Flow.WRITTEN
            inner = first_use(statement.body, name)
            return inner if inner is Flow.READ else Flow.UNTOUCHED
        case If():
            if any(name in names_of(condition) for condition in own_expressions(statement)):
                return Flow.READ
            flows = [first_use(branch.body, name) for branch in statement.branches]
            if Flow.READ in flows:
                return Flow.READ
            complete = any(branch.condition is None for branch in statement.branches)
            return Flow.WRITTEN if complete and set(flows) == {Flow.WRITTEN} else Flow.UNTOUCHED
        case Assignment() | Call() | Jump() | Continue():
            read = any(name in names_of(expr) for expr in own_expressions(statement))
            return Flow.READ if read else Flow.UNTOUCHED
        case InputOutput(namelist=None):
            read = any(name in names_of(expr) for expr in own_expressions(statement))
            return Flow.READ if read else Flow.UNTOUCHED
        case Do(kind=DoKind.WHILE | DoKind.FOREVER):
            if any(name in names_of(expr) for expr in own_expressions(statement)):
                return Flow.READ
            inner = first_use(statement.body, name)
            return inner if inner is Flow.READ else Flow.UNTOUCHED
    return Flow.READ  # not followed: masks, ASSOCIATE, BLOCK and what was not understood


def names_of(expr: Expr) -> Iterator[str]:
    for part in parts(expr):
        if isinstance(part, Name):
            yield part.id
        elif isinstance(part, ImpliedDo):
            yield part.index


def is_own(unit: Unit, name: str) -> bool:
    """Whether nothing but the statements of the unit, and no later call, can see the variable."""
    own = own_variables(replace(unit, kind=UnitKind.SUBROUTINE))
    symbol = unit.symbols.get(name)
    if name not in own or symbol is None or symbol.is_array:
        return False
    if any(name in names for names in unit.namelists.values()) or name in read_by_functions(unit):
        return False
    if any(name in names_of(item) for group in unit.equivalences for item in group):
        return False
    return not any(name in inner.mentioned for inner in unit.units.values())


def is_live_after(unit: Unit, place: Place, name: str) -> bool:
    """Whether the value that a statement leaves in a scalar may be read later."""
    if not is_own(unit, name) or not is_structured(unit):
        return True
    for level in reversed(place):
        flow = first_use(level.siblings[level.index + 1 :], name)
        if flow is not Flow.UNTOUCHED:
            return flow is Flow.READ
        if isinstance(level.owner, Do):
            read = any(name in names_of(expr) for expr in own_expressions(level.owner))
            if read or first_use(level.siblings, name) is Flow.READ:
                return True
        elif level.owner is not None and not isinstance(level.owner, If):
            return True
    return False


def is_structured(unit: Unit) -> bool:
    """Whether control only goes on, round a loop, out of a construct, or back to the caller."""
    for statement in inside(unit.body):
        match statement:
            case Jump(keyword="exit" | "cycle" | "return" | "stop"):
                continue
            case Jump():
                return False
            case InputOutput() if statement.branches:
                return False
            case Call() if any(isinstance(arg, Star) for arg in statement.args):
                return False
    return not unit.entries


def is_named_in(statement: Statement, name: str) -> bool:
    return any(name in names_of(e) for s in inside([statement]) for e in own_expressions(s))


def base_of(expr: Expr) -> str:
    """The variable whose part a designator is; "" where it is none."""
    while isinstance(expr, Apply | Component):
        expr = expr.base
    return expr.id if isinstance(expr, Name) else ""
