"""Integer constant expressions, as far as declarations and subscripts use them."""

from acclimate.analysis.ir import Binary, Expr, Literal, Name, Unary, Unit
from acclimate.analysis.names.resolution import Variable
from acclimate.analysis.project import Project
from acclimate.porter.names.scope import Scope

_DEEP = 20  # named constants defined by one another; deeper chains count as unknown


def integer_value(scope: Scope, expr: Expr) -> int | None:
    """The value of an integer constant expression, None if it is not one or cannot be told."""
    return _value(scope.project, scope.unit, expr, 0)


def _value(project: Project, unit: Unit, expr: Expr, depth: int) -> int | None:
    match expr:
        case Literal():
            return expr.value
        case Name(identifier) if depth < _DEEP:
            found = project.resolve(unit, identifier)
            if not isinstance(found, Variable) or not found.symbol.is_parameter:
                return None
            symbol = found.symbol
            if symbol.initial is None or symbol.is_array:
                return None
            return _value(project, symbol.owner or unit, symbol.initial, depth + 1)
        case Unary("-" | "+" as op, operand):
            value = _value(project, unit, operand, depth)
            return value if value is None or op == "+" else -value
        case Binary(op, left, right):
            operands = (_value(project, unit, side, depth) for side in (left, right))
            return _binary(op, *operands)
        case _:
            return None


def _binary(op: str, left: int | None, right: int | None) -> int | None:
    if left is None or right is None:
        return None
    match op:
        case "+":
            return left + right
        case "-":
            return left - right
        case "*":
            return left * right
        case "/" if right:
            quotient = abs(left) // abs(right)  # Fortran truncates towards zero
            return quotient if (left < 0) == (right < 0) else -quotient
        case "**" if right >= 0:
            return int(left**right)
        case _:
            return None
