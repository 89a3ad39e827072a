"""Directives of the source held against the verdict: confirmed, contradicted, or left open."""

import pytest

from acclimate.analysis.facts import Agreement

LOOP = """
    subroutine outer(a, b, c, idx, n, m, s)
      integer :: n, m, i, j, idx(n)
      real :: a(n), b(n), c(n, m), s, t
      {region}
      {directive}
      do i = 1, n !<
        {body}
      end do
      {end}
    end subroutine
"""


def claimed(judge, directive, body, region="", end=""):
    text = LOOP.format(directive=directive, body=body, region=region, end=end)
    facts = judge(text)
    return [c.agreement for c in facts.claims], [f.kind for f in facts.findings], facts


CONTRADICTED = {
    "a carried dependence": ("!$omp parallel do", "a(i) = a(max(i-1, 1)) + a(i)", None),
    "a recurrence": ("!$omp parallel do", "if (i > 1) a(i) = a(i-1)", "race"),
    "an array sum": ("!$omp parallel do", "a(1) = a(1) + b(i)", "race"),
    "a scalar sum": ("!$omp parallel do", "s = s + b(i)", "missing-reduction"),
    "a scratch scalar": ("!$omp parallel do", "t = b(i); a(i) = t", "missing-private"),
    "another scalar": ("!$omp parallel do private(s)", "t = b(i); a(i) = t", "missing-private"),
    "a value carried": ("!$acc parallel loop", "a(i) = t; t = b(i)", "race"),
    "a scalar sum on the device": ("!$acc parallel loop", "s = s + b(i)", "missing-reduction"),
    "a vendor's word": ("!dir$ ivdep", "if (i > 1) a(i) = a(i-1)", "race"),
    "a table": ("!$omp parallel do", "a(idx(i)) = b(i)", "possible-race"),
}


@pytest.mark.parametrize("case", CONTRADICTED.values(), ids=CONTRADICTED)
def test_what_contradicts_a_directive(judge, case):
    directive, body, kind = case
    agreements, kinds, facts = claimed(judge, directive, body)
    expected = Agreement.UNDECIDED if kind in (None, "possible-race") else Agreement.CONTRADICTED
    assert agreements == [expected]
    assert kinds == ([kind] if kind else [])
    for finding in facts.findings:
        assert finding.claim == f"{directive[1:].lstrip('$').replace('$', '')}"
        assert finding.at.first == 6
        assert finding.witnesses


CONFIRMED = {
    "plain": ("!$omp parallel do", "a(i) = b(i)"),
    "private": ("!$omp parallel do private(t)", "t = b(i); a(i) = t"),
    "everything private": ("!$omp parallel do default(private) shared(a,b)", "t = b(i); a(i) = t"),
    "reduction": ("!$omp parallel do reduction(+: s)", "s = s + b(i)"),
    "scalars are private on the device": ("!$acc parallel loop", "t = b(i); a(i) = t"),
    "an inner index": ("!$omp parallel do", "do j = 1, m; c(i, j) = b(i); end do"),
    "atomic": ("!$omp parallel do", "\n!$omp atomic\n s = s + b(i)"),
}


@pytest.mark.parametrize("case", CONFIRMED.values(), ids=CONFIRMED)
def test_what_confirms_a_directive(judge, case):
    agreements, kinds, _ = claimed(judge, *case)
    assert (agreements, kinds) == ([Agreement.CONFIRMED], [])


@pytest.mark.parametrize(
    "directive", ["!$acc loop seq", "!$omp single", "!$ser data a=b", "!$acc kernels loop", ""]
)
def test_what_claims_nothing(judge, directive):
    agreements, kinds, _ = claimed(judge, directive, "if (i > 1) a(i) = a(i-1)")
    assert (agreements, kinds) == ([], [])


def test_the_region_around_names_the_copies(judge):
    agreements, kinds, _ = claimed(
        judge, "!$omp do", "t = b(i); a(i) = t", "!$omp parallel private(t)", "!$omp end parallel"
    )
    assert (agreements, kinds) == ([Agreement.CONFIRMED], [])


def test_a_region_that_has_ended_names_nothing(judge):
    region = "!$omp parallel private(t)\n!$omp end parallel\n!$omp parallel"
    agreements, kinds, _ = claimed(
        judge, "!$omp do", "t = b(i); a(i) = t", region, "!$omp end parallel"
    )
    assert (agreements, kinds) == ([Agreement.CONTRADICTED], ["missing-private"])


def test_locals_of_a_procedure_called_in_a_region_are_private(judge):
    agreements, kinds, _ = claimed(judge, "!$omp do", "t = b(i); a(i) = t")
    assert (agreements, kinds) == ([Agreement.CONFIRMED], [])


def test_collapse_speaks_of_the_loops_inside(judge):
    facts = judge("""
        subroutine outer(a, n, m)
          integer :: n, m, i, j
          real :: a(n, m)
          !$omp parallel do collapse(2)
          do j = 1, m
            do i = 2, n !<
              a(i, j) = a(i-1, j)
            end do
          end do
        end subroutine
    """)
    assert [claim.agreement for claim in facts.claims] == [Agreement.CONTRADICTED]


CHUNKS = """
    subroutine outer(a, b, n, threads)
      integer :: n, threads, it, i, low, high, length
      real :: a(n), b(n), w(n)
      length = (n + threads - 1)/threads
      !$omp parallel do private(low, high, i) shared(a, b, w, length)
      do it = 1, threads !<
        low = {low}
        high = min(low + length - 1, n)
        do i = low, high
          {work}
        end do
      end do
    end subroutine
"""

CHUNKED = {
    "each thread its part": ("(it - 1)*length + 1", "a(i) = b(i)", []),
    "each thread its part of a work array": (
        "(it - 1)*length + 1",
        "w(i) = b(i); a(i) = w(i)",
        ["possible-race"],
    ),
    "all threads from the start": ("1", "a(i) = a(i) + b(i)*a(1)", ["race"]),
    "all threads the whole work array": (
        "1",
        "w(i) = b(i); a(it) = w(i)",
        ["missing-private"],
    ),
}


@pytest.mark.parametrize("case", CHUNKED)
def test_parts_of_a_table_by_thread_are_no_proved_race(judge, case):
    low, work, kinds = CHUNKED[case]
    facts = judge(CHUNKS.format(low=low, work=work))
    assert [finding.kind for finding in facts.findings] == kinds
    if not kinds:
        assert [claim.agreement for claim in facts.claims] == [Agreement.UNDECIDED]
        assert "each iteration computes the bounds of its part anew" in facts.reason
        assert "!$acclimate parallel" in facts.obstacles[0].remedy
