"""Hunks: any of them can be put in, all of them are the port, and their names are their content."""

from hypothesis import given
from hypothesis import strategies as st

from acclimate.analysis.source import Edit, apply_edits
from acclimate.workflows.reviewing.hunks import Hunk, applied, between, of_edits, split

WORDS = st.sampled_from(["do i = 1, n", "end do", "!$acc parallel loop", "x = 1", "", "café"])
ENDINGS = st.sampled_from([b"\n", b"\r\n"])


@st.composite
def rewritten(draw):
    """An original and edits that do not overlap, in any order, with ties at one line."""
    ending = draw(ENDINGS)
    lines = draw(st.lists(WORDS, min_size=1, max_size=12))
    original = ending.join(line.encode("latin-1") for line in lines)
    original += draw(st.sampled_from([b"", ending])) if original else ending
    count, edits, line = len(split(original)), [], 1
    while line <= count:
        kind = draw(st.sampled_from(["keep", "insert", "replace", "both"]))
        text = tuple(draw(st.lists(WORDS, max_size=3)))
        if kind in ("insert", "both"):
            edits.append(("u", Edit("f", line, line - 1, text)))
        if kind in ("replace", "both"):
            last = draw(st.integers(line, min(count, line + 2)))
            edits.append(("u", Edit("f", line, last, text[:2])))
            line = last
        line += 1
    return original, draw(st.permutations(edits))


@given(rewritten())
def test_all_hunks_together_are_the_port(case):
    original, edits = case
    hunks = of_edits("f", original, edits)
    assert applied(original, hunks) == apply_edits(original, [edit for _, edit in edits])


@given(rewritten(), st.data())
def test_any_hunks_are_what_their_edits_are(case, data):
    original, edits = case
    hunks = of_edits("f", original, edits)
    chosen = data.draw(st.lists(st.sampled_from(hunks), unique=True)) if hunks else []
    if original.endswith(b"\n"):
        assert applied(original, chosen) == apply_edits(
            original, [hunk.edit for hunk in sorted(chosen, key=lambda h: (h.first, h.order))]
        )
    assert applied(original, []) == original


@given(st.lists(WORDS, max_size=8), st.lists(WORDS, max_size=8), ENDINGS)
def test_hunks_between_two_texts_lead_from_one_to_the_other(old, new, ending):
    before, after = (ending.join(t.encode() for t in text) for text in (old, new))
    assert applied(before, between("f", before, after, lambda line: "u")) == after


def test_names_depend_on_file_place_and_both_texts():
    hunk = Hunk("f", "u", 3, (b"x\n",), (b"y\n",))
    others = [
        Hunk("g", "u", 3, (b"x\n",), (b"y\n",)),
        Hunk("f", "u", 4, (b"x\n",), (b"y\n",)),
        Hunk("f", "u", 3, (b"z\n",), (b"y\n",)),
        Hunk("f", "u", 3, (b"x\n",), (b"z\n",)),
        Hunk("f", "u", 3, (b"x\n",), (b"y\n",), 1),
    ]
    assert len({h.name for h in [hunk, *others]}) == 6
    assert Hunk("f", "other", 3, (b"x\n",), (b"y\n",)).name == hunk.name


def test_an_edit_that_leaves_a_hunk_alone_keeps_it():
    original = b"a\nb\nc\nd\ne\nf\n"
    known = of_edits(
        "f", original, [("u", Edit("f", 2, 1, ("!$acc one",))), ("u", Edit("f", 2, 1, ("!two",)))]
    )
    edited = applied(original, known).replace(b"\ne\n", b"\nE\n")
    found = between("f", original, edited, lambda line: "u", known)
    assert found[:2] == known
    assert found[2].old == (b"e\n",)
