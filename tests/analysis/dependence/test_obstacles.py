"""What a refusal says: verdict, reason, witnesses, remedy; and what clauses name."""

import pytest

from acclimate.analysis.dependence.judging import judge_loops
from acclimate.analysis.facts import Verdict

HEAD = """
    subroutine outer(a, b, c, idx, n, m, s, found)
      integer :: n, m, i, j, k, last, idx(n)
      logical :: found
      real :: a(n), b(n), c(n, m), s, t, top
"""


def loop(*body: str, after: str = "") -> str:
    lines = ["      do i = 1, n !<", *(f"        {line}" for line in body), "      end do"]
    return "\n".join([HEAD, *lines, f"      {after}", "    end subroutine", ""])


def test_recurrence_names_both_references_and_the_distance(judge):
    facts = judge(loop("b(i) = 0.0", "if (i > 2) a(i) = a(i - 2) + b(i)"))
    assert facts.verdict is Verdict.SERIAL
    (obstacle,) = facts.obstacles
    (witness,) = obstacle.witnesses
    assert (witness.variable, witness.kind, witness.distance) == ("a", "flow", 2)
    assert witness.source.first == witness.sink.first == facts.at.first + 2
    assert "`a`" in facts.reason and "2 apart" in facts.reason
    assert obstacle.remedy


def test_antidependence_is_told_from_flow(judge):
    (obstacle,) = judge(loop("a(i) = a(i + 1)")).obstacles
    assert [(w.kind, w.distance) for w in obstacle.witnesses] == [("anti", 1)]


def test_all_obstacles_are_listed_gravest_first(judge):
    facts = judge(loop("print *, i", "a(i) = a(i - 1)", "b(idx(i)) = b(idx(i)) + 1.0"))
    assert [o.verdict for o in facts.obstacles] == [
        Verdict.HOST,
        Verdict.SERIAL,
        Verdict.ATOMIC,
    ]
    assert facts.verdict is Verdict.HOST


@pytest.mark.parametrize(
    ("body", "verdict", "reason"),
    [
        (["write (*, *) a(i)"], Verdict.HOST, "io"),
        (["if (a(i) < 0.0) stop"], Verdict.HOST, "stop"),
        (["call mpi_barrier(0, k)"], Verdict.HOST, "mpi"),
        (["call random_number(a(i))"], Verdict.SERIAL, "random-numbers"),
        (["call nowhere(a(i))"], Verdict.UNKNOWN, "external-call"),
        (["if (a(i) < 0.0) exit"], Verdict.SERIAL, "exit"),
        (["if (a(i) < 0.0) return"], Verdict.SERIAL, "return"),
        (["t = a(i)", "a(i) = s", "s = t"], Verdict.SERIAL, "scalar-carried"),
        (["if (b(i) > 0.0) t = b(i)", "a(i) = t"], Verdict.UNKNOWN, "scalar-carried"),
        (["k = k + 2", "b(i) = k"], Verdict.REWRITE, "induction"),
        (["a(idx(i)) = b(i)"], Verdict.SERIAL, "scatter"),
        (["a(m) = b(i)"], Verdict.SERIAL, "array-dependence"),
    ],
)
def test_reason(judge, body, verdict, reason):
    facts = judge(loop(*body))
    assert (facts.verdict, facts.obstacles[0].reason) == (verdict, reason)
    assert facts.obstacles[0].remedy


def test_an_undecided_callee_leaves_the_loop_unknown_not_serial(judge):
    source = """
        subroutine outer(a, n, other)
          integer :: n, i
          real :: a(n), x
          interface
            subroutine known(x)
              real, intent(inout) :: x
            end subroutine
          end interface
          do i = 1, n !<
            call known(a(i))
          end do
        end subroutine
    """
    assert judge(source).verdict is Verdict.UNKNOWN


@pytest.mark.parametrize(
    ("update", "operator"),
    [
        ("s = s + a(i)", "+"),
        ("s = s - a(i)*b(i)", "+"),
        ("s = a(i) + s + b(i)", "+"),
        ("s = s*a(i)", "*"),
        ("s = max(s, a(i))", "max"),
        ("s = min(a(i), s, b(i))", "min"),
        ("if (a(i) > s) s = a(i)", "max"),
        ("if (s > a(i)) s = a(i)", "min"),
        ("last = ior(last, idx(i))", "ior"),
        ("last = ieor(idx(i), last)", "ieor"),
        ("found = found .or. a(i) > 0.0", ".or."),
        ("found = found .neqv. a(i) > 0.0", ".neqv."),
        ("if (a(i) > 0.0) found = .true.", ".or."),
        ("if (a(i) > 0.0) found = .false.", ".and."),
    ],
)
def test_reduction(judge, update, operator):
    facts = judge(loop(update))
    assert facts.verdict is Verdict.REDUCTION, facts.obstacles
    assert [item.op for item in facts.reduction] == [operator]


@pytest.mark.parametrize(
    "update", ["s = a(i) - s", "s = s/a(i)", "s = a(i)**s", "s = max(s, a(i)) + 1.0", "s = s + s"]
)
def test_no_reduction(judge, update):
    assert judge(loop(update)).verdict is Verdict.SERIAL


def test_array_sums_are_atomic(judge):
    facts = judge(loop("do j = 1, m", "  b(j) = b(j) + c(i, j)", "end do"))
    assert facts.verdict is Verdict.ATOMIC
    assert facts.atomic == ("b",)
    assert facts.private == ("i", "j")


def test_a_declared_atomic_is_noted(judge):
    facts = judge(loop("!$acc atomic update", "b(idx(i)) = b(idx(i)) + 1.0"))
    assert facts.verdict is Verdict.ATOMIC
    assert "every update of `b` is declared atomic" in facts.notes


def test_location_of_a_maximum_needs_a_rewrite(judge):
    facts = judge(loop("if (a(i) > top) then", "  top = a(i)", "  last = i", "end if"))
    assert facts.verdict is Verdict.REWRITE
    assert facts.obstacles[0].reason == "extremum-location"


def test_value_read_after_the_loop_is_a_last_value(judge):
    facts = judge(loop("t = b(i)", "a(i) = t", after="s = t"))
    assert facts.verdict is Verdict.PARALLEL
    assert facts.last_values == ("t",)
    assert "t" in facts.private


def test_value_not_read_after_the_loop_is_none(judge):
    facts = judge(loop("t = b(i)", "a(i) = t", after="t = 0.0\n      s = t"))
    assert facts.last_values == ()


def test_conditional_last_value_needs_a_rewrite(judge):
    facts = judge(loop("if (b(i) > 0.0) t = b(i)", after="s = t"))
    assert facts.verdict is Verdict.REWRITE
    assert facts.obstacles[0].reason == "conditional-last-value"


def test_conditional_value_that_nobody_reads_is_private(judge):
    facts = judge(loop("if (b(i) > 0.0) then", "  t = b(i)", "  a(i) = t", "end if"))
    assert facts.verdict is Verdict.PARALLEL
    assert facts.private == ("i", "t")


def test_live_after_through_an_enclosing_loop(judge):
    source = """
        subroutine outer(a, n)
          integer :: n, i, j
          real :: a(n, n), t
          t = 0.0
          do j = 1, n
            a(1, j) = t
            do i = 2, n !<
              t = a(i, j)
              a(i, j) = 2.0*t
            end do
          end do
        end subroutine
    """
    assert judge(source).last_values == ("t",)


def test_array_syntax_reduction_is_noted(judge):
    source = """
        subroutine outer(a, b, n)
          integer :: n
          real :: a(n), b(n)
          a = b/sum(b) !<
        end subroutine
    """
    facts = judge(source)
    assert (facts.kind, facts.verdict) == ("array", Verdict.PARALLEL)
    assert facts.notes == ("reduces whole arrays with sum",)


@pytest.mark.parametrize(
    ("statement", "verdict"),
    [
        ("a(2:n) = a(1:n-1)", Verdict.REWRITE),
        ("a(1:n) = a(n:1:-1)", Verdict.REWRITE),
        ("a(1:m) = a(m+1:2*m)", Verdict.PARALLEL),
        ("a(1:n:2) = a(2:n:2)", Verdict.PARALLEL),
        ("a = a + b", Verdict.PARALLEL),
        ("a = a/sum(a)", Verdict.REWRITE),
        ("a = b(idx)", Verdict.PARALLEL),
        ("a(:) = a(idx)", Verdict.REWRITE),
        ("c = transpose(c)", Verdict.REWRITE),
        ("where (a > 0.0) a = b", Verdict.PARALLEL),
        ("where (a(1:n-1) > 0.0) a(2:n) = 0.0", Verdict.REWRITE),
        ("forall (i = 2:n) a(i) = a(i-1)", Verdict.REWRITE),
        ("forall (i = 2:n) a(i) = b(i-1)", Verdict.PARALLEL),
    ],
)
def test_array_statement(judge, statement, verdict):
    source = f"""
        subroutine outer(a, b, c, idx, n, m)
          integer :: n, m, i, idx(n)
          real :: a(n), b(n), c(n, n)
          {statement} !<
        end subroutine
    """
    facts = judge(source)
    assert facts.kind == "array"
    assert facts.verdict is verdict, facts.obstacles


def test_while_loops_are_serial(judge):
    source = """
        subroutine outer(x)
          real :: x
          do while (x > 1.0) !<
            x = 0.5*x
          end do
        end subroutine
    """
    assert judge(source).obstacles[-1].reason in ("not-counted", "scalar-carried")
    assert judge(source).verdict is Verdict.SERIAL


def test_results_are_sorted(read_model):
    facts = judge_loops(
        read_model(loop("a(i) = b(i)") + loop("a(i) = b(i)").replace("outer", "o2"))
    )
    assert [f.at for f in facts] == sorted(f.at for f in facts)


OWN_BOUNDS = {
    "a triangle": ("1, i", Verdict.SERIAL),
    "the other triangle": ("i, n", Verdict.SERIAL),
    "neighbours": ("i, i + 1", Verdict.SERIAL),
    "blocks": ("4*i, 4*i + 3", Verdict.PARALLEL),
    "blocks that touch": ("4*i, 4*i + 4", Verdict.SERIAL),
    "from a table": ("idx(i), idx(i) + 3", Verdict.UNKNOWN),
    "to a place from a table": ("1, idx(i)", Verdict.SERIAL),
    "a product": ("(i - 1)*m + 1, i*m", Verdict.UNKNOWN),
}


@pytest.mark.parametrize("bounds", OWN_BOUNDS)
def test_bounds_computed_by_each_iteration(judge, bounds):
    """A clash is certain only where iterations surely have a value of the inner index in common."""
    text, verdict = OWN_BOUNDS[bounds]
    facts = judge(loop(f"do j = {text}", "  a(j) = b(i)*j + a(j)*b(j)", "end do"))
    assert facts.verdict is verdict


def test_the_index_of_do_concurrent_ends_with_it(judge):
    facts = judge(HEAD + "do concurrent (i = 1:n) !<\n a(i) = i\n end do\n m = i\n end subroutine")
    assert (facts.verdict, facts.last_values) == (Verdict.PARALLEL, ())
