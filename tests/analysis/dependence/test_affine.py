"""Affine forms, and what follows from integer comparisons, against enumeration."""

from itertools import product

from hypothesis import given
from hypothesis import strategies as st

from acclimate.analysis.dependence.affine import Affine
from acclimate.analysis.dependence.conditions import Facts, Literal, Relation, negative, zero

FORMS = st.builds(
    lambda constant, x, y: (
        Affine(constant) + Affine(0, ((1, 1),)).times(x) + Affine(0, ((2, 1),)).times(y)
    ),
    st.integers(-3, 3),
    st.integers(-2, 2),
    st.integers(-2, 2),
)
LITERALS = st.one_of(
    FORMS.map(negative), st.tuples(FORMS, st.booleans()).map(lambda pair: zero(*pair))
)


def value(form: Affine, x: int, y: int) -> int:
    return form.constant + x * form.coefficient(1) + y * form.coefficient(2)


def holds(literal: Literal, x: int, y: int) -> bool:
    found = value(literal.form, x, y)
    if literal.relation is Relation.NEGATIVE:
        return found < 0
    return (found == 0) is literal.positive


@given(FORMS, FORMS, st.integers(-3, 3), st.integers(-5, 5), st.integers(-5, 5))
def test_arithmetic_is_that_of_integers(one, other, factor, x, y):
    assert value(one + other, x, y) == value(one, x, y) + value(other, x, y)
    assert value(one - other, x, y) == value(one, x, y) - value(other, x, y)
    assert value(one.times(factor), x, y) == factor * value(one, x, y)


@given(FORMS, FORMS)
def test_equal_forms_are_equal_values(one, other):
    points = product(range(-3, 4), repeat=2)
    assert (one == other) == all(value(one, x, y) == value(other, x, y) for x, y in points)


@given(LITERALS, st.lists(LITERALS, max_size=3))
def test_what_is_implied_is_true(goal, known):
    if Facts(known[:1], Facts(known[1:])).imply(goal):
        for x, y in product(range(-8, 9), repeat=2):
            assert holds(goal, x, y) or not all(holds(fact, x, y) for fact in known)


@given(LITERALS)
def test_negation_is_the_opposite(literal):
    for x, y in product(range(-4, 5), repeat=2):
        assert holds(literal, x, y) is not holds(literal.negated(), x, y)
