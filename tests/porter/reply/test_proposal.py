"""Replies that are taken: what is changed, and what is tidied on the way."""

from pathlib import Path

import pytest

from acclimate.analysis.source import apply_edits
from acclimate.porter.reply.objection import UnsafeReply
from acclimate.porter.reply.proposal import Declined, Proposal, propose_from

RANKED = """The argmax needs the first index, so I keep it serial but hoist the sum.

### EDIT lines 40-40
```fortran
<<<<<<< OLD
total = total + sum(rain)
=======
do i = 1, n
  total = total + rain(i)
end do
>>>>>>> NEW
```
"""
KERNEL = """EDIT 34-34
<<<<<<< OLD
    do i = 1, n
=======
    !$acc data copyin(rain)
    !$acc parallel loop gang vector copyin(rain) &
    !$acc& reduction(max:most) private(k)
    do i = 1, n
>>>>>>> NEW
"""


TASKS = Path(__file__).parents[2] / "author_tasks/3"
POINTED = """EDIT 13-13
<<<<<<< OLD
      column => t(:, i)
=======
>>>>>>> NEW
"""


def ported(text, ground):
    said = propose_from(text, ground)
    assert isinstance(said, Proposal)
    return said, apply_edits(ground.data, said.edits).decode("latin-1").split("\n")


def test_lines_take_the_indentation_of_what_they_replace(ground_of):
    said, lines = ported(RANKED, ground_of("valley::sweep"))
    assert lines[39:42] == ["    do i = 1, n", "      total = total + rain(i)", "    end do"]
    assert said.data_directives == 0


def test_data_directives_are_the_plan_s(ground_of):
    said, lines = ported(KERNEL, ground_of("valley::sweep"))
    assert lines[33] == (
        "    !$acc parallel loop gang vector reduction(max:most) private(k) default(present)"
    )
    assert said.data_directives == 2
    assert not any("copyin" in line for line in lines)


def test_a_unit_written_out_in_full_becomes_the_lines_that_differ(ground_of):
    ground = ground_of("valley::sweep")
    lines = ground.lines[ground.may_edit.first - 1 : ground.may_edit.last]
    changed = [s.replace("0.25_wp * above", "above * 0.25_wp") for s in lines]
    said, _ = ported("Here:\n```fortran\n" + "\n".join(changed) + "\n```\n", ground)
    assert [(e.first, e.last) for e in said.edits] == [(25, 25)]


def test_a_comment_that_speaks_of_the_rest_is_no_elision(ground_of):
    words = "! sums stay in their order, apart from the rest"
    text = RANKED.replace("do i = 1, n\n", f"{words}\ndo i = 1, n\n", 1)
    _, lines = ported(text, ground_of("valley::sweep"))
    assert lines[39].strip() == words
    with pytest.raises(UnsafeReply, match="left out"):
        text = RANKED.replace("do i = 1, n\n", "! the rest stays\ndo i = 1, n\n", 1)
        ported(text, ground_of("valley::sweep"))


def test_a_refusal_is_an_answer(ground_of):
    said = propose_from("REFUSE: the recurrence is the physics", ground_of("valley::sweep"))
    assert said == Declined("the recurrence is the physics")


@pytest.mark.parametrize(
    ("program", "unit"),
    [("14_pointer", "pointed_columns::relax"), ("15_associate", "associated_state::cool")],
)
def test_what_a_name_stands_for_may_be_named_instead(ground_of, program, unit):
    reply = (TASKS / f"replies/{unit.replace('::', '__')}.1.md").read_text()
    ground = ground_of(unit, TASKS / f"{program}.f90")
    assert isinstance(propose_from(reply, ground), Proposal)


def test_a_pointer_that_outlives_the_unit_stays_associated(ground_of, tmp_path):
    source = (TASKS / "14_pointer.f90").read_text()
    program = tmp_path / "kept.f90"
    program.write_text(source.replace("pointer :: column", "pointer, save :: column", 1))
    with pytest.raises(UnsafeReply, match="pointer assignment"):
        propose_from(POINTED, ground_of("pointed_columns::relax", program))
