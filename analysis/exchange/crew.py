"""Processes with a bench each. One that dies loses nothing: another does again what it had."""

import gc
import signal
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from multiprocessing import get_context
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from typing import Any, Protocol

from acclimate.analysis.dependence.pointing import Association
from acclimate.analysis.exchange.bench import Bench, Declared, Linked
from acclimate.analysis.exchange.outlines import Outline
from acclimate.analysis.problems import Kind, Problem
from acclimate.analysis.source import Lines

_ATTEMPTS = 2
_SECONDS = 600.0  # for one request; what takes longer is ended
_BY_ITSELF = "ended with status"


@dataclass(frozen=True, slots=True)
class Request:
    """One call of a method of `Bench`; `about` is what a person calls it."""

    method: str
    arguments: tuple[object, ...]
    about: str
    named: Mapping[str, object] = field(default_factory=dict)


class Source(Protocol):
    """Where requests come from: `following` for a worker by number, None: none at present."""

    def following(self, worker: int) -> Request | None: ...

    def finished(self, worker: int, request: Request, result: Any) -> None: ...

    def given_up(self, request: Request, reason: str) -> None:
        """It ended the process more than once.

        Raises:
            Problem: the work cannot go on without it.
        """

    def again(self, worker: int, request: Request) -> Request:
        """The request for a new process in the worker's place, which knows nothing."""
        ...


@dataclass(slots=True)
class _Worker:
    process: BaseProcess
    connection: Connection
    request: Request | None = None


class Alone:
    """This process, in the place of a crew."""

    def __init__(self, bench: Bench) -> None:
        self._bench = bench

    def link(self, outlines: Mapping[str, Outline]) -> Linked:
        return self._bench.link(outlines)

    def point(self, found: Sequence[Association], escaping: frozenset[str]) -> None:
        self._bench.point(found, escaping)

    def declared(self, variables: Sequence[Declared]) -> list[Lines]:
        return self._bench.declared(variables)

    def run(self, source: Source) -> None:
        """Do what the source wants until it has no more.

        Raises:
            Problem: as the bench says.
        """
        while (request := source.following(0)) is not None:
            method = getattr(self._bench, request.method)
            source.finished(0, request, method(*request.arguments, **request.named))


class Crew:
    """Worker processes, which start with what `bench` holds; use it as a context."""

    def __init__(self, bench: Bench, workers: int) -> None:
        self._bench = bench
        self._context = get_context("fork")
        self._workers: list[_Worker] = []
        self._told: list[Request] = []  # what every worker knows
        self._failures: dict[str, int] = {}
        for _ in range(workers):
            self._workers.append(self._started())

    def __enter__(self) -> "Crew":
        return self

    def __exit__(self, *exception: object) -> None:
        for worker in self._workers:
            worker.connection.close()
            worker.process.terminate()
        for worker in self._workers:
            worker.process.join()

    def _started(self) -> _Worker:
        ours, theirs = self._context.Pipe()
        others = [worker.connection for worker in self._workers] + [ours]
        process = self._context.Process(
            target=_serve, args=(theirs, others, self._bench), daemon=True
        )
        process.start()
        theirs.close()
        return _Worker(process, ours)

    def link(self, outlines: Mapping[str, Outline]) -> Linked:
        """Let every worker know all files."""
        found: Linked = self._everywhere("link", outlines)
        return found

    def point(self, found: Sequence[Association], escaping: frozenset[str]) -> None:
        """Let every worker know all pointer assignments and escapes."""
        self._everywhere("point", found, escaping)

    def declared(self, variables: Sequence[Declared]) -> list[Lines]:
        """Where variables are declared."""
        results: list[list[Lines]] = []
        request = Request("declared", (variables,), "the whole model")
        self.run(_Everywhere(request, 1, results))
        return results[0]

    def _everywhere(self, method: str, *arguments: object) -> Any:
        request = Request(method, arguments, "the whole model")
        results: list[Any] = []
        self.run(_Everywhere(request, len(self._workers), results))
        self._told.append(request)
        return results[0]

    def run(self, source: Source) -> None:
        """Work until the source has no more requests and all are finished.

        Raises:
            Problem: as the source or a bench says.
        """
        while True:
            for number, worker in enumerate(self._workers):
                if worker.request is None:
                    self._send(number, source)
            busy = {w.connection: n for n, w in enumerate(self._workers) if w.request is not None}
            if not busy:
                return
            ready = wait(list(busy), _SECONDS)
            for connection in ready or list(busy):
                assert isinstance(connection, Connection)
                self._receive(busy[connection], source, is_late=not ready)

    def _send(self, number: int, source: Source) -> None:
        worker = self._workers[number]
        request = source.following(number)
        if request is None:
            return
        worker.request = request
        try:
            worker.connection.send((request.method, request.arguments, request.named))
        except OSError:
            self._replace(number, source, "it has ended")

    def _receive(self, number: int, source: Source, *, is_late: bool) -> None:
        worker = self._workers[number]
        request = worker.request
        assert request is not None
        if is_late:
            worker.process.kill()
            self._replace(number, source, f"stopped after {_SECONDS:.0f} s")
            return
        try:
            is_done, result = worker.connection.recv()
        except (EOFError, OSError):
            worker.process.join()
            self._replace(number, source, _ending(worker.process.exitcode))
            return
        if not is_done:
            raise result
        worker.request = None
        source.finished(number, request, result)

    def _replace(self, number: int, source: Source, reason: str) -> None:
        """Put a new process in the place of one that has ended."""
        old = self._workers[number]
        request = old.request
        assert request is not None
        old.connection.close()
        old.process.join()
        failures = self._failures[request.about] = self._failures.get(request.about, 0) + 1
        new = self._workers[number] = self._started()
        request = source.again(number, request)
        for told in self._told:
            new.connection.send((told.method, told.arguments, told.named))
            new.connection.recv()
        if failures >= _ATTEMPTS:
            source.given_up(request, reason)
            return
        new.request = request
        new.connection.send((request.method, request.arguments, request.named))


def _ending(code: int | None) -> str:
    if code is not None and code < 0:
        return f"ended by signal {signal.Signals(-code).name}"
    return f"{_BY_ITSELF} {code}"


def _serve(connection: Connection, others: Sequence[Connection], bench: Bench) -> None:
    for other in others:
        other.close()
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the command tells its workers itself
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    gc.disable()  # see dependence.collection
    while True:
        try:
            method, arguments, named = connection.recv()
        except EOFError:
            return
        try:
            connection.send((True, getattr(bench, method)(*arguments, **named)))
        except Problem as problem:
            connection.send((False, problem))


class _Everywhere:
    """One request for every worker."""

    def __init__(self, request: Request, workers: int, results: list[Any]) -> None:
        self._request = request
        self._missing = set(range(workers))
        self._results = results

    def following(self, worker: int) -> Request | None:
        return self._request if worker in self._missing else None

    def finished(self, worker: int, request: Request, result: Any) -> None:
        self._missing.discard(worker)
        self._results.append(result)

    def given_up(self, request: Request, reason: str) -> None:
        raise ended(request.about, reason)

    def again(self, worker: int, request: Request) -> Request:
        return request


def ended(about: str, reason: str) -> Problem | RuntimeError:
    """A process that was ended is the user's trouble, one that ended by itself a bug of ours."""
    what = f"the analysis of {about} could not be finished: its process {reason}"
    without = "leave the file out of [model] sources"
    if reason.startswith(_BY_ITSELF):
        return RuntimeError(f"{what}; its traceback stands above. To go on, {without}")
    return Problem(what, kind=Kind.ENVIRONMENT, hint=f"give it more memory, or {without}")
