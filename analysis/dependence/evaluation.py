"""Values of expressions as affine forms; nothing is recorded here."""

from acclimate.analysis.dependence.affine import Affine, Range
from acclimate.analysis.dependence.aliasing import Designator, read_with
from acclimate.analysis.dependence.context import Context
from acclimate.analysis.dependence.folding import Folding
from acclimate.analysis.dependence.intrinsics import (
    IMPURE_FUNCTIONS,
    INTEGER_IF_ARGUMENTS,
)
from acclimate.analysis.dependence.regions import Interval, Region, Side
from acclimate.analysis.dependence.substitution import replaced
from acclimate.analysis.ir import (
    Apply,
    Binary,
    Component,
    Dimension,
    Expr,
    Keyword,
    Literal,
    Name,
    Section,
    Shape,
    Symbol,
    Unary,
)
from acclimate.analysis.names.resolution import Intrinsic, StatementFunction, Variable


class Evaluator:
    def __init__(self, context: Context) -> None:
        self._context = context
        self._bounds: dict[str, Region] = {}

    def value(self, expr: Expr) -> Affine:
        """Equal forms mean equal values; an unknown value is a form of its own."""
        match expr:
            case Literal():
                return self._literal(expr)
            case Name() | Component():
                return self._object(expr)
            case Apply():
                return self._apply(expr)
            case Unary():
                return self._unary(expr)
            case Binary():
                return self._binary(expr)
            case Keyword():
                return self.value(expr.value)
        return self._context.fresh()

    def _literal(self, literal: Literal) -> Affine:
        if literal.value is not None:
            return Affine(literal.value)
        return self._context.values.entry(f"literal:{literal.kind}:{literal.text}")

    def _unary(self, expr: Unary) -> Affine:
        operand = self.value(expr.operand)
        if expr.op == "+":
            return operand
        if expr.op == "-" and self.is_integer(expr.operand):
            return -operand
        return self._operation(expr.op, (operand,))

    def _binary(self, expr: Binary) -> Affine:
        left, right = self.value(expr.left), self.value(expr.right)
        if expr.op in ("+", "-", "*") and self.is_integer(expr):
            if expr.op == "+":
                return left + right
            if expr.op == "-":
                return left - right
            if left.is_constant:
                return right.times(left.constant)
            if right.is_constant:
                return left.times(right.constant)
        return self._operation(expr.op, (left, right))

    def _operation(self, operator: str, args: tuple[Affine, ...]) -> Affine:
        if operator[0] == "." and operator not in _LOGICAL:
            return self._context.fresh()  # a defined operator is a function reference
        return self._context.values.term(operator, args)

    def _object(self, expr: Name | Component) -> Affine:
        context = self._context
        designator = self.designator(expr)
        if designator is not None:
            return self.object_value(designator)
        if isinstance(expr, Name):
            if expr.id in context.aliases:
                return self.value(context.aliases[expr.id])
            resolution = context.project.resolve(context.unit, expr.id)
            if isinstance(resolution, Variable) and resolution.symbol.is_parameter:
                return self._parameter(resolution.symbol)
        return context.fresh()

    def designator(self, expr: Expr) -> Designator | None:
        """The object an expression names, ASSOCIATE names replaced."""
        context = self._context
        if context.aliases:
            expr = replaced(expr, context.aliases)
        found = context.expressions.places.designator(expr)
        if found is not None:
            context.record.mention(found.key, found.root)
        return found

    def object_value(self, designator: Designator) -> Affine:
        context = self._context
        if designator.substring:
            return context.fresh()
        version = self._version(designator)
        if designator.is_scalar:
            return version
        if any(self._is_array(subscript) for subscript in designator.subscripts):
            if not designator.is_whole:
                return context.fresh()
            return context.values.term(f"array:{designator.key}", (version,))
        return self.element(designator, tuple(map(self.value, designator.subscripts)))

    def element(self, designator: Designator, subscripts: tuple[Affine, ...]) -> Affine:
        """The present value of one element of the array."""
        version = self._version(designator)
        return self._context.values.term(f"element:{designator.key}", (version, *subscripts))

    def _version(self, designator: Designator) -> Affine:
        """The value of a scalar; for an array, a form that changes with each write to it."""
        own = self._context.value_of(designator.key)
        others = read_with(designator)
        if not others:
            return own
        return self._context.values.term("pointed", (own, *map(self._context.value_of, others)))

    def _is_array(self, subscript: Expr) -> bool:
        return isinstance(subscript, Section) or self._context.expressions.rank(subscript) != 0

    def _parameter(self, symbol: Symbol) -> Affine:
        owner = symbol.owner or self._context.unit
        if symbol.initial is not None and symbol.type == "integer" and not symbol.dims:
            folded = Folding(self._context.project).fold(symbol.initial, owner)
            if folded is not None:
                return Affine(folded)
        return self._context.values.entry(f"parameter:{owner.qualified_name}::{symbol.name}")

    def _apply(self, expr: Apply) -> Affine:
        context = self._context
        designator = self.designator(expr)
        if designator is not None:
            return self.object_value(designator)
        if not isinstance(expr.base, Name):
            return context.fresh()
        resolution = context.project.resolve(context.unit, expr.base.id)
        if isinstance(resolution, StatementFunction) and resolution.owner is context.unit:
            actuals = dict(zip(resolution.args, expr.args, strict=False))
            return self.value(replaced(resolution.body, actuals))
        if isinstance(resolution, Variable) and resolution.symbol.is_parameter:
            args = tuple(self.value(arg) for arg in expr.args)
            owner = resolution.symbol.owner or context.unit
            name = f"constant:{owner.qualified_name}::{resolution.symbol.name}"
            return context.values.term(name, args)
        if isinstance(resolution, Intrinsic) and resolution.name not in IMPURE_FUNCTIONS:
            return self._intrinsic(resolution.name, expr.args)
        return context.fresh()

    def _intrinsic(self, name: str, args: tuple[Expr, ...]) -> Affine:
        named = tuple(f"{arg.name}=" if isinstance(arg, Keyword) else "" for arg in args)
        return self._context.values.term(
            f"{name}({','.join(named)})", tuple(self.value(arg) for arg in args)
        )

    def is_integer(self, expr: Expr) -> bool:
        """Is the expression surely of integer type (exact arithmetic)?"""
        context = self._context
        if context.aliases:
            expr = replaced(expr, context.aliases)
        return context.expressions.is_integer(expr)

    def index_range(
        self, first: Affine | None, last: Affine | None, stride: Expr | None, *, is_section: bool
    ) -> Range:
        """An index from `first` to `last`; bounds stay open where the sign is unknown."""
        step: int | None = 1
        if stride is not None:
            form = self.value(stride)
            step = form.constant if form.is_constant and form.constant else None
        if step is None:
            return Range(first, None, None, None, is_section)
        low, high = (first, last) if step > 0 else (last, first)
        return Range(first, low, high, step, is_section)

    def declared(self, designator: Designator) -> Region:
        """The bounds of every dimension on the path, where they can be compared with values."""
        bounds = self._bounds.get(designator.key)
        if bounds is None:
            bounds = tuple(self._extent(dimension, designator) for dimension in designator.dims)
            self._bounds[designator.key] = bounds
        return bounds

    def _extent(self, dimension: Dimension, designator: Designator) -> Side:
        if dimension.shape is not Shape.EXPLICIT or dimension.upper is None:
            return None
        if _means_any_size(dimension, designator):
            return None
        lower = Affine(1) if dimension.lower is None else self._bound(dimension.lower, designator)
        upper = self._bound(dimension.upper, designator)
        return None if lower is None or upper is None else Interval(lower, upper)

    def _bound(self, expr: Expr, designator: Designator) -> Affine | None:
        """A declared bound, whose value is that at the entry of the declaring unit."""
        context = self._context
        owner = designator.last.owner or designator.root.owner
        folded = Folding(context.project).fold(expr, owner or context.unit)
        if folded is not None:
            return Affine(folded)
        if designator.root.owner is not context.unit or "%" in designator.key:
            return None
        if not self._is_stable(expr):
            return None
        return self.value(expr)

    def _is_stable(self, expr: Expr) -> bool:
        match expr:
            case Literal():
                return True
            case Name() | Component() | Apply():
                return self._is_stable_object(expr)
            case Unary():
                return self._is_stable(expr.operand)
            case Binary():
                return self._is_stable(expr.left) and self._is_stable(expr.right)
        return False

    def _is_stable_object(self, expr: Name | Component | Apply) -> bool:
        designator = self.designator(expr)
        if designator is not None:
            keys = (designator.key, *read_with(designator))
            fixed = all(self._is_stable(subscript) for subscript in designator.subscripts)
            return fixed and all(map(self._context.stable, keys))
        if isinstance(expr, Name):
            return True  # a constant
        if not isinstance(expr, Apply) or not isinstance(expr.base, Name):
            return False
        function = self._context.project.resolve(self._context.unit, expr.base.id)
        elemental = isinstance(function, Intrinsic) and function.name in INTEGER_IF_ARGUMENTS
        return elemental and all(self._is_stable(arg) for arg in expr.args)


_LOGICAL = (".and.", ".or.", ".not.", ".eqv.", ".neqv.")


def _means_any_size(dimension: Dimension, designator: Designator) -> bool:
    """`dimension a(1)` of a dummy: FORTRAN 66 for an array of any size."""
    symbol = designator.last
    is_dummy = symbol.owner is not None and symbol.name in symbol.owner.args
    last = is_dummy and dimension is symbol.dims[-1]
    return last and isinstance(dimension.upper, Literal) and dimension.upper.value == 1
