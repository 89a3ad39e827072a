"""What models really write around their edits, and that no text at all breaks the reader."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from acclimate.porter.reply.blocks import Block, read_reply

BLOCK = "<<<<<<< OLD\na = 1\n=======\na = 2\n>>>>>>> NEW\n"
PIECES = st.sampled_from(
    ["EDIT 3-4", "<<<<<<< OLD", "=======", ">>>>>>> NEW", "```fortran", "```", "x = 1", "", "…"]
)


@pytest.mark.parametrize(
    ("header", "path"),
    [
        ("EDIT 3-4", ""),
        ("**EDIT 3-4**", ""),
        ("### Edit lines 3 to 4:", ""),
        ("- EDIT line 3..4", ""),
        ("`EDIT 3–4`", ""),
        ("Replace lines 3-4", ""),
        ("EDIT src/a.f90:3-4", "src/a.f90"),
        ("EDIT in ../a.f90 lines 3-4", "../a.f90"),
    ],
)
def test_headers_as_models_write_them(header, path):
    reply = read_reply(f"Sure! Here it is.\n\n{header}\n```fortran\n{BLOCK}```\nHope it helps.")
    assert reply.blocks == (Block(3, 4, ("a = 1",), ("a = 2",), path),)
    assert reply.objections == ()


def test_a_fence_inside_the_block_and_numbered_lines_are_read_over():
    text = "EDIT 3-3\n<<<<<<< OLD\n```fortran\n  3| a = 1\n```\n=======\n  3| a = 2\n>>>>>>> NEW"
    assert read_reply(text).blocks == (Block(3, 3, ("a = 1",), ("a = 2",)),)


def test_contracts_and_refusals_are_told():
    reply = read_reply("CONTRACT 7: injective(map, s%of)\n**REFUSE: it prints in the loop**")
    assert [(c.line, c.word, c.names) for c in reply.contracts] == [
        (7, "injective", ("map", "s%of"))
    ]
    assert reply.refusal == "it prints in the loop"


@given(st.lists(st.one_of(PIECES, st.text(max_size=30)), max_size=30))
def test_no_text_breaks_the_reader(lines):
    reply = read_reply("\n".join(lines))
    assert all(block.first >= 0 for block in reply.blocks)


@given(st.integers(1, 10**6), st.integers(0, 99), st.lists(st.text("ab +", max_size=9), max_size=9))
def test_what_is_written_as_asked_for_is_read_back(first, more, lines):
    kept = tuple(line.rstrip() for line in lines)
    body = "\n".join(["<<<<<<< OLD", "x", "=======", *kept, ">>>>>>> NEW"])
    reply = read_reply(f"EDIT {first}-{first + more}\n{body}")
    assert reply.blocks == (Block(first, first + more, ("x",), kept),)
