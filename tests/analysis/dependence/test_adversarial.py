"""Loops written against the analysis: none of them may run in any order as it stands.

`tests/analysis/adversarial/*.txt` hold them, each behind a line `=== name`, with the loop marked.
"""

from pathlib import Path

import pytest

from acclimate.analysis.facts import Verdict

LOOPS = Path(__file__).parents[1] / "adversarial"


def loops():
    for file in sorted(LOOPS.glob("*.txt")):
        for part in file.read_text().split("=== ")[1:]:
            name, _, source = part.partition("\n")
            yield pytest.param(source, id=f"{file.stem}-{name}")


def test_there_are_many():
    assert len(list(loops())) >= 200


@pytest.mark.parametrize("source", list(loops()))
def test_it_must_wait(judge, source):
    facts = judge(source)
    plain = facts.verdict in (Verdict.PARALLEL, Verdict.REDUCTION) and not facts.unproved
    assert not plain, facts
    assert facts.reason


def test_an_integer_sum_of_reals_rounds_at_every_step(judge):
    """It used to be a reduction."""
    facts = judge("""
        subroutine outer(a, n, k)
          integer :: n, i, k
          real :: a(n)
          do i = 1, n !<
            k = k + a(i)
          end do
        end subroutine
    """)
    assert (facts.verdict, facts.reduction) == (Verdict.SERIAL, ())


def test_an_integer_sum_of_integers_is_a_reduction(judge):
    facts = judge("""
        subroutine outer(a, n, k)
          integer :: n, i, k
          real :: a(n)
          do i = 1, n !<
            k = k + nint(a(i)) + count([a(i) > 0.0])
          end do
        end subroutine
    """)
    assert [(r.op, r.var) for r in facts.reduction] == [("+", "k")]
