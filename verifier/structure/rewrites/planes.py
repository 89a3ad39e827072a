"""Parts of one array that a call hands over as two arguments: do they share anything?"""

from collections.abc import Mapping
from dataclasses import dataclass

from acclimate.analysis.ir import (
    Apply,
    Binary,
    Dimension,
    Expr,
    Literal,
    LiteralKind,
    Name,
    Shape,
    Symbol,
    Unit,
)
from acclimate.verifier.structure.rewrites.liveness import names_of


@dataclass(frozen=True, slots=True)
class Handed:
    """An argument of a call: the dummy that takes it, and what it is."""

    dummy: Symbol
    actual: Expr


def are_planes_apart(
    caller: Unit, array: Symbol, given: Mapping[str, Expr], one: Handed, other: Handed
) -> bool:
    """Whether two arguments begin at planes of one array that are apart, and are one plane each.

    A plane begins at the lower bounds of all dimensions but the last, where the two have different
    constants. The dummy has the declared shape of all dimensions but the last, with what the call
    gives for its own arguments (`given`): it takes that plane alone (Fortran 2018, 15.5.2.11).
    """
    places = [_plane(caller, array, each.actual) for each in (one, other)]
    if places[0] is None or places[1] is None or places[0] == places[1]:
        return False
    return all(_is_one_plane(caller, array, given, each.dummy) for each in (one, other))


def _plane(caller: Unit, array: Symbol, actual: Expr) -> int | None:
    """Which plane of the array an element begins."""
    if not isinstance(actual, Apply) or not isinstance(actual.base, Name):
        return None
    if len(actual.args) != len(array.dims) or array.owner is not caller:
        return None
    *inner, last = actual.args
    for arg, dim in zip(inner, array.dims, strict=False):
        if dim.shape is not Shape.EXPLICIT or arg != _lower(dim) or not isinstance(arg, Literal):
            return None
    return last.value if isinstance(last, Literal) else None


def _is_one_plane(caller: Unit, array: Symbol, given: Mapping[str, Expr], dummy: Symbol) -> bool:
    if len(dummy.dims) != len(array.dims) - 1 or (dummy.type, dummy.kind) != (
        array.type,
        array.kind,
    ):
        return False
    for own, outer in zip(dummy.dims, array.dims, strict=False):
        if own.shape is not Shape.EXPLICIT or own.upper is None or outer.upper is None:
            return False
        bounds = [_given(bound, dummy.owner, given) for bound in (_lower(own), own.upper)]
        if None in bounds or bounds != [_lower(outer), outer.upper] or not _stays(caller, outer):
            return False
    return True


def _lower(dim: Dimension) -> Expr:
    return dim.lower or Literal(LiteralKind.INTEGER, "1")


def _given(bound: Expr | None, unit: Unit | None, given: Mapping[str, Expr]) -> Expr | None:
    """A bound of a dummy as its caller writes it; None where that is not known."""
    match bound:
        case Literal():
            return bound
        case Name(id=name) if unit is not None and name in given:
            symbol = unit.symbols.get(name)
            return given[name] if symbol is not None and symbol.intent == "in" else None
        case Binary():
            left, right = _given(bound.left, unit, given), _given(bound.right, unit, given)
            return None if left is None or right is None else Binary(bound.op, left, right)
    return None


def _stays(caller: Unit, dim: Dimension) -> bool:
    """Whether what a declaration of the caller names cannot have changed since it was entered."""
    named = {n for bound in (dim.lower, dim.upper) if bound is not None for n in names_of(bound)}
    symbols = [caller.symbols.get(name) for name in named]
    return all(s is not None and (s.intent == "in" or s.is_parameter) for s in symbols)
