"""One question to a model and what came back."""

import json
import re
from dataclasses import asdict, dataclass
from enum import StrEnum
from hashlib import sha256

from acclimate.analysis.problems import Problem

_NARROW = 2.6  # characters a token of Fortran has at least, on the average of a prompt
_WIDE = 6.5  # and at most


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked; `sample` numbers the questions that differ in nothing else."""

    system: str
    user: str
    model: str
    max_output: int
    temperature: float = 0.0
    seed: int = 0
    sample: int = 0

    @property
    def key(self) -> str:
        """The sha256 of all that the reply depends on: a question is paid for once."""
        return sha256(json.dumps(asdict(self), sort_keys=True).encode()).hexdigest()

    @property
    def prompt_hash(self) -> str:
        """The sha256 of the prompt alone."""
        return sha256(f"{self.system}\0{self.user}".encode()).hexdigest()

    @property
    def prompt_tokens(self) -> int:
        """Tokens that the prompt has at most, by our own estimate."""
        return most_tokens(self.system) + most_tokens(self.user)


class Finish(StrEnum):
    STOP = "stop"
    LENGTH = "length"  # cut off at `max_output`
    TOO_LONG = "too-long"  # cut off by us
    OTHER = "other"


@dataclass(frozen=True, slots=True)
class Said:
    """A reply that was paid for; `seconds` is how long it took, all tries together."""

    text: str
    model: str
    finish: Finish
    prompt_tokens: int
    completion_tokens: int
    counted: bool  # by the endpoint; else estimated
    choices: int = 1
    seconds: float = 0.0
    tries: int = 1
    lost_tokens: int = 0  # in tries that failed after something was sent

    @property
    def tokens(self) -> int:
        return self.prompt_tokens + self.completion_tokens + self.lost_tokens


class Failure(StrEnum):
    """What can go wrong with a call."""

    RATE = "too many requests"
    SERVER = "the endpoint failed"
    CONNECTION = "no connection"
    CUT = "the connection was cut"
    TIMEOUT = "no answer in time"
    MALFORMED = "the answer is no chat completion"
    EMPTY = "the answer is empty"
    CUT_PROMPT = "the endpoint read only a part of the prompt"
    REFUSED = "the endpoint refused the request"
    NOT_RECORDED = "no reply is recorded"


_AGAIN = frozenset(
    {
        Failure.RATE,
        Failure.SERVER,
        Failure.CONNECTION,
        Failure.CUT,
        Failure.TIMEOUT,
        Failure.MALFORMED,
        Failure.EMPTY,
    }
)


class Failed(Exception):
    """One try that gave no reply; `tokens` is what it may have cost.

    `problem` is what a user should be told where the provider knows better than its caller.
    """

    def __init__(
        self,
        failure: Failure,
        text: str,
        *,
        tokens: int = 0,
        wait: float | None = None,
        problem: Problem | None = None,
    ) -> None:
        super().__init__(f"{failure}: {text}")
        self.failure, self.text, self.tokens, self.wait = failure, text, tokens, wait
        self.problem = problem

    @property
    def again(self) -> bool:
        """Whether the same call may succeed later."""
        return self.failure in _AGAIN


def most_tokens(text: str) -> int:
    """An estimate from above of the tokens of a text."""
    return int(len(text) / _NARROW) + 1


def least_tokens(text: str) -> int:
    """An estimate from below; runs of blanks count as one character."""
    return int(len(re.sub(r"\s+", " ", text)) / _WIDE)
