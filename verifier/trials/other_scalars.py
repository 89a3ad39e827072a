"""Scalars of a procedure that may have other values: a time step, an offset, a coefficient.

They are given as expressions in its call, so nothing of the caller's is written. Whole numbers are
changed only where no place, size, condition or procedure depends on them. What a called subroutine
makes of a REAL that is handed on is not followed; the original with its bounds checked has to run
to its end first.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import IntEnum

from acclimate.analysis.dependence.statements import (
    bodies,
    has_opaque,
    inside,
    own_expressions,
    parts,
)
from acclimate.analysis.ir import (
    Allocate,
    Apply,
    Assignment,
    Associate,
    Binary,
    Do,
    Expr,
    Forall,
    If,
    Jump,
    Literal,
    Name,
    Statement,
    Symbol,
    Unary,
    Unit,
    Where,
)
from acclimate.analysis.names.resolution import Intrinsic, Variable
from acclimate.analysis.project import Project
from acclimate.verifier.structure.written import base_name

_REALS = ("real", "double precision")
_ARITHMETIC = frozenset({"+", "-", "*", "/", "**"})
_TO_REAL = frozenset({"real", "dble", "float"})
_LISTS = re.compile(
    r"\b(?:private|firstprivate|reduction|present|copy|copyin|copyout|create|delete)\s*\([^()]*\)"
)
_KEPT = frozenset({"optional", "pointer", "allocatable", "value", "target", "volatile", "external"})


class Scalar(IntEnum):
    """How scalars are changed, as the runtime numbers it."""

    NONE = 41  # zero
    HALVED = 42
    DOUBLED = 43
    NEGATED = 44
    MORE = 45  # whole numbers too


@dataclass(frozen=True, slots=True)
class Scalars:
    """Dummies that a procedure only reads."""

    reals: tuple[str, ...] = ()
    integers: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.reals or self.integers)

    def common(self, other: "Scalars") -> "Scalars":
        return Scalars(
            tuple(n for n in self.reals if n in other.reals),
            tuple(n for n in self.integers if n in other.integers),
        )

    def actual(self, name: str, number: int) -> tuple[str, ...]:
        """What procedure `number` of the run is given for a dummy; exact where nothing changes.

        In parts, so that lines of fixed form are long enough.
        """
        if name in self.reals:
            return f"({name}*", f"acclimate_times({number})/", f"acclimate_over({number}))"
        if name in self.integers:
            return f"({name} +", f" acclimate_more({number}))"
        return (name,)


def scalars_of(project: Project, unit: Unit) -> Scalars:
    """The scalars among its dummies that may be given other values: INTENT(IN) alone.

    No extent, subscript, number of iterations or jump in the procedure follows from one of them, by
    values or by conditions under which values are set; conditions ask for no whole number.
    """
    if unit.units or unit.statement_functions or has_opaque(unit.body):
        return Scalars()
    read = [
        symbol
        for name in unit.args
        if (symbol := unit.symbols.get(name)) is not None
        and symbol.intent == "in"
        and not symbol.is_array
        and not symbol.attributes & _KEPT
        and name not in unit.applied
    ]
    jumps = set(_around_jumps(unit.body, frozenset()))
    places = _closed(unit, _names(_places_of(project, unit)) | _words(unit) | jumps)
    decisive = _closed(unit, places | _names(_decisive(project, unit)))
    return Scalars(
        tuple(s.name for s in read if s.type in _REALS and s.name not in places),
        tuple(s.name for s in read if _is_whole(s) and s.name not in decisive),
    )


def _names(found: Iterable[Expr]) -> set[str]:
    return {part.id for expr in found for part in parts(expr) if isinstance(part, Name)}


def _words(unit: Unit) -> set[str]:
    """Words of directives, but for lists of whole variables, and of declared lengths."""
    directives = [*unit.directives]
    directives += [d for s in inside(unit.body) if isinstance(s, Do) for d in s.directives]
    texts = [_LISTS.sub(" ", directive.text) for directive in directives]
    texts += [f"{s.type} {s.kind}" for s in unit.symbols.values()]
    return {word for text in texts for word in re.findall(r"[a-z]\w*", text.lower())}


def _closed(unit: Unit, names: set[str]) -> set[str]:
    """Names whose values come into those of `names`, or decide whether these are set."""
    groups = [_names(group) for group in unit.equivalences]
    flows = [*_flows(unit.body, frozenset()), *((g, g) for g in groups)]
    found, before = set(names), -1
    while len(found) != before:
        before = len(found)
        for given, taken in flows:
            if not given.isdisjoint(found):
                found |= taken
    return found


def _flows(
    body: Iterable[Statement], around: frozenset[str]
) -> Iterator[tuple[set[str], set[str]]]:
    """What each statement may give a value, and what decides on it; `around`: by conditions.

    But for an assignment, whatever a statement names may come into whatever it names.
    """
    for statement in body:
        own = _names(own_expressions(statement))
        match statement:
            case Assignment():
                yield {base_name(statement.target)}, _names([statement.value]) | around
            case Associate():
                own |= {name for name, _ in statement.associations}
                yield own, own | around
            case If() | Where() | Do() | Forall():
                pass
            case _:
                yield own, own | around
        decides = isinstance(statement, (If, Where, Do, Forall))
        deeper = around | own if decides else around
        for inner in bodies(statement):
            yield from _flows(inner, deeper)


def _around_jumps(body: Iterable[Statement], around: frozenset[str]) -> Iterator[str]:
    """Names in the conditions that a jump stands under, and in its own choice of a target."""
    for statement in body:
        own = _names(own_expressions(statement))
        if isinstance(statement, Jump):
            yield from around | own
        deeper = around | own if isinstance(statement, If) else around
        for inner in bodies(statement):
            yield from _around_jumps(inner, deeper)


def _places_of(project: Project, unit: Unit) -> Iterator[Expr]:
    """Extents, subscripts, and what decides how often a loop runs."""
    for symbol in unit.symbols.values():
        for dimension in symbol.dims:
            yield from (end for end in (dimension.lower, dimension.upper) if end is not None)
    for statement in inside(unit.body):
        own = list(own_expressions(statement))
        if isinstance(statement, (Do, Forall)):
            yield from own
        if isinstance(statement, Allocate):
            yield from own
        for part in (part for expr in own for part in parts(expr)):
            if isinstance(part, Apply) and not _is_intrinsic(project, unit, part):
                yield from part.args


def _is_intrinsic(project: Project, unit: Unit, part: Apply) -> bool:
    """What an intrinsic gives is followed to where it is used."""
    return isinstance(project.resolve(unit, base_name(part)), Intrinsic)


def _is_whole(symbol: Symbol) -> bool:
    return symbol.type == "integer" and symbol.kind in (None, "4", "8")


def _decisive(project: Project, unit: Unit) -> Iterator[Expr]:
    """All expressions but what arithmetic in an assignment takes."""
    for statement in inside(unit.body):
        if isinstance(statement, Assignment):
            is_real = _is_real(project, unit, statement.target)
            yield from _places(project, unit, statement.value) if is_real else (statement.value,)
        else:
            yield from own_expressions(statement)


def _is_real(project: Project, unit: Unit, target: Expr) -> bool:
    found = project.resolve(unit, base_name(target))
    return isinstance(found, Variable) and found.symbol.type in _REALS


def _places(project: Project, unit: Unit, value: Expr) -> Iterator[Expr]:
    """Subscripts and arguments in a value, but for those of conversions to REAL."""
    match value:
        case Apply(Name(name), _) if _converts(project, unit, name):
            yield from (place for arg in value.args for place in _places(project, unit, arg))
        case Binary(op, left, right) if op in _ARITHMETIC:
            yield from _places(project, unit, left)
            yield from _places(project, unit, right)
        case Unary("+" | "-", operand):
            yield from _places(project, unit, operand)
        case Name() | Literal():
            return
        case _:
            yield value


def _converts(project: Project, unit: Unit, name: str) -> bool:
    return name in _TO_REAL and isinstance(project.resolve(unit, name), Intrinsic)
