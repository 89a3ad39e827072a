"""Directives stay within the line lengths of their form and keep every clause whole."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from acclimate.porter.text.directives_text import clause, directive

NAMES = st.lists(st.from_regex(r"[a-z][a-z0-9_]{0,30}", fullmatch=True), min_size=1, max_size=40)


def joined(lines: tuple[str, ...], form: str) -> str:
    """The directive again as one line."""
    pieces = [line.strip().removesuffix("&").strip() for line in lines]
    sentinel = ("!$acc&", "!$acc") if form == "fixed" else ("!$acc",)
    for word in sentinel:
        pieces = [piece.removeprefix(word).strip() for piece in pieces]
    return " ".join(pieces)


def test_a_piece_longer_than_a_line_is_refused() -> None:
    with pytest.raises(ValueError, match="directive line"):
        directive(("update", clause("self", ["x" * 140])), 4, "free")
    with pytest.raises(ValueError, match="directive line"):
        directive(("update", clause("self", ["x" * 70])), 0, "fixed")


def test_clause_without_arguments_is_nothing() -> None:
    assert clause("private", []) == ""
    assert clause("reduction", ["a", "b"], "+") == "reduction(+:a, b)"


def test_free_form_keeps_the_margin() -> None:
    lines = directive(("parallel loop", "", "private(i)"), 6, "free")
    assert lines == ("      !$acc parallel loop private(i)",)


@given(names=NAMES, margin=st.integers(0, 20), form=st.sampled_from(["free", "fixed"]))
def test_long_clauses_break_and_lose_nothing(names: list[str], margin: int, form: str) -> None:
    words = ("update", clause("self", names))
    lines = directive(words, margin, form)
    assert all(len(line) <= (72 if form == "fixed" else 132) for line in lines)
    assert joined(lines, form) == " ".join(words)
    if form == "fixed":
        assert all(line.startswith(("!$acc ", "!$acc& ")) for line in lines)
    else:
        assert all(line.endswith(" &") for line in lines[:-1]) and not lines[-1].endswith("&")
