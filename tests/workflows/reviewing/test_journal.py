"""What reviewers did survives crashes, merges in any order, and can be undone."""

import os
import random
import re
import signal
import subprocess
import sys
from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from acclimate.analysis.problems import Problem
from acclimate.workflows.reviewing.decisions import Mark, decisions, to_redo, to_undo
from acclimate.workflows.reviewing.events import Decided, Event, Redone, Undone
from acclimate.workflows.reviewing.journal import Journal, read


def decided(name, by, clock, verdict, hunks=("h",), replaces=()):
    return Decided(
        name=name,
        by=by,
        clock=clock,
        at="2026-11-30T12:00:00+00:00",
        file="f",
        scope="f",
        hunks=hunks,
        verdict=verdict,
        replaces=replaces,
    )


def undone(name, event, by="Ada", clock=9, kind=Undone):
    return kind(name=name, by=by, clock=clock, at="", event=event)


# --- what is refused -----------------------------------------------------------------------------


def test_a_damaged_line_is_named(tmp_path):
    journal = Journal(tmp_path, "Ada")
    journal.add(decided("a", "Ada", 1, "accept"))
    journal.path.write_bytes(b"{]\n" + journal.path.read_bytes())
    with pytest.raises(Problem, match="Ada.jsonl:1: not an event"):
        journal.events()


def test_two_different_events_of_one_name_are_no_review(tmp_path):
    Journal(tmp_path / "one", "Ada").add(decided("a", "Ada", 1, "accept"))
    other = Journal(tmp_path / "two", "Ada")
    other.add(decided("a", "Ada", 1, "reject"))
    with pytest.raises(Problem, match="two different events 'a'"):
        Journal(tmp_path / "one", "Ada").merge(other.path)


def test_a_name_never_leaves_the_folder(tmp_path):
    journal = Journal(tmp_path / "reviews", "../../etc/pass wd")
    journal.add(decided("a", "x", 1, "accept"))
    assert [p.parent for p in tmp_path.rglob("*.jsonl")] == [tmp_path / "reviews"]


# --- crashes -------------------------------------------------------------------------------------


def test_a_torn_last_line_is_no_event_and_does_not_spoil_the_next(tmp_path):
    journal = Journal(tmp_path, "Ada")
    journal.add(decided("a", "Ada", 1, "accept"))
    whole = journal.path.read_bytes()
    for cut in range(len(whole)):
        journal.path.write_bytes(whole + whole[:cut])
        assert [e.name for e in Journal(tmp_path, "Ada").events()] == ["a"]
    journal.add(decided("b", "Ada", 2, "reject"))
    assert [e.name for e in Journal(tmp_path, "Ada").events()] == ["a", "b"]


CRASH = """
import os, signal, sys
from pathlib import Path
from acclimate.workflows.reviewing import events
from acclimate.workflows.reviewing.landing import approve, land_as_patches, ready
from acclimate.workflows.reviewing.session import Session

model, work, last = Path(sys.argv[1]), Path(sys.argv[2]), sys.argv[3]
session = Session(model, work, "Ada")
water, main = "src/water.f90", "src/pond.f90"

def decide(file, verdict, *numbers):
    hunks = session.standing(file).module.hunks
    session.decide([hunks[n] for n in numbers] or hunks, verdict, file, "so")

def edit():
    text = session.text(water)
    session.edit(water, text.replace(b"reduction(max:top)", b"reduction(max: top)"), "editor")

def verify():
    session.record(
        events.Verified,
        selection=session.selection(with_open=False).digest,
        verdict="accept",
        key=session.material.standing.key,
        examination=session.material.standing.state["examination"],
    )

STEPS = {
    "accept": lambda: decide(main, "accept"),
    "reject": lambda: decide(water, "reject", 1),
    "open": lambda: decide(main, "open", 0),
    "note": lambda: session.note(water, "water::fill", "one kernel"),
    "waive": lambda: session.waive("host_run", water, "known", "2099-01-31"),
    "turn back": lambda: session.turn_back(water, "water::highest", "host only"),
    "edit": edit,
    "undo": lambda: session.undo(),
    "redo": lambda: session.redo(),
    "verify": verify,
    "land": lambda: land_as_patches(session, ready(session), work / "patches"),
    "approve": lambda: approve(session, ready(session)),
}
for name, step in STEPS.items():
    before = len(session.history)
    step()
    assert len(session.history) > before, name
    if name == last:
        print(repr(session.history), sorted(session.marks.items()), flush=True)
        os.kill(os.getpid(), signal.SIGKILL)
"""
ACTIONS = re.findall('^    "([a-z ]+)": ', CRASH, re.MULTILINE)


@pytest.mark.parametrize("last", ACTIONS)
def test_a_kill_right_after_any_action_loses_none(ported, last):
    run = subprocess.run(
        [sys.executable, "-c", CRASH, str(ported.model), str(ported.work), last],
        capture_output=True,
        text=True,
        env=os.environ,
    )
    assert run.returncode == -signal.SIGKILL, run.stderr
    found = ported.session()
    assert run.stdout.strip() == f"{found.history!r} {sorted(found.marks.items())}"


def test_the_killed_review_holds_every_kind_of_event(ported):
    command = [sys.executable, "-c", CRASH, str(ported.model), str(ported.work), ACTIONS[-1]]
    subprocess.run(command, capture_output=True, env=os.environ)
    done = {type(event) for event in ported.session().history}
    assert done == set(get_args(Event))


# --- merging -------------------------------------------------------------------------------------

EVENTS = st.lists(
    st.tuples(
        st.sampled_from(["Ada", "Bo"]),
        st.sampled_from(["accept", "reject", "open"]),
        st.sets(st.sampled_from("hij"), min_size=1),
        st.booleans(),  # seen what stands, or decided without knowing of it
        st.booleans(),  # or: undo the last
    ),
    max_size=12,
)


def played(script):
    events = []
    for number, (by, verdict, hunks, seen, undoing) in enumerate(script, 1):
        if undoing:
            last = to_undo(events, by)
            if last is not None:
                events.append(undone(f"{number:02}", last.name, by, number))
            continue
        known = decisions(events).replaced_by_deciding(hunks) if seen else ()
        events.append(decided(f"{number:02}", by, number, verdict, tuple(sorted(hunks)), known))
    return events


@given(EVENTS, st.randoms(use_true_random=False))
def test_the_order_in_which_files_are_read_plays_no_part(script, chance):
    events = played(script)
    shuffled = list(events)
    random.Random(chance.random()).shuffle(shuffled)
    ordered = sorted(shuffled, key=lambda e: (e.clock, e.name))
    assert decisions(ordered) == decisions(events)
    assert decisions(sorted(events + events[:3], key=lambda e: e.clock)).reviewers == (
        decisions(events).reviewers
    )


@given(EVENTS)
def test_who_has_seen_all_settles_it(script):
    events = played(script)
    seen = decisions(events).replaced_by_deciding("hij")
    last = decided("zz", "Cy", 99, "accept", tuple("hij"), seen)
    after = decisions([*events, last])
    assert {after.mark(hunk) for hunk in "hij"} == {Mark.ACCEPTED}


@given(EVENTS)
def test_undoing_gives_back_what_was_replaced(script):
    events = played(script)
    before = decisions(events)
    seen = before.replaced_by_deciding("hij")
    more = [decided("zz", "Cy", 99, "reject", tuple("hij"), seen), undone("zzz", "zz", "Cy", 100)]
    after = decisions([*events, *more])
    assert [after.mark(h) for h in "hij"] == [before.mark(h) for h in "hij"]


def test_two_who_do_not_know_of_each_other_are_in_dispute():
    found = decisions([decided("a", "Ada", 1, "accept"), decided("b", "Bo", 1, "reject")])
    assert found.mark("h") is Mark.DISPUTED


def test_merging_twice_takes_over_once(tmp_path):
    theirs = Journal(tmp_path / "theirs", "Bo")
    theirs.add(decided("b", "Bo", 1, "reject"))
    mine = Journal(tmp_path / "mine", "Ada")
    mine.add(decided("a", "Ada", 1, "accept"))
    assert mine.merge(theirs.path) == 1
    assert mine.merge(theirs.path) == 0
    assert [e.name for e in Journal(tmp_path / "mine", "Ada").events()] == ["a", "b"]
    assert [e.name for e in read(tmp_path / "mine/Bo.jsonl")] == ["b"]


# --- undo and redo -------------------------------------------------------------------------------


def test_undo_is_each_reviewers_own():
    events = [decided("a", "Ada", 1, "accept"), decided("b", "Bo", 2, "reject", ("i",))]
    assert to_undo(events, "Ada").name == "a"
    assert to_undo(events, "Bo").name == "b"
    assert to_undo(events, "Cy") is None


def test_redo_ends_with_the_next_action():
    events = [decided("a", "Ada", 1, "accept"), undone("u", "a", clock=2)]
    assert to_redo(events, "Ada").name == "a"
    again = [*events, undone("r", "a", clock=3, kind=Redone)]
    assert decisions(again).mark("h") is Mark.ACCEPTED
    assert to_redo(again, "Ada") is None
    assert to_redo([*events, decided("c", "Ada", 3, "reject")], "Ada") is None
