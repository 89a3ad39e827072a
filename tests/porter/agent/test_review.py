"""The flow waits for a person, in one process or another, and goes on with what was decided."""

from types import SimpleNamespace

import pytest
from langgraph.checkpoint.sqlite import SqliteSaver
from langgraph.types import Command

from acclimate.porter.agent.graph import wired
from acclimate.porter.agent.standing import Recorder, is_running, last_standing
from acclimate.porter.agent.work_folder import locked

EXAMINED = {
    "attempt": 1,
    "tree": "t",
    "examination": "e",
    "mendable": False,
    "consulted": {"m": "what a model made of it"},
}
CONFIG = {"configurable": {"thread_id": "m"}}


@pytest.fixture
def place(tmp_path):
    return str(tmp_path / "checkpoints.sqlite")


def gone_on(place, given=None, *, reviewed=True, begin=False):
    """One process's part: (what comes next, the state)."""
    job = SimpleNamespace(reviewed=reviewed, tell=lambda step: None, consultant=None)
    with SqliteSaver.from_conn_string(place) as saver:
        flow = wired(saver)
        if begin:
            flow.update_state(CONFIG, EXAMINED, as_node="present")
        flow.invoke(given, CONFIG, context=job, interrupt_before=["land", "plan"])
        now = flow.get_state(CONFIG)
        return now.next, now.values


def test_nothing_waits_where_no_review_was_asked_for(place):
    following, state = gone_on(place, reviewed=False, begin=True)
    assert following == ("land",)
    assert not state.get("reviewed")


def test_it_waits_before_landing_as_often_as_it_is_started(place):
    assert gone_on(place, begin=True)[0] == ("review",)
    assert gone_on(place, begin=True)[0] == ("review",)


def test_another_process_lets_it_land_what_was_reviewed(place):
    gone_on(place, begin=True)
    land = Command(resume={"what": "land", "name": "n", "reviewed": "r"})
    following, state = gone_on(place, land)
    assert following == ("land",)
    assert (state["reviewed"], state["answered"]) == ("r", "n")


def test_another_attempt_begins_with_what_was_said(place):
    gone_on(place, begin=True)
    told = {"u": "f", "m": "h"}
    said = {"what": "again", "name": "n", "feedback": told, "turned_back": {"v": "g"}}
    following, state = gone_on(place, Command(resume=said))
    assert following == ("plan",)
    assert (state["feedback"], state["wishes"]) == ({"u": "f"}, {"m": "h"})
    assert state["turned_back"] == {"v": "g"}
    assert state["attempt"] == 0 and not state["reviewed"]


def test_a_standing_is_read_back_and_tells_whether_somebody_works(tmp_path):
    assert last_standing(tmp_path) is None and not is_running(tmp_path)
    recorder = Recorder(tmp_path, "key", ("migrate", "x"))
    recorder.follow("draft", {"drafts": {"a": "1"}})
    recorder.follow("draft", {"drafts": {"b": "2"}})  # too soon to be written
    recorder.follow("assemble", {"tree": "t"})
    found = last_standing(tmp_path)
    assert (found.key, found.stage, found.command) == ("key", "assemble", ("migrate", "x"))
    assert found.state == {"drafts": {"a": "1", "b": "2"}, "tree": "t"}
    with locked(tmp_path):
        assert is_running(tmp_path)
    assert not is_running(tmp_path)
