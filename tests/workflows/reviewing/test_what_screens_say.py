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


def test_what_was_said_belongs_to_its_screen_and_its_action(session):
    async def script(pilot, app):
        await press(pilot, "end", "a")
        assert said(app) == f"accepted {MAIN} (3 hunks)"
        await press(pilot, "home", "enter")
        assert said(app) == ""
        await press(pilot, "x")
        await typed(pilot, "too short a loop")
        assert said(app) == f"rejected {WATER}#1 (1 hunk): too short a loop"
        await press(pilot, *"nnnnnn")
        assert said(app) == "there is no further one"
        await press(pilot, "p")
        assert said(app) == ""
        await press(pilot, "y")
        assert said(app) == "no model was asked about this module"
        await press(pilot, "w", *"host", "enter")
        for words in ("yesterday", "because"):
            await typed(pilot, words)
        assert app._notifications
        await press(pilot, "escape")
        assert said(app) == "" and not app._notifications
        await press(pilot, "x", "escape")
        assert said(app) == f"left: why reject {WATER}?"
        await press(pilot, "enter", "escape")
        assert said(app) == ""
        await press(pilot, "u", "u", "u")
        assert said(app) == "there is nothing of yours to undo"
        await press(pilot, "f", *"all", "enter")
        assert said(app) == "shown: all"

    played(session, script)


def test_the_cursor_goes_on_to_what_is_not_decided_yet(session):
    async def script(pilot, app):
        modules = app.screen.query_one(ModuleList)
        await press(pilot, "t", *"name", "enter", "home", "a")
        assert modules.current.module.file == WATER
        await press(pilot, "u", "t", *"state", "enter", "home")
        assert modules.current.module.file == WATER
        await press(pilot, "a")  # it goes to the end of the list, the cursor does not
        assert [s.module.file for s in modules.shown] == [MAIN, WATER]
        assert modules.current.module.file == MAIN
        await press(pilot, "a")
        assert modules.current.module.file == MAIN

    played(session, script)


def test_the_state_of_a_hunk_stays_when_its_text_is_scrolled(session):
    async def script(pilot, app):
        await press(pilot, "enter", "x")
        await typed(pilot, "a reason that is much longer than a line of this screen is wide, so it")
        head = "✗ hunk 1 of 7: rejected (a reason"
        assert text(app).splitlines()[3].startswith("✗ hunk 1 of 7: rejected (a reason that")
        assert text(app).splitlines()[3].endswith("…")
        await press(pilot, *["right"] * 6)
        (line,) = [row for row in text(app).splitlines() if row.startswith("✗ hunk 1 of 7")]
        assert line.endswith("so it) [water::fill]") and not line.startswith(head)
        assert "? hunk 2 of 7: open [water::fill]" in text(app)
        await press(pilot, "escape", "end", "enter")
        assert app.screen.query_one("#diff").scroll_offset.x == 0

    played(session, script)


def test_both_sides_scroll_and_keep_their_numbers(session):
    text_of = session.outcome.original(WATER).replace(b"n - 1\n", b"n - 1" + b" " * 90 + b"! END\n")
    session.edit(WATER, text_of, "editor")

    async def script(pilot, app):
        await press(pilot, "home", "enter")
        assert "! END" not in text(app)
        await press(pilot, *["right"] * 12)
        (line,) = [row for row in text(app).splitlines() if "! END" in row]
        assert line[80:].startswith("    24 ")

    played(session, script, WIDE)


def test_what_a_person_wrote_is_marked(session):
    edited = session.text(WATER).replace(b"reduction(max:top)", b"reduction(max: top)")
    session.edit(WATER, edited, "editor")

    async def script(pilot, app):
        await press(pilot, "enter", "G", "a", "u")
        assert app.screen.query_one("#diff").row.text == "3 lines not changed"
        assert "hunk 7 of 7: open (edited by hand) [water::highest]" in text(app)
        assert text(app).count("by hand") == 1

    played(session, script)


def test_another_attempt_is_asked_about_first(session):
    async def script(pilot, app):
        await press(pilot, "g")
        assert said(app).startswith("nothing was said that another attempt could do better")
        await press(pilot, "enter", "d")
        await typed(pilot, "too small")
        await press(pilot, "g")
        assert "another attempt at the port (1 unit kept on the host)?" in text(app)
        await typed(pilot, "y")
        assert said(app) == "nothing was done: 'y' is not yes"

    played(session, script)


def test_a_failure_elsewhere_is_named_beside_the_light_that_it_keeps_open(ported, session):
    ported.failed_on(session, ported.failing(MAIN))

    async def script(pilot, app):
        await press(pilot, "end", "enter")
        assert "numerics ? (src/pond.f90 fails)" in " ".join(text(app).split())
        assert f"numerics stays open because {MAIN} fails: host_run" in panel(app)

    played(session, script)


def panel(app):
    return " ".join(" ".join(app.screen.query_one("#panel").text).split())


def test_a_copied_model_says_so_at_once(session, ported, tmp_path):
    session.model = tmp_path / "elsewhere"

    async def script(pilot, app):
        assert "the model here is a copy, or was moved" in " ".join(text(app).split())

    played(session, script)


# --- a command at work ---------------------------------------------------------------------------


def test_only_c_ends_a_command_and_the_landing_says_that_nothing_landed(session):
    async def script(pilot, app):
        await press(pilot, "l")
        await typed(pilot, "patches here")
        log = app.screen
        assert "examines exactly what is accepted" in text(app)
        assert "c: cancel" in text(app)
        await press(pilot, "escape", "q")
        assert app.screen is log and log.code is None
        await press(pilot, "c")
        assert "cancell" in text(app)
        await ended(pilot, app)
        assert said(app) == "land: cancelled, nothing has landed"

    wait = "import time; time.sleep(60)"
    played(session, script, argv=lambda line: (sys.executable, "-S", "-c", wait))


def test_an_error_stands_at_the_top_of_what_a_command_said(session):
    lines = [f"step {n}" for n in range(40)]
    argv = telling(*lines, "error: it breaks", *(f"  note: {n}" for n in range(30)), code=2)

    async def script(pilot, app):
        await press(pilot, "v")
        while app.screen.code is None:
            await pilot.pause(0.02)
        await pilot.pause()
        shown = [row.strip(" │") for row in text(app).splitlines()]
        assert shown[shown.index("error: it breaks") + 1] == "note: 0"
        assert "step 39" not in shown

    played(session, script, argv=argv)


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
        await press(pilot, "end", "a", "home", "enter", "w", *"host", "enter")
        for words in ("yesterday", "because"):
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
        legend = next(n for n, line in enumerate(lines) if line.startswith(("lights", "state")))
        assert legend < SMALL[1] - 1 and max(map(len, lines)) < SMALL[0]
        assert {"decide", "see", "leave", "run", "move", "lights", "hunks"} <= {
            line.split()[0] for line in lines if line[:1].strip()
        }
        assert "3/9: 3 of 9 decided" in text(app)
        assert "pgdn: read on, escape: close" in text(app).splitlines()[-1]
        await press(pilot, "pagedown", "pagedown")
        assert lines[-1] in text(app)

    played(session, script)


def test_what_the_list_of_keys_calls_columns_are_explained(session):
    async def script(pilot, app):
        await press(pilot, "question_mark")
        told = " ".join(" ".join(app.screen.lines()).split())
        for column in ("lines", "time", "risk"):
            assert f"{column}: " in told

    played(session, script)


@pytest.mark.parametrize("key", ["c", "w"])
def test_checks_are_named_where_one_is_asked_for(session, key):
    async def script(pilot, app):
        await press(pilot, "enter", key)
        assert {"access_log", "bounds", "clause_lint"} <= set(text(app).replace(",", "").split())

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
