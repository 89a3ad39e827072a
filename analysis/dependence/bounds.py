"""Declared bounds that can be compared with values met later: what holds for a whole unit."""

from collections.abc import Callable

from acclimate.analysis.dependence.aliasing import Designator, Places, read_with
from acclimate.analysis.dependence.folding import Folding
from acclimate.analysis.dependence.intrinsics import INTEGER_IF_ARGUMENTS
from acclimate.analysis.ir import (
    Apply,
    Binary,
    Component,
    Dimension,
    Expr,
    Literal,
    Name,
    Shape,
    Unary,
)
from acclimate.analysis.names.resolution import Intrinsic

Bounds = tuple[int | Expr, int | Expr]
"""Lower and upper bound of a dimension; an expression keeps its value in the whole unit."""
Extents = tuple[Bounds | None, ...]


class DeclaredBounds:
    """Answers for the arrays of one unit, cached by place; equal shapes are one object.

    `is_stable` tells whether a key keeps its value from the entry of the unit to its end.
    """

    def __init__(self, places: Places, is_stable: Callable[[str], bool]) -> None:
        self._places, self.is_stable = places, is_stable
        self._folding = Folding(places.project)
        self._known: dict[str, Extents] = {}
        self._shapes: dict[Extents, Extents] = {}

    def of(self, designator: Designator) -> Extents:
        """Those of every dimension on the path; None where they say nothing of later values."""
        found = self._known.get(designator.key)
        if found is None:
            shape = tuple(self._bounds(dimension, designator) for dimension in designator.dims)
            found = self._known[designator.key] = self._shapes.setdefault(shape, shape)
        return found

    def _bounds(self, dimension: Dimension, designator: Designator) -> Bounds | None:
        if dimension.shape is not Shape.EXPLICIT or dimension.upper is None:
            return None
        if _means_any_size(dimension, designator):
            return None
        lower = 1 if dimension.lower is None else self._bound(dimension.lower, designator)
        upper = self._bound(dimension.upper, designator)
        return None if lower is None or upper is None else (lower, upper)

    def _bound(self, expr: Expr, designator: Designator) -> int | Expr | None:
        """A declared bound, whose value is that at the entry of the declaring unit."""
        unit = self._places.unit
        owner = designator.last.owner or designator.root.owner
        folded = self._folding.fold(expr, owner or unit)
        if folded is not None:
            return folded
        if designator.root.owner is not unit or "%" in designator.key:
            return None
        return expr if self._keeps_value(expr) else None

    def _keeps_value(self, expr: Expr) -> bool:
        match expr:
            case Literal():
                return True
            case Name() | Component() | Apply():
                return self._is_stable_object(expr)
            case Unary():
                return self._keeps_value(expr.operand)
            case Binary():
                return self._keeps_value(expr.left) and self._keeps_value(expr.right)
        return False

    def _is_stable_object(self, expr: Name | Component | Apply) -> bool:
        designator = self._places.designator(expr)
        if designator is not None:
            keys = (designator.key, *read_with(designator))
            fixed = all(self._keeps_value(subscript) for subscript in designator.subscripts)
            return fixed and all(map(self.is_stable, keys))
        if isinstance(expr, Name):
            return True  # a constant
        if not isinstance(expr, Apply) or not isinstance(expr.base, Name):
            return False
        function = self._places.meaning(expr.base.id)
        elemental = isinstance(function, Intrinsic) and function.name in INTEGER_IF_ARGUMENTS
        return elemental and all(self._keeps_value(arg) for arg in expr.args)


def _means_any_size(dimension: Dimension, designator: Designator) -> bool:
    """`dimension a(1)` of a dummy: FORTRAN 66 for an array of any size."""
    dummy = designator.root  # a component may have a dummy's name, and is none
    is_dummy = dummy.owner is not None and dummy.name in dummy.owner.args
    last = is_dummy and bool(dummy.dims) and dimension is dummy.dims[-1]
    return last and isinstance(dimension.upper, Literal) and dimension.upper.value == 1
