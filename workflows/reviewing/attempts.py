"""What a model was asked about a unit, what it answered, and what that came to and cost."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from acclimate.analysis.problems import Problem
from acclimate.porter.asking.journal import Journal, last_migration
from acclimate.porter.asking.reply_store import ReplyStore
from acclimate.workflows.reviewing.session import Session, Standing

AUTHOR = "author"  # of the work folder


@dataclass(frozen=True, slots=True)
class Attempt:
    """One reply about a unit or a part of it; `key` finds it in the store of replies.

    `said` is what the screen of replies, or what came later, had against it or about it. Tokens are
    0 and `cost` is None where the journal knows nothing of the call, as with a batch.
    """

    unit: str
    number: int
    part: str
    model: str
    prompt: str
    key: str
    prompt_tokens: int
    output_tokens: int
    cost: float | None
    seconds: float
    was_tried: bool
    said: tuple[str, ...]


def attempts(session: Session, standing: Standing) -> tuple[Attempt, ...]:
    """Every attempt of the migration's model at the units of a module, in order."""
    units = {unit.name for unit in standing.module.units} & session.outcome.consulted.keys()
    if not units:
        return ()
    return tuple(_attempts(session, units))


def conversation(session: Session, attempt: Attempt) -> list[str]:
    """Prompt and reply of an attempt, whole."""
    store = _store(session)
    reply = store.get(attempt.key) if attempt.key else None
    lines = [f"{attempt.unit}, attempt {attempt.number}{attempt.part}, prompt {attempt.prompt}", ""]
    lines += (store.prompt(attempt.prompt) or "the prompt was not kept").split("\n")
    lines += ["", f"----- reply of {attempt.model} -----", ""]
    lines += (reply.text if reply else "the reply was not kept").split("\n")
    return [*lines, "", "----- what came of it -----", "", *_came(attempt)]


def numbered(found: Sequence[Attempt], number: str) -> Attempt:
    """The attempt with the number that its line begins with.

    Raises:
        Problem: there is none.
    """
    if number.isdigit() and 1 <= int(number) <= len(found):
        return found[int(number) - 1]
    count = f"{len(found)} attempts" if found else "no model was asked"
    raise Problem(f"there is no attempt '{number}': {count}", hint="the attempts are numbered")


def attempt_lines(found: Iterable[Attempt]) -> Iterator[str]:
    """Attempts in words, numbered as they are opened."""
    for place, one in enumerate(found, 1):
        tokens = f"{one.prompt_tokens:,} + {one.output_tokens:,} tokens, {one.seconds:.1f} s"
        cost = "price not known" if one.cost is None else f"cost {one.cost:.4f}"
        yield f"[{place}] {one.unit}, attempt {one.number}{one.part} of {one.model}:"
        yield f"  prompt {one.prompt[:12]}, {tokens}, {cost}"
        yield from (f"  {text}" for text in _came(one))


def total(found: Iterable[Attempt]) -> str:
    """Calls, tokens and cost together, as one clause."""
    every = list(found)
    tokens = sum(one.prompt_tokens + one.output_tokens for one in every)
    costs = [one.cost for one in every if one.cost is not None]
    paid = f"cost {sum(costs):.4f}" if costs else "price not known"
    return f"{len(every)} replies, {tokens:,} tokens, {paid}"


def _came(one: Attempt) -> tuple[str, ...]:
    if one.said:
        return one.said
    return ("its edits stand in this port",) if one.was_tried else ("nothing came of it",)


def _store(session: Session) -> ReplyStore:
    return ReplyStore(_folder(session) / "replies")


def _folder(session: Session) -> Path:
    return session.material.work / AUTHOR


def _attempts(session: Session, units: set[str]) -> Iterator[Attempt]:
    path = _folder(session) / "journal.jsonl"
    lines = list(Journal(path, last_migration(path)).lines())
    calls = {line["label"]: line for line in lines if line["what"] == "call"}
    later = _later(session, units)
    for line in lines:
        if line["what"] != "reply":
            continue
        unit, number, *part = line["label"].split(".")
        if unit not in units:
            continue
        call = calls.get(line["label"], {})
        yield Attempt(
            unit=unit,
            number=int(number),
            part="".join(f", {word}" for word in part),
            model=call.get("model", session.outcome.consulted[unit].model),
            prompt=call.get("prompt", ""),
            key=call.get("key", ""),
            prompt_tokens=call.get("prompt_tokens", 0),
            output_tokens=call.get("output_tokens", 0),
            cost=call.get("cost"),
            seconds=call.get("seconds", 0.0),
            was_tried=line["accepted"],
            said=tuple(dict.fromkeys([*line["objections"], *later[unit, int(number)]])),
        )


def _later(session: Session, units: set[str]) -> dict[tuple[str, int], list[str]]:
    """What was said of each unit's attempts after the reply: by the trial, checks and people."""
    found: dict[tuple[str, int], list[str]] = defaultdict(list)
    for unit in units:
        for text in session.outcome.consulted[unit].history:
            head, _, said = text.partition(": ")
            number = head.removeprefix("attempt ")
            if number.isdigit():
                found[unit, int(number)].append(said)
    return found
