"""Expressions with names replaced."""

from collections.abc import Mapping

from acclimate.analysis.ir import Apply, Binary, Component, Expr, Keyword, Name, Section, Unary


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
    return expr
