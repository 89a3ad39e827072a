"""What a newcomer reads: the line above the keys, the list of keys, and lights as decided."""

import sys

import pytest
from driving import SMALL, WIDE, ended, played, press, text, typed
from textual.widgets import Static

from acclimate.workflows.reviewing import events
from acclimate.workflows.reviewing.screens.dialogs import ending
from acclimate.workflows.reviewing.screens.module_list import ModuleList
from acclimate.workflows.reviewing.states import MEANINGS, State

WATER, MAIN = "src/water.f90", "src/pond.f90"


def said(app):
    return str(app.screen.query_one("#said", Static).render())


def telling(*lines, code=0):
    """In place of a command: says these lines, and ends with a code."""
    program = "import sys; print(*sys.argv[2:], sep=chr(10)); sys.exit(int(sys.argv[1]))"
    return lambda line: (sys.executable, "-S", "-c", program, str(code), *lines)


# --- the line above the keys ---------------------------------------------------------------------


def test_the_last_action_is_what_both_screens_tell_of(session):
    async def script(pilot, app):
        await press(pilot, "end", "a")
        assert said(app) == f"accepted {MAIN} (3 hunks)"
        await press(pilot, "home", "enter", "x")
        await typed(pilot, "too short a loop")
        await press(pilot, "escape")
        assert said(app) == f"rejected {WATER}#1 (1 hunk): too short a loop"
        await press(pilot, "x", "escape")
        assert said(app) == f"left: why reject {WATER}?"
        await press(pilot, "u", "u", "u")
        assert said(app) == "there is nothing of yours to undo"
        await press(pilot, "f", *"all", "enter")
        assert said(app) == "shown: all"

    played(session, script)


def test_a_rejected_hunk_survives_accepting_its_module_on_either_screen(session):
    async def script(pilot, app):
        await press(pilot, "enter", "x")
        await typed(pilot, "too short")
        await press(pilot, "m")
        assert "#1 stays rejected (too short)" in said(app)
        await press(pilot, "escape", "u", "home", "a")
        assert f"accepted {WATER} without #1 (6 hunks)" in said(app)
        assert "stays rejected (too short)" in text(app)

    played(session, script)
    session.reload()
    assert list(session.standing(WATER).marks.values()).count("rejected") == 1


def test_what_could_not_be_done_says_why_where_nothing_stands_above_it(session):
    argv = telling("checking", "error: evidence stands against it", "  note: more", code=2)

    async def script(pilot, app):
        await press(pilot, "l", "enter")
        await ended(pilot, app)
        assert said(app) == "land: not done: evidence stands against it"
        assert ending(2) == "not done; see the error above"

    played(session, script, argv=argv)


def test_a_verification_that_rejects_says_that_decisions_stand(session):
    async def script(pilot, app):
        await press(pilot, "v")
        await ended(pilot, app)
        assert said(app) == "verified: accept"  # what is known of it, not what was printed
        assert "your decisions stand" in ending(1)

    played(session, script, argv=telling("fails: host_run", code=1))


def test_a_problem_takes_the_place_of_what_was_said_before(session):
    async def script(pilot, app):
        await press(pilot, "end", "a", "home", "enter", "w")
        for words in ("host_run", "yesterday", "because"):
            await typed(pilot, words)
        assert said(app) == "not done: 'yesterday' is not a date"

    played(session, script)


# --- lights as decided ---------------------------------------------------------------------------


def test_lights_and_headlines_are_those_of_what_is_decided(ported, session):
    async def script(pilot, app):
        assert "✓    ✓    ✓" in text(app).splitlines()[3]
        await press(pilot, "enter", "x")
        await typed(pilot, "")
        assert "1/7 decided · not verified as decided" in text(app).splitlines()[0]
        await press(pilot, "escape")
        headline, _, *lines = text(app).splitlines()
        assert headline.startswith(" pond: not verified as decided · 2 ported")
        assert all("○    ○    ○    ○" in line and "✓" not in line for line in lines[:2])
        ported.verified(session, "reject", more=[ported.failing(WATER)])
        app.screen.show_now()
        await pilot.pause()
        shown = text(app)
        assert shown.startswith(" pond: reject as decided (host_run)")
        assert "✗" in shown
        await press(pilot, "home", "enter")
        assert "numerics ✗ (host_run)" in text(app).splitlines()[0]

    played(session, script)


# --- finding one's way ---------------------------------------------------------------------------


@pytest.mark.parametrize("keys", [(), ("enter",)])
def test_the_keys_fit_on_a_small_screen_by_what_they_are_for(session, keys):
    async def script(pilot, app):
        await press(pilot, *keys, "question_mark")
        lines = app.screen.lines()
        assert len(lines) <= SMALL[1] and max(map(len, lines)) < SMALL[0]
        assert {"decide", "see", "leave", "run", "move", "lights", "hunks"} <= {
            line.split()[0] for line in lines if line[:1].strip()
        }
        assert "3/9: 3 of 9 decided" in text(app)

    played(session, script)


def test_the_list_of_keys_says_what_each_state_is(session):
    assert set(MEANINGS) == set(State)

    async def script(pilot, app):
        await press(pilot, "question_mark")
        told = " ".join(" ".join(app.screen.lines()).split())
        for state, words in MEANINGS.items():
            assert f"{state}: {words}" in told
        await press(pilot, "escape", "end", "enter", "question_mark")
        assert f"{MAIN} is verified: {MEANINGS[State.VERIFIED]}" in text(app)

    played(session, script)


@pytest.mark.parametrize("size", [SMALL, WIDE])
def test_the_last_line_names_verify_and_loses_no_key(session, size):
    async def script(pilot, app):
        for keys in ((), ("enter",)):
            await press(pilot, *keys)
            last = text(app).splitlines()[-1]
            assert "v verify" in last and last.rstrip().endswith("l land")

    played(session, script, size)


def test_a_filter_is_picked_from_a_list_that_counts(session):
    async def script(pilot, app):
        modules = app.screen.query_one(ModuleList)
        await press(pilot, "f")
        assert "> changed       2" in text(app)
        assert "  verified      1" in text(app)
        await press(pilot, "escape")
        assert modules.filter == "changed"
        await press(pilot, "f", *"veri", "enter")
        assert [s.module.file for s in modules.shown] == [MAIN]
        await press(pilot, "F")
        assert modules.filter == "changed" and len(modules.shown) == 2

    played(session, script)


def test_undoing_after_a_landing_says_that_the_branch_stands(session):
    async def script(pilot, app):
        await press(pilot, "end", "a")
        hunks = tuple(hunk.name for hunk in session.standing(MAIN).module.hunks)
        session.record(events.Landed, selection="", place="branch port", files=(MAIN,), hunks=hunks)
        await press(pilot, "u")
        assert "branch port stays as it landed" in " ".join(text(app).split())
        await press(pilot, "end", "enter", "5")
        assert f"undid: accepted {MAIN} (3 hunks)" in text(app)
        await press(pilot, "1")
        assert "landed: branch port" in " ".join(text(app).split())

    played(session, script)
