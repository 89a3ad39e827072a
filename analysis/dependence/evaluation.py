"""Values of expressions as affine forms; nothing is recorded here."""

from acclimate.analysis.dependence.affine import Affine, Range
from acclimate.analysis.dependence.aliasing import Designator, read_with
from acclimate.analysis.dependence.bounds import Bounds
from acclimate.analysis.dependence.context import Context
from acclimate.analysis.dependence.folding import Folding
from acclimate.analysis.dependence.intrinsics import (
    IMPURE_FUNCTIONS,
)
from acclimate.analysis.dependence.regions import Interval, Region, Side
from acclimate.analysis.dependence.substitution import replaced
from acclimate.analysis.ir import (
    Apply,
    Binary,
    Component,
    Expr,
    Keyword,
    Literal,
    Name,
    Shape,
    Symbol,
    Unary,
)
from acclimate.analysis.names.resolution import Intrinsic, StatementFunction, Variable


class Evaluator:
    def __init__(self, context: Context) -> None:
        self._context = context
        self._declared: dict[str, Region] = {}  # by the key of a place
        self._regions: dict[int, Region] = {}  # by the id of bounds, which the unit keeps

    def value(self, expr: Expr) -> Affine:
        """Equal forms mean equal values; an unknown value is a form of its own."""
        match expr:
            case Name():
                return self._object(expr)
            case Literal():
                return self._literal(expr)
            case Apply():
                return self._apply(expr)
            case Component():
                return self._object(expr)
            case Unary():
                return self._unary(expr)
            case Binary():
                return self._binary(expr)
            case Keyword():
                return self.value(expr.value)
        return self._context.fresh()

    def _literal(self, literal: Literal) -> Affine:
        value = literal.value
        if value is not None:
            return Affine(value)
        return self._context.values.entry(f"literal:{literal.kind}:{literal.text}")

    def _is_reference(self, operation: Unary | Binary) -> bool:
        """May a function stand behind the operator?"""
        context = self._context
        if operation.op in context.storage.overloaded and context.aliases:
            return not context.expressions.is_plainly_computed(replaced(operation, context.aliases))
        return not context.expressions.is_intrinsic(operation)

    def _unary(self, expr: Unary) -> Affine:
        if self._is_reference(expr):
            return self._context.fresh()
        operand = self.value(expr.operand)
        if expr.op == "+":
            return operand
        if expr.op == "-" and self.is_integer(expr.operand):
            return -operand
        return self._context.values.term(expr.op, (operand,))

    def _binary(self, expr: Binary) -> Affine:
        if self._is_reference(expr):
            return self._context.fresh()
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
        return self._context.values.term(expr.op, (left, right))

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
        if not context.expressions.is_element(designator):
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
        if name == "lbound" and len(args) == 2:
            known = self._lower_bound(*args)
            if known is not None:
                return known
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
        region = self._declared.get(designator.key)
        if region is None:
            bounds = self._context.bounds.of(designator)
            region = self._regions.get(id(bounds))  # many arrays have the same
            if region is None:
                region = self._regions[id(bounds)] = tuple(map(self._interval, bounds))
            self._declared[designator.key] = region
        return region

    def _lower_bound(self, array: Expr, dim: Expr) -> Affine | None:
        designator = self.designator(array)
        position = dim.value if isinstance(dim, Literal) else None
        if designator is None or not designator.is_whole or position is None:
            return None
        own = len(designator.last.dims)
        if not 1 <= position <= own or isinstance(array, Apply):
            return None
        return self.lower_bound(designator, len(designator.dims) - own + position - 1)

    def lower_bound(self, designator: Designator, position: int) -> Affine | None:
        """That of a pointer or allocatable in one dimension, where nothing here can change it."""
        if designator.dims[position].shape is not Shape.DEFERRED:
            return None
        if self._context.is_reallocated(designator.key, designator.is_aliased):
            return None
        return self._context.values.term(f"lower:{designator.key}:{position}", ())

    def _interval(self, bounds: Bounds | None) -> Side:
        return None if bounds is None else Interval(*map(self._bound, bounds))

    def _bound(self, bound: int | Expr) -> Affine:
        return Affine(bound) if isinstance(bound, int) else self.value(bound)
