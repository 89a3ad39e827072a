"""What must hold for a statement to be executed, as literals over value numbers.

Literals speak of values, not of variables, so they stay true for the whole iteration.
Integer comparisons are affine; comparisons of reals are left uninterpreted, because neither
`a + c < b + c` for `a < b` nor `.not. (a < b)` for `a >= b` holds with rounding and NaN.
"""

from collections.abc import Callable, Iterable
from enum import StrEnum
from functools import lru_cache

from acclimate.analysis.dependence.affine import ONE, Affine, Values
from acclimate.analysis.dependence.effort import Effort
from acclimate.analysis.ir import Binary, Expr, Unary


class Relation(StrEnum):
    NEGATIVE = "negative"  # integer form < 0
    ZERO = "zero"  # integer form == 0
    HOLDS = "holds"  # a logical value


class Literal:
    """`NEGATIVE` is always positive: the negation of `f < 0` is `-f - 1 < 0`.

    Never changed once it is made, so that its hash is computed once.
    """

    __slots__ = ("_hash", "form", "positive", "relation")

    def __init__(self, relation: Relation, form: Affine, positive: bool = True) -> None:
        self.relation = relation
        self.form = form
        self.positive = positive
        self._hash = hash((form, positive))

    def __eq__(self, other: object) -> bool:
        if self is other:
            return True
        if not isinstance(other, Literal):
            return NotImplemented
        return (
            self.relation is other.relation
            and self.positive == other.positive
            and self.form == other.form
        )

    def __hash__(self) -> int:
        return self._hash

    def __repr__(self) -> str:
        return f"Literal({self.relation.value}, {self.form}, {self.positive})"

    def of(self, form: Affine) -> "Literal":
        """The same relation of another form."""
        if self.relation is Relation.ZERO:
            return zero(form, self.positive)
        return Literal(self.relation, form, self.positive)

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


class Facts:
    """Literals that hold together. A goal is compared with those of its own terms only."""

    def __init__(self, known: Iterable[Literal], base: "Facts | None" = None) -> None:
        self._base = base  # further facts
        self._literals = frozenset(known)
        self._most: dict[tuple[tuple[int, int], ...], int] = {}  # terms -> c with terms + c < 0
        for fact in self._literals:
            if fact.relation is Relation.NEGATIVE:
                self._note_negative(fact.form, 0)
            elif fact.relation is Relation.ZERO and fact.positive:
                self._note_negative(fact.form, 1)
                self._note_negative(-fact.form, 1)

    def _note_negative(self, form: Affine, less: int) -> None:
        """`form - less` is negative."""
        constant = form.constant - less
        if constant > self._most.get(form.terms, constant - 1):
            self._most[form.terms] = constant

    def imply(self, goal: Literal) -> bool:
        """Does `goal` follow from one of the facts (or from arithmetic alone)?"""
        form = goal.form
        if goal.relation is Relation.NEGATIVE:
            return self.are_negative(form.terms, form.constant)
        if form.is_constant and goal.relation is not Relation.HOLDS:
            return not is_impossible(goal)
        if goal in self._literals:
            return True
        if self._most and goal.relation is Relation.ZERO and not goal.positive:
            negated = -form
            if self._are_negative(form.terms, form.constant) or self._are_negative(
                negated.terms, negated.constant
            ):
                return True
        return self._base is not None and self._base.imply(goal)

    def are_negative(self, terms: tuple[tuple[int, int], ...], constant: int) -> bool:
        """Is the form with these terms and this constant negative?"""
        if not terms:
            return constant < 0
        facts: Facts | None = self
        while facts is not None:
            if facts._are_negative(terms, constant):
                return True
            facts = facts._base
        return False

    def _are_negative(self, terms: tuple[tuple[int, int], ...], constant: int) -> bool:
        most = self._most.get(terms)
        return most is not None and constant <= most


@lru_cache(maxsize=4096)
def facts_of(conditions: tuple[Literal, ...]) -> Facts:
    """The conditions of a path as facts."""
    return Facts(conditions)


NOTHING = Facts(())


def is_impossible(fact: Literal) -> bool:
    """Is this literal false for every value of its variables?"""
    if not fact.form.is_constant or fact.relation is Relation.HOLDS:
        return False
    if fact.relation is Relation.NEGATIVE:
        return fact.form.constant >= 0
    return (fact.form.constant == 0) is not fact.positive


class Prover:
    """Inequalities between integer forms, from bounds of inner indices and known literals."""

    def __init__(self, values: Values, effort: Effort) -> None:
        self._values, self._effort = values, effort
        self.facts: tuple[Literal, ...] = ()
        self._asked: tuple[tuple[Literal, ...], Facts] = (), NOTHING  # facts, to be asked

    def implies(self, goal: Literal, known: Facts = NOTHING) -> bool:
        """Does the goal follow from what is `known` or from the bounds of indices?"""
        self._effort.spend(1)
        return known.imply(goal) or self._own.imply(goal)

    @property
    def _own(self) -> Facts:
        if self._asked[0] is not self.facts:
            self._asked = self.facts, facts_of(self.facts)
        return self._asked[1]

    def at_most(self, low: Affine, high: Affine, known: Facts = NOTHING) -> bool:
        """Is `low <= high` certain?"""
        self._effort.spend(1)
        difference = low - high
        if difference.is_constant:
            return difference.constant <= 0
        if self._is_at_most_zero(difference, known):
            return True
        greatest = self.greatest(difference)
        if greatest is None:
            return False
        if greatest.is_constant:
            return greatest.constant <= 0
        return greatest != difference and self._is_at_most_zero(greatest, known)

    def _is_at_most_zero(self, form: Affine, known: Facts) -> bool:
        self._effort.spend(1)
        terms, constant = form.terms, form.constant - 1
        return known.are_negative(terms, constant) or self._own.are_negative(terms, constant)

    def least(self, form: Affine) -> Affine | None:
        """A lower bound without inner indices, or None."""
        return self._eliminated(form, lowest=True)

    def greatest(self, form: Affine) -> Affine | None:
        return self._eliminated(form, lowest=False)

    def _eliminated(self, form: Affine, lowest: bool) -> Affine | None:
        ranges = self._values.ranges
        for _ in range(len(ranges) + 1):
            # later indices may have bounds in earlier ones
            inner = next((term for term in reversed(form.terms) if term[0] in ranges), None)
            if inner is None:
                return form
            atom, coefficient = inner
            bound = ranges[atom].low if (coefficient > 0) is lowest else ranges[atom].high
            if bound is None:
                return None
            form = form.replaced(atom, bound)
        return None
