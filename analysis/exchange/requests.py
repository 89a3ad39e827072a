"""What is asked of a crew, and in which order."""

from collections import deque
from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass, field

from acclimate.analysis.dependence.cycles import cycles
from acclimate.analysis.dependence.records import Overlap
from acclimate.analysis.exchange.bench import Edges, UnitSummary, UnitVerdicts
from acclimate.analysis.exchange.crew import Request, ended
from acclimate.analysis.exchange.outlines import Outline, unread
from acclimate.analysis.exchange.parts import KeptUnit

_EDGES_AT_ONCE = 20  # units


class Reading:
    """Reads files, the largest first; a file that ends its reader twice is left out and told."""

    def __init__(self, sizes: Mapping[str, int]) -> None:
        self._waiting = deque(sorted(sizes, key=lambda file: (-sizes[file], file)))
        self.outlines: dict[str, Outline] = {}
        self.owners: dict[str, int] = {}

    def following(self, worker: int) -> Request | None:
        if not self._waiting:
            return None
        file = self._waiting.popleft()
        return Request("read", (file,), file)

    def finished(self, worker: int, request: Request, result: Outline) -> None:
        self.outlines[request.about] = result
        self.owners[request.about] = worker

    def given_up(self, request: Request, reason: str) -> None:
        self.outlines[request.about] = unread(request.about, f"the reader {reason}")

    def again(self, worker: int, request: Request) -> Request:
        return request


class Tracing:
    """Finds the edges of units, each in the process that has its statements."""

    def __init__(self, homes: Mapping[str, str], owners: Mapping[str, int]) -> None:
        self._waiting: dict[int, deque[str]] = {}
        for name, file in homes.items():
            self._waiting.setdefault(owners.get(file, 0), deque()).append(name)
        self.edges: dict[str, Edges] = {}

    def following(self, worker: int) -> Request | None:
        own = self._waiting.get(worker)
        if not own:
            return None
        names = [own.popleft() for _ in range(min(_EDGES_AT_ONCE, len(own)))]
        return Request("edges", (names,), ", ".join(names))

    def finished(self, worker: int, request: Request, result: list[Edges]) -> None:
        names = request.arguments[0]
        assert isinstance(names, list)
        self.edges.update(zip(names, result, strict=True))

    def given_up(self, request: Request, reason: str) -> None:
        raise ended(request.about, reason)

    def again(self, worker: int, request: Request) -> Request:
        return request


@dataclass(slots=True)
class _Step:
    """A group of units to be summarised, or one unit to be judged."""

    names: tuple[str, ...]
    is_summary: bool
    needs: tuple[str, ...]  # units whose summaries it rests on
    missing: int = 0
    waiting_for_it: list["_Step"] = field(default_factory=list)


class Analysing:
    """Summaries, callees first, and verdicts as soon as the summaries they rest on are there.

    A verdict rests on the summaries of those that are called, and on what the callers pass. What
    is `known` of a unit is taken as it is, unless the unit is `stale`, or one of the summaries that
    were asked for has become another one, or the calls of it have; `repointed` says that pointers
    are associated in another way than before.
    """

    def __init__(
        self,
        callees: Mapping[str, Sequence[str]],
        contained: Mapping[str, Sequence[str]],
        owners: Mapping[str, int],
        known: Mapping[str, KeptUnit],
        stale: Set[str],
        *,
        repointed: bool,
    ) -> None:
        self._owners, self._known, self._repointed = owners, known, repointed
        self._callers = _callers(callees)
        self._groups = _groups(callees)
        self._stale = set(stale)
        for name, group in self._groups.items():
            if name not in known or known[name].circle != group:
                self._stale.add(name)
        self._changed: set[str] = set()  # units with another summary than before
        self.summaries: dict[str, UnitSummary] = {}
        self.verdicts: dict[str, UnitVerdicts] = {}
        self._sent: dict[int, set[str]] = {}
        self._ready: dict[int, tuple[deque[_Step], deque[_Step]]] = {}
        self._running: dict[tuple[str, str], _Step] = {}
        for step in [s for s in _steps(callees, contained, self._groups) if not s.missing]:
            self._take(step)

    def circle(self, name: str) -> tuple[str, ...]:
        """The units that call each other in a circle with this one; empty: there is none."""
        return self._groups[name]

    def _take(self, step: _Step) -> None:
        """What the step rests on is there: use what is known, or put it in a queue."""
        waiting = [step]
        while waiting:
            step = waiting.pop()
            if self._must_be_done(step):
                owner = self._owners.get(step.names[0], 0)
                summaries, verdicts = self._ready.setdefault(owner, (deque(), deque()))
                (summaries if step.is_summary else verdicts).append(step)
            elif step.is_summary:
                self.summaries.update((name, self._known[name].summary) for name in step.names)
                waiting += self._released(step)
            else:
                self.verdicts[step.names[0]] = self._known[step.names[0]].verdicts

    def _must_be_done(self, step: _Step) -> bool:
        if not self._stale.isdisjoint(step.names):
            return True
        kept = [self._known[name] for name in step.names]
        if step.is_summary:
            return any(not self._changed.isdisjoint(unit.summary.asked) for unit in kept)
        verdicts = kept[0].verdicts
        return (
            not self._changed.isdisjoint(verdicts.asked)
            or (self._repointed and verdicts.pointed)
            or self._overlaps(step.names[0]) != verdicts.overlaps
        )

    def _overlaps(self, name: str) -> tuple[Overlap, ...]:
        """Calls of the unit with arguments that share storage."""
        known_as = _qualified(name)
        return tuple(
            overlap
            for caller in self._callers.get(known_as, ())
            for overlap in self.summaries[caller].overlaps
            if overlap.callee == known_as
        )

    def _released(self, step: _Step) -> list[_Step]:
        for other in step.waiting_for_it:
            other.missing -= 1
        return [other for other in step.waiting_for_it if not other.missing]

    # --- as a source of requests -----------------------------------------------------------------

    def following(self, worker: int) -> Request | None:
        step = self._next(worker)
        return None if step is None else self._request(worker, step)

    def _next(self, worker: int) -> _Step | None:
        """Its own summaries, its own verdicts, then what others have too much of."""
        for queue in self._ready.get(worker, ()):
            if queue:
                return queue.popleft()
        others = [queue for queues in self._ready.values() for queue in queues]
        longest: deque[_Step] = max(others, key=len, default=deque())
        return longest.pop() if longest else None

    def _request(self, worker: int, step: _Step) -> Request:
        sent = self._sent.setdefault(worker, set())
        tables = {name: self.summaries[name].table for name in step.needs if name not in sent}
        sent.update(tables)
        about = step.names[0]
        method = "summarise" if step.is_summary else "judge"
        self._running[method, about] = step
        if not step.is_summary:
            return Request(method, (about, tables, self._overlaps(about)), about)
        sent.update(step.names)
        circle = {"circle": bool(self._groups[about])}
        return Request(method, (step.names, tables), about, circle)

    def finished(self, worker: int, request: Request, result: object) -> None:
        step = self._running.pop((request.method, request.about))
        if isinstance(result, UnitVerdicts):
            self.verdicts[step.names[0]] = result
            return
        assert isinstance(result, list)
        for name, summary in zip(step.names, result, strict=True):
            self.summaries[name] = summary
            before = self._known.get(name)
            if before is None or before.summary.digest != summary.digest:
                self._changed.add(name)
        for released in self._released(step):
            self._take(released)

    def given_up(self, request: Request, reason: str) -> None:
        raise ended(request.about, reason)

    def again(self, worker: int, request: Request) -> Request:
        self._sent[worker] = set()
        return self._request(worker, self._running[request.method, request.about])


def _groups(callees: Mapping[str, Sequence[str]]) -> dict[str, tuple[str, ...]]:
    """The members of the call cycle that each unit is in; empty for most."""
    groups: dict[str, tuple[str, ...]] = dict.fromkeys(callees, ())
    for members in cycles(callees):
        groups.update((name, tuple(sorted(members))) for name in members)
    return groups


def _steps(
    callees: Mapping[str, Sequence[str]],
    contained: Mapping[str, Sequence[str]],
    groups: Mapping[str, tuple[str, ...]],
) -> list[_Step]:
    """All that is to be done, each step knowing how many others come before it."""
    summaries: dict[str, _Step] = {}
    for name, members in groups.items():
        if name not in summaries:
            group = members or (name,)
            needs = dict.fromkeys(c for member in group for c in callees[member])
            step = _Step(group, True, tuple(need for need in needs if need not in group))
            summaries.update(dict.fromkeys(group, step))
    verdicts = [
        _Step((name,), False, tuple(dict.fromkeys((*callees[name], *contained[name]))))
        for name in callees
    ]
    callers = _callers(callees)
    steps = [*{id(step): step for step in summaries.values()}.values(), *verdicts]
    for step in steps:
        first = list(step.needs)
        if not step.is_summary:
            first += callers.get(_qualified(step.names[0]), ())
        before = {id(summaries[name]): summaries[name] for name in first}
        step.missing = len(before)
        for other in before.values():
            other.waiting_for_it.append(step)
    return steps


def _callers(callees: Mapping[str, Sequence[str]]) -> dict[str, list[str]]:
    """Who calls the units of each qualified name, in the order of units."""
    found: dict[str, list[str]] = {}
    for caller, called in callees.items():
        for name in dict.fromkeys(map(_qualified, called)):
            found.setdefault(name, []).append(caller)
    return found


def _qualified(name: str) -> str:
    """The qualified name of a unit that may be one of several of that name."""
    return name.partition("@")[0]
