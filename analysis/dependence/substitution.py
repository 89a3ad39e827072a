"""Expressions with names replaced."""

from collections.abc import Mapping
from dataclasses import replace

from acclimate.analysis.ir import (
    Apply,
    ArrayConstructor,
    Binary,
    Component,
    Expr,
    ImpliedDo,
    Keyword,
    Name,
    Section,
    Unary,
)


def replaced(expr: Expr, names: Mapping[str, Expr]) -> Expr:
    """The expression with names replaced by expressions; itself where there is none to replace."""
    if not names:
        return expr
    match expr:
        case Name():
            return names.get(expr.id, expr)
        case Apply():
            args = tuple(replaced(arg, names) for arg in expr.args)
            return Apply(replaced(expr.base, names), args)
        case Component():
            return Component(replaced(expr.base, names), expr.name)
        case Unary():
            return Unary(expr.op, replaced(expr.operand, names))
        case Binary():
            return Binary(expr.op, replaced(expr.left, names), replaced(expr.right, names))
        case Keyword():
            return Keyword(expr.name, replaced(expr.value, names))
        case Section():
            bounds = (
                None if bound is None else replaced(bound, names)
                for bound in (expr.lower, expr.upper, expr.stride)
            )
            return Section(*bounds)
        case ArrayConstructor():
            return replace(expr, items=tuple(replaced(item, names) for item in expr.items))
        case ImpliedDo():
            return _implied(expr, names)
    return expr


def _implied(expr: ImpliedDo, names: Mapping[str, Expr]) -> ImpliedDo:
    """Its index has the scope of the items (Fortran 2018, 19.4)."""
    inner = {name: value for name, value in names.items() if name != expr.index}
    return replace(
        expr,
        items=tuple(replaced(item, inner) for item in expr.items),
        first=replaced(expr.first, names),
        last=replaced(expr.last, names),
        step=None if expr.step is None else replaced(expr.step, names),
    )
