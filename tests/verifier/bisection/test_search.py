"""All culprits, nothing else, in few trials; a journal that survives being cut."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from acclimate.verifier.bisection.journal import Entry, Journal, OutOfBudget
from acclimate.verifier.bisection.search import Answer, culprits


def counted(bad):
    """A trial, and the list of what was tried."""
    tried = []

    def trial(some):
        if some not in tried:
            tried.append(some)
        return bad(some)

    return trial, tried


def test_nothing_wrong_takes_one_trial():
    trial, tried = counted(lambda some: Answer.GOOD)
    assert (culprits("abc", trial), len(tried)) == ([], 1)


def test_what_never_builds_has_no_culprit():
    assert culprits("abc", lambda some: Answer.UNRESOLVED) == []


@given(st.integers(20, 300), st.sampled_from([1, 2, 4]), st.randoms(use_true_random=False))
def test_independent_culprits_are_all_found_within_the_bound(count, wrong, random):
    suspects = [str(number) for number in range(count)]
    guilty = frozenset(random.sample(suspects, wrong))
    trial, tried = counted(lambda some: Answer.BAD if some & guilty else Answer.GOOD)
    found = culprits(suspects, trial)
    assert {name for group in found for name in group} == guilty
    assert all(len(group) == 1 for group in found)
    assert len(tried) <= 2 * math.log2(count) * wrong + 5


@given(st.integers(3, 60), st.integers(2, 3), st.randoms(use_true_random=False))
def test_culprits_that_only_differ_together_are_one_group(count, wrong, random):
    suspects = [str(number) for number in range(count)]
    guilty = frozenset(random.sample(suspects, wrong))
    found = culprits(suspects, lambda some: Answer.BAD if guilty <= some else Answer.GOOD)
    assert [frozenset(group) for group in found] == [guilty]


def entry(answer):
    return lambda: Entry(answer, "seen")


def test_a_journal_that_was_cut_keeps_its_whole_lines(tmp_path):
    path = tmp_path / "journal.jsonl"
    first = Journal(path)
    first.ask(frozenset("a"), entry(Answer.BAD), None)
    first.ask(frozenset("b"), entry(Answer.GOOD), None)
    path.write_text(path.read_text()[:-7])
    again = Journal(path)
    assert (again.known, again.told(frozenset("a"))) == (1, "seen")
    assert again.ask(frozenset("b"), entry(Answer.UNRESOLVED), None) is Answer.UNRESOLVED
    assert len(Journal(path)) == 2


def test_a_budget_counts_trials_of_earlier_runs_and_not_what_is_known(tmp_path):
    journal = Journal(tmp_path / "j")
    journal.ask(frozenset("a"), entry(Answer.BAD), 1)
    assert Journal(tmp_path / "j").ask(frozenset("a"), entry(Answer.GOOD), 1) is Answer.BAD
    with pytest.raises(OutOfBudget):
        Journal(tmp_path / "j").ask(frozenset("b"), entry(Answer.GOOD), 1)
