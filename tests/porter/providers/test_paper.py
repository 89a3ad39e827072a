"""Prompts on paper: a reply beside one is read, an older one only where that is allowed."""

import pytest

from acclimate.porter.asking.question import Failed, Question
from acclimate.porter.providers.paper import Paper


def question(text):
    return Question("system", text, "m", 100, 0.0, 7)


def test_a_prompt_waits_until_its_reply_lies_beside_it(tmp_path):
    paper = Paper(tmp_path)
    with pytest.raises(Failed) as failed:
        paper.ask(question("first"), "m::a.1")
    assert "1 prompts wait" in str(failed.value.problem)
    (prompt,) = tmp_path.glob("m__a.1.*.prompt.md")
    assert prompt.read_text() == "system\n\nfirst"
    prompt.with_name(prompt.name.replace("prompt", "reply")).write_text("yes")
    assert paper.ask(question("first"), "m::a.1").text == "yes"


def test_a_reply_to_an_older_prompt_is_taken_where_allowed_and_named(tmp_path):
    for label in ("m__a.1", "m__a.1.part1", "m__a.2"):
        (tmp_path / f"{label}.{'0' * 16}.reply.md").write_text(label)
    with pytest.raises(Failed):
        Paper(tmp_path).ask(question("changed"), "m::a.1")
    paper = Paper(tmp_path, by_label=True)
    assert paper.ask(question("changed"), "m::a.1").text == "m__a.1"
    assert paper.older == ["m::a.1"]
    with pytest.raises(Failed):
        paper.ask(question("changed"), "m::a.3")
