"""Integer constant expressions, evaluated where they are declared."""

from acclimate.analysis.ir import Binary, Expr, Literal, Name, Unary, Unit
from acclimate.analysis.names.resolution import Variable
from acclimate.analysis.project import Project

_DEEPEST = 50  # named constants defined by one another


class Folding:
    def __init__(self, project: Project) -> None:
        self._project = project

    def fold(self, expr: Expr, scope: Unit, depth: int = 0) -> int | None:
        """The value, or None where the expression is no sum or product of known constants."""
        if depth > _DEEPEST:
            return None
        match expr:
            case Literal():
                return expr.value
            case Unary(op="-"):
                operand = self.fold(expr.operand, scope, depth + 1)
                return None if operand is None else -operand
            case Binary(op="+" | "-" | "*"):
                left = self.fold(expr.left, scope, depth + 1)
                right = self.fold(expr.right, scope, depth + 1)
                if left is None or right is None:
                    return None
                return {"+": left + right, "-": left - right, "*": left * right}[expr.op]
            case Name():
                return self._named(expr.id, scope, depth)
        return None

    def _named(self, name: str, scope: Unit, depth: int) -> int | None:
        resolution = self._project.resolve(scope, name)
        if not isinstance(resolution, Variable):
            return None
        symbol = resolution.symbol
        if not symbol.is_parameter or symbol.initial is None or symbol.type != "integer":
            return None
        return self.fold(symbol.initial, symbol.owner or scope, depth + 1)
