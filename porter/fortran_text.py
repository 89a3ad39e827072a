"""Expressions as Fortran text, for what a directive or a generated loop has to name."""

from acclimate.analysis.ir import (
    Apply,
    ArrayConstructor,
    Binary,
    Component,
    Expr,
    ImpliedDo,
    Keyword,
    Literal,
    Name,
    Section,
    Star,
    Unary,
    Unreadable,
)

_TIGHT = {"**": 8, "*": 7, "/": 7, "+": 6, "-": 6, "//": 5}
_LOOSE = {
    "==": 4, "/=": 4, "<": 4, "<=": 4, ">": 4, ">=": 4,
    ".not.": 3, ".and.": 2, ".or.": 1, ".eqv.": 0, ".neqv.": 0,
}  # fmt: skip
_LEVEL = _TIGHT | _LOOSE


def fortran(expr: Expr) -> str:
    """An expression as Fortran; every operand that is an operation itself is parenthesised.

    Raises:
        ValueError: the expression holds text that the reader could not understand.
    """
    match expr:
        case Name(identifier):
            return identifier
        case Literal():
            return expr.text
        case Apply(base, args):
            return f"{fortran(base)}({_listed(args)})"
        case Component(base, name):
            return f"{fortran(base)}%{name}"
        case Unary(op, operand):
            return f"{op}{' ' if op.startswith('.') else ''}{_operand(operand)}"
        case Binary(op, left, right):
            gap = "" if op in ("*", "/", "**") else " "
            return f"{_operand(left, op)}{gap}{op}{gap}{_operand(right)}"
        case Section():
            return _section(expr)
        case Keyword(name, value):
            return f"{name}={fortran(value)}"
        case ArrayConstructor(items):
            return f"[{_listed(items)}]"
        case ImpliedDo(items, index, first, last, step):
            bounds = [first, last] + ([step] if step else [])
            return f"({_listed(items)}, {index} = {_listed(tuple(bounds))})"
        case Star():
            return "*"
        case Unreadable():
            raise ValueError(f"cannot quote: {expr.text}")


def _listed(items: tuple[Expr, ...]) -> str:
    return ", ".join(fortran(item) for item in items)


def _operand(expr: Expr, left_of: str = "") -> str:
    text = fortran(expr)
    if isinstance(expr, Unary):
        return f"({text})"
    if isinstance(expr, Binary):
        same_sum = left_of in ("+", "-") and _LEVEL.get(expr.op, -1) >= _LEVEL["+"]
        return text if same_sum else f"({text})"
    return text


def _section(section: Section) -> str:
    lower = fortran(section.lower) if section.lower else ""
    upper = fortran(section.upper) if section.upper else ""
    stride = f":{fortran(section.stride)}" if section.stride else ""
    return f"{lower}:{upper}{stride}"
