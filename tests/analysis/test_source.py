import pytest
from hypothesis import given
from hypothesis import strategies as st

from acclimate.analysis.source import Edit, apply_edits

TEXT = b"program p\n  x = 1\n  y = 2\nend program\n"


@pytest.mark.parametrize(
    "edits",
    [
        (Edit("a.f90", 9, 9, ("x",)),),
        (Edit("a.f90", 0, 0, ("x",)),),
        (Edit("a.f90", 2, 3, ("x",)), Edit("a.f90", 3, 3, ("y",))),
    ],
    ids=["behind the end", "before the start", "overlapping"],
)
def test_impossible_edits_are_refused(edits):
    with pytest.raises(ValueError, match="a.f90"):
        apply_edits(TEXT, edits)


def test_insertions_at_one_place_keep_their_order():
    edits = (Edit("a.f90", 2, 1, ("one",)), Edit("a.f90", 2, 1, ("two",)))
    assert apply_edits(TEXT, edits) == b"program p\none\ntwo\n  x = 1\n  y = 2\nend program\n"


def test_replacement_and_insertion_share_a_line():
    edits = (Edit("a.f90", 3, 3, ("  y = 3", "  z = 4")), Edit("a.f90", 3, 2, ("! before",)))
    assert apply_edits(TEXT, edits) == (
        b"program p\n  x = 1\n! before\n  y = 3\n  z = 4\nend program\n"
    )


def test_the_files_own_line_ending_is_used():
    assert apply_edits(b"a\r\nb\r\n", (Edit("a", 2, 1, ("new",)),)) == b"a\r\nnew\r\nb\r\n"


def test_insertion_behind_an_unterminated_last_line():
    assert apply_edits(b"a\nb", (Edit("a", 3, 2, ("c",)),)) == b"a\nb\nc\n"


@given(
    st.lists(st.binary(max_size=6).filter(lambda b: b"\n" not in b), min_size=1, max_size=8),
    st.sets(st.integers(1, 9)),
)
def test_bytes_outside_inserted_lines_are_kept(lines, places):
    original = b"\n".join(lines) + b"\n"
    edits = [Edit("a", n, n - 1, ("!$acc new",)) for n in places if n <= len(lines) + 1]
    new = b"!$acc new\r\n" if b"\r\n" in original else b"!$acc new\n"
    assert apply_edits(original, edits).replace(new, b"") == original
