"""Which calls are kept."""

import pytest

from acclimate.verifier.capture.choosing import chosen_calls


@pytest.mark.parametrize(
    ("plan", "kept"),
    [
        ("1 1 5 1\n1 9 0 0", (1, 9)),
        ("1 1 5 1\n1 4 2 0\n1 9 0 0", (1, 4, 9)),
        ("1 1 5 1\n1 2 1 0\n1 3 4 0\n1 4 2 0\n1 9 0 0", (1, 3, 4, 9)),  # the most branches
        ("1 1 5 1\n1 2 0 1\n1 3 1 0\n1 4 0 1\n1 9 0 0", (1, 2, 3, 9)),  # branches, then shapes
        ("1 7 5 1\n1 7 0 0", (7,)),
    ],
)
def test_calls_with_new_branches_come_before_those_with_new_shapes(plan, kept):
    assert chosen_calls([plan], most=4) == {1: kept}


def test_what_one_rank_is_to_keep_all_keep():
    assert chosen_calls(["1 1 5 1\n1 3 2 0", "1 1 4 1\n1 5 1 0"]) == {1: (1, 3, 5)}


def test_a_run_that_calls_nothing_keeps_nothing():
    assert chosen_calls([""]) == {}
