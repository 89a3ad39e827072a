"""Type, kind and rank of expressions, as far as declarations tell."""

import re
from collections.abc import Callable, Iterator
from typing import NamedTuple

from acclimate.analysis.ir import (
    Apply,
    ArrayConstructor,
    Binary,
    Component,
    DerivedType,
    Expr,
    Keyword,
    Literal,
    LiteralKind,
    Name,
    Section,
    Symbol,
    Unary,
    Unit,
)
from acclimate.analysis.names.bindings import specifics
from acclimate.analysis.names.resolution import (
    Intrinsic,
    Procedures,
    Resolution,
    StatementFunction,
    TypeName,
    Variable,
)
from acclimate.analysis.names.symbols import SymbolTable

_RELATIONAL = frozenset({"==", "/=", "<", "<=", ">", ">=", ".and.", ".or.", ".eqv.", ".neqv."})
_INTRINSIC = frozenset({"integer", "real", "complex", "logical", "character"})
_NAMED_KINDS = {
    "real32": 4, "real64": 8, "real128": 16, "int8": 1, "int16": 2, "int32": 4, "int64": 8,
    "c_float": 4, "c_double": 8, "c_int": 4, "c_long": 8, "c_bool": 1, "c_char": 1,
}  # fmt: skip
_SAME_AS_ARGUMENT = frozenset({
    "abs", "sqrt", "exp", "log", "log10", "sin", "cos", "tan", "asin", "acos", "atan", "atan2",
    "sinh", "cosh", "tanh", "max", "min", "mod", "modulo", "sign", "merge", "dim", "aint",
    "anint", "gamma", "erf", "conjg", "cshift", "eoshift", "iand", "ior", "ieor", "ishft", "not",
})  # fmt: skip


def _is_intrinsic(type_: str | None) -> bool:
    return type_ in _INTRINSIC


class ExprType(NamedTuple):
    """None: not known. `kind` is in bytes for numeric types."""

    type: str | None = None
    kind: int | None = None
    rank: int | None = None


UNKNOWN = ExprType()


class ExpressionTypes:
    """Types expressions of a project; `resolve` is the project's."""

    def __init__(self, table: SymbolTable, resolve: Callable[[Unit, str], Resolution]) -> None:
        self._table = table
        self._resolve = resolve
        self._definitions: dict[tuple[int, str], tuple[DerivedType, Unit] | None] = {}
        self._unit: Unit | None = None
        self._known: dict[int, tuple[Expr, ExprType]] = {}  # of that unit, the last one asked about

    def of(self, unit: Unit, expr: Expr) -> ExprType:
        match expr:
            case Literal():
                return self._literal(unit, expr)
            case Name(name):
                meaning = self._resolve(unit, name)
                return (
                    self.of_symbol(unit, meaning.symbol)
                    if isinstance(meaning, Variable)
                    else UNKNOWN
                )
        if self._unit is not unit:
            self._unit, self._known = unit, {}
        known = self._known.get(id(expr))
        if known is None:
            known = expr, self._of(unit, expr)
            if self._unit is unit:
                self._known[id(expr)] = known
        return known[1]

    def _of(self, unit: Unit, expr: Expr) -> ExprType:
        match expr:
            case Component() | Apply(base=Component() | Apply()):
                return self._typed(unit, expr)[0]
            case Apply(base, args):
                return self._apply(unit, base, args)
            case Unary(op, operand):
                inner = self.of(unit, operand)
                if not _is_intrinsic(inner.type):
                    return self._defined(unit, op, (operand,), (inner,))
                return ExprType("logical", None, inner.rank) if op == ".not." else inner
            case Binary(op, left, right):
                types = (self.of(unit, left), self.of(unit, right))
                if not all(_is_intrinsic(own.type) for own in types):
                    return self._defined(unit, op, (left, right), types)
                return self._binary(op, *types)
            case ArrayConstructor(_, spec) if spec:
                return ExprType(spec.partition("(")[0], None, 1)
            case ArrayConstructor(items):
                first = self.of(unit, items[0]) if items else UNKNOWN
                return ExprType(first.type, first.kind, 1)
            case Keyword(_, value):
                return self.of(unit, value)
            case _:
                return UNKNOWN

    def of_symbol(self, unit: Unit, symbol: Symbol) -> ExprType:
        owner = symbol.owner or unit
        kind = self.kind_value(owner, symbol.kind) if symbol.type != "character" else None
        if kind is None and symbol.kind is None:
            kind = {"real": 4, "integer": 4, "logical": 4, "complex": 4}.get(symbol.type or "")
        return ExprType(symbol.type, kind, len(symbol.dims))

    def kind_value(self, unit: Unit, text: str | None, depth: int = 0) -> int | None:
        """The kind in bytes of a kind written as text: a number, a named constant, `kind(1d0)`."""
        if text is None or depth > 8:
            return None
        if text.isdigit():
            return int(text)
        match = re.fullmatch(r"kind\(([\d.]+)(d0|_\w+|e0)?\)", text)
        if match:
            return 8 if match[2] == "d0" else 4 if match[2] in (None, "e0") else None
        if not text.isidentifier():
            return None
        meaning = self._resolve(unit, text)
        if isinstance(meaning, Variable) and meaning.symbol.initial is not None:
            return self._kind_of_constant(
                meaning.symbol.owner or unit, meaning.symbol.initial, depth
            )
        return _NAMED_KINDS.get(text)

    def _kind_of_constant(self, unit: Unit, value: Expr, depth: int) -> int | None:
        match value:
            case Literal(LiteralKind.INTEGER):
                return value.value
            case Name(id):
                return self.kind_value(unit, id, depth + 1)
            case Apply(Name("selected_real_kind"), args):
                digits = [a.value if isinstance(a, Keyword) else a for a in args[:1]]
                if digits and isinstance(digits[0], Literal) and digits[0].value is not None:
                    wanted = digits[0].value
                    return 4 if wanted <= 6 else 8 if wanted <= 15 else 16
            case Apply(Name("selected_int_kind"), (Literal() as digits,)):
                wanted = digits.value or 0
                return 4 if wanted <= 9 else 8
            case Apply(Name("kind"), (argument,)):
                return self.of(unit, argument).kind
            case _:
                return None
        return None

    def _literal(self, unit: Unit, literal: Literal) -> ExprType:
        if literal.kind is LiteralKind.CHARACTER:
            return ExprType("character", None, 0)
        text, _, suffix = literal.text.partition("_")
        kind = self.kind_value(unit, suffix) if suffix else 4
        if literal.kind is LiteralKind.REAL and "d" in text:
            kind = 8
        return ExprType(literal.kind.value, kind, 0)

    def _typed(self, unit: Unit, expr: Expr) -> tuple[ExprType, Unit]:
        """Type of an expression, and the unit in whose scope it is written: each part seen once."""
        match expr:
            case Component(base, name):
                outer, home = self._typed(unit, base)
                symbol = self._component_of(home, outer.type, name)
                if symbol is None:
                    return UNKNOWN, unit
                own = self.of_symbol(unit, symbol)
                ranks = (outer.rank, own.rank)
                rank = None if ranks[0] is None or ranks[1] is None else ranks[0] + ranks[1]
                return ExprType(own.type, own.kind, rank), symbol.owner or unit
            case Apply(base=Component() | Apply() as base, args=args):
                whole, home = self._typed(unit, base)
                return self._indexed(unit, whole, args), home
        return self.of(unit, expr), self._home_of_name(unit, expr)

    def _apply(self, unit: Unit, base: Expr, args: tuple[Expr, ...]) -> ExprType:
        if isinstance(base, Name):
            meaning = self._resolve(unit, base.id)
            match meaning:
                case Procedures(candidates):
                    types = {self.of_result(c) for c in candidates}
                    return types.pop() if len(types) == 1 else UNKNOWN
                case Intrinsic(name):
                    return self._intrinsic(unit, name, args)
                case TypeName(name):
                    return ExprType(f"type({name})", None, 0)
                case StatementFunction(_, body, owner):
                    return self.of(owner, body)
                case Variable():
                    pass
                case _:
                    return UNKNOWN
        return self._indexed(unit, self.of(unit, base), args)

    def _indexed(self, unit: Unit, whole: ExprType, args: tuple[Expr, ...]) -> ExprType:
        """A part of a variable: an element, a section or a substring."""
        if whole.type == "character" and whole.rank == 0:
            return whole
        own_rank = len(args)
        sections = [self.of(unit, a).rank if not isinstance(a, Section) else 1 for a in args]
        if whole.rank is None or any(rank is None for rank in sections):
            return ExprType(whole.type, whole.kind, None)
        return ExprType(
            whole.type, whole.kind, whole.rank - own_rank + sum(r or 0 for r in sections)
        )

    def of_result(self, procedure: Unit) -> ExprType:
        name = procedure.result or procedure.name
        symbol = procedure.symbols.get(name)
        if symbol is None:
            return UNKNOWN
        if symbol.type is None:
            meaning = self._resolve(procedure, name)
            if not isinstance(meaning, Variable):
                return UNKNOWN
        if "elemental" in procedure.prefixes:
            own = self.of_symbol(procedure, symbol)
            return ExprType(own.type, own.kind, None)
        return self.of_symbol(procedure, symbol)

    def _intrinsic(self, unit: Unit, name: str, args: tuple[Expr, ...]) -> ExprType:
        plain = [a for a in args if not isinstance(a, Keyword)]
        named = {a.name: a.value for a in args if isinstance(a, Keyword)}
        first = self.of(unit, plain[0]) if plain else UNKNOWN
        if name in _SAME_AS_ARGUMENT:
            ranks = [self.of(unit, a).rank for a in plain]
            rank = None if None in ranks else max((r for r in ranks if r is not None), default=None)
            return ExprType(first.type, first.kind, rank)
        if name in ("real", "int", "nint", "floor", "ceiling", "dble", "float"):
            written = named.get("kind", plain[1] if len(plain) > 1 else None)
            kind = 8 if name == "dble" else 4
            if written is not None:
                kind = self._kind_of_constant(unit, written, 0) or 0
            base = "real" if name in ("real", "dble", "float") else "integer"
            return ExprType(base, kind or None, first.rank)
        if name in ("sum", "product", "maxval", "minval"):
            return ExprType(first.type, first.kind, 0 if len(args) == 1 else None)
        if name in ("size", "len", "len_trim", "index", "ichar"):
            return ExprType("integer", 4, 0 if name in ("size", "len") else first.rank)
        if name in ("lbound", "ubound", "shape"):
            return ExprType("integer", 4, 0 if len(args) == 2 and name != "shape" else 1)
        if name in ("huge", "tiny", "epsilon", "dot_product"):
            return ExprType(first.type, first.kind, 0)
        if name in ("present", "allocated", "associated", "any", "all"):
            return ExprType("logical", 4, 0 if len(args) == 1 or name == "associated" else None)
        return UNKNOWN

    def _defined(
        self, unit: Unit, op: str, operands: tuple[Expr, ...], types: tuple[ExprType, ...]
    ) -> ExprType:
        """Of an operation that may be a reference of a function."""
        name = f"operator({op})"
        meaning = self._resolve(unit, name)
        functions = list(meaning.candidates) if isinstance(meaning, Procedures) else []
        for operand, own in zip(operands, types, strict=True):
            definition = self.derived_type(self.home(unit, operand), own.type)
            if definition is not None:
                functions += specifics(self._table, self.derived_type, *definition, name)
        found = {self.of_result(f) for f in functions if len(f.args) == len(types)}
        if functions:
            return found.pop() if len(found) == 1 else UNKNOWN
        if any((own.type or "").startswith(("type(", "class(")) for own in types):
            return UNKNOWN
        if len(types) == 2:
            return self._binary(op, *types)
        return ExprType("logical", None, types[0].rank) if op == ".not." else types[0]

    @staticmethod
    def _binary(op: str, left: ExprType, right: ExprType) -> ExprType:
        rank = None if left.rank is None or right.rank is None else max(left.rank, right.rank)
        if op in _RELATIONAL:
            return ExprType("logical", 4, rank)
        if op == "//":
            return ExprType("character", None, rank)
        if op.startswith(".") or left.type is None or right.type is None:
            return ExprType(None, None, rank)
        order = ("integer", "real", "complex")
        if left.type not in order or right.type not in order:
            return ExprType(None, None, rank)
        if left.type == right.type:
            kinds = (left.kind, right.kind)
            kind = None if None in kinds else max(k for k in kinds if k is not None)
            return ExprType(left.type, kind, rank)
        winner = max(left, right, key=lambda t: order.index(t.type or "integer"))
        return ExprType(winner.type, winner.kind, rank)

    # --- derived types -------------------------------------------------------------------------

    def derived_type(self, unit: Unit, type_name: str | None) -> tuple[DerivedType, Unit] | None:
        """The definition behind `type(t)` or `class(t)` seen from a unit, and the unit it is in."""
        if type_name is None or not type_name.startswith(("type(", "class(")):
            return None
        return self._definition(unit, type_name[type_name.index("(") + 1 : -1].split("(")[0])

    def _definition(self, unit: Unit, name: str) -> tuple[DerivedType, Unit] | None:
        place = (id(unit), name)
        if place not in self._definitions:
            self._definitions[place] = self._find_definition(unit, name)
        return self._definitions[place]

    def _find_definition(self, unit: Unit, name: str) -> tuple[DerivedType, Unit] | None:
        scope: Unit | None = unit
        while scope is not None:
            if name in scope.types:
                return scope.types[name], scope
            found = self._used_definition(scope, name)
            if found is not None:
                return found
            scope = self._table.host(scope)
        return None

    def _used_definition(self, unit: Unit, name: str) -> tuple[DerivedType, Unit] | None:
        """By USE, depth first; a module is asked for a name once whatever ways lead to it."""
        seen: set[tuple[int, str]] = set()
        work = [self._next_in_use(unit, name)]
        while work:
            following = next(work[-1], None)
            if following is None:
                work.pop()
                continue
            module, original = following
            if original in module.types:
                return module.types[original], module
            if (id(module), original) not in seen:
                seen.add((id(module), original))
                work.append(self._next_in_use(module, original))
        return None

    def _next_in_use(self, unit: Unit, name: str) -> Iterator[tuple[Unit, str]]:
        for use in unit.uses:
            module = self._table.modules.get(use.module)
            if module is not None:
                for original in self._table.originals(use, name):
                    yield module, original

    def component(self, unit: Unit, expr: Component) -> Symbol | None:
        """The component's symbol; None when the base's type is unknown or the name is a binding."""
        base, home = self._typed(unit, expr.base)
        return self._component_of(home, base.type, expr.name)

    def _component_of(self, home: Unit, kind: str | None, name: str) -> Symbol | None:
        found = self.derived_type(home, kind)
        depth = 0
        while found is not None and depth < 30:
            derived, home = found
            if name in derived.components:
                return derived.components[name]
            if derived.extends is None:
                return None
            if derived.extends == name:
                return Symbol(name=name, at=derived.at, type=f"type({name})", owner=home)
            found = self._definition(home, derived.extends)
            depth += 1
        return None

    def home(self, unit: Unit, base: Expr) -> Unit:
        """The unit in whose scope the type of `base` is written."""
        return self._typed(unit, base)[1]

    def _home_of_name(self, unit: Unit, base: Expr) -> Unit:
        match base:
            case Name(id):
                meaning = self._resolve(unit, id)
                if isinstance(meaning, Variable):
                    return meaning.symbol.owner or unit
                return unit
            case Apply(Name(id), _):
                meaning = self._resolve(unit, id)
                if isinstance(meaning, Variable):
                    return meaning.symbol.owner or unit
                return meaning.candidates[0] if isinstance(meaning, Procedures) else unit
            case _:
                return unit
