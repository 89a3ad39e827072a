import pytest

from acclimate.verifier.texts.statement_change import Rewritten, classify
from acclimate.verifier.texts.statements import tokens

CASES = [
    ("a = b + c*d", "a = b - c*d", Rewritten.OPERATOR),
    ("a = -b", "a = b", Rewritten.OPERATOR),
    ("x = a(i-1)", "x = a(i+1)", Rewritten.OPERATOR),
    ("a = b + c", "a = b", Rewritten.TERM_DROPPED),
    ("x = a + b*(c-d)", "x = a + b*c", Rewritten.TERM_DROPPED),
    ("a = b", "a = b + c", Rewritten.TERM_ADDED),
    ("do i = 1, n", "do i = 1, n - 1", Rewritten.BOUNDS),
    ("do k = 2, n", "do k = 1, n", Rewritten.BOUNDS),
    ("real(8) :: a(n)", "real(8) :: a(n-1)", Rewritten.BOUNDS),
    ("real(8) :: a(n)", "real(4) :: a(n)", Rewritten.KIND),
    ("x = 1.0d0*y", "x = 1.0*y", Rewritten.KIND),
    ("x = 0.1_wp*y", "x = 0.1*y", Rewritten.KIND),
    ("x = 2.0*y", "x = 3.0*y", Rewritten.CONSTANT),
    ("if (a > b) x = 1", "x = 1", Rewritten.GUARD_DROPPED),
    ("x = 1", "if (a > b) x = 1", Rewritten.GUARD_ADDED),
    ("if (a > b) x = 1", "if (a >= b) x = 1", Rewritten.GUARD),
    ("if (a > b .and. c) then", "if (a > b) then", Rewritten.GUARD),
    ("else if (a > 1) then", "else if (a > 2) then", Rewritten.GUARD),
    ("x = a(i-1)", "x = a(i)", Rewritten.INDEX),
    ("x(i) = 1", "x(i+1) = 1", Rewritten.INDEX),
    ("x(i) = 1", "y(i) = 1", Rewritten.WRITE_SET),
    ("real :: a", "real :: a, b", Rewritten.DECLARATION),
    ("call f(a)", "call g(a)", Rewritten.OTHER),
]


@pytest.mark.parametrize(
    ("now", "kind"),
    [
        ("x = a/dx + b/dx", Rewritten.VARIABLE),
        ("x = a/dx + b/copy", Rewritten.OTHER),
        ("x = a/dx + b/(dx*dy)", Rewritten.TERM_ADDED),
    ],
)
def test_another_known_variable_changes_the_meaning_a_new_name_may_be_a_copy(now, kind):
    known = frozenset({"a", "b", "dx", "dy", "x"})
    assert classify(tokens("x = a/dx + b/dy"), tokens(now), known) is kind


@pytest.mark.parametrize(("was", "now", "kind"), CASES)
def test_class_of_a_rewritten_statement(was, now, kind):
    assert classify(tokens(was), tokens(now)) is kind
