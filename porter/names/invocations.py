"""Calls and function references of a statement, with actual arguments matched to dummies."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from acclimate.analysis.dependence.statements import own_expressions, parts
from acclimate.analysis.ir import Apply, Call, Component, Expr, Keyword, Statement, Symbol, Unit
from acclimate.analysis.names.resolution import Intrinsic, Procedures, StatementFunction
from acclimate.porter.names.scope import Scope, remembered

STATEMENT_FUNCTION = "statement function"


@dataclass(frozen=True, slots=True)
class Invocation:
    """One reference to a procedure.

    `candidates` is empty for intrinsics and for anything outside the project; `name` is the
    qualified name of the first candidate, or the bare name of what is outside.
    """

    name: str
    expr: Expr  # the procedure designator
    args: tuple[Expr, ...]
    candidates: tuple[Unit, ...]
    is_call: bool
    is_intrinsic: bool = False

    def bindings(self, callee: Unit) -> list[tuple[Symbol, Expr]]:
        """Dummy and actual argument pairs; absent optionals and alternate returns are left out."""
        dummies = callee.args
        if isinstance(self.expr, Component):  # the passed object is the first dummy
            dummies = dummies[1:]
        pairs: list[tuple[str, Expr]] = []
        for position, arg in enumerate(self.args):
            if isinstance(arg, Keyword):
                pairs.append((arg.name.lower(), arg.value))
            elif position < len(dummies):
                pairs.append((dummies[position], arg))
        return [(callee.symbols[name], actual) for name, actual in pairs if name in callee.symbols]


@remembered
def invocations(scope: Scope, statement: Statement) -> tuple[Invocation, ...]:
    """Every procedure a statement itself refers to, the outermost of an expression first."""
    found = list(_in_expressions(scope, own_expressions(statement)))
    if isinstance(statement, Call):
        found.insert(0, _invocation(scope, statement.procedure, statement.args, True))
    return tuple(found)


def invocations_in(scope: Scope, expr: Expr) -> list[Invocation]:
    return list(_in_expressions(scope, [expr]))


def _in_expressions(scope: Scope, exprs: Iterable[Expr]) -> Iterator[Invocation]:
    for expr in exprs:
        for part in parts(expr):
            if isinstance(part, Apply) and scope.reference(part) is None:
                yield _invocation(scope, part.base, part.args, False)


def _invocation(scope: Scope, callee: Expr, args: tuple[Expr, ...], is_call: bool) -> Invocation:
    found = scope.project.procedures(scope.unit, callee, args)
    name = getattr(found, "name", "")
    if isinstance(found, Procedures):
        candidates = tuple(sorted(found.candidates, key=scope.project.name_of))
        name = scope.project.name_of(candidates[0]) if candidates else ""
        return Invocation(name, callee, args, candidates, is_call)
    if isinstance(found, StatementFunction):
        return Invocation(_statement_function(scope, found), callee, args, (), is_call, True)
    return Invocation(name, callee, args, (), is_call, isinstance(found, Intrinsic))


def _statement_function(scope: Scope, found: StatementFunction) -> str:
    """A statement function is expanded in place; over scalars it is as good as an intrinsic."""
    for part in parts(found.body):
        reference = scope.reference(part)
        if reference is not None and (reference.is_array or reference.path):
            return "statement function that reads arrays"
    return STATEMENT_FUNCTION
