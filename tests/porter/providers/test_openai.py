"""What an endpoint may do, and what becomes of it: nothing hangs, and every token is counted."""

import json

import pytest

from acclimate.analysis.problems import Problem
from acclimate.porter.asking.asker import TRIES, Asker
from acclimate.porter.asking.budget import Budget, BudgetReached
from acclimate.porter.asking.journal import Journal
from acclimate.porter.asking.prices import Price
from acclimate.porter.asking.question import Failed, Failure, Finish, Question
from acclimate.porter.asking.reply_store import ReplyStore
from acclimate.porter.providers.openai import Endpoint, Timing

ASKED = Question("You port Fortran.", "Port this.", "tiny", 50)
KEY = "sk-very-secret"
PATIENT = Timing(connect=60, silence=60, deadline=60)  # s; a busy machine is no bad endpoint
LONG = Question("You port Fortran.", "x = 1 ; " * 4000, "tiny", 50)


class Bench:
    """An asker on a server, what it waited for, and what it wrote."""

    def __init__(self, server, tmp_path, timing=PATIENT, **caps):
        self.waits: list[float] = []
        self.server = server
        self.journal = Journal(tmp_path / "journal.jsonl")
        self.budget = Budget(**caps)
        self.asker = Asker(
            Endpoint(server.url, KEY, timing),
            ReplyStore(tmp_path / "replies"),
            self.budget,
            self.journal,
            sleep=self.waits.append,
        )

    def ask(self, question=ASKED):
        return self.asker.ask(question, "unit")

    def failures(self):
        return [x["failure"] for x in self.journal.lines() if x["what"] == "failed-call"]


@pytest.fixture
def bench(server, tmp_path):
    return Bench(server, tmp_path)


def status(code, content="no", kind="text/plain", **headers):
    return lambda call, body: call.whole(code, content, kind, **headers)


def whole(text, finish="stop", *, prompt=100, output=7):
    def behave(call, body):
        call.begin()
        call.piece(text, finish)
        call.usage(prompt, output)
        call.done()

    return behave


def cut(call, body):
    call.begin()
    call.piece("EDIT 1-")


def broken(call, body):
    call.begin()
    call.wfile.write(b'data: {"choices": [{"index"\n\n')


def two_choices(call, body):
    call.begin()
    call.piece("first", index=0)
    call.piece("second", index=1)
    call.piece(finish="stop", index=1)
    call.piece(finish="stop", index=0)
    call.usage(10, 2)
    call.done()


def huge(call, body):
    call.begin()
    try:
        for _ in range(5):
            call.piece("x" * 1_000_000)
        call.piece(finish="stop")
        call.done()
    except OSError:
        pass  # the client has hung up, as it should


def test_a_good_reply_is_streamed_counted_and_kept(bench):
    said = bench.ask()
    assert (said.text.strip(), said.finish, said.counted) == ("REFUSE: no", Finish.STOP, True)
    assert bench.budget.used == 107
    assert bench.ask() == bench.asker.replies.get(ASKED.key)
    assert len(bench.server.bodies) == 1  # nothing is paid twice
    assert bench.server.bodies[0]["stream"] is True
    assert bench.server.headers[0]["idempotency-key"] == ASKED.key


def test_429_is_waited_for_as_the_endpoint_says(bench, behaviours):
    bench.server.script = [status(429, retry_after="3"), status(429), behaviours["good"]]
    assert bench.ask().tries == 3
    assert bench.waits[0] == 3.0
    assert 2.0 <= bench.waits[1] <= 2.5  # doubled, with jitter
    assert bench.budget.used == 107  # a refused call costs nothing


def test_500_is_tried_again_and_given_up(bench):
    bench.server.script = [status(500)]
    with pytest.raises(Problem, match="the endpoint failed"):
        bench.ask()
    assert len(bench.server.bodies) == TRIES
    assert bench.failures() == ["server"] * TRIES


def test_a_cut_connection_costs_what_may_have_been_billed(bench, behaviours):
    bench.server.script = [cut, behaviours["good"]]
    said = bench.ask()
    assert bench.failures() == ["cut"]
    assert said.lost_tokens >= ASKED.prompt_tokens
    assert bench.budget.used == 107 + said.lost_tokens


def test_malformed_json_is_tried_again(bench, behaviours):
    bench.server.script = [broken, behaviours["good"]]
    assert bench.ask().tries == 2
    assert bench.failures() == ["malformed"]


def test_a_cut_reply_says_so(bench):
    bench.server.script = [whole("EDIT 1-2", "length")]
    assert bench.ask().finish is Finish.LENGTH


def test_a_silently_cut_prompt_is_noticed_by_the_count(bench):
    bench.server.script = [whole("done", prompt=2048)]
    with pytest.raises(Problem, match="read only a part of the prompt") as refused:
        bench.ask(LONG)
    assert "--window 2048" in refused.value.hint
    assert bench.budget.used == 2055


def test_an_html_page_is_no_reply(bench, behaviours):
    page = "<html><body>502 Bad Gateway</body></html>"
    bench.server.script = [status(200, page, "text/html"), behaviours["good"]]
    assert bench.ask().tries == 2
    assert bench.failures() == ["malformed"]


def test_an_html_error_page_is_an_error(bench):
    bench.server.script = [status(403, "<html>go away</html>", "text/html")]
    with pytest.raises(Problem, match="refused"):
        bench.ask()
    assert len(bench.server.bodies) == 1


def test_a_reply_of_five_megabytes_is_not_read_to_its_end(bench):
    bench.server.script = [huge]
    said = bench.ask()
    assert (said.finish, said.text) == (Finish.TOO_LONG, "")
    assert said.completion_tokens > 100_000
    assert bench.ask() is not None and len(bench.server.bodies) == 1


def test_of_two_choices_the_first_is_taken(bench):
    bench.server.script = [two_choices]
    said = bench.ask()
    assert (said.text, said.choices) == ("first", 2)


def test_an_empty_reply_is_tried_again(bench, behaviours):
    bench.server.script = [whole(" \n"), behaviours["good"]]
    assert bench.ask().tries == 2
    assert bench.failures() == ["empty"]


@pytest.mark.parametrize("name", ["slow", "silent"])
def test_nothing_hangs(server, tmp_path, behaviours, name):
    bench = Bench(server, tmp_path, Timing(connect=60, silence=1.5, deadline=2))
    bench.server.script = [behaviours[name], behaviours["good"]]
    assert bench.ask().tries == 2
    assert bench.failures() == ["timeout"]


def test_nobody_there(tmp_path):
    endpoint = Endpoint("http://127.0.0.1:9/v1", KEY, Timing(connect=1))
    with pytest.raises(Failed) as failed:
        endpoint.ask(ASKED, "unit")
    assert failed.value.failure is Failure.CONNECTION


def test_a_redirect_is_not_followed(bench, server):
    bench.server.script = [status(307, location=f"{server.url}/elsewhere")]
    with pytest.raises(Problem):
        bench.ask()
    assert len(bench.server.bodies) == 1


def test_the_budget_is_asked_before_anything_is_sent(server, tmp_path):
    bench = Bench(server, tmp_path, max_tokens=ASKED.prompt_tokens + ASKED.max_output - 1)
    with pytest.raises(BudgetReached) as reached:
        bench.ask()
    assert (reached.value.kind, bench.server.bodies) == (5, [])


def test_an_unknown_price_is_not_zero(server, tmp_path):
    with pytest.raises(Problem, match="price"):
        Budget(max_cost=1.0)
    with pytest.raises(BudgetReached):
        Bench(server, tmp_path, max_cost=1e-9, price=Price(1.0, 2.0)).ask()


def test_the_key_is_written_nowhere(bench, tmp_path):
    bench.server.script = [status(401, f"bad key {KEY}")]
    with pytest.raises(Problem) as refused:
        bench.ask()
    assert KEY not in refused.value.render()
    assert KEY not in repr(bench.asker.provider) + bench.asker.provider.name
    for path in tmp_path.rglob("*"):
        assert path.is_dir() or KEY.encode() not in path.read_bytes()
    assert bench.server.headers[0]["authorization"] == f"Bearer {KEY}"


def test_nothing_of_the_environment_is_sent(server, tmp_path, monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", "sk-of-another-place")
    monkeypatch.setenv("OPENAI_ORG_ID", "org-of-another-place")
    Endpoint(server.url).ask(ASKED, "unit")
    assert "another-place" not in json.dumps(server.headers)


def test_capabilities_are_found_by_asking(server):
    def choosy(call, body):
        call.whole(400, {"error": {"message": "no tools"}}) if "tools" in body else plain(call)

    def plain(call):
        message = {"role": "assistant", "content": "{}"}
        choice = {"index": 0, "message": message, "finish_reason": "stop"}
        head = {"id": "x", "object": "chat.completion", "created": 1, "model": "tiny"}
        call.whole(200, {**head, "choices": [choice]})

    server.script = [choosy]
    found = Endpoint(server.url).probe("tiny")
    assert (found.window, found.tools, found.json_mode) == (4096, False, True)
