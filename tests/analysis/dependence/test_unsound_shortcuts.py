"""Loops that a shortcut in the analysis would call parallel, each with the shortcut named."""

from pathlib import Path

import pytest

from acclimate.analysis.facts import Verdict

PLAIN = (Verdict.PARALLEL, Verdict.REDUCTION)

CASES = {
    path.stem: path.read_text() for path in sorted(Path(__file__).with_name("shortcuts").iterdir())
}


@pytest.mark.parametrize("source", CASES.values(), ids=CASES)
def test_not_plainly_parallel(judge, source):
    facts = judge(source)
    assert facts.verdict not in PLAIN or facts.unproved, facts
    assert facts.obstacles or facts.unproved
    assert facts.reason


def test_a_component_changes_with_its_structure(judge):
    """`s%n` was taken to be the same in all iterations over `k`, so `w` was called private."""
    source = """
        module m
          type cell
            integer :: n
            real :: x
          end type
        contains
          subroutine outer(a, t, n, nk)
            integer :: n, nk, i, k
            type(cell) :: s, t(nk)
            real :: a(n), w(99)
            do i = 1, n !<
              s = t(i)
              do k = 1, nk
                if (k > 1) a(i) = w(s%n)
                w(s%n) = k
                s = t(k)
              end do
            end do
          end subroutine
        end module
    """
    assert judge(source).verdict is Verdict.UNKNOWN
    assert judge(source.replace("s = t(k)", "")).verdict is Verdict.PARALLEL


def test_equal_names_of_constant_arrays_are_not_equal_arrays(judge):
    """The table of the callee and that of the caller were one table by their name."""
    source = """
        module tables
          integer, parameter :: order(2) = [1, 2]
        contains
          subroutine fill(w, k)
            real :: w(2)
            integer :: k
            w(order(k)) = 1.0
          end subroutine
        end module
        subroutine outer(a, n, k)
          use tables, only: fill
          integer, parameter :: order(2) = [2, 1]
          integer :: n, i, k
          real :: a(n), w(2)
          do i = 1, n !<
            call fill(w, k)
            a(i) = w(order(k))
            w(order(k)) = 2.0
          end do
        end subroutine
    """
    assert judge(source).verdict is not Verdict.PARALLEL
    same = source.replace("          integer, parameter :: order(2) = [2, 1]\n", "")
    assert judge(same.replace("only: fill", "only: fill, order")).verdict is Verdict.PARALLEL


# Every shortcut that a throw-away prototype of the analysis took, with the loop it got wrong, and
# how it called that loop.
SHORTCUTS = {
    "an element passed stays in its column": ("sequence_association", "parallel"),
    "an assumed-size dummy stays in its column": ("assumed_size", "parallel"),
    "a callee with GOTO runs from top to bottom": ("goto_in_callee", "parallel private(t)"),
    "a loop with GOTO runs from top to bottom": ("goto_over_definition", "parallel private(t)"),
    "pointers of different names are distinct": ("pointers", "parallel"),
    "pointer components are distinct": ("pointer_components", "parallel"),
    "pointer components of elements are distinct": ("array_of_pointers", "parallel"),
    "no pointer points to a named target": ("target", "parallel"),
    "INTENT(OUT) means surely written": ("intent_lies", "parallel private(t)"),
    "COMMON is told by names": ("common_relayout", "parallel"),
    "EQUIVALENCE is told by names": ("equivalence", "parallel"),
    "a cycle of calls is read half-finished": ("recursion", "parallel private(total)"),
    "a local array is dead after the loop": ("work_array_live", "parallel private(w)"),
    "an array whose reads are covered is dead": ("work_array_dummy", "parallel private(w)"),
    "stores of one value to one place are harmless": ("same_value", "parallel"),
}


@pytest.mark.parametrize("shortcut", SHORTCUTS)
def test_the_wrong_verdict_is_not_given_again(judge, shortcut):
    case, wrong = SHORTCUTS[shortcut]
    facts = judge(CASES[case])
    given = facts.verdict.value + "".join(f" private({v})" for v in facts.private if v != "i")
    assert given != wrong or facts.unproved
    if facts.verdict in PLAIN:
        assert "do not share storage" in facts.reason


def test_the_index_is_live_after_the_loop(judge):
    """It used to be dead: `parallel` without a last value to restore."""
    facts = judge("""
        subroutine outer(a, n, last)
          integer :: n, i, last
          real :: a(n)
          do i = 1, n !<
            a(i) = 0.0
          end do
          last = i
        end subroutine
    """)
    assert facts.last_values == ("i",)


def test_liveness_behind_a_goto(judge):
    """It used to be switched off in units with GOTO: `parallel private(t)` without last value."""
    facts = judge("""
        subroutine outer(a, n, last)
          integer :: n, i
          real :: a(n), t, last
          if (n < 0) goto 20
          do i = 1, n !<
            t = a(i)
            a(i) = 2.0*t
          end do
       20 last = t
        end subroutine
    """)
    assert facts.last_values == ("t",)
