"""What a model was asked and answered is told, counted and opened."""

import asyncio
import re

import pytest

from acclimate.analysis.problems import Problem
from acclimate.porter.agent.artefacts import Consultation
from acclimate.porter.agent.standing import Recorder
from acclimate.porter.asking.journal import Journal
from acclimate.porter.asking.question import Finish, Question, Said
from acclimate.porter.asking.reply_store import ReplyStore
from acclimate.porter.keeping.store import Store
from acclimate.workflows.reviewing.attempts import attempts, conversation, numbered
from acclimate.workflows.reviewing.panels import attempts_panel
from acclimate.workflows.reviewing.screens.app import ReviewApp
from acclimate.workflows.reviewing.screens.dialogs import Reading

WATER, MAIN, UNIT = "src/water.f90", "src/pond.f90", "water::advance"


@pytest.fixture
def consulted(ported):
    """A pond in which a model was asked twice about one unit, for money."""
    author, standing = ported.work / "author", ported.session().material.standing
    replies = ReplyStore(author / "replies")
    Journal(author / "journal.jsonl", "older").note("reply", label="old.1", accepted=True)
    journal = Journal(author / "journal.jsonl", "pond both")
    for number, (text, objections) in enumerate([("no", ["unreadable"]), ("yes", [])], 1):
        asked = Question("You port.", f"Port this, {number}.", "tiny", 50)
        replies.keep_prompt(asked)
        replies.put(asked.key, Said(f"REPLY {text}", "tiny", Finish.STOP, 1000, 50, True))
        known = {"prompt": asked.prompt_hash, "key": asked.key, "model": "tiny"}
        paid = {"prompt_tokens": 1000, "output_tokens": 50, "cost": 0.25, "seconds": 1.5}
        label = f"{UNIT}.{number}"
        journal.note("call", label=label, **known, **paid)
        journal.note("reply", label=label, accepted=not objections, objections=objections)
    history = ("attempt 1: unreadable", "attempt 2: Ada: name the loop")
    made = Consultation(UNIT, "tiny", turn=3, asked=2, history=history)
    key = Store(ported.work / "store").put(made, Consultation)
    state = {**standing.state, "consulted": {UNIT: key}}
    Recorder(ported.work, standing.key, ()).follow("examine", state)
    return ported.session()


def test_where_no_model_was_asked_there_is_nothing_to_open(session):
    found = attempts(session, session.standing(WATER))
    assert found == ()
    with pytest.raises(Problem, match="no model was asked"):
        numbered(found, "1")
    assert any(
        "no model was asked" in line for line in attempts_panel(session, session.standing(WATER))
    )


@pytest.mark.parametrize("number", ["0", "3", "-1", "two", ""])
def test_an_attempt_that_is_not_there(consulted, number):
    found = attempts(consulted, consulted.standing(WATER))
    with pytest.raises(Problem, match="2 attempts"):
        numbered(found, number)


def test_the_panel_tells_author_prompt_tokens_cost_and_what_came_of_it(consulted):
    lines = attempts_panel(consulted, consulted.standing(WATER))
    text = "\n".join(lines)
    assert "a model was asked: 2 replies, 2,100 tokens, cost 0.5000" in text
    assert f"[1] {UNIT}, attempt 1 of tiny:" in lines
    assert re.search(r"prompt [0-9a-f]{12}, 1,000 \+ 50 tokens, 1.5 s, cost 0.2500", text)
    assert lines.count("  unreadable") == 1
    assert "  Ada: name the loop" in lines
    assert "model" not in "\n".join(attempts_panel(consulted, consulted.standing(MAIN))[:-1])


def test_an_attempt_opens_with_prompt_and_reply(consulted):
    found = attempts(consulted, consulted.standing(WATER))
    lines = conversation(consulted, numbered(found, "2"))
    assert "You port." in lines and "Port this, 2." in lines
    assert "REPLY yes" in lines and "REPLY no" not in lines
    assert lines[-1] == "Ada: name the loop"


def test_what_is_lost_is_said_to_be_lost(consulted):
    for path in (consulted.material.work / "author" / "replies").iterdir():
        path.unlink()
    (_, second) = attempts(consulted, consulted.standing(WATER))
    lines = conversation(consulted, second)
    assert "the prompt was not kept" in lines and "the reply was not kept" in lines


def test_on_the_screen_an_attempt_is_read_by_its_number(consulted):
    async def run():
        async with ReviewApp(consulted).run_test(size=(80, 24)) as pilot:
            await pilot.pause()
            await pilot.press("slash", *"water", "enter", "enter", "3", "y", "enter")
            await pilot.pause()
            assert isinstance(pilot.app.screen, Reading)
            assert "REPLY yes" in pilot.app.screen._lines
            await pilot.press("escape", "y", "9", "enter")
            await pilot.pause()
            assert not isinstance(pilot.app.screen, Reading)

    asyncio.run(run())
