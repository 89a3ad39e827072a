"""Coupled and triangular subscripts, decided by z3 in a process of its own."""

import pytest

from acclimate.analysis.dependence import conflicts, solver
from acclimate.analysis.facts import Verdict

LOOP = """
    subroutine outer(a, c, n, m, l)
      integer :: n, m, l, i, j
      real :: a(0:n), c(n, n)
      do i = {range} !<
        {body}
      end do
    end subroutine
"""

APART = {
    "below the diagonal": ("1, n", "do j = 1, i - 1; c(i, j) = c(j, i); end do"),
    "with the diagonal": ("1, n", "do j = 1, i; c(i, j) = c(j, i); end do"),
    "above the diagonal": ("1, n", "do j = i + 1, n; c(j, i) = 2*c(i, j); end do"),
    "the first element": ("2, n", "a(i) = a(1)"),
    "behind the last": ("1, n - 1", "a(i) = a(n)"),
    "two halves": ("1, m", "a(i) = a(2*m - i + 1)"),
    "coupled": ("1, n", "do j = 1, n; a(2*i) = a(2*j + 1); end do"),
    "odd from even": ("1, n, 2", "a(i) = a(i + 1) + a(n + n)"),
}
MEETING = {
    "across the diagonal": ("1, n - 1", "do j = 1, i + 1; c(i, j) = c(j, i); end do"),
    "the whole square": ("1, n", "do j = 1, n; c(i, j) = c(j, i); end do"),
    "the first element": ("1, n", "a(i) = a(1)"),
    "one too many": ("1, m + 1", "a(i) = a(2*m - i + 1)"),
    "an unknown distance": ("1, n", "a(i) = a(i + m)"),
    "guarded on one side": (
        "1, n",
        "if (m < l) then; c(i, 1) = 0.0; end if; do j = 1, m; c(i, j) = c(l, j); end do",
    ),
}

needs_z3 = pytest.mark.skipif(solver.solver() is None, reason="inconclusive: needs z3")


@needs_z3
@pytest.mark.parametrize("case", MEETING.values(), ids=MEETING)
def test_what_may_meet_stays(judge, case):
    facts = judge(LOOP.format(range=case[0], body=case[1]))
    assert facts.verdict not in (Verdict.PARALLEL, Verdict.REDUCTION)


@needs_z3
@pytest.mark.parametrize("case", APART.values(), ids=APART)
def test_what_cannot_meet_is_parallel(judge, case):
    facts = judge(LOOP.format(range=case[0], body=case[1]))
    assert facts.verdict is Verdict.PARALLEL, facts.reason
    assert not facts.conditions


def test_without_a_solver_the_verdict_is_that_of_the_bounds(judge, monkeypatch):
    monkeypatch.setattr(conflicts, "solver", lambda: None)
    monkeypatch.setattr(conflicts, "is_unsatisfiable", lambda formula: False)
    facts = judge(LOOP.format(range="1, n", body=APART["below the diagonal"][1]))
    assert facts.verdict is Verdict.UNKNOWN
    assert conflicts.NO_SOLVER in facts.notes


@needs_z3
def test_a_formula_that_is_too_hard_counts_as_satisfiable():
    text = "(declare-const x Int)(declare-const y Int)(assert (< 1 x y))"
    semiprime = 1000000007 * 1000000009 * 998244353 * 1000000021
    assert not solver.is_unsatisfiable(f"{text}(assert (= (* x x y y y) {semiprime}))(check-sat)")


@needs_z3
def test_a_text_that_is_no_formula_proves_nothing():
    assert not solver.is_unsatisfiable("(assert")
