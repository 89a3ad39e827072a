"""Any endpoint that speaks the chat-completions protocol: vLLM, Ollama, llama.cpp, hosted ones."""

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import httpx2
import openai
from openai.types.chat import ChatCompletionChunk

from acclimate.porter.asking.question import (
    Failed,
    Failure,
    Finish,
    Question,
    Said,
    most_tokens,
)
from acclimate.porter.reply.proposal import LARGEST

CONNECT, SILENCE, DEADLINE = 10.0, 120.0, 900.0  # s: to connect, between two pieces, in all


@dataclass(frozen=True, slots=True)
class Timing:
    """Seconds: to connect, of silence, of one whole call."""

    connect: float = CONNECT
    silence: float = SILENCE
    deadline: float = DEADLINE


@dataclass(frozen=True, slots=True)
class Capabilities:
    """What an endpoint can do; `window` is None where it does not tell."""

    models: tuple[str, ...]
    window: int | None
    tools: bool
    json_mode: bool


class Endpoint:
    """One endpoint and its key, which no text that leaves this class holds."""

    def __init__(
        self,
        url: str,
        key: str = "",
        timing: Timing = Timing(),  # noqa: B008 -- frozen
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._url, self._key, self._timing, self._clock = url, key, timing, clock
        self._client = openai.OpenAI(
            base_url=url,
            api_key=key or "none",
            max_retries=0,
            timeout=openai.Timeout(timing.silence, connect=timing.connect),
            # Nothing goes to an endpoint that the user did not name, nor anything but the prompt.
            http_client=openai.DefaultHttpxClient(follow_redirects=False),
            default_headers={"OpenAI-Organization": "", "OpenAI-Project": ""},
        )

    @property
    def name(self) -> str:
        return str(self._client.base_url.copy_with(userinfo=b"")).rstrip("/")

    def ask(self, question: Question, label: str) -> Said:
        """One streamed call; see `Provider.ask`."""
        began = self._clock()
        received: list[str] = []
        try:
            stream = self._begin(question)
            with stream:
                self._demand_stream(stream)
                return self._gathered(question, stream, received, began)
        except Failed as failed:
            tokens = failed.tokens or _spent(question, received)
            raise Failed(
                failed.failure, self._safe(failed.text), tokens=tokens, wait=failed.wait
            ) from None
        except openai.APIError as error:
            raise self._failed(error, question, received) from None
        except openai.OpenAIError as error:
            raise Failed(Failure.REFUSED, self._safe(str(error))) from None
        except ValueError as error:
            text = self._safe(f"not JSON: {error}")
            raise Failed(Failure.MALFORMED, text, tokens=_spent(question, received)) from None
        except httpx2.TimeoutException as error:
            spent = _spent(question, received)
            raise Failed(Failure.TIMEOUT, self._safe(repr(error)), tokens=spent) from None
        except (httpx2.HTTPError, httpx2.StreamError, OSError) as error:
            spent = _spent(question, received)
            raise Failed(Failure.CUT, self._safe(repr(error)), tokens=spent) from None

    def _begin(self, question: Question) -> openai.Stream[ChatCompletionChunk]:
        return self._client.chat.completions.create(
            model=question.model,
            messages=[
                {"role": "system", "content": question.system},
                {"role": "user", "content": question.user},
            ],
            max_tokens=question.max_output,
            temperature=question.temperature,
            seed=question.seed + question.sample,
            stream=True,
            stream_options={"include_usage": True},
            extra_headers={"Idempotency-Key": question.key},
        )

    def _demand_stream(self, stream: openai.Stream[ChatCompletionChunk]) -> None:
        kind = stream.response.headers.get("content-type", "")
        if "event-stream" not in kind:
            head = stream.response.read()[:80].decode("latin-1")
            raise Failed(Failure.MALFORMED, f"content of type '{kind}': {head!r}", tokens=0)

    def _gathered(
        self,
        question: Question,
        stream: openai.Stream[ChatCompletionChunk],
        received: list[str],
        began: float,
    ) -> Said:
        finish, model, usage, choices = "", question.model, None, 1
        for chunk in self._within(stream, began):
            model = chunk.model or model
            usage = chunk.usage or usage
            for choice in chunk.choices or ():
                choices = max(choices, choice.index + 1)
                if choice.index == 0:
                    received.append(choice.delta.content or "")
                    finish = choice.finish_reason or finish
            if sum(map(len, received)) > LARGEST:
                return _said(question, model, "", Finish.TOO_LONG, received, None, choices)
        if not finish:
            raise Failed(Failure.CUT, "the stream ended before the reply did")
        text = "".join(received)
        if not text.strip():
            raise Failed(Failure.EMPTY, f"finish_reason '{finish}'")
        known = {"stop": Finish.STOP, "length": Finish.LENGTH}
        return _said(
            question, model, text, known.get(finish, Finish.OTHER), received, usage, choices
        )

    def _within(
        self, stream: openai.Stream[ChatCompletionChunk], began: float
    ) -> Iterator[ChatCompletionChunk]:
        for chunk in stream:
            if self._clock() - began > self._timing.deadline:
                said = f"the reply was not whole after {self._timing.deadline:.0f} s"
                raise Failed(Failure.TIMEOUT, said)
            if not isinstance(chunk, ChatCompletionChunk):
                raise Failed(Failure.MALFORMED, "a piece of the stream is no completion")
            yield chunk

    def _failed(self, error: openai.APIError, question: Question, received: list[str]) -> Failed:
        text = self._safe(str(error))[:500]
        if isinstance(error, openai.APITimeoutError):
            return Failed(Failure.TIMEOUT, text, tokens=_spent(question, received))
        if isinstance(error, openai.APIConnectionError):
            return Failed(Failure.CONNECTION, text)
        if not isinstance(error, openai.APIStatusError):
            return Failed(Failure.MALFORMED, text, tokens=_spent(question, received))
        if error.status_code == 429:
            return Failed(Failure.RATE, text, wait=_retry_after(error))
        if error.status_code >= 500 or error.status_code in (408, 409):
            return Failed(Failure.SERVER, text)
        return Failed(Failure.REFUSED, f"{error.status_code}: {text}")

    def _safe(self, text: str) -> str:
        return text.replace(self._key, "***") if self._key else text

    def probe(self, model: str) -> Capabilities:
        """What the endpoint can do, by asking it; costs two calls of a few tokens.

        Raises:
            Failed: it does not answer at all.
        """
        try:
            offered = list(self._client.models.list())
        except openai.OpenAIError as error:
            raise Failed(Failure.CONNECTION, self._safe(str(error))) from None
        own = next((m for m in offered if m.id == model), None)
        given: dict[str, Any] = dict(own.model_extra or {}) if own else {}
        sizes = [given.get(name) for name in ("max_model_len", "context_length", "context_window")]
        window = next((size for size in sizes if isinstance(size, int)), None)
        tool = {"type": "function", "function": {"name": "noop", "parameters": {"type": "object"}}}
        return Capabilities(
            models=tuple(m.id for m in offered),
            window=window,
            tools=self._takes(model, tools=[tool]),
            json_mode=self._takes(model, response_format={"type": "json_object"}),
        )

    def _takes(self, model: str, **extra: Any) -> bool:
        try:
            self._client.chat.completions.create(
                model=model,
                messages=[{"role": "user", "content": "Reply with {} in JSON."}],
                max_tokens=4,
                extra_body=extra,
            )
        except (openai.OpenAIError, ValueError):
            return False
        return True


def _said(
    question: Question,
    model: str,
    text: str,
    finish: Finish,
    received: list[str],
    usage: Any,
    choices: int,
) -> Said:
    """A reply with the endpoint's count of tokens where it gives one, ours where it does not."""
    prompt = getattr(usage, "prompt_tokens", None)
    output = getattr(usage, "completion_tokens", None)
    counted = isinstance(prompt, int) and isinstance(output, int)
    if not counted:
        prompt, output = question.prompt_tokens, most_tokens("".join(received))
    return Said(text, model, finish, prompt, output, counted, choices)  # type: ignore[arg-type]


def _spent(question: Question, received: list[str]) -> int:
    """What a try may have cost that failed after the prompt was sent."""
    return question.prompt_tokens + most_tokens("".join(received))


def _retry_after(error: openai.APIStatusError) -> float | None:
    try:
        return max(0.0, float(error.response.headers.get("retry-after", "")))
    except ValueError:
        return None
