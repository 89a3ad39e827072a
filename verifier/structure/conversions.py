"""What is left of a value in a scalar of another type or kind."""

from collections.abc import Iterator
from dataclasses import replace

from acclimate.analysis.ir import (
    Apply,
    Binary,
    Component,
    Expr,
    Literal,
    LiteralKind,
    Name,
    Symbol,
    Unary,
)
from acclimate.verifier.structure.evaluating import Evaluator
from acclimate.verifier.structure.fingerprints import Value, atom


def converted(evaluator: Evaluator, symbol: Symbol | None, expr: Expr, value: Value) -> Value:
    """The value that a scalar has, which is of the scalar's own type and kind."""
    if symbol is None:
        return value
    own = (symbol.type, symbol.kind)
    leaves = list(_leaves(evaluator, expr))
    literal = symbol.type == "integer" and symbol.kind is None
    if own in leaves or (not leaves and literal):
        others = {leaf for leaf in leaves if leaf != own and not _gives_way(leaf, own)}
        if not others:
            return value
    return replace(value, exact=atom("converted", own, value.exact))


def _leaves(evaluator: Evaluator, expr: Expr) -> Iterator[tuple[str | None, str | None]]:
    """Types and kinds of what the type of an expression follows from."""
    match expr:
        case Literal(kind=LiteralKind.INTEGER) if "_" not in expr.text:
            return
        case Literal(kind=LiteralKind.REAL) if "_" not in expr.text and "d" not in expr.text:
            yield "real literal", None
        case Literal(kind=LiteralKind.REAL) if "_" in expr.text:
            yield "real", expr.text.split("_", maxsplit=1)[1]
        case Unary(op="+" | "-"):
            yield from _leaves(evaluator, expr.operand)
        case Binary(op="+" | "-" | "*" | "/" | "**"):
            yield from _leaves(evaluator, expr.left)
            yield from _leaves(evaluator, expr.right)
        case Name() | Component() | Apply() if evaluator.function(expr) is None:
            base = expr.base if isinstance(expr, Apply) else expr
            symbol = evaluator.symbol(base)
            yield (symbol.type, symbol.kind) if symbol is not None else ("unknown", None)
        case Apply(base=Name(id="sqrt" | "exp" | "log" | "sin" | "cos" | "abs" | "max" | "min")):
            for arg in expr.args:
                yield from _leaves(evaluator, arg)
        case _:
            yield "unknown", None


def _gives_way(leaf: tuple[str | None, str | None], own: tuple[str | None, str | None]) -> bool:
    """Whether an expression with both in it is of the type of `own`."""
    if own[0] == "real":
        return leaf[0] in ("integer", "real literal")
    return False
