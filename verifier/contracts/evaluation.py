"""Integer expressions as terms, and what evaluating them reads."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from acclimate.analysis.dependence.intrinsics import INQUIRIES
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
    Unary,
)
from acclimate.analysis.names.resolution import Intrinsic, Procedures, StatementFunction, Variable
from acclimate.analysis.project import Project
from acclimate.analysis.source import Lines
from acclimate.verifier.contracts.naming import OWN, Naming
from acclimate.verifier.contracts.places import (
    Access,
    Array,
    Element,
    Frame,
    Known,
    Place,
    Record,
    Scalar,
    ScalarUse,
)
from acclimate.verifier.contracts.terms import (
    Symbols,
    Term,
    both,
    chosen,
    compared,
    divided,
    either,
    extreme,
    minus,
    negated,
    negative,
    number,
    plus,
    remainder,
    times,
)

Inline = Callable[[Frame, Apply, Lines], Term | None]  # the value of a function of the model
_RELATIONS = {"==": "=", "<": "<", "<=": "<=", ">": ">", ">=": ">="}


@dataclass(slots=True)
class State:
    """Values of integer scalars; `assigned` are those that the iteration has surely written."""

    values: dict[str, Term] = field(default_factory=dict)
    assigned: frozenset[str] = frozenset()
    touched: frozenset[str] = frozenset()  # perhaps written

    def copy(self) -> "State":
        return State(dict(self.values), self.assigned, self.touched)


@dataclass(slots=True)
class Evaluation:
    """Terms of expressions at one point of a kernel."""

    project: Project
    symbols: Symbols
    naming: Naming
    record: Record
    inline: Inline
    written: frozenset[str]  # keys of what the kernel writes: the rest is the same for all
    state: State = field(default_factory=State)
    conditions: list[str] = field(default_factory=list)
    held: int = 0  # how many of the conditions are the ranges of the kernel's loops

    # --- values ----------------------------------------------------------------------------------

    def term(self, frame: Frame, expr: Expr, at: Lines) -> Term:
        """The value of an integer expression; its reads are recorded."""
        found = self._term(frame, expr, at)
        return found if found is not None else self.symbols.variant("v", _shown(expr))

    def _term(self, frame: Frame, expr: Expr, at: Lines) -> Term | None:
        match expr:
            case Literal():
                return number(expr.value) if expr.value is not None else None
            case Unary() if expr.op in "+-":
                inner = self.term(frame, expr.operand, at)
                return negative(inner) if expr.op == "-" else inner
            case Binary() if expr.op in ("+", "-", "*", "/"):
                return self._arithmetic(frame, expr, at)
            case Name() | Component() | Apply():
                return self._reference(frame, expr, at)
        self.reads(frame, expr, at)
        return None

    def _arithmetic(self, frame: Frame, expr: Binary, at: Lines) -> Term | None:
        if self.project.type_of(frame.unit, expr) not in ("integer", None):
            self.reads(frame, expr, at)
            return None
        left, right = self.term(frame, expr.left, at), self.term(frame, expr.right, at)
        match expr.op:
            case "+":
                return plus(left, right)
            case "-":
                return minus(left, right)
            case "*":
                return times(self.symbols, left, right)
        return divided(self.symbols, left, right)

    def _reference(self, frame: Frame, expr: Expr, at: Lines) -> Term | None:
        function = self._function(frame, expr)
        if function is not None:
            assert isinstance(expr, Apply)
            return self._call(frame, function, expr, at)
        return self._read(self.place(frame, expr, at), at)

    def _read(self, place: Place | None, at: Lines) -> Term | None:
        match place:
            case Known():
                return place.term
            case Scalar():
                return self._scalar(place, at)
            case Element():
                self._access(place, at, write=False)
                return self._element(place)
            case Array():
                self._access(Element(place, None), at, write=False)
        return None

    def _scalar(self, scalar: Scalar, at: Lines) -> Term | None:
        key = scalar.key
        varies = key in self.written or key.startswith(OWN)
        if varies and key not in self.state.assigned:
            surely = key not in self.state.touched
            surely = surely and not self._is_optional()
            self.record.early_reads.append(ScalarUse(scalar, at, surely))
        known = self.state.values.get(key)
        if known is not None or varies:
            return known
        if scalar.type == "integer":
            return self.naming.constant(scalar)
        return None

    def _element(self, element: Element) -> Term | None:
        """An element of an integer table that the kernel only reads is a function of its index."""
        array = element.array
        if array.symbol.type != "integer" or array.key in self.written or array.is_private:
            return None
        if element.subscripts is None or element.conditions:
            return None
        return self.symbols.apply(array.key, element.subscripts)

    # --- conditions ------------------------------------------------------------------------------

    def condition(self, frame: Frame, expr: Expr, at: Lines) -> str:
        """A logical expression; what is not about integers is an unknown of its own."""
        match expr:
            case Unary() if expr.op == ".not.":
                return negated(self.condition(frame, expr.operand, at))
            case Binary() if expr.op in (".and.", ".or."):
                join = both if expr.op == ".and." else either
                left = self.condition(frame, expr.left, at)
                return join(left, self.condition(frame, expr.right, at))
            case Binary() if expr.op in _RELATIONS or expr.op == "/=":
                if self._are_integers(frame, expr.left, expr.right):
                    one = self.term(frame, expr.left, at)
                    other = self.term(frame, expr.right, at)
                    if expr.op == "/=":
                        return negated(compared("=", one, other))
                    return compared(_RELATIONS[expr.op], one, other)
            case Literal() if expr.kind is LiteralKind.LOGICAL:
                return "true" if "true" in expr.text else "false"
            case Name():
                place = self.naming.place(frame, expr.id)
                if isinstance(place, Scalar) and place.key not in self.written:
                    return self.symbols.invariant("b", place.name).text
        self.reads(frame, expr, at)
        return self.symbols.variant("b", _shown(expr)).text

    def _are_integers(self, frame: Frame, *exprs: Expr) -> bool:
        return all(self.project.type_of(frame.unit, e) == "integer" for e in exprs)

    # --- reads -----------------------------------------------------------------------------------

    def reads(self, frame: Frame, expr: Expr | None, at: Lines) -> None:
        """Record what an expression reads whose value does not matter."""
        match expr:
            case None | Literal():
                return
            case Name() | Component() | Apply():
                self._reference(frame, expr, at)
            case Unary():
                self.reads(frame, expr.operand, at)
            case Binary():
                self.reads(frame, expr.left, at)
                self.reads(frame, expr.right, at)
            case Keyword():
                self.reads(frame, expr.value, at)
            case Section():
                for part in (expr.lower, expr.upper, expr.stride):
                    self.reads(frame, part, at)
            case ArrayConstructor():
                for item in expr.items:
                    self.reads(frame, item, at)
            case ImpliedDo():
                self.record.gap("an implied DO in an expression", at)
            case _:
                self.record.gap("an expression that was not read", at)

    # --- places ----------------------------------------------------------------------------------

    def place(self, frame: Frame, expr: Expr, at: Lines) -> Place | None:
        """The variable, element or section that a designator names; its subscripts are read."""
        match expr:
            case Name():
                return self.naming.place(frame, expr.id)
            case Component():
                return self._component(frame, expr, at)
            case Apply():
                return self._applied(frame, expr, at)
        return None

    def _component(self, frame: Frame, expr: Component, at: Lines) -> Place | None:
        base = self.place(frame, expr.base, at)
        symbol = self.project.component(frame.unit, expr)
        if symbol is None or base is None or isinstance(base, Known):
            self.record.gap(f"component '{expr.name}' of an unknown type", at)
            return None
        type_name = self.project.type_of(frame.unit, expr.base)
        return self.naming.component(base, symbol, type_name)

    def _applied(self, frame: Frame, expr: Apply, at: Lines) -> Place | None:
        base = self.place(frame, expr.base, at)
        if isinstance(base, Scalar):  # a substring
            self.reads(frame, expr.args[0], at)
            return base
        before: tuple[Term, ...] = ()
        if isinstance(base, Element) and base.subscripts is not None:
            before, base = base.subscripts, base.array
        if not isinstance(base, Array):
            self.record.gap(f"'{_shown(expr)}' is not a known array", at)
            return None
        subscripts: list[Term] = []
        ranges: list[str] = []
        for dimension, arg in enumerate(expr.args):
            subscripts.append(self._subscript(frame, base, dimension, arg, ranges, at))
        return Element(base, (*before, *subscripts), tuple(ranges))

    def _subscript(
        self, frame: Frame, array: Array, dimension: int, arg: Expr, ranges: list[str], at: Lines
    ) -> Term:
        if not isinstance(arg, Section):
            return self.term(frame, arg, at)
        bounds = self.naming.bounds(array, dimension)
        low = self.term(frame, arg.lower, at) if arg.lower is not None else bounds[0]
        high = self.term(frame, arg.upper, at) if arg.upper is not None else bounds[1]
        index = self.symbols.variant("v", f"index of '{array.name}'", exact=True)
        if arg.stride is not None:
            self.reads(frame, arg.stride, at)
            return self.symbols.variant("v", f"index of '{array.name}'")
        ranges += [f"(<= {low.text} {index.text})", f"(<= {index.text} {high.text})"]
        return index

    def write(self, place: Place | None, at: Lines, value: Term | None) -> None:
        """Record that the iteration writes a place."""
        match place:
            case Scalar():
                self._assign(place, at, value)
            case Element():
                self._access(place, at, write=True)
            case Array():
                self._access(Element(place, None), at, write=True)
            case _:
                self.record.gap("an assignment to something unknown", at)

    def _assign(self, scalar: Scalar, at: Lines, value: Term | None) -> None:
        sure = not self._is_optional()
        known = self.record.scalar_writes.get(scalar.key)
        if known is None or (sure and not known.surely):
            self.record.scalar_writes[scalar.key] = ScalarUse(scalar, at, sure)
        state = self.state
        state.assigned |= {scalar.key}
        state.touched |= {scalar.key}
        if value is not None and scalar.type == "integer":
            state.values[scalar.key] = value
        else:
            state.values.pop(scalar.key, None)

    def _is_optional(self) -> bool:
        """Whether a guard that is the same for all iterations may keep this from happening."""
        return any("?" not in condition for condition in self.conditions[self.held :])

    def _access(self, element: Element, at: Lines, *, write: bool) -> None:
        conditions = (*self.conditions, *element.conditions)
        self.record.accesses.append(
            Access(element.array, element.subscripts, write, conditions, at)
        )

    # --- functions -------------------------------------------------------------------------------

    def _function(self, frame: Frame, expr: Expr) -> object | None:
        if not isinstance(expr, Apply) or not isinstance(expr.base, Name):
            return None
        if expr.base.id in frame.bound:
            return None
        meaning = self.project.resolve(frame.unit, expr.base.id)
        return None if isinstance(meaning, Variable) else meaning

    def _call(self, frame: Frame, function: object, expr: Apply, at: Lines) -> Term | None:
        if isinstance(function, Intrinsic):
            return self._intrinsic(frame, function.name, expr.args, at)
        if isinstance(function, Procedures):
            return self.inline(frame, expr, at)
        for arg in expr.args:
            self.reads(frame, arg, at)
        if not isinstance(function, StatementFunction):
            self.record.gap(f"function '{_shown(expr)}' is not known", at)
        return None

    def _intrinsic(self, frame: Frame, name: str, args: Sequence[Expr], at: Lines) -> Term | None:
        if name in ("lbound", "ubound", "size"):
            return self._bound(frame, name, args, at)
        if name in INQUIRIES:
            return None
        integers = self._are_integers(frame, *args) and bool(args)
        if integers and name in ("max", "min"):
            terms = [self.term(frame, arg, at) for arg in args]
            return extreme(terms, largest=name == "max")
        if integers and name == "mod":
            left, right = (self.term(frame, arg, at) for arg in args[:2])
            return remainder(self.symbols, left, right)
        if integers and name == "abs":
            inner = self.term(frame, args[0], at)
            return chosen(f"(>= {inner.text} 0)", inner, negative(inner))
        if integers and name == "int":
            return self.term(frame, args[0], at)
        for arg in args:
            self.reads(frame, arg, at)
        return None

    def _bound(self, frame: Frame, name: str, args: Sequence[Expr], at: Lines) -> Term | None:
        place = self.place(frame, args[0], at) if args else None
        given = args[1] if len(args) > 1 else None
        if not isinstance(place, Array) or not isinstance(given, Literal) or given.value is None:
            return None
        if not 1 <= given.value <= len(place.symbol.dims):
            return None
        low, high = self.naming.bounds(place, given.value - 1)
        if name == "size":
            return plus(high, negative(low), number(1))
        return low if name == "lbound" else high


def _shown(expr: Expr) -> str:
    match expr:
        case Name():
            return expr.id
        case Component():
            return f"{_shown(expr.base)}%{expr.name}"
        case Apply():
            return f"{_shown(expr.base)}({', '.join(map(_shown, expr.args))})"
        case Literal():
            return expr.text
        case Binary():
            return f"{_shown(expr.left)} {expr.op} {_shown(expr.right)}"
        case Unary():
            return f"{expr.op}{_shown(expr.operand)}"
    return "..."
