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
from acclimate.porter.text.directives_text import COMFORTABLE, FIXED_LIMIT, FREE_LIMIT

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
        case ArrayConstructor(items, spec):
            return f"[{spec} :: {_listed(items)}]" if spec else f"[{_listed(items)}]"
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


def statement_lines(text: str, margin: int, form: str) -> tuple[str, ...]:
    """One statement on as many lines as it needs, broken at blanks.

    Raises:
        ValueError: a piece without blanks is longer than a line.
    """
    fixed = form == "fixed"
    blank = " " * max(margin, 6 if fixed else 0)
    width = FIXED_LIMIT if fixed else COMFORTABLE - len(" &")
    following = "     & " if fixed else f"{blank}  "
    lines = [blank + text.split(" ")[0]]
    for piece in text.split(" ")[1:]:
        if len(lines[-1]) + 1 + len(piece) <= width:
            lines[-1] += f" {piece}"
        else:
            lines.append(following + piece)
    if any(len(line) > (FIXED_LIMIT if fixed else FREE_LIMIT - len(" &")) for line in lines):
        raise ValueError(f"cannot be broken into lines: {text}")
    return tuple(lines) if fixed else (*(f"{line} &" for line in lines[:-1]), lines[-1])
