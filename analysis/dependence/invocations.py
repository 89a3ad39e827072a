"""What in a statement may be the reference of a procedure."""

from collections.abc import Iterable, Iterator

from acclimate.analysis.dependence.associations import Associations
from acclimate.analysis.dependence.intrinsics import SUBROUTINES
from acclimate.analysis.dependence.statements import inside, own_expressions, parts
from acclimate.analysis.dependence.substitution import replaced
from acclimate.analysis.ir import (
    Apply,
    Assignment,
    Binary,
    Call,
    Expr,
    ImpliedDo,
    Literal,
    Name,
    Statement,
    Unary,
    Unit,
)
from acclimate.analysis.names.operations import ASSIGNMENT, operator_name
from acclimate.analysis.names.resolution import Intrinsic, Procedures, Variable
from acclimate.analysis.project import Project

Invocation = tuple[Expr, tuple[Expr, ...]]
"""The callee and its arguments, as they are written."""
_CHANGING = frozenset([*SUBROUTINES, "mvbits"])  # intrinsics that may change their arguments


class Invocations:
    """Answers for the statements of one unit, cached; each is kept, so that its id stays its own.

    What ASSOCIATE names stand for is put in their place.

    Elements of arrays, named constants and intrinsic functions look alike and are left out,
    unless the name might be one that an ASSOCIATE gives a meaning of its own.
    """

    def __init__(self, project: Project, unit: Unit, overloaded: frozenset[str]) -> None:
        self._project, self._unit, self._overloaded = project, unit, overloaded
        self._associations: Associations | None = None  # once anything is asked
        self._known: dict[int, tuple[Statement, tuple[Invocation, ...]]] = {}
        self._implied: dict[int, tuple[str, ...]] = {}  # indices; only where there are any
        self._data: dict[tuple[str, int], bool] = {}

    def of(self, statement: Statement) -> tuple[Invocation, ...]:
        """Those in the statement itself, not in the statements inside it."""
        known = self._known.get(id(statement))
        if known is None:
            found = tuple(self._find(statement))
            known = self._known[id(statement)] = (statement, self._meant(statement, found))
        return known[1]

    def _meant(self, statement: Statement, found: tuple[Invocation, ...]) -> tuple[Invocation, ...]:
        """With what ASSOCIATE names stand for."""
        if self._associations is None:
            self._associations = Associations(self._unit.body)
        aliases = self._associations.at(statement)
        if not aliases:
            return found
        return tuple(
            (replaced(callee, aliases), tuple(replaced(arg, aliases) for arg in args))
            for callee, args in found
        )

    def implied_indices(self, statement: Statement) -> tuple[str, ...]:
        """The indices of the implied DOs in the statement itself."""
        self.of(statement)
        return self._implied.get(id(statement), ())

    def callees(self, statements: Iterable[Statement]) -> list[Unit]:
        """The procedures of the project that statements, or those inside them, may call."""
        found: dict[int, Unit] = {}
        for statement in inside(statements):
            for callee, args in self.of(statement):
                resolution = self._project.procedures(self._unit, callee, args)
                if isinstance(resolution, Procedures):
                    found.update((id(unit), unit) for unit in resolution.candidates)
        return list(found.values())

    def _find(self, statement: Statement) -> Iterator[Invocation]:
        if isinstance(statement, Call):
            yield statement.procedure, statement.args
        elif isinstance(statement, Assignment) and "=" in self._overloaded:
            yield Name(ASSIGNMENT), (statement.target, statement.value)
        for expr in own_expressions(statement):
            for part in parts(expr):
                if isinstance(part, Name | Literal):  # half of all parts
                    continue
                match part:
                    case Apply():
                        if not self._is_data(part):
                            yield part.base, part.args
                    case Unary() if part.op in self._overloaded:
                        yield Name(operator_name(part.op)), (part.operand,)
                    case Binary() if part.op in self._overloaded:
                        yield Name(operator_name(part.op)), (part.left, part.right)
                    case ImpliedDo():
                        known = self._implied.get(id(statement), ())
                        self._implied[id(statement)] = (*known, part.index)

    def _is_data(self, expr: Apply) -> bool:
        """Is it an element, a section or the value of a function that changes nothing?"""
        if not isinstance(expr.base, Name):
            return False
        key = expr.base.id, len(expr.args)
        found = self._data.get(key)
        if found is None:
            found = self._data[key] = self._means_data(*key)
        return found

    def _means_data(self, name: str, rank: int) -> bool:
        match self._project.resolve(self._unit, name):
            case Variable(symbol):
                return symbol.is_parameter or len(symbol.dims) == rank
            case Intrinsic(intrinsic):
                return intrinsic not in _CHANGING
        return False
