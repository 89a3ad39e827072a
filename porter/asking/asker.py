"""Ask a question once: from what was paid for already, else within the budget, with patience."""

import random
import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Protocol

from acclimate.analysis.problems import Kind, Problem
from acclimate.porter.asking.budget import Budget
from acclimate.porter.asking.journal import Journal
from acclimate.porter.asking.question import (
    Failed,
    Failure,
    Question,
    Said,
    least_tokens,
    most_tokens,
)
from acclimate.porter.asking.reply_store import ReplyStore

TRIES = 5
_FIRST_WAIT = 1.0  # s, doubled with each try
_LONGEST_WAIT = 60.0


class Provider(Protocol):
    """One way to reach a model."""

    @property
    def name(self) -> str:
        """What journals call it: never a key."""

    def ask(self, question: Question, label: str) -> Said:
        """One try; `label` says what the question is about.

        Raises:
            Failed: no reply came.
        """


@dataclass(slots=True)
class Asker:
    """Everything that a call passes through."""

    provider: Provider
    replies: ReplyStore
    budget: Budget
    journal: Journal
    sleep: Callable[[float], None] = time.sleep
    _random: random.Random = field(default_factory=lambda: random.Random(0))

    def ask(self, question: Question, label: str) -> Said:
        """The reply to a question; one that is kept is not paid for again.

        Raises:
            BudgetReached: a cap could be exceeded.
            Problem: the endpoint gives no reply, or reads only a part of the prompt.
        """
        kept = self.replies.get(question.key)
        if kept is not None:
            return kept
        self.replies.keep_prompt(question)
        with self.budget.reserved(question.prompt_tokens, question.max_output):
            said = self._patiently(question, label)
            # Kept first: a crash between the two lines costs a line of the journal, not money.
            self.replies.put(question.key, said)
            self._settle(question, said, label)
        if said.counted and said.prompt_tokens < least_tokens(question.system + question.user):
            raise _cut_prompt(question, said)
        return said

    def _patiently(self, question: Question, label: str) -> Said:
        began, lost = time.monotonic(), 0
        for number in range(1, TRIES + 1):
            try:
                said = self.provider.ask(question, label)
            except Failed as failed:
                lost += failed.tokens
                self._note_failure(question, failed, label)
                if not failed.again or number == TRIES:
                    raise _no_answer(self.provider.name, failed, number) from failed
                self.sleep(self._wait(number, failed))
                continue
            seconds = time.monotonic() - began
            return replace(said, seconds=seconds, tries=number, lost_tokens=lost)
        raise AssertionError("the last try returns or raises")

    def _wait(self, number: int, failed: Failed) -> float:
        if failed.wait is not None:
            return min(failed.wait, _LONGEST_WAIT)
        wait = _FIRST_WAIT * 2.0 ** (number - 1)
        return min(float(wait * (1 + self._random.random() / 4)), _LONGEST_WAIT)

    def _note_failure(self, question: Question, failed: Failed, label: str) -> None:
        self.budget.spend(failed.tokens, 0)
        self.journal.note(
            "failed-call",
            label=label,
            prompt=question.prompt_hash,
            key=question.key,
            provider=self.provider.name,
            failure=failed.failure.name.lower(),
            text=failed.text,
            prompt_tokens=failed.tokens,
            output_tokens=0,
        )

    def _settle(self, question: Question, said: Said, label: str) -> None:
        self.budget.spend(said.prompt_tokens, said.completion_tokens)
        price = self.budget.price
        self.journal.note(
            "call",
            label=label,
            prompt=question.prompt_hash,
            key=question.key,
            provider=self.provider.name,
            model=said.model,
            temperature=question.temperature,
            seed=question.seed,
            sample=question.sample,
            max_output=question.max_output,
            prompt_tokens=said.prompt_tokens,
            output_tokens=said.completion_tokens,
            counted=said.counted,
            estimate=most_tokens(question.system + question.user),
            finish=said.finish.value,
            choices=said.choices,
            tries=said.tries,
            seconds=round(said.seconds, 3),
            cost=price.of(said.prompt_tokens, said.completion_tokens) if price else None,
        )


def _no_answer(provider: str, failed: Failed, tries: int) -> Problem:
    hints = {
        Failure.REFUSED: "check the model's name, the key and the endpoint: acclimate doctor",
        Failure.NOT_RECORDED: "record a reply to this prompt, or name an endpoint",
    }
    return failed.problem or Problem(
        f"{provider} gave no reply: {failed.failure}",
        kind=Kind.ENVIRONMENT,
        notes=(failed.text, f"tries: {tries}"),
        hint=hints.get(failed.failure, "run the same command again later: it goes on from here"),
    )


def _cut_prompt(question: Question, said: Said) -> Problem:
    least = least_tokens(question.system + question.user)
    return Problem(
        f"the endpoint read only a part of the prompt: {said.prompt_tokens} tokens of at least"
        f" {least}",
        kind=Kind.ENVIRONMENT,
        notes=("a cut prompt is not answered, it is guessed at",),
        hint=f"tell its real window: --window {max(said.prompt_tokens, 1024)}, or enlarge it there",
    )
