"""Questions out as OpenAI batch requests, replies in later: for sites without a network."""

import json
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from acclimate.analysis.problems import Kind, Problem
from acclimate.porter.asking.question import Failed, Failure, Finish, Question, Said, most_tokens
from acclimate.porter.asking.reply_store import ReplyStore


class Waiting(Problem):
    """Questions are written and wait for an answer from elsewhere."""

    def __init__(self, path: Path, count: int) -> None:
        super().__init__(
            f"{count} requests wait for replies",
            kind=Kind.BUDGET,
            notes=(f"requests: {path}",),
            hint="have them answered (OpenAI batch format), then run the same command with"
            " --replies FILE",
        )


@dataclass(slots=True)
class Batch:
    """Collects questions in the file `requests`; nothing is ever sent."""

    requests: Path
    questions: dict[str, Question] = field(default_factory=dict)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    @property
    def name(self) -> str:
        return "batch"

    def ask(self, question: Question, label: str) -> Said:
        with self._lock:
            self.questions[question.key] = question
            lines = [json.dumps(request(q)) for _, q in sorted(self.questions.items())]
            self.requests.parent.mkdir(parents=True, exist_ok=True)
            self.requests.write_text("".join(f"{line}\n" for line in lines))
            waiting = Waiting(self.requests, len(self.questions))
        raise Failed(Failure.NOT_RECORDED, f"request {question.key} is written", problem=waiting)


def request(question: Question) -> dict[str, Any]:
    """One line of a batch file."""
    return {
        "custom_id": question.key,
        "method": "POST",
        "url": "/v1/chat/completions",
        "body": {
            "model": question.model,
            "messages": [
                {"role": "system", "content": question.system},
                {"role": "user", "content": question.user},
            ],
            "max_tokens": question.max_output,
            "temperature": question.temperature,
            "seed": question.seed + question.sample,
        },
    }


def take_in(replies: Path, requests: Path, store: ReplyStore) -> int:
    """Keep the replies of a batch's output file; how many there were.

    Raises:
        Problem: the file cannot be read, or answers nothing that was asked.
    """
    asked = {line["custom_id"]: _question(line["body"]) for line in _lines(requests)}
    taken = 0
    for line in _lines(replies):
        question = asked.get(line.get("custom_id", ""))
        said = _said(line, question) if question else None
        if question and said:
            store.put(line["custom_id"], said)
            taken += 1
    if not taken:
        raise Problem(
            f"'{replies}' answers none of the requests in '{requests}'",
            hint="give the output file of the batch that was made from these requests",
        )
    return taken


def _lines(path: Path) -> Iterator[dict[str, Any]]:
    try:
        content = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise Problem(f"cannot read '{path}': {error}", hint="check the name") from error
    for number, line in enumerate(content.splitlines(), 1):
        if not line.strip():
            continue
        try:
            value = json.loads(line)
        except ValueError as error:
            raise Problem(f"'{path}', line {number}: {error}", hint="expected JSONL") from error
        if isinstance(value, dict):
            yield value


def _question(body: dict[str, Any]) -> Question:
    system, user = (message["content"] for message in body["messages"])
    return Question(
        system, user, body["model"], body["max_tokens"], body["temperature"], body["seed"]
    )


def _said(line: dict[str, Any], question: Question) -> Said | None:
    """The first choice of one answered line; None where it failed or is no completion."""
    try:
        body = line["response"]["body"]
        choice = body["choices"][0]
        text, finish = choice["message"]["content"], choice["finish_reason"]
    except (KeyError, TypeError, IndexError):
        return None
    if not isinstance(text, str) or not text.strip():
        return None
    usage = body.get("usage") or {}
    known = {"stop": Finish.STOP, "length": Finish.LENGTH}
    return Said(
        text=text,
        model=str(body.get("model", question.model)),
        finish=known.get(finish, Finish.OTHER),
        prompt_tokens=int(usage.get("prompt_tokens", question.prompt_tokens)),
        completion_tokens=int(usage.get("completion_tokens", most_tokens(text))),
        counted="prompt_tokens" in usage,
        choices=len(body["choices"]),
    )
