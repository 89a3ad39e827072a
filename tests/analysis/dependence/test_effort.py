"""What is too large is given up, by a count of steps: loops are unknown, summaries say the most."""

import pytest

from acclimate.analysis.dependence.effort import Effort, TooLarge
from acclimate.analysis.dependence.judging import judge_loops
from acclimate.analysis.dependence.procedures import Summaries
from acclimate.analysis.facts import Agreement, LoopFacts, Verdict

EVERYTHING = 4_000_000
NOTHING = 0


@pytest.fixture
def steps(monkeypatch):
    """Let every unit have this many steps."""

    def set_to(most: int) -> None:
        monkeypatch.setattr(Effort.__init__, "__defaults__", (most,))

    return set_to


def facts_of(project) -> list[LoopFacts]:
    return list(judge_loops(project))


LARGE = """
    subroutine large(a, b, n)
      integer :: n, i
      real :: a(n), b(n), w(3)
      !$omp parallel do private(w)
      !$acclimate parallel
      do i = 1, n
        w(1) = b(i)
        w(2) = w(1)
        call other(a(i), w(2))
      end do
      a(1:n) = b(1:n)
    end subroutine
    subroutine other(x, y)
      real :: x, y
      x = y
    end subroutine
"""


def test_a_loop_that_is_given_up_is_unknown_whatever_is_promised(read_model, steps):
    steps(NOTHING)
    loop, array = facts_of(read_model(LARGE))
    for facts in (loop, array):
        assert facts.verdict is Verdict.UNKNOWN
        assert facts.obstacles[0].reason == "too-large"
        assert facts.reason.startswith("too large to decide (more than ")
    assert loop.calls == ("other",)
    assert [hint.word for hint in loop.hints] == ["parallel"]
    assert [claim.agreement for claim in loop.claims] == [Agreement.UNDECIDED]


def test_the_same_loops_with_enough_steps_are_decided(read_model, steps):
    steps(EVERYTHING)
    assert {facts.verdict for facts in facts_of(read_model(LARGE))} == {Verdict.PARALLEL}


def test_a_smaller_loop_behind_a_large_one_is_still_judged(read_model, steps):
    steps(4_000)
    writes = "\n".join(f"        w({n}) = b(i, {n})" for n in range(1, 201))
    reads = "\n".join(f"        a(i, {n}) = w({n})" for n in range(1, 201))
    source = f"""
    subroutine two(a, b, c, n)
      integer :: n, i
      real :: a(n, 200), b(n, 200), c(n), w(200)
      do i = 1, n
{writes}
{reads}
      end do
      do i = 1, n
        c(i) = 1.0
      end do
    end subroutine
"""
    large, small = facts_of(read_model(source))
    assert (large.verdict, small.verdict) == (Verdict.UNKNOWN, Verdict.PARALLEL)


CALLEES = """
    module store
      integer :: total, seen(10)
      real, pointer :: p(:)
    end module
    subroutine touch(x, y, n)
      use store
      integer :: n, k
      real :: x(n), y(n), own(3)
      own(1) = 1.0
      own(2) = own(1)
      total = total + 1
      do k = 1, n
        x(k) = own(2)
        y(k) = x(k)
      end do
      call deeper
      p(1) = y(1)
    end subroutine
    subroutine deeper
      use store
      seen(1) = 2
      if (seen(2) > 0) write (*, *) seen(3)
    end subroutine
"""


def test_a_summary_given_up_holds_all_that_the_whole_one_holds(read_model, steps):
    project = read_model(CALLEES)
    (touch,) = (unit for unit in project.units.values() if unit.name == "touch")
    steps(EVERYTHING)
    whole = Summaries(project).of(touch)
    steps(NOTHING)
    given_up = Summaries(project).of(touch)
    assert whole.definitions
    assert not given_up.definitions
    told = {(access.key, access.write) for access in given_up.accesses}
    assert told > {(access.key, access.write) for access in whole.accesses}
    assert {flag.trait for flag in given_up.flags} == {flag.trait for flag in whole.flags}
    assert set(given_up.calls) == set(whole.calls)
    assert given_up.written_through_pointers == whole.written_through_pointers
    reads = {access.symbol.name for access in given_up.accesses if not access.write}
    assert "x" in reads  # written before it is read, which is not known any more


SCRATCH = """
    subroutine outer(a, n)
      integer :: n, i
      real :: a(n), w(3)
      do i = 1, n !<
        call fill(w, a(i))
        a(i) = w(1)
      end do
    end subroutine
    subroutine fill(w, v)
      real :: w(3), v
      integer :: k
      do k = 1, 3
        w(k) = v
      end do
    end subroutine
"""


def test_a_caller_believes_no_more_than_a_summary_given_up_says(read_model, steps, monkeypatch):
    project = read_model(SCRATCH)
    steps(EVERYTHING)
    assert facts_of(project)[0].verdict is Verdict.PARALLEL
    summaries = Summaries(project)
    steps(NOTHING)
    for unit in project.units.values():
        summaries.of(unit)
    steps(EVERYTHING)
    outer = next(f for f in judge_loops(project, summaries) if f.unit == "outer")
    assert outer.verdict not in (Verdict.PARALLEL, Verdict.REDUCTION)


def test_steps_are_what_is_counted():
    left = Effort(10)
    with left.share():
        assert left.left == 10 // 4
        with pytest.raises(TooLarge):
            left.spend(3)
    assert left.left == 10 - 10 // 4
    left.spend(left.left)
    with pytest.raises(TooLarge):
        left.spend(1)
