"""Scalars of a procedure that may have other values: a time step, an offset, a coefficient.

They are given as expressions in its call, so nothing of the caller's is written. Whole numbers are
changed only where no place, size, condition or procedure depends on them.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import IntEnum

from acclimate.analysis.dependence.statements import has_opaque, inside, own_expressions, parts
from acclimate.analysis.ir import (
    Apply,
    Assignment,
    Binary,
    Expr,
    Literal,
    Name,
    Symbol,
    Unary,
    Unit,
)
from acclimate.analysis.names.resolution import Intrinsic, Variable
from acclimate.analysis.project import Project
from acclimate.verifier.structure.written import base_name, written_in

_REALS = ("real", "double precision")
_ARITHMETIC = frozenset({"+", "-", "*", "/", "**"})
_TO_REAL = frozenset({"real", "dble", "float"})
_KEPT = frozenset({"optional", "pointer", "allocatable", "value", "target", "volatile"})


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
    """The scalars among its dummies that may be given other values."""
    written = written_in(unit.body)
    hidden = bool(unit.units or unit.statement_functions) or has_opaque(unit.body)
    read = [
        unit.symbols[name]
        for name in unit.args
        if name in unit.symbols
        and not unit.symbols[name].is_array
        and not unit.symbols[name].attributes & _KEPT
        and _is_only_read(unit.symbols[name], written=hidden or name in written)
    ]
    decisive = {
        part.id
        for expr in _decisive(project, unit)
        for part in parts(expr)
        if isinstance(part, Name)
    }
    return Scalars(
        tuple(s.name for s in read if s.type in _REALS),
        tuple(s.name for s in read if _is_whole(s) and not hidden and s.name not in decisive),
    )


def _is_only_read(symbol: Symbol, *, written: bool) -> bool:
    return symbol.intent == "in" or symbol.intent is None and not written


def _is_whole(symbol: Symbol) -> bool:
    return symbol.type == "integer" and symbol.kind in (None, "4", "8")


def _decisive(project: Project, unit: Unit) -> Iterator[Expr]:
    """All expressions but what arithmetic in an assignment takes."""
    for statement in inside(unit.body):
        if isinstance(statement, Assignment):
            yield statement.target
            is_real = _is_real(project, unit, statement.target)
            yield from _places(project, unit, statement.value) if is_real else (statement.value,)
        else:
            yield from own_expressions(statement)
    for symbol in unit.symbols.values():
        for dimension in symbol.dims:
            yield from (end for end in (dimension.lower, dimension.upper) if end is not None)


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
