"""Consult: a model is asked about the units that rules refuse, until its edits may be tried.

What is tried was read by two parsers, its claims were confirmed by the analysis, and with it the
plan has more loops on the device than without. Whether it is right is for `examine` to say.
"""

from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace

from langgraph.runtime import Runtime

from acclimate.analysis.problems import Problem
from acclimate.porter.agent.artefacts import Consultation
from acclimate.porter.agent.choice import not_asked
from acclimate.porter.agent.job import Job, Step
from acclimate.porter.agent.preparation import Edits, Prepared, together
from acclimate.porter.agent.state import Draft, Migration
from acclimate.porter.agent.trial import trial_objections
from acclimate.porter.author.consultant import Consultant, Heard
from acclimate.porter.author.prompt import Desk
from acclimate.porter.author.task import Task, tasks
from acclimate.porter.rewrite import Feedback


def consult(state: Migration, runtime: Runtime[Job]) -> Migration:
    """Ask about new units once, and again about those that there is advice or a wish on.

    Raises:
        Problem: a call gave no reply, or a cap of the budget is reached; what was paid for is kept.
    """
    job = runtime.context
    if job.consultant is None:
        return {}
    before = {u: job.store.get(k, Consultation) for u, k in state.get("consulted", {}).items()}
    advice = {u: job.store.get(k, Feedback) for u, k in state.get("advice", {}).items()}
    wishes = {u: job.store.get(k, Feedback) for u, k in state.get("wishes", {}).items() if k}
    round_ = _Round(job, job.consultant, tuple(state.get("turned_back", {})), dict(before))
    round_.take(advice, wishes)
    round_.settle()
    changed = {u: c for u, c in round_.now.items() if before.get(u) != c}
    found = {u: job.store.put(c, Consultation) for u, c in changed.items()}
    return Migration(consulted=found, wishes=dict.fromkeys(wishes, ""))


def edits_of(consulted: Mapping[str, Consultation]) -> Edits:
    """All that models have changed."""
    return together(consulted[unit].edits for unit in sorted(consulted))


def consultations(state: Migration | Draft, job: Job) -> dict[str, Consultation]:
    """What models have made of the units that they were asked about."""
    return {u: job.store.get(k, Consultation) for u, k in state.get("consulted", {}).items()}


@dataclass(slots=True)
class _Round:
    """One visit of the stage: `now` is what has become of each unit so far."""

    job: Job
    consultant: Consultant
    turned_back: tuple[str, ...]
    now: dict[str, Consultation]
    waiting: dict[str, tuple[str, ...]] = field(default_factory=dict)  # unit: what was wrong
    tasks: dict[str, Task] = field(default_factory=dict)

    def take(self, advice: Mapping[str, Feedback], wishes: Mapping[str, Feedback]) -> None:
        """Find the units to ask about: new ones, those whose last edits failed, and those that
        people want otherwise."""
        self._give_up()
        index, choice = self.job.index(), self.job.choice
        leave = not_asked(index, choice).union(self.turned_back)
        plan = self.job.plan(self.turned_back)
        every = choice.author.startswith("model")
        self.tasks = {t.unit: t for t in tasks(plan, index, leave, everything=every)}
        for unit in self.tasks:
            if unit not in self.now:
                self.now[unit] = Consultation(unit, self.consultant.settings.model, 0, 0)
                self.waiting[unit] = wishes[unit].findings if unit in wishes else ()
            elif unit in wishes:
                self._wish(unit, wishes[unit].findings)
            elif unit in advice and advice[unit].attempt == self.now[unit].turn:
                self._reject(unit, advice[unit].findings)

    def _give_up(self) -> None:
        """What people keep on the host keeps no edits of a model."""
        for unit in self.turned_back:
            was = self.now.get(unit)
            if was is not None and was.edits:
                self.now[unit] = replace(was, turn=was.turn + 1, edits=(), spare=(), closed=True)

    def _wish(self, unit: str, said: Sequence[str]) -> None:
        """Ask once more, whatever was tried before: a person wants to see another attempt."""
        was = self.now[unit]
        history = was.history + tuple(f"attempt {was.asked}: {text}" for text in said)
        self.now[unit] = replace(
            was, turn=was.turn + 1, edits=(), spare=(), history=history, closed=False
        )
        self.waiting[unit] = tuple(said)

    def settle(self) -> None:
        """Ask until nobody waits; each unit is asked a limited number of times."""
        while self.waiting:
            asked = dict(self.waiting)
            self.waiting.clear()
            for unit, heard in self._ask(asked):
                self._hear(unit, heard)
            self._try([unit for unit in asked if self.now[unit].edits])

    def _ask(self, asked: Mapping[str, Sequence[str]]) -> Iterator[tuple[str, Heard]]:
        desk = self._desk()
        with ThreadPoolExecutor(max(1, self.consultant.settings.calls)) as pool:
            futures = {
                unit: pool.submit(
                    self.consultant.ask,
                    self.tasks[unit],
                    desk,
                    self.now[unit].asked + 1,
                    wrong,
                    self.now[unit].previous,
                )
                for unit, wrong in asked.items()
            }
            failed: list[Problem] = []
            for unit, future in futures.items():
                try:
                    heard = future.result()
                except Problem as problem:  # the others' replies are paid for: let them come in
                    failed.append(problem)
                    continue
                self.job.tell(Step("consult", f"{unit}: attempt {self.now[unit].asked + 1}"))
                yield unit, heard
        if failed:
            raise failed[-1]

    def _desk(self) -> Desk:
        return self.job.desk(self.turned_back)

    def _hear(self, unit: str, heard: Heard) -> None:
        was = self.now[unit]
        self.now[unit] = replace(
            was,
            turn=was.turn + 1,
            asked=was.asked + 1,
            edits=heard.candidates[0] if heard.candidates else (),
            spare=heard.candidates[1:],
            contracts=heard.contracts,
            previous=heard.previous,
            closed=heard.hopeless,
        )
        if not heard.candidates:
            self._fail(unit, heard.objections)

    def _reject(self, unit: str, why: Sequence[str]) -> None:
        """The candidate that was tried is wrong: try a spare one, else ask again."""
        was = self.now[unit]
        rejected = tuple(f"attempt {was.asked}: {text}" for text in why)
        if was.spare:
            self.now[unit] = replace(
                was,
                turn=was.turn + 1,
                edits=was.spare[0],
                spare=was.spare[1:],
                history=was.history + rejected,
            )
            self._try([unit])
            return
        self.now[unit] = replace(was, turn=was.turn + 1, edits=())
        self._fail(unit, why)

    def _fail(self, unit: str, why: Sequence[str]) -> None:
        """Ask again, or leave the unit as it was where the model has had its chances."""
        was = self.now[unit]
        history = was.history + tuple(f"attempt {was.asked}: {text}" for text in why)
        closed = was.closed or was.asked >= self.consultant.settings.attempts
        self.now[unit] = replace(was, history=history, closed=closed, edits=(), spare=())
        if not closed:
            self.waiting[unit] = tuple(why)

    def _try(self, units: Sequence[str]) -> None:
        """Read and plan the model with all edits; units that object lose theirs."""
        if not units:
            return
        edits = edits_of(self.now)
        prepared: Prepared = self.job.prepared(edits)
        found = trial_objections(self.job, prepared, units, self.turned_back)
        for unit in units:
            if unit in found:
                self._reject(unit, found[unit])
