"""Bounds and subscripts as sums that can be compared: declared bounds put in for LBOUND and `:`."""

from dataclasses import dataclass

from acclimate.analysis.ir import (
    Apply,
    Binary,
    Component,
    Expr,
    Literal,
    Name,
    Section,
    Shape,
    Symbol,
    Unary,
    Unit,
)
from acclimate.analysis.names.resolution import Intrinsic, Variable
from acclimate.analysis.project import Project
from acclimate.verifier.structure.rewrites.directions import Linear
from acclimate.verifier.structure.rewrites.references import NotUnderstood


@dataclass(frozen=True, slots=True)
class Shapes:
    """Shapes as one unit sees them; methods raise `NotUnderstood` rather than guess."""

    project: Project
    unit: Unit

    def form(self, expr: Expr) -> Linear:
        """A sum of multiples of names and of parts that are taken as they are written."""
        match expr:
            case Literal() if expr.value is not None and "_" not in expr.text:
                return {"": expr.value}
            case Unary(op="+" | "-"):
                return scaled(self.form(expr.operand), -1 if expr.op == "-" else 1)
            case Binary(op="+" | "-"):
                sign = -1 if expr.op == "-" else 1
                return plus(self.form(expr.left), scaled(self.form(expr.right), sign))
            case Binary(op="*"):
                for factor, rest in ((expr.left, expr.right), (expr.right, expr.left)):
                    by = self.form(factor)
                    if not by.keys() - {""}:
                        return scaled(self.form(rest), by.get("", 0))
            case Apply(base=Name(id="lbound" | "ubound" as which), args=(of, Literal() as number)):
                if isinstance(self.project.resolve(self.unit, which), Intrinsic):
                    return self._inquired(which, of, number)
        return {f"@{expr!r}": 1}

    def _inquired(self, which: str, of: Expr, number: Literal) -> Linear:
        symbol = self.symbol(of)
        if symbol is None or number.value is None or not 1 <= number.value <= len(symbol.dims):
            raise NotUnderstood("bounds of what is no array are asked for")
        bound = self.lower if which == "lbound" else self.upper
        return bound(of, symbol, number.value - 1)

    def lower(self, of: Expr, symbol: Symbol, dimension: int) -> Linear:
        dim = symbol.dims[dimension]
        if dim.shape is Shape.DEFERRED:
            return {f"@lbound {of!r} {dimension}": 1}
        if dim.lower is None:
            return {"": 1}
        return self._declared(dim.lower, symbol, f"@lbound {of!r} {dimension}")

    def upper(self, of: Expr, symbol: Symbol, dimension: int) -> Linear:
        dim, own = symbol.dims[dimension], f"@ubound {of!r} {dimension}"
        if dim.shape is Shape.EXPLICIT and dim.upper is not None:
            return self._declared(dim.upper, symbol, own)
        return {own: 1}

    def _declared(self, bound: Expr, symbol: Symbol, otherwise: str) -> Linear:
        """A bound that still has the value it had at entry, where the array was made."""
        is_own = symbol.owner is self.unit and symbol is self.unit.symbols.get(symbol.name)
        if isinstance(bound, Literal) or (is_own and self._stays(bound)):
            return self.form(bound)
        return {otherwise: 1}

    def _stays(self, expr: Expr) -> bool:
        match expr:
            case Literal():
                return expr.value is not None
            case Unary():
                return self._stays(expr.operand)
            case Binary(op="+" | "-" | "*"):
                return self._stays(expr.left) and self._stays(expr.right)
            case Name():
                symbol = self.symbol(expr)
                if symbol is None:
                    return False
                return symbol.is_parameter or (symbol.owner is self.unit and symbol.intent == "in")
        return False

    def symbol(self, expr: Expr) -> Symbol | None:
        if isinstance(expr, Name):
            meaning = self.project.resolve(self.unit, expr.id)
            return meaning.symbol if isinstance(meaning, Variable) else None
        if isinstance(expr, Component):
            return self.project.component(self.unit, expr)
        return None

    def section(self, of: Expr, symbol: Symbol, dimension: int, arg: Section) -> "Triplet":
        low = self.form(arg.lower) if arg.lower is not None else self.lower(of, symbol, dimension)
        high = self.form(arg.upper) if arg.upper is not None else self.upper(of, symbol, dimension)
        return Triplet(low, high, {"": 1} if arg.stride is None else self.form(arg.stride))


@dataclass(frozen=True, slots=True)
class Triplet:
    """`low:high:step`, of a section or of a loop."""

    low: Linear
    high: Linear
    step: Linear

    def counts_like(self, other: "Triplet") -> bool:
        """Whether both have the same number of elements, for certain."""
        return equal(self.step, other.step) and equal(
            minus(self.high, self.low), minus(other.high, other.low)
        )

    def element(self, index: Linear, loop: "Triplet") -> Linear:
        """The element of this section that belongs to the index of a loop over all of it."""
        way = minus(index, loop.low)
        if equal(self.step, loop.step):
            return plus(self.low, way)
        if loop.step == {"": 1} and not self.step.keys() - {""}:
            return plus(self.low, scaled(way, self.step.get("", 0)))
        raise NotUnderstood("sections with other strides than the loop's")


def equal(one: Linear, other: Linear) -> bool:
    return not any(minus(one, other).values())


def plus(one: Linear, other: Linear) -> Linear:
    return {key: one.get(key, 0) + other.get(key, 0) for key in {*one, *other}}


def minus(one: Linear, other: Linear) -> Linear:
    return plus(one, scaled(other, -1))


def scaled(form: Linear, factor: int) -> Linear:
    return {key: factor * value for key, value in form.items()}
