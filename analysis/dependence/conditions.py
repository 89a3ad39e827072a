"""What must hold for a statement to be executed, as literals over value numbers.

Literals speak of values, not of variables, so they stay true for the whole iteration.
Integer comparisons are affine; comparisons of reals are left uninterpreted, because neither
`a + c < b + c` for `a < b` nor `.not. (a < b)` for `a >= b` holds with rounding and NaN.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from enum import StrEnum

from acclimate.analysis.dependence.affine import ONE, Affine, Values
from acclimate.analysis.ir import Binary, Expr, Unary


class Relation(StrEnum):
    NEGATIVE = "negative"  # integer form < 0
    ZERO = "zero"  # integer form == 0
    HOLDS = "holds"  # a logical value


@dataclass(frozen=True, slots=True)
class Literal:
    """`NEGATIVE` is always positive: the negation of `f < 0` is `-f - 1 < 0`."""

    relation: Relation
    form: Affine
    positive: bool = True

    def negated(self) -> "Literal":
        if self.relation is Relation.NEGATIVE:
            return Literal(Relation.NEGATIVE, -self.form - ONE)
        return Literal(self.relation, self.form, not self.positive)


def negative(form: Affine) -> Literal:
    return Literal(Relation.NEGATIVE, form)


def at_most(low: Affine, high: Affine) -> Literal:
    """`low <= high` for integers."""
    return negative(low - high - ONE)


def zero(form: Affine, positive: bool = True) -> Literal:
    if form.terms and form.terms[0][1] < 0:
        form = -form
    return Literal(Relation.ZERO, form, positive)


def holds(form: Affine, positive: bool = True) -> Literal:
    return Literal(Relation.HOLDS, form, positive)


def literals(
    condition: Expr,
    positive: bool,
    value: Callable[[Expr], Affine],
    is_integer: Callable[[Expr], bool],
) -> tuple[Literal, ...]:
    """Literals that all follow from `condition` being true (or false)."""
    if isinstance(condition, Unary) and condition.op == ".not.":
        return literals(condition.operand, not positive, value, is_integer)
    if isinstance(condition, Binary):
        if condition.op == (".and." if positive else ".or."):
            left = literals(condition.left, positive, value, is_integer)
            return left + literals(condition.right, positive, value, is_integer)
        if (
            condition.op in _COMPARISONS
            and is_integer(condition.left)
            and is_integer(condition.right)
        ):
            literal = _comparison(condition.op, value(condition.left) - value(condition.right))
            return (literal if positive else literal.negated(),)
    return (holds(value(condition), positive),)


_COMPARISONS = ("==", "/=", "<", "<=", ">", ">=")


def _comparison(op: str, difference: Affine) -> Literal:
    match op:
        case "==" | "/=":
            return zero(difference, op == "==")
        case "<":
            return negative(difference)
        case ">":
            return negative(-difference)
        case "<=":
            return negative(difference - ONE)
    return negative(-difference - ONE)


def implied(goal: Literal, known: Iterable[Literal]) -> bool:
    """Does `goal` follow from one of the known literals (or from arithmetic alone)?"""
    if goal.relation is Relation.NEGATIVE and goal.form.is_constant:
        return goal.form.constant < 0
    if goal.relation is Relation.ZERO and goal.form.is_constant:
        return (goal.form.constant == 0) is goal.positive
    return any(_follows(goal, fact) for fact in known)


def is_impossible(fact: Literal) -> bool:
    """Is this literal false for every value of its variables?"""
    if not fact.form.is_constant or fact.relation is Relation.HOLDS:
        return False
    if fact.relation is Relation.NEGATIVE:
        return fact.form.constant >= 0
    return (fact.form.constant == 0) is not fact.positive


def _follows(goal: Literal, fact: Literal) -> bool:
    if goal == fact:
        return True
    if goal.relation is Relation.HOLDS or fact.relation is Relation.HOLDS:
        return False
    if goal.relation is Relation.ZERO and goal.positive:
        return False
    if fact.relation is Relation.ZERO and not fact.positive:
        return False
    goals = (goal.form,) if goal.relation is Relation.NEGATIVE else (goal.form, -goal.form)
    if fact.relation is Relation.NEGATIVE:
        return any(_is_below(form, fact.form, 0) for form in goals)
    return any(
        _is_below(form, zero_form, -1) for form in goals for zero_form in (fact.form, -fact.form)
    )


def _is_below(form: Affine, known: Affine, most: int) -> bool:
    """Is `form - known` a constant of at most `most`?

    With `known` at most -1 (`most` 0), or zero (`most` -1), the form is negative then.
    """
    return form.terms == known.terms and form.constant - known.constant <= most


class Prover:
    """Inequalities between integer forms, from bounds of inner indices and known literals."""

    def __init__(self, values: Values) -> None:
        self._values = values
        self.facts: list[Literal] = []

    def at_most(self, low: Affine, high: Affine, known: tuple[Literal, ...] = ()) -> bool:
        """Is `low <= high` certain?"""
        difference = high - low
        if difference.is_constant:
            return difference.constant >= 0
        if implied(negative(-difference - ONE), (*known, *self.facts)):
            return True
        least = self.least(difference)
        if least is None:
            return False
        if least.is_constant:
            return least.constant >= 0
        return least != difference and implied(negative(-least - ONE), (*known, *self.facts))

    def least(self, form: Affine) -> Affine | None:
        """A lower bound without inner indices, or None."""
        return self._eliminated(form, lowest=True)

    def greatest(self, form: Affine) -> Affine | None:
        return self._eliminated(form, lowest=False)

    def _eliminated(self, form: Affine, lowest: bool) -> Affine | None:
        for _ in range(len(self._values.ranges) + 1):
            inner = [term for term in form.terms if self._values.is_inner(term[0])]
            if not inner:
                return form
            atom, coefficient = inner[-1]  # later indices may have bounds in earlier ones
            index_range = self._values.ranges[atom]
            bound = index_range.low if (coefficient > 0) is lowest else index_range.high
            if bound is None:
                return None
            form = form.replaced(atom, bound)
        return None
