"""Old text decides where an edit belongs; line numbers may be wrong, the place may not."""

from hypothesis import given
from hypothesis import strategies as st

from acclimate.analysis.source import Edit, Lines, apply_edits
from acclimate.porter.reply.blocks import Block
from acclimate.porter.reply.objection import Reason
from acclimate.porter.reply.placing import between, place_blocks

SOURCE = ["module m", "contains", "subroutine s", "  a = 1", "  b = 2", "  a = 1", "end", "end"]
UNIT = Lines("m.f90", 3, 7)
LINES = st.lists(st.sampled_from(["a = 1", "b = 2", "  c = 3", "", "! d"]), max_size=12)


def placed(block):
    return place_blocks([block], SOURCE, UNIT)


def reasons(block):
    return [objection.reason for objection in placed(block)[1]]


def test_a_wrong_number_is_mended_where_the_old_text_is_unique():
    edits, objections = placed(Block(3, 3, ("B=2",), ("b = 3",)))
    assert (edits, objections) == ((Edit("m.f90", 5, 5, ("  b = 3",)),), ())


def test_a_repeated_text_needs_the_right_number():
    assert placed(Block(6, 6, ("a = 1",), ("a = 2",)))[0][0].first == 6
    assert reasons(Block(5, 5, ("a = 1",), ("a = 2",))) == [Reason.AMBIGUOUS]


def test_nothing_outside_the_unit_is_edited():
    assert reasons(Block(1, 1, ("module m",), ("module n",))) == [Reason.OUTSIDE]
    assert reasons(Block(7, 8, ("end", "end"), ("end",))) == [Reason.OUTSIDE]


def test_an_edit_without_old_text_has_no_place():
    assert reasons(Block(4, 4, (), ("a = 2",))) == [Reason.MISMATCH]


def test_text_in_quotes_must_be_the_same():
    source = ["print *, 'A b'"]
    block = Block(1, 1, ("print *, 'a b'",), ("stop",))
    assert place_blocks([block], source, Lines("m.f90", 1, 1))[1][0].reason is Reason.MISMATCH


@given(LINES, LINES)
def test_the_edits_between_two_texts_make_the_one_from_the_other(old, new):
    edits = between(old, new, "m.f90", 1)
    made = apply_edits("".join(f"{line}\n" for line in old).encode(), edits).decode()
    blanks = str.maketrans("", "", " ")
    assert made.translate(blanks) == "".join(f"{line}\n" for line in new).translate(blanks)


@given(st.integers(1, 8), st.integers(0, 3), LINES, LINES)
def test_edits_stay_inside_the_unit(first, more, old, new):
    edits, _ = placed(Block(first, first + more, tuple(old), tuple(new)))
    assert all(UNIT.first <= e.first and e.last <= UNIT.last for e in edits)
