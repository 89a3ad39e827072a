"""What an expression computes, in terms of the variables, elements and functions it names."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from acclimate.analysis.dependence.intrinsics import INQUIRIES, INTRINSIC_OPERATORS, TRANSFORMING
from acclimate.analysis.ir import (
    Apply,
    ArrayConstructor,
    Binary,
    Component,
    Expr,
    ImpliedDo,
    Keyword,
    Literal,
    LiteralKind,
    Name,
    Section,
    Shape,
    Star,
    Symbol,
    Unary,
    Unit,
)
from acclimate.analysis.names.resolution import Intrinsic, Procedures, Variable
from acclimate.analysis.project import Project
from acclimate.verifier.structure.fingerprints import (
    CALLED,
    Reference,
    Value,
    arithmetic,
    atom,
    integer,
    joined,
    literal,
    negated,
    opaque,
    power,
)

Subscripts = tuple[Value, ...]
_CONVERSIONS = frozenset({"real", "dble", "float", "sngl"})


@dataclass
class Scope:
    """What is known where an expression stands.

    `known` are values of local scalars, `elements` the counters of an array statement that is
    written out, and `version` what tells the states of a variable apart (by default: nothing).
    """

    known: Mapping[str, Value] = field(default_factory=dict)
    elements: Sequence[Value] = ()
    version: Callable[[str], object] = lambda name: None


@dataclass(frozen=True, slots=True)
class Evaluator:
    """Values of the expressions of one unit; `aliases` are what ASSOCIATE names stand for."""

    project: Project
    unit: Unit
    aliases: dict[str, Expr] = field(default_factory=dict)
    pointing: set[str] = field(default_factory=set)  # what has been met and may share its storage

    def value(self, expr: Expr, scope: Scope) -> Value:
        match expr:
            case Literal():
                return _literal(expr)
            case Name() | Component() | Apply():
                return self._reference(expr, scope)
            case Unary():
                operand = self.value(expr.operand, scope)
                if expr.op in "+-":
                    return negated(operand) if expr.op == "-" else operand
                is_own = expr.op not in INTRINSIC_OPERATORS
                return opaque(f"{CALLED}operator({expr.op})" if is_own else expr.op, (operand,))
            case Binary():
                return self._binary(expr, scope)
            case Section():
                bounds = (expr.lower, expr.upper, expr.stride)
                return opaque("section", (self._optional(bound, scope) for bound in bounds))
            case Keyword():
                return opaque(f"{expr.name}=", (self.value(expr.value, scope),))
            case ArrayConstructor():
                items = (self.value(item, scope) for item in expr.items)
                return opaque(f"[{expr.type_spec}]", items)
            case ImpliedDo():
                parts = (*expr.items, expr.first, expr.last, expr.step)
                return opaque(f"do {expr.index}", (self._optional(p, scope) for p in parts))
            case Star():
                return opaque("*", ())
        return opaque(f"unread {expr!r}", ())

    def _optional(self, expr: Expr | None, scope: Scope) -> Value:
        return opaque("none", ()) if expr is None else self.value(expr, scope)

    def _binary(self, expr: Binary, scope: Scope) -> Value:
        left, right = self.value(expr.left, scope), self.value(expr.right, scope)
        types = [self.project.type_of(self.unit, e) or "" for e in (expr.left, expr.right)]
        is_own = expr.op not in INTRINSIC_OPERATORS
        if is_own or any(type_.startswith(("type", "class")) for type_ in types):
            return opaque(f"{CALLED}operator({expr.op})", (left, right))
        if expr.op in ("+", "-", "*"):
            return arithmetic(expr.op, left, right)
        if expr.op == "/":
            if not {"real", "complex", "double precision"}.isdisjoint(types):
                return arithmetic("/", left, right)
            return opaque("integer /", (left, right))
        if expr.op == "**":
            return power(left, right)
        if expr.op in (">", ">="):
            return opaque({">": "<", ">=": "<="}[expr.op], (right, left))
        if expr.op in ("==", "/=", ".and.", ".or.", ".eqv.", ".neqv."):
            left, right = sorted((left, right), key=lambda v: v.number)
        return opaque(expr.op, (left, right))

    # --- references ------------------------------------------------------------------------------

    def _reference(self, expr: Expr, scope: Scope) -> Value:
        function = self.function(expr)
        if function is not None:
            assert isinstance(expr, Apply)
            return self._call(function, expr.args, scope)
        name, subscripts, parts = self.place(expr, scope)
        if isinstance(expr, Name) and subscripts == () and name in scope.known:
            known = scope.known[name]
            return replace(known, via=known.via | {name})
        key = None if subscripts is None else tuple(s.number for s in subscripts)
        number = atom("read", name, key, scope.version(name))
        exactly = [p.exact for p in parts] if subscripts is None else [s.proof for s in subscripts]
        exact = atom("read", name, exactly, scope.version(name)) if exactly else number
        read = Reference(name, None if subscripts is None else tuple(s.subscript() for s in parts))
        found = joined(number, exact, parts)
        return replace(found, reads=found.reads | {read})

    def function(self, expr: Expr) -> str | None:
        """The name of the function a reference is to, None where it is to a variable."""
        if not isinstance(expr, Apply):
            return None
        if isinstance(expr.base, Component):
            known = self.project.component(self.unit, expr.base) is not None
            return None if known else f"%{expr.base.name}"
        if not isinstance(expr.base, Name) or expr.base.id in self.aliases:
            return None
        meaning = self.project.resolve(self.unit, expr.base.id)
        return None if isinstance(meaning, Variable) else expr.base.id

    def _call(self, function: str, args: Sequence[Expr], scope: Scope) -> Value:
        bound = self._bound(function, args)
        if bound is not None:
            return bound
        whole = scope if self._is_elemental(function) else replace(scope, elements=())
        if function in INQUIRIES:
            whole = replace(whole, known={}, version=lambda name: None)
        values = [self.value(arg, whole) for arg in args]
        is_intrinsic = self._is_intrinsic(function)
        found = opaque(function if is_intrinsic else f"{CALLED}{function}", values)
        if function in _CONVERSIONS and is_intrinsic and values:
            found = replace(values[0], exact=found.exact)
        if whole is not scope and scope.elements and function not in TRANSFORMING:
            return opaque("element", (found, *scope.elements))
        return found

    def _bound(self, function: str, args: Sequence[Expr]) -> Value | None:
        """`lbound(a, 1)` and `ubound(a, 1)` as the declaration has them."""
        if function not in ("lbound", "ubound") or len(args) != 2:
            return None
        symbol, dimension = self.symbol(args[0]), args[1]
        if symbol is None or not isinstance(dimension, Literal) or dimension.value is None:
            return None
        if not 1 <= dimension.value <= len(symbol.dims):
            return None
        name, _, _ = self.place(args[0], Scope())
        of = self.lower_bound if function == "lbound" else self.upper_bound
        return of(name, symbol, dimension.value - 1)

    def _is_intrinsic(self, function: str) -> bool:
        return isinstance(self.project.resolve(self.unit, function.lstrip("%")), Intrinsic)

    def _is_elemental(self, function: str) -> bool:
        meaning = self.project.resolve(self.unit, function.lstrip("%"))
        if isinstance(meaning, Intrinsic):
            return function not in TRANSFORMING | INQUIRIES
        if isinstance(meaning, Procedures):
            return all("elemental" in candidate.prefixes for candidate in meaning.candidates)
        return False

    def place(self, expr: Expr, scope: Scope) -> tuple[str, Subscripts | None, Subscripts]:
        """Variable, subscripts, and the values the reference depends on.

        The subscripts are None where the whole of an array is meant, as an actual argument.
        """
        match expr:
            case Name() if expr.id in self.aliases:
                return self.place(self.aliases[expr.id], scope)
            case Name():
                return self._whole(expr.id, self.symbol(expr), scope)
            case Component():
                base, before, parts = self.place(expr.base, scope)
                name, after, more = self._whole(
                    f"{base}%{expr.name}", self.project.component(self.unit, expr), scope
                )
                if before is None or after is None:
                    return name, None, (*parts, *more)
                return name, (*before, *after), (*parts, *more)
            case Apply():
                bare = replace(scope, elements=())
                base, before, parts = self.place(expr.base, bare)
                own = self._subscripts(expr, scope)
                before = before if isinstance(expr.base, Component | Apply) else ()
                if before is None or own is None:
                    values = tuple(self.value(arg, bare) for arg in expr.args)
                    return base, None, (*parts, *values)
                return base, (*before, *own), (*parts, *own)
        return f"unread {expr!r}", None, ()

    def _whole(
        self, name: str, symbol: Symbol | None, scope: Scope
    ) -> tuple[str, Subscripts | None, Subscripts]:
        if symbol is not None and symbol.attributes & {"pointer", "target"}:
            self.pointing.add(name)
        if symbol is None or not symbol.is_array:
            return name, (), ()
        if len(scope.elements) != len(symbol.dims):
            return name, None, ()
        bounds = (self.lower_bound(name, symbol, d) for d in range(len(symbol.dims)))
        found = tuple(
            arithmetic("+", low, k) for low, k in zip(bounds, scope.elements, strict=True)
        )
        return name, found, found

    def _subscripts(self, expr: Apply, scope: Scope) -> Subscripts | None:
        """Subscripts of one element; sections and vectors take the counters in turn."""
        bare = replace(scope, elements=())
        waiting = list(scope.elements)
        found: list[Value] = []
        symbol = self.symbol(expr.base)
        for dimension, arg in enumerate(expr.args):
            if isinstance(arg, Section):
                if not waiting or symbol is None or dimension >= len(symbol.dims):
                    return None
                found.append(self.section_start(expr, symbol, dimension, bare))
                step = arg.stride
                counter = waiting.pop(0)
                if step is not None:
                    counter = arithmetic("*", self.value(step, bare), counter)
                found[-1] = arithmetic("+", found[-1], counter)
            elif self.project.rank(self.unit, arg) == 1:
                if not waiting:
                    return None
                found.append(self.value(arg, replace(scope, elements=[waiting.pop(0)])))
            else:
                found.append(self.value(arg, bare))
        return tuple(found)

    # --- shapes ----------------------------------------------------------------------------------

    def symbol(self, expr: Expr) -> Symbol | None:
        if isinstance(expr, Name) and expr.id in self.aliases:
            return self.symbol(self.aliases[expr.id])
        if isinstance(expr, Name):
            meaning = self.project.resolve(self.unit, expr.id)
            return meaning.symbol if isinstance(meaning, Variable) else None
        if isinstance(expr, Component):
            return self.project.component(self.unit, expr)
        return None

    def section_start(self, expr: Apply, symbol: Symbol, dimension: int, scope: Scope) -> Value:
        section = expr.args[dimension]
        assert isinstance(section, Section)
        if section.lower is not None:
            return self.value(section.lower, scope)
        return self.lower_bound(self._name(expr.base), symbol, dimension)

    def section_end(self, expr: Apply, symbol: Symbol, dimension: int, scope: Scope) -> Value:
        section = expr.args[dimension]
        assert isinstance(section, Section)
        if section.upper is not None:
            return self.value(section.upper, scope)
        return self.upper_bound(self._name(expr.base), symbol, dimension)

    def _name(self, expr: Expr) -> str:
        return self.place(expr, Scope())[0]

    def lower_bound(self, name: str, symbol: Symbol, dimension: int) -> Value:
        bounds = symbol.dims[dimension]
        if bounds.shape is Shape.DEFERRED:
            return opaque(f"lbound {name} {dimension}", ())
        return integer(1) if bounds.lower is None else self.value(bounds.lower, Scope())

    def upper_bound(self, name: str, symbol: Symbol, dimension: int) -> Value:
        bounds = symbol.dims[dimension]
        if bounds.shape is Shape.EXPLICIT and bounds.upper is not None:
            return self.value(bounds.upper, Scope())
        return opaque(f"ubound {name} {dimension}", ())


def _literal(expr: Literal) -> Value:
    if expr.kind is LiteralKind.INTEGER and expr.value is not None:
        found = integer(expr.value)
        return found if "_" not in expr.text else replace(found, exact=atom("kind", expr.text))
    if expr.kind is LiteralKind.REAL:
        return literal(expr.text)
    return opaque(f"literal {expr.text}", ())
