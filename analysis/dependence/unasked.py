"""Scalars of a unit whose values nothing asks for.

Values serve subscripts, bounds and conditions. What a real scalar holds reaches them seldom, and
following it costs as much as all that do.
"""

from collections.abc import Iterator

from acclimate.analysis.dependence.aliasing import Places
from acclimate.analysis.dependence.intrinsics import IMPURE_FUNCTIONS
from acclimate.analysis.dependence.lifetimes import is_private_to
from acclimate.analysis.dependence.statements import inside, own_expressions, parts
from acclimate.analysis.ir import Apply, Assignment, Binary, Expr, Literal, Name, Unary
from acclimate.analysis.names.resolution import Intrinsic

_FLOATING = frozenset({"real", "complex"})


def unasked_values(places: Places) -> frozenset[str]:
    """Local real scalars that reach, through assignments too, only values that nobody asks for.

    Asked for is what stands in any statement but an assignment, in a subscript, in an argument of
    a procedure of the project, in a declaration, or in the value of anything else than those.
    """
    unit = places.unit
    if unit.units or unit.entries:
        return frozenset()
    found = {
        symbol.name
        for symbol in unit.symbols.values()
        if symbol.type in _FLOATING and not symbol.dims and is_private_to(symbol, unit)
    }
    if not found:
        return frozenset()
    uses = _Uses(places)
    for statement in inside(unit.body):
        if isinstance(statement, Assignment):
            uses.assign(statement)
        else:
            uses.asked.update(_names(own_expressions(statement)))
    for _, body in unit.statement_functions.values():
        uses.asked.update(_names([body]))
    for symbol in unit.symbols.values():
        for dimension in symbol.dims:
            bounds = (dimension.lower, dimension.upper)
            uses.asked.update(_names(bound for bound in bounds if bound is not None))
    return frozenset(uses.rest_of(found))


class _Uses:
    def __init__(self, places: Places) -> None:
        self._places = places
        self.asked: set[str] = set()
        self._made_from: dict[str, set[str]] = {}  # what is assigned to each scalar
        self._known: dict[int, tuple[Expr, frozenset[str]]] = {}

    def assign(self, statement: Assignment) -> None:
        target = statement.target
        made_from = self._plain(statement.value)
        if isinstance(target, Name):
            self._made_from.setdefault(target.id, set()).update(made_from)
        else:
            self._plain(target)

    def rest_of(self, names: set[str]) -> set[str]:
        """Those of the names that are not asked for."""
        while True:
            left = names - self.asked
            reached = (own for name, own in self._made_from.items() if name not in left)
            size = len(self.asked)
            self.asked.update(*reached)
            if len(self.asked) == size:
                return left

    def _plain(self, expr: Expr) -> frozenset[str]:
        """Names whose values make the value of the expression; others in it are asked for."""
        known = self._known.get(id(expr))
        if known is None:
            known = self._known[id(expr)] = (expr, frozenset(self._find_plain(expr)))
        return known[1]

    def _find_plain(self, expr: Expr) -> Iterator[str]:
        if isinstance(expr, Name):
            yield expr.id
        elif isinstance(expr, Binary) and self._is_arithmetic(expr.op):
            yield from self._plain(expr.left)
            yield from self._plain(expr.right)
        elif isinstance(expr, Unary) and self._is_arithmetic(expr.op):
            yield from self._plain(expr.operand)
        elif isinstance(expr, Apply) and self._is_intrinsic(expr.base):
            for arg in expr.args:
                yield from self._plain(arg)
        elif not isinstance(expr, Literal):
            self.asked.update(_names([expr]))

    def _is_arithmetic(self, operator: str) -> bool:
        return operator[0] != "." and operator not in self._places.storage.overloaded

    def _is_intrinsic(self, function: Expr) -> bool:
        if not isinstance(function, Name):
            return False
        meaning = self._places.meaning(function.id)
        return isinstance(meaning, Intrinsic) and meaning.name not in IMPURE_FUNCTIONS


def _names(exprs: Iterator[Expr] | list[Expr]) -> Iterator[str]:
    return (part.id for expr in exprs for part in parts(expr) if isinstance(part, Name))
