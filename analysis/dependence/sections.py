"""Subscripts of an array section that goes by a name of its own (ASSOCIATE)."""

from acclimate.analysis.ir import (
    Apply,
    Binary,
    Dimension,
    Expr,
    Literal,
    LiteralKind,
    Name,
    Section,
    Shape,
)

_ONE = Literal(LiteralKind.INTEGER, "1")


def selected(
    array: Expr, dims: tuple[Dimension, ...], outer: tuple[Expr, ...], inner: tuple[Expr, ...]
) -> tuple[Expr, ...] | None:
    """Those of `array` that `inner` selects of the section `array(outer)`.

    The section begins at 1 in each dimension (Fortran 2018, 11.1.3.3). None where it has a stride
    or another rank than `inner`.
    """
    if sum(isinstance(subscript, Section) for subscript in outer) != len(inner):
        return None
    remaining = iter(inner)
    found: list[Expr] = []
    for position, subscript in enumerate(outer):
        if not isinstance(subscript, Section):
            found.append(subscript)
            continue
        if subscript.stride is not None:
            return None
        first = subscript.lower or _lower(array, dims[position], position)
        placed = _placed(next(remaining), subscript, first)
        if placed is None:
            return None
        found.append(placed)
    return tuple(found)


def _placed(inner: Expr, outer: Section, first: Expr | None) -> Expr | None:
    if not isinstance(inner, Section):
        return _moved(inner, first)
    if inner.stride is not None:
        return None
    lower = outer.lower if inner.lower is None else _moved(inner.lower, first)
    upper = outer.upper if inner.upper is None else _moved(inner.upper, first)
    return Section(lower, upper, None)


def _moved(subscript: Expr, first: Expr | None) -> Expr:
    """`subscript` counted from 1, counted from `first`."""
    if first is None:
        return subscript
    return Binary("+", subscript, Binary("-", first, _ONE))


def _lower(array: Expr, dimension: Dimension, position: int) -> Expr | None:
    """The first subscript of a dimension; None for 1."""
    if dimension.lower is not None or dimension.shape is not Shape.DEFERRED:
        return dimension.lower
    number = Literal(LiteralKind.INTEGER, str(position + 1))
    return Apply(Name("lbound"), (array, number))
