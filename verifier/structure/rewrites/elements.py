"""Is an expression of a port, inside loops, the element of an array expression of the original?"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from acclimate.analysis.dependence.intrinsics import INQUIRIES, TRANSFORMING
from acclimate.analysis.ir import (
    Apply,
    Binary,
    Component,
    Expr,
    Keyword,
    Literal,
    Name,
    Section,
    Symbol,
    Unary,
    Unit,
)
from acclimate.analysis.names.resolution import Intrinsic
from acclimate.analysis.project import Project
from acclimate.verifier.structure.rewrites.references import PURE, NotUnderstood
from acclimate.verifier.structure.rewrites.shapes import Shapes, Triplet, equal


@dataclass(frozen=True, slots=True)
class Elements:
    """Compares array expressions of `unit`, the original's, with their elements in loops.

    `loops` are the loops by their indices, `order` says which index counts which dimension of the
    array expression. Methods raise `NotUnderstood` where it is no element for certain.
    """

    project: Project
    unit: Unit
    shapes: Shapes
    loops: Mapping[str, Triplet]
    order: tuple[str, ...]

    def compare(self, whole: Expr, element: Expr) -> None:
        if self._rank(whole) == 0:
            if whole != element:
                raise NotUnderstood("an expression differs")
            return
        match whole, element:
            case Unary(), Unary() if whole.op == element.op:
                self.compare(whole.operand, element.operand)
            case Binary(), Binary() if whole.op == element.op:
                self.compare(whole.left, element.left)
                self.compare(whole.right, element.right)
            case Keyword(), Keyword() if whole.name == element.name:
                self.compare(whole.value, element.value)
            case Apply(base=Name(id=name)), Apply() if self._is_elemental(name):
                if whole.base != element.base or len(whole.args) != len(element.args):
                    raise NotUnderstood("a function differs")
                for one, other in zip(whole.args, element.args, strict=True):
                    self.compare(one, other)
            case _:
                self.designator(whole, element)

    def _rank(self, expr: Expr) -> int | None:
        return 0 if isinstance(expr, Literal) else self.project.rank(self.unit, expr)

    def _is_elemental(self, name: str) -> bool:
        if not isinstance(self.project.resolve(self.unit, name), Intrinsic):
            return False
        return name in PURE and name not in TRANSFORMING and name not in INQUIRIES

    # --- variables -------------------------------------------------------------------------------

    def designator(self, whole: Expr, element: Expr) -> tuple[Triplet, ...]:
        """The dimensions that a whole array or its sections have, in order."""
        match whole, element:
            case Component(), Component() if whole.name == element.name:
                if self._known(whole).is_array:
                    raise NotUnderstood("a whole array stands in the loops")
                return self.designator(whole.base, element.base)
            case ((Name() | Component()), Apply()) if whole == element.base:
                if isinstance(whole, Component) and self._rank(whole.base) != 0:
                    raise NotUnderstood("an array of arrays")
                symbol = self._known(whole)
                args: Sequence[Expr] = [Section(None, None, None)] * len(symbol.dims)
                return self._subscripts(whole, symbol, args, element.args)
            case Apply(), Apply() if whole.base == element.base:
                symbol = self._known(whole.base)
                if isinstance(whole.base, Component) and self._rank(whole.base.base) != 0:
                    raise NotUnderstood("an array of arrays")
                return self._subscripts(whole.base, symbol, whole.args, element.args)
        raise NotUnderstood("an expression differs")

    def _known(self, expr: Expr) -> Symbol:
        symbol = self.shapes.symbol(expr)
        if symbol is None:
            raise NotUnderstood("a variable is not known")
        return symbol

    def _subscripts(
        self, of: Expr, symbol: Symbol, whole: Sequence[Expr], element: Sequence[Expr]
    ) -> tuple[Triplet, ...]:
        if not len(symbol.dims) == len(whole) == len(element):
            raise NotUnderstood("an array has another number of subscripts")
        found: list[Triplet] = []
        waiting = list(self.order)
        for dimension, (one, other) in enumerate(zip(whole, element, strict=True)):
            if isinstance(one, Section):
                triplet = self.shapes.section(of, symbol, dimension, one)
                self._is_element(triplet, _next(waiting), other)
                found.append(triplet)
            elif self._rank(one) == 1:
                Elements(
                    self.project, self.unit, self.shapes, self.loops, (_next(waiting),)
                ).compare(one, other)
            elif self._rank(one) != 0 or one != other:
                raise NotUnderstood("a subscript differs")
        if waiting:
            raise NotUnderstood("an array has another number of dimensions")
        return tuple(found)

    def _is_element(self, section: Triplet, index: str, subscript: Expr) -> None:
        own = {f"@{Name(index)!r}": 1}
        wanted = section.element(own, self.loops[index])
        if not equal(self.shapes.form(subscript), wanted):
            raise NotUnderstood("a subscript is that of another element")


def _next(waiting: list[str]) -> str:
    if not waiting:
        raise NotUnderstood("an array has another number of dimensions")
    return waiting.pop(0)
