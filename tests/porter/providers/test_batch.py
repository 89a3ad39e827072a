"""Requests out, replies in: a batch tells what an endpoint would have told."""

import json

import pytest

from acclimate.analysis.problems import Problem
from acclimate.porter.asking.question import Failed, Failure, Finish, Question
from acclimate.porter.asking.reply_store import ReplyStore
from acclimate.porter.providers.batch import Batch, take_in
from acclimate.porter.providers.replay import Replay

FIRST = Question("system", "one", "tiny", 50, seed=3, sample=2)
SECOND = Question("system", "two", "tiny", 50)


def answer(request, text):
    """What an OpenAI batch gives back for one line."""
    choice = {"index": 0, "finish_reason": "stop", "message": {"role": "x", "content": text}}
    usage = {"prompt_tokens": 11, "completion_tokens": 5}
    body = {"model": request["body"]["model"], "choices": [choice], "usage": usage}
    return {"custom_id": request["custom_id"], "response": {"status_code": 200, "body": body}}


def written(tmp_path):
    batch = Batch(tmp_path / "requests.jsonl")
    for question in (FIRST, SECOND, FIRST):
        with pytest.raises(Failed) as failed:
            batch.ask(question, "unit")
        assert failed.value.failure is Failure.NOT_RECORDED
    return [json.loads(line) for line in batch.requests.read_text().splitlines()]


def test_requests_are_written_once_and_replies_are_kept_under_their_question(tmp_path):
    requests = written(tmp_path)
    assert len(requests) == 2
    replies = tmp_path / "replies.jsonl"
    lines = [answer(request, request["body"]["messages"][1]["content"]) for request in requests]
    lines[1]["response"]["body"]["choices"] = []  # one that failed
    replies.write_text("\n".join(map(json.dumps, lines)))
    store = ReplyStore(tmp_path / "store")
    assert take_in(replies, tmp_path / "requests.jsonl", store) == 1
    answered = next(q for q in (FIRST, SECOND) if q.key == requests[0]["custom_id"])
    said = store.get(answered.key)
    assert (said.text, said.finish, said.tokens) == (answered.user, Finish.STOP, 16)


def test_replies_to_something_else_are_a_problem(tmp_path):
    written(tmp_path)
    (tmp_path / "replies.jsonl").write_text(json.dumps({"custom_id": "other"}))
    with pytest.raises(Problem, match="answers none"):
        take_in(tmp_path / "replies.jsonl", tmp_path / "requests.jsonl", ReplyStore(tmp_path))


def test_a_recorded_reply_answers_its_own_prompt_only(tmp_path):
    (tmp_path / f"{FIRST.key}.md").write_text("recorded")
    (tmp_path / "water__advance.1.md").write_text("older")
    assert Replay(tmp_path).ask(FIRST, "water::advance.1").text == "recorded"
    with pytest.raises(Failed):
        Replay(tmp_path).ask(SECOND, "water::advance.1")
    lenient = Replay(tmp_path, by_label=True)
    assert lenient.ask(SECOND, "water::advance.1").text == "older"
    assert lenient.older == ["water::advance.1"]
