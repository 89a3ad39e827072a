"""Loops that are parallel, each for one ingredient of the analysis, with exact clauses."""

from pathlib import Path

import pytest

from acclimate.analysis.facts import Verdict

LOOPS = Path(__file__).with_name("parallel")

PRIVATE = {
    "scratch_structure": "i old",
    "forward_substitution": "i ip1",
    "symbolic_offset": "i",
    "upper_half": "i",
    "both_branches": "i t",
    "same_guard": "i t",
    "three_cases": "i t",
    "stride_two": "i",
    "blocked": "i j",
    "boundary_in_one_iteration": "i",
    "forward_goto": "i t",
    "complementary_guards": "i t",
    "full_work_array": "i w",
    "pieces": "i k w",
    "recurrence_in_column": "i k w",
    "work_array_in_callee": "i w",
    "column_to_callee": "j",
    "index_to_callee": "j",
    "early_return_in_callee": "i t",
    "allocatable_components": "i",
    "cells": "i",
    "associate": "i",
    "common_with_one_layout": "i",
    "operator_on_numbers": "i",
}


@pytest.mark.parametrize("name", sorted(path.stem for path in LOOPS.iterdir()))
def test_parallel(judge, name):
    facts = judge((LOOPS / f"{name}.f90").read_text())
    assert facts.verdict is Verdict.PARALLEL, facts.obstacles
    assert set(facts.private) == set(PRIVATE[name].split())
    assert not facts.firstprivate
    assert not facts.last_values
