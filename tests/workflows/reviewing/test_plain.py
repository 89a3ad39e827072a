"""The review by line: everything can be decided without a screen."""

import json
import shutil

import pytest

from acclimate.analysis.problems import Problem
from acclimate.porter.agent.work_folder import work_folder
from acclimate.verifier.evidence import Light
from acclimate.workflows._exit import Exit
from acclimate.workflows.reviewing.asking import said as what_was_said
from acclimate.workflows.reviewing.events import Approved
from acclimate.workflows.reviewing.plain import COMMANDS, obey
from acclimate.workflows.reviewing.session import Session

WATER, MAIN = "src/water.f90", "src/pond.f90"


def said(session, capsys, *lines):
    obey(session, lines, going_on=False)
    return capsys.readouterr().out


@pytest.mark.parametrize(
    "line",
    ["dance", "accept", "accept no.f90", "list sleeping", "note water.f90", "reject 'x", "land up"],
)
def test_a_mistake_is_told_and_changes_nothing(session, line):
    with pytest.raises(Problem):
        obey(session, [line], going_on=False)
    assert session.history == ()


def test_on_a_terminal_the_next_line_is_read_after_a_mistake(session, capsys):
    assert obey(session, ["dance", "accept src/pond.f90", "quit", "dance"], going_on=True) == 0
    captured = capsys.readouterr()
    assert "error: there is no command 'dance'" in captured.err
    assert "accepted src/pond.f90 (3 hunks)" in captured.out


def test_piped_lines_end_at_the_first_mistake_as_the_help_says(session, capsys):
    assert "end at the first that cannot be done" in said(session, capsys, "help")
    with pytest.raises(Problem, match="no command 'dance'"):
        obey(session, ["dance", f"accept {MAIN}"], going_on=False)
    assert session.history == ()


def test_a_copied_model_says_whose_migration_it_has_and_does_not_go_on_with_it(
    session, capsys, tmp_path
):
    copy = shutil.copytree(session.model, tmp_path / "copy")
    copied = Session(copy, work_folder(copy, None), "Ada")
    words = f"this is the migration of {session.model}: the model here is a copy, or was moved"
    assert said(copied, capsys, "list").splitlines()[-1] == words
    assert words not in said(session, capsys, "list")
    for line in ("land", "again"):
        with pytest.raises(Problem, match="the model here is a copy") as caught:
            obey(copied, ["accept verified", "reject water no", line], going_on=False)
        assert f"acclimate migrate {copy}" in caught.value.hint
    assert not any(isinstance(event, Approved) for event in copied.history)


def test_a_number_sign_names_a_hunk_and_begins_no_remark(session, capsys):
    out = said(session, capsys, "# a remark", f"reject {WATER}#2 not this one")
    assert out == "rejected src/water.f90#2 (1 hunk): not this one\n"


def test_modules_are_listed_with_words_for_every_light(session, capsys):
    out = said(session, capsys, "list")
    assert "ported: src/water.f90 (water); 0 of 7 hunks decided; data inconclusive" in out
    assert "verified: src/pond.f90 (pond); 0 of 3 hunks decided; data holds, races holds" in out


def test_all_that_is_verified_is_accepted_at_once(session, capsys):
    out = said(session, capsys, "accept verified")
    assert out == "accepted src/pond.f90 (3 hunks)\n"


def test_a_diff_reads_well_without_colour(session, capsys):
    out = said(session, capsys, f"accept {WATER}#1", f"show {WATER}")
    assert "@@ hunk 1 of 7: accepted [water::fill]" in out
    assert "@@ hunk 2 of 7: open [water::fill]" in out
    assert "+   14     !$acc enter data create(flow, level)" in out


def test_facts_tell_the_verdict_and_where_the_data_is(session, capsys):
    out = said(session, capsys, f"facts {WATER}:28")
    assert "water::advance: parallel" in out
    assert "water::flow: read; on the device from src/water.f90:14" in out
    assert "an OpenACC directive" not in out and "whether it is ported" not in out  # it is
    out = said(session, capsys, f"facts {WATER}:34")
    assert "it is in no kernel of this port" in out and "whether it is ported" not in out


def test_a_note_on_a_module_is_for_the_authors_of_all_its_units(session, capsys):
    out = said(session, capsys, f"note {WATER} shorter", f"note {WATER}#7 why")
    told = "water::advance, water::fill, water::highest"
    first, second = out.splitlines()
    assert first.startswith(f"note on {WATER}: shorter; `again` tells the authors of ")
    assert sorted(first.rpartition(" of ")[2].split(", ")) == told.split(", ")
    assert second == "note on water::highest: why"
    notes, _ = what_was_said(session)
    assert sorted(notes) == told.split(", ")
    assert notes["water::highest"] == ("Ada: shorter", "Ada: why")


def test_a_note_that_no_author_hears_says_so(session, capsys):
    out = said(session, capsys, "note water::smooth in colours")
    assert "water::smooth: in colours; nobody hears it, for no author was asked" in out
    assert what_was_said(session) == ({}, {})


def test_a_note_on_a_file_that_is_no_module_any_more_is_for_nobody(session):
    session.note("src/gone.f90", "", "shorter")
    assert what_was_said(session) == ({}, {})


def test_what_fails_in_another_file_is_why_a_light_stays_open(ported, session, capsys):
    found = ported.failing(MAIN, light=Light.RACES, check="access_log")
    ported.failed_on(session, found)
    out = said(session, capsys, f"evidence {WATER}")
    assert f"of this module:\nraces stays open because {MAIN} fails: access_log\n" in out


def test_an_export_says_where_it_went_and_names_reviewers_in_one_way(ported, capsys, tmp_path):
    session, target = ported.session("Ada <ada@example.org>"), tmp_path / "review.md"
    lines = (f"reject {WATER}#1 a|b", f"note {WATER} shorter", f"export {target}")
    assert said(session, capsys, *lines).splitlines()[-1] == f"wrote {target}"
    text = target.read_text()
    assert "Reviewers: Ada (ada@example.org)." in text
    assert text.count("Ada (ada@example.org):") == 2 and "&lt;" not in text and "<" not in text


def test_what_was_said_reaches_an_export(session, capsys, tmp_path):
    target = tmp_path / "review.md"
    said(
        session,
        capsys,
        f"reject {WATER}#7 the order of the sum",
        "note water::fill use one kernel",
        "turn-back water::highest too small",
        f"waive host_run {WATER} 2026-12-31 known",
        f"export {target}",
        f"export {tmp_path / 'review.json'}",
    )
    text = target.read_text()
    for words in ("the order of the sum", "use one kernel", "too small", "until 2026-12-31"):
        assert words in text
    hunks = json.loads((tmp_path / "review.json").read_text())["modules"][1]["hunks"]
    assert hunks[6]["mark"] == "rejected"


def test_panels_say_what_was_never_validated(session, capsys):
    out = said(session, capsys, f"evidence {WATER}", f"attempts {WATER}", f"profile {WATER}")
    assert (
        "never validated, since no run came there: kernels at src/water.f90:43 (water::highest)"
        in out
    )
    assert "water::fill: 3 edits by rules" in out
    assert "water::highest, line 43: never executed" in out


def test_undo_and_redo(session, capsys):
    out = said(session, capsys, "undo", f"accept {MAIN}", "undo", "redo", "redo")
    assert out.splitlines() == [
        "there is nothing of yours to undo",
        "accepted src/pond.f90 (3 hunks)",
        "undid: accepted src/pond.f90 (3 hunks)",
        "did again: accepted src/pond.f90 (3 hunks)",
        "there is nothing to do again",
    ]


def test_an_edit_goes_through_the_users_editor(session, capsys, monkeypatch, tmp_path):
    editor = tmp_path / "editor"
    editor.write_text("#!/bin/sh\nsed -i 's/reduction(max:top)/reduction(max: top)/' \"$1\"\n")
    editor.chmod(0o755)
    monkeypatch.setenv("VISUAL", str(editor))
    monkeypatch.setattr("acclimate.workflows.reviewing.plain_work.verify_all", lambda s, w: 0)
    assert said(session, capsys, f"edit {WATER}") == "edited src/water.f90 (editor)\n"
    assert b"reduction(max: top)" in session.text(WATER)


def test_a_missing_editor_is_named(session, monkeypatch):
    monkeypatch.setenv("VISUAL", "no-such-editor")
    with pytest.raises(Problem, match="there is no editor 'no-such-editor'"):
        obey(session, [f"edit {WATER}"], going_on=False)


def test_a_hint_stands_before_its_loop_with_reason_and_day(session, capsys):
    out = said(session, capsys, f"hint {WATER}:34 2027-01-31 'parallel' we know")
    text = session.text(WATER).decode()
    assert (
        "    ! promised by Ada, to be looked at by 2027-01-31: we know\n"
        "    !$acclimate parallel\n    do i = 2, n" in text
    )
    assert "edited src/water.f90 (hint: parallel)" in out


def test_every_command_has_help(session, capsys):
    out = said(session, capsys, "help")
    assert len(out.splitlines()) == len(COMMANDS) + 1
    assert obey(session, [], going_on=False) is Exit.DONE
