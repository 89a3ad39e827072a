"""What statements read and write, as far as every one of them is understood."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from acclimate.analysis.ir import (
    Apply,
    Assignment,
    Binary,
    Component,
    Continue,
    Do,
    DoKind,
    Expr,
    If,
    Jump,
    Keyword,
    Literal,
    Name,
    Section,
    Statement,
    Symbol,
    Unary,
    Unit,
)
from acclimate.analysis.names.resolution import Intrinsic, Variable
from acclimate.analysis.project import Project
from acclimate.verifier.structure.rewrites.liveness import names_of
from acclimate.verifier.texts.touching import overloads

_NUMBERS = frozenset({"integer", "real", "complex", "double precision", "doubleprecision"})
_PLAIN = _NUMBERS | {"logical", "character"}
_SHARED = frozenset({"pointer", "target", "volatile", "asynchronous"})
_PURE = """
    abs acos acosh aimag aint alog alog10 all amax1 amin1 amod anint any asin asinh atan
    atan2 atanh ceiling cmplx conjg cos cosh count dabs dble dcos dexp dim dlog dlog10 dmax1
    dmin1 dmod dot_product dsign dsin dsqrt epsilon erf erfc exp float floor gamma huge
    hypot iabs iand ibclr ibits ibset ieor ifix int ior ishft isign kind lbound log log10
    log_gamma max max0 maxval merge min min0 minval mod modulo nint not present product real
    sign sin sinh size sngl sqrt sum tan tanh tiny ubound
"""
PURE = frozenset(_PURE.split())  # functions of their arguments' values, without effects
ASKING = frozenset({"lbound", "ubound", "size"})


class NotUnderstood(Exception):
    """A statement of which it is not certain what it reads, writes or does besides."""


@dataclass(frozen=True, slots=True)
class Reference:
    """`path` is `a` or `a%b`; `subscripts` are () for a scalar, None where not one element."""

    path: str
    subscripts: tuple[Expr, ...] | None
    is_write: bool

    @property
    def base(self) -> str:
        return self.path.split("%", maxsplit=1)[0]

    def overlaps(self, other: "Reference") -> bool:
        one, two = self.path.split("%"), other.path.split("%")
        return all(a == b for a, b in zip(one, two, strict=False))


@dataclass(frozen=True, slots=True)
class Reader:
    """Reads statements of one unit; every method raises `NotUnderstood` rather than guess."""

    project: Project
    unit: Unit

    def statements(self, body: Sequence[Statement], inner: int = 0) -> Iterator[Reference]:
        for statement in body:
            if statement.label is not None:
                raise NotUnderstood("a label stands in it")
            yield from self._statement(statement, inner)

    def _statement(self, statement: Statement, inner: int) -> Iterator[Reference]:
        match statement:
            case Assignment():
                yield from self.assignment(statement)
            case If():
                for branch in statement.branches:
                    if branch.condition is not None:
                        yield from self.value(branch.condition)
                    yield from self.statements(branch.body, inner)
            case Do(kind=DoKind.COUNTED, index=str(index)):
                if statement.name is not None:
                    raise NotUnderstood("a loop in it has a name")
                for bound in (statement.first, statement.last, statement.step):
                    yield from self.value(bound) if bound is not None else ()
                yield from self._place(Name(index), is_write=True)
                yield from self.statements(statement.body, inner + 1)
            case Jump(keyword="exit" | "cycle", construct=None) if inner:
                return
            case Continue():
                return
            case _:
                raise NotUnderstood(f"a {type(statement).__name__.lower()} stands in it")

    def assignment(self, statement: Assignment) -> Iterator[Reference]:
        self._not_overloaded(statement)
        yield from self.value(statement.value)
        yield from self._place(statement.target, is_write=True)

    def _not_overloaded(self, statement: Assignment) -> None:
        own = self.project.type_of(self.unit, statement.target)
        if own is None or (own not in _NUMBERS and own != "logical"):
            raise NotUnderstood("it assigns what is neither a number nor logical")
        kind = "number" if own in _NUMBERS else "logical"
        if overloads(self.project) and self._kind(statement.value) != kind:
            raise NotUnderstood("an assignment may be a defined one")

    def value(self, expr: Expr) -> Iterator[Reference]:
        match expr:
            case Literal():
                return
            case Unary(op="+" | "-" | ".not."):
                yield from self.value(expr.operand)
            case Binary():
                self._is_intrinsic_operation(expr)
                yield from self.value(expr.left)
                yield from self.value(expr.right)
            case Apply(base=Name(id=name)) if not self._is_variable(name):
                yield from self._function(name, expr.args)
            case Name() | Apply() | Component():
                yield from self._place(expr, is_write=False)
            case _:
                raise NotUnderstood(f"a {type(expr).__name__.lower()} stands in it")

    def _is_intrinsic_operation(self, expr: Binary) -> None:
        if expr.op.startswith(".") and expr.op.strip(".") not in _LOGICAL:
            raise NotUnderstood(f"the operator {expr.op} is a defined one")
        if not overloads(self.project):
            return
        kinds = {self._kind(expr.left), self._kind(expr.right)}
        if kinds != {"logical" if expr.op in _LOGICAL_WORDS else "number"}:
            raise NotUnderstood(f"the operator {expr.op} may be a defined one")

    def _kind(self, expr: Expr) -> str:
        """ "number", "logical", or "" where it is neither for certain."""
        match expr:
            case Binary() if expr.op in _COMPARING or expr.op in _LOGICAL_WORDS:
                return "logical"
            case Binary():
                kinds = {self._kind(expr.left), self._kind(expr.right)}
                return kinds.pop() if len(kinds) == 1 else ""
            case Unary():
                return self._kind(expr.operand)
            case Apply(base=Name(id="lbound" | "ubound" | "size" as name)):
                if isinstance(self.project.resolve(self.unit, name), Intrinsic):
                    return "number"
        of = self.project.type_of(self.unit, expr) or ""
        return "number" if of in _NUMBERS else "logical" if of == "logical" else ""

    def _is_variable(self, name: str) -> bool:
        return isinstance(self.project.resolve(self.unit, name), Variable)

    def _function(self, name: str, args: Sequence[Expr]) -> Iterator[Reference]:
        meaning = self.project.resolve(self.unit, name)
        if not isinstance(meaning, Intrinsic) or name not in PURE:
            raise NotUnderstood(f"'{name}' is called in it")
        for arg in args:
            found = self.value(arg.value if isinstance(arg, Keyword) else arg)
            if name in ASKING and isinstance(arg, Name | Component):
                found = (r for r in list(found) if r.subscripts == ())  # its shape, not its values
            yield from found

    # --- variables -------------------------------------------------------------------------------

    def _place(self, expr: Expr, *, is_write: bool) -> Iterator[Reference]:
        path, symbol, subscripts, inside = self._path(expr)
        for subscript in inside:
            yield from self._subscript(subscript)
        if symbol.is_parameter:
            if is_write:
                raise NotUnderstood("it assigns a constant")
            return
        if (symbol.type or "") not in _PLAIN:
            raise NotUnderstood(f"'{path}' is of a derived type, or of none that is known")
        yield Reference(path, subscripts, is_write)

    def _subscript(self, expr: Expr) -> Iterator[Reference]:
        if isinstance(expr, Section):
            for part in (expr.lower, expr.upper, expr.stride):
                yield from self.value(part) if part is not None else ()
        else:
            yield from self.value(expr)

    def _path(self, expr: Expr) -> tuple[str, Symbol, tuple[Expr, ...] | None, tuple[Expr, ...]]:
        """Path, last symbol, subscripts as one element has them, and all that stands in it."""
        match expr:
            case Name():
                symbol = self._named(expr.id)
                return expr.id, symbol, None if symbol.is_array else (), ()
            case Component():
                path, base, before, inside = self._path(expr.base)
                component = self.project.component(self.unit, expr)
                if component is None:
                    raise NotUnderstood(f"'{expr.name}' of '{path}' is not known")
                _not_shared(component)
                whole = before is None or component.is_array
                return f"{path}%{expr.name}", component, None if whole else before, inside
            case Apply(base=Name() | Component()):
                path, symbol, before, inside = self._path(expr.base)
                return self._applied(expr, path, symbol, before, inside)
        raise NotUnderstood("a part of a part of a variable stands in it")

    def _applied(
        self,
        expr: Apply,
        path: str,
        symbol: Symbol,
        before: tuple[Expr, ...] | None,
        inside: tuple[Expr, ...],
    ) -> tuple[str, Symbol, tuple[Expr, ...] | None, tuple[Expr, ...]]:
        inside = (*inside, *expr.args)
        if not symbol.is_array:
            if symbol.type != "character":
                raise NotUnderstood(f"'{path}' has arguments and is no array")
            return path, symbol, before, inside
        base = expr.base
        outer = self._path(base.base)[2] if isinstance(base, Component) else ()
        elements = all(self.project.rank(self.unit, arg) == 0 for arg in expr.args)
        if outer is None or not elements or len(expr.args) != len(symbol.dims):
            return path, symbol, None, inside
        return path, symbol, (*outer, *expr.args), inside

    def _named(self, name: str) -> Symbol:
        meaning = self.project.resolve(self.unit, name)
        if not isinstance(meaning, Variable):
            raise NotUnderstood(f"'{name}' is no variable")
        _not_shared(meaning.symbol)
        owner = meaning.symbol.owner or self.unit
        shared = {named for group in owner.equivalences for e in group for named in names_of(e)}
        if meaning.symbol.name in shared:
            raise NotUnderstood(f"'{name}' shares its storage by EQUIVALENCE")
        return meaning.symbol


_LOGICAL = frozenset({"and", "or", "eqv", "neqv", "not"})
_COMPARING = frozenset({"==", "/=", "<", "<=", ">", ">="})
_LOGICAL_WORDS = frozenset({".and.", ".or.", ".eqv.", ".neqv."})


def _not_shared(symbol: Symbol) -> None:
    if symbol.attributes & _SHARED:
        raise NotUnderstood(f"'{symbol.name}' is a pointer, a target or volatile")
