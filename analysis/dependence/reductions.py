"""Statements that combine a variable with something: `x = x operator e` and its other spellings."""

from collections.abc import Callable
from dataclasses import dataclass

from acclimate.analysis.dependence.intrinsics import BITWISE, MAXIMA, MINIMA
from acclimate.analysis.dependence.statements import contains
from acclimate.analysis.ir import Apply, Assignment, Binary, Expr, If, Literal, Name, Unary

IsIntrinsic = Callable[[str], bool]


@dataclass(frozen=True, slots=True)
class Update:
    """`operator` in the spelling of an OpenACC reduction clause; `others` are what is combined."""

    operator: str
    others: tuple[Expr, ...]


def update_of(target: Expr, value: Expr, is_intrinsic: IsIntrinsic) -> Update | None:
    """The update that `target = value` is, if it is one and `target` occurs nowhere else."""
    match value:
        case Binary(op="+" | "-"):
            return _sum(target, value)
        case Binary(op="*"):
            return _combined(target, "*", _operands(value, "*"))
        case Binary(op=".and." | ".or." | ".eqv." | ".neqv."):
            return _combined(target, value.op, _operands(value, value.op))
        case Apply(base=Name(id)) if is_intrinsic(id):
            operator = "max" if id in MAXIMA else "min" if id in MINIMA else None
            if id in BITWISE:
                operator = id
            return None if operator is None else _combined(target, operator, list(value.args))
    return None


def _sum(target: Expr, value: Binary) -> Update | None:
    terms = _terms(value, 1)
    own = [sign for term, sign in terms if term == target]
    others = [term for term, _ in terms if term != target]
    if own != [1] or any(contains(term, target) for term in others):
        return None
    return Update("+", tuple(others))


def _terms(expr: Expr, sign: int) -> list[tuple[Expr, int]]:
    match expr:
        case Binary(op="+"):
            return _terms(expr.left, sign) + _terms(expr.right, sign)
        case Binary(op="-"):
            return _terms(expr.left, sign) + _terms(expr.right, -sign)
        case Unary(op="-"):
            return _terms(expr.operand, -sign)
        case Unary(op="+"):
            return _terms(expr.operand, sign)
    return [(expr, sign)]


def _operands(expr: Expr, op: str) -> list[Expr]:
    if isinstance(expr, Binary) and expr.op == op:
        return _operands(expr.left, op) + _operands(expr.right, op)
    return [expr]


def _combined(target: Expr, operator: str, operands: list[Expr]) -> Update | None:
    others = [operand for operand in operands if operand != target]
    if len(others) != len(operands) - 1 or any(contains(other, target) for other in others):
        return None
    return Update(operator, tuple(others))


@dataclass(frozen=True, slots=True)
class Extremum:
    """`if (value > target) target = value`, with further assignments at the place of it."""

    target: Expr
    value: Expr
    operator: str  # max | min
    location: tuple[Assignment, ...]


def extremum_of(statement: If) -> Extremum | None:
    if len(statement.branches) != 1:
        return None
    branch = statement.branches[0]
    condition = branch.condition
    if not isinstance(condition, Binary) or condition.op not in ("<", "<=", ">", ">="):
        return None
    assignments = [s for s in branch.body if isinstance(s, Assignment)]
    if not assignments or len(assignments) != len(branch.body):
        return None
    for number, assignment in enumerate(assignments):
        target, value = assignment.target, assignment.value
        if contains(value, target) or {condition.left, condition.right} != {target, value}:
            continue
        greater = condition.op in (">", ">=")
        operator = "max" if greater is (condition.left == value) else "min"
        others = assignments[:number] + assignments[number + 1 :]
        if any(contains(other.value, target) for other in others):
            return None
        return Extremum(target, value, operator, tuple(others))
    return None


def constant_store(value: Expr) -> str | None:
    """`.or.` for storing `.true.`, `.and.` for `.false.`: what such a store combines with."""
    if isinstance(value, Literal):
        return {".true.": ".or.", ".false.": ".and."}.get(value.text)
    return None
