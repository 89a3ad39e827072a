"""The screens, driven by keys: every action, at two sizes, with and without colour."""

import pytest
from driving import SMALL, WIDE, ended, fake, played, press, text, typed

from acclimate.workflows.reviewing.decisions import Mark
from acclimate.workflows.reviewing.screens.commands import actions
from acclimate.workflows.reviewing.screens.dialogs import Keys, Log
from acclimate.workflows.reviewing.screens.diff_view import DiffView
from acclimate.workflows.reviewing.screens.module_list import ModuleList
from acclimate.workflows.reviewing.screens.panel_view import PanelView
from acclimate.workflows.reviewing.states import State

WATER, MAIN = "src/water.f90", "src/pond.f90"


# --- what is refused -----------------------------------------------------------------------------


def test_a_mistake_is_told_on_the_screen_and_changes_nothing(session):
    async def script(pilot, app):
        await press(pilot, "f", *"disputed", "enter")
        for key in ("enter", "a", "x", "o"):  # an empty list: nothing to act on
            await press(pilot, "u", key)
            assert "no module is disputed: f shows others" in text(app)
        await press(pilot, "escape", "u", "r")
        await press(pilot, "enter", "w", *"host", "enter")
        for words in ("yesterday", "because"):
            await typed(pilot, words)
        assert any("is not a date" in note.message for note in app._notifications)

    played(session, script)
    assert session.history == ()


def test_leaving_a_question_does_nothing(session):
    async def script(pilot, app):
        await press(pilot, "enter")
        for key in "xtdhw":
            await press(pilot, key, "escape")

    played(session, script)
    assert session.history == ()


# --- deciding ------------------------------------------------------------------------------------


@pytest.mark.parametrize("size", [SMALL, WIDE])
@pytest.mark.parametrize("colour", [True, False])
def test_a_module_is_decided_on_hunk_by_hunk(session, monkeypatch, size, colour):
    if not colour:
        monkeypatch.setenv("NO_COLOR", "1")

    async def script(pilot, app):
        await press(pilot, "enter")
        assert app.screen.query_one(DiffView).is_wide == (size == WIDE)
        await press(pilot, "a", "x")
        await typed(pilot, "not like this")
        await press(pilot, "A")
        shown = text(app)
        assert "✓ hunk 1 of 7: accepted [water::fill]" in shown
        assert "! hunk" not in shown
        await press(pilot, "m", "u", "r", "p", "p", "o", "X")
        await typed(pilot, "")
        await press(pilot, "u", "M")
        await typed(pilot, "all wrong")
        assert "7/7 decided" in text(app)
        assert "✗ hunk 3 of 7: rejected (all wrong) [water::fill]" in text(app)

    played(session, script, size)
    session.reload()
    assert session.standing(WATER).state is State.REVIEWED
    assert set(session.standing(WATER).marks.values()) == {Mark.REJECTED}
    words = [getattr(event, "reason", "") for event in session.history]
    assert "not like this" in words and "all wrong" in words


def test_modules_are_decided_on_from_the_list(session):
    async def script(pilot, app):
        await press(pilot, "A")
        await typed(pilot, "yes")
        assert session.standing(MAIN).state is State.REVIEWED
        await press(pilot, "home", "x")
        await typed(pilot, "no")
        assert session.standing(WATER).state is State.REVIEWED
        await press(pilot, "u", "home", "a", "o")

    played(session, script)
    assert session.standing(WATER).state is State.PORTED


def test_accepting_everything_verified_needs_the_word_yes(session):
    async def script(pilot, app):
        await press(pilot, "A")
        await typed(pilot, "y")

    played(session, script)
    assert session.history == ()


# --- looking -------------------------------------------------------------------------------------


def test_each_panel_tells_its_own(session):
    told = {
        "1": "of the whole port:",
        "2": "water::fill: parallel",
        "3": "3 edits by rules",
        "4": "run time in this module's kernels: 90.0 %",
        "5": "nothing has been decided yet",
    }

    async def script(pilot, app):
        await press(pilot, "enter")
        for key, words in told.items():
            await press(pilot, key)
            assert any(words in line for line in app.screen.query_one(PanelView).text)
        await press(pilot, "0")
        assert not app.screen.query_one(PanelView).display

    played(session, script)


def test_the_facts_follow_the_cursor(session):
    async def script(pilot, app):
        await press(pilot, "enter", "2", *"nnnn")
        assert "water::advance: parallel" in text(app)

    played(session, script)


def test_the_list_is_filtered_sorted_and_searched(session):
    async def script(pilot, app):
        modules = app.screen.query_one(ModuleList)
        assert [s.module.file for s in modules.shown] == [WATER, MAIN]
        await press(pilot, "t", *"name", "enter")
        assert [s.module.file for s in modules.shown] == [MAIN, WATER]
        await press(pilot, "slash")
        await typed(pilot, "highest")
        assert [s.module.file for s in modules.shown] == [WATER]
        await press(pilot, "escape", "f", "up", "enter")
        assert modules.filter == "to decide"
        await press(pilot, "f", *"disp")
        assert "> disputed      0" in text(app)
        await press(pilot, "enter")
        assert modules.filter == "disputed" and not modules.shown
        await press(pilot, "F")
        assert modules.filter == "to decide" and len(modules.shown) == 2

    played(session, script)


def test_a_search_in_a_diff_goes_from_match_to_match(session):
    async def script(pilot, app):
        await press(pilot, "enter", "slash")
        await typed(pilot, "private(i)")
        diff = app.screen.query_one(DiffView)
        first = diff.cursor
        await press(pilot, "n")
        assert diff.cursor > first and "private(i)" in diff.row.text
        await press(pilot, "N")
        assert diff.cursor == first
        await press(pilot, "f")
        assert diff.whole and diff.count() > 48

    played(session, script)


def test_every_action_is_in_the_help_and_in_the_palette(session):
    async def script(pilot, app):
        for keys in ((), ("enter",)):
            await press(pilot, *keys)
            below = app.screen
            wanted = [action.text for action in actions(app, below)]
            await press(pilot, "question_mark")
            assert isinstance(app.screen, Keys)
            told = app.screen.lines()
            assert all(any(words in line for line in told) for words in wanted)
            await press(pilot, "escape")
        await press(pilot, "escape", "colon", *"export", "escape")
        await press(pilot, "colon", *"sort other", "enter", "down", "enter")
        assert app.screen.query_one(ModuleList).sort == "risk"

    played(session, script)


def test_the_mouse_works_too(session):
    async def script(pilot, app):
        await pilot.click(ModuleList, offset=(20, 1))
        assert app.screen.query_one(ModuleList).cursor == 1
        await pilot.click(ModuleList, offset=(20, 1), times=2)
        assert app.screen.query_one(DiffView)

    played(session, script)


def test_what_others_do_meanwhile_shows_by_itself(ported, session):
    async def script(pilot, app):
        other = ported.session("Bo")
        ported.decide(other, MAIN)
        await pilot.pause(1.2)
        assert "3/3" in text(app)

    played(session, script)


# --- changing and running ------------------------------------------------------------------------


def test_an_edit_is_verified_at_once(session, monkeypatch, tmp_path):
    editor = tmp_path / "editor"
    editor.write_text("#!/bin/sh\nsed -i 's/reduction(max:top)/reduction(max: top)/' \"$1\"\n")
    editor.chmod(0o755)
    monkeypatch.setenv("VISUAL", str(editor))

    async def script(pilot, app):
        await press(pilot, "enter", "e")
        assert await ended(pilot, app) == ["asked: verify"]

    played(session, script)
    assert b"reduction(max: top)" in session.text(WATER)


def test_what_takes_time_is_a_line_command(session):
    session.note(WATER, "water::fill", "one kernel")

    async def script(pilot, app):
        for keys, words, asked in (
            (("v",), (), "verify"),
            (("c",), ("host_run bounds",), "verify host_run bounds"),
            (("l", "enter"), (), "land branch acclimate-review"),
            (("g",), ("yes",), "again"),
            (("s", "enter"), (), "export review.md"),
            (("i",), ("bo.jsonl",), "merge bo.jsonl"),
        ):
            await press(pilot, *keys)
            for line in words:
                await typed(pilot, line)
            assert await ended(pilot, app) == [f"asked: {asked}"]
        await press(pilot, "enter", "h")
        for line in ("parallel", "2027-01-31", "we know"):
            await typed(pilot, line)
        assert await ended(pilot, app) == [f"asked: hint {WATER}:14 2027-01-31 parallel we know"]

    played(session, script)


def test_a_running_command_can_be_cancelled(session):
    async def script(pilot, app):
        await press(pilot, "c")
        await typed(pilot, "slow")
        log = app.screen
        for _ in range(200):
            if log.query_one("RichLog").lines:
                break
            await pilot.pause(0.05)
        await press(pilot, "c")
        assert await ended(pilot, app) == ["asked: verify slow"]
        assert log.code not in (None, 0)

    played(session, script)


def test_notes_waivers_and_units_turned_back_are_kept(session):
    async def script(pilot, app):
        await press(pilot, "enter", "t")
        await typed(pilot, "one kernel")
        await press(pilot, "d")
        await typed(pilot, "too small")
        await press(pilot, "w", *"host", "enter")
        for line in ("2026-12-31", "known"):
            await typed(pilot, line)

    played(session, script)
    assert [note.text for note in session.decisions.notes] == ["one kernel"]
    assert [event.unit for event in session.decisions.turned_back] == ["water::fill"]
    assert [waiver.reason for waiver in session.decisions.waivers] == ["known"]


# --- all of it, everywhere -----------------------------------------------------------------------

PRESSED = {"?": "question_mark", ":": "colon", "/": "slash", "esc": "escape"}
PRESSED |= {"↓": "down", "↑": "up", "←": "left", "→": "right", "pgdn": "pagedown", "pgup": "pageup"}
ANSWERS = {  # to what an action asks, by its name
    "decide('reject')": ["no"],
    "accept_verified": ["yes"],
    "search": ["i"],
    "check": ["host_run"],
    "land": ["patches here"],
    "again": ["yes"],
    "save": ["review.md"],
    "merge": ["bo.jsonl"],
    "decide('hunk', 'reject')": ["no"],
    "decide('unit', 'reject')": ["no"],
    "decide('module', 'reject')": ["no"],
    "note": ["one kernel"],
    "hint": ["parallel", "2027-01-31", "known"],
    "waive": ["host_run", "2026-12-31", "known"],
    "turn_back": ["too small"],
}
COMMANDS = {"verify", "land", "again", "export", "merge", "hint"}


def test_without_colour_there_is_none_and_the_cursor_is_in_reverse(session, monkeypatch):
    monkeypatch.setenv("NO_COLOR", "1")

    async def script(pilot, app):
        for keys in ((), ("enter",), ("slash",)):
            await press(pilot, *keys)
            strips = app.screen._compositor.render_strips(app.size)
            assert len(strips) == SMALL[1]
            styles = {s.style for strip in strips for s in strip if s.style}
            assert not any(style.color or style.bgcolor for style in styles)
            assert any(style.reverse for style in styles)
            assert any(style.bold for style in styles) or keys == ("slash",)

    played(session, script)


@pytest.mark.slow
@pytest.mark.parametrize("size", [SMALL, WIDE])
@pytest.mark.parametrize("colour", [True, False])
def test_every_action_works_at_every_size_with_and_without_colour(
    session, monkeypatch, tmp_path, size, colour
):
    if not colour:
        monkeypatch.setenv("NO_COLOR", "1")
    editor = tmp_path / "editor"
    editor.write_text("#!/bin/sh\necho '! seen' >>\"$1\"\n")
    editor.chmod(0o755)
    monkeypatch.setenv("VISUAL", str(editor))
    commands = []

    def argv(line):
        commands.append(line)
        return fake(line)

    async def acted(pilot, app, action):
        below = app.screen
        await press(pilot, PRESSED.get(action.keys[0], action.keys[0]))
        for line in ANSWERS.get(action.name, ()) if app.screen is not below else ():
            await typed(pilot, line)
        if isinstance(app.screen, Log):
            await ended(pilot, app)
        elif app.screen is not below and action.name not in ("open", "back"):
            await press(pilot, "escape")
        return app.screen is below

    async def script(pilot, app):
        for action in actions(app, app.screen):
            if "quit" not in action.name and action.name != "open":
                assert await acted(pilot, app, action), action
        await press(pilot, "escape", "home", "enter")
        inside = list(actions(app, app.screen))
        for action in inside:
            if "quit" not in action.name and action.name != "back":
                assert await acted(pilot, app, action), action
                assert "Traceback" not in text(app)
        (back,) = [action for action in inside if action.name == "back"]
        assert not await acted(pilot, app, back)
        await press(pilot, "q")

    app = played(session, script, size, argv)
    assert app.return_code == 0
    session.reload()
    done = {type(event).__name__ for event in session.history}
    assert done >= {"Decided", "Noted", "Edited", "Waived", "TurnedBack", "Undone", "Redone"}
    assert {line.split()[0] for line in commands} == COMMANDS
