"""Which lines count as run all ways, by counts as the compiler gives them."""

import pytest

from acclimate.analysis.source import Lines
from acclimate.verifier.measuring.executed_lines import Counts
from acclimate.verifier.texts.source_equality import ChangedStatement
from acclimate.verifier.texts.source_file import SourceFile
from acclimate.verifier.trials.covered_code import first_not_run
from acclimate.verifier.trials.settling import gained_choices


def first(text: str, counts: dict[int, int], untaken: set[int]) -> int | None:
    file = SourceFile("a.f90", text.encode(), "free", None)
    known = Counts({"a.f90": counts}, frozenset(("a.f90", line) for line in untaken))
    found = first_not_run(known, file, Lines("a.f90", 1, text.count("\n")))
    return found.first if found else None


@pytest.mark.parametrize(
    "statement",
    [
        "if (a > 1) b = 2",
        "if (a > 1) then",
        "else if (a > 1) then",
        "b = merge(1, 2, a > 1)",
        "call s(merge(1, 2, a > 1))",
        "do while (a > 1)",
        "do concurrent (i = 1:n, a > 1)",
        "where (x > 1) x = 0",
        "read (1, *, end=10) a",
        "exit",
    ],
)
def test_a_decision_needs_all_its_ways(statement):
    assert first(f"c = 1\n{statement}\n", {1: 1, 2: 3}, {2}) == 2
    assert first(f"c = 1\n{statement}\n", {1: 1, 2: 3}, set()) is None


@pytest.mark.parametrize(
    "statement",
    [
        "do i = 1, n",
        "outer: do i = 1, n",
        "allocate (x(n))",
        "x = y + 1",
        "call s(x(1:n:2))",
        "print *, x",
        "real(8) :: w(n)",
        "real function f(x)",
        "end subroutine s",
    ],
)
def test_a_branch_that_the_compiler_made_does_not(statement):
    assert first(f"{statement}\n", {1: 1}, {1}) is None


def test_a_line_that_never_ran_is_named():
    assert first("a = 1\nb = 2\n", {1: 1, 2: 0}, set()) == 2


@pytest.mark.parametrize(
    "construct",
    ["select case (k)\ncase (1)\nb = 2\nend select\n", "where (x > 1)\nx = 2\nend where\n"],
)
def test_a_branch_anywhere_in_a_construct_is_its_own(construct):
    line = construct.split("\n").index(next(x for x in construct.split("\n") if "= 2" in x)) + 1
    assert first(construct + "c = 1\n", {line: 1}, {line}) == line
    after = construct.count("\n") + 1
    assert first(construct + "c = 1\n", {after: 1}, {after}) is None


def changed(was: str, now: str) -> list[ChangedStatement]:
    return [ChangedStatement("statement changed", Lines("a.f90", 1, 1), "s", was, now)]


def test_a_choice_that_no_branch_shows_is_gained():
    assert gained_choices(changed("a = b", "a = min(b, 320.0)")) == "min"
    assert gained_choices(changed("a = min(b, 3.0)", "a(i) = min(b, 3.0)")) == ""


def test_a_statement_that_the_original_has_too_makes_no_new_choice():
    known = frozenset({("r", "=", "max", "(", "r", ",", "a", ")")})
    assert gained_choices(changed("", "r = max(r, a)"), known) == ""
    assert gained_choices(changed("", "r = max(r, b)"), known) == "max"


def test_ends_of_loops_choose_by_sizes_unless_by_a_number():
    assert gained_choices(changed("do i = 1, n", "do i = max(1, d - n), min(n, d)")) == ""
    assert gained_choices(changed("do i = 1, n", "do i = 1, min(n, 512)")) == "min"
