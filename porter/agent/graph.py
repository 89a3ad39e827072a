"""The flow of a migration: survey, consult, plan, draft, assemble, examine, review, land."""

from collections.abc import Sequence
from typing import TypeAlias, cast

from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.base import BaseCheckpointSaver
from langgraph.graph import END, START, StateGraph
from langgraph.graph.state import CompiledStateGraph
from langgraph.types import Command
from langsmith import tracing_context

from acclimate.porter.agent.artefacts import Landed
from acclimate.porter.agent.assemble import after_assembly, assemble
from acclimate.porter.agent.checkpoints import checkpoints
from acclimate.porter.agent.consult import consult
from acclimate.porter.agent.draft import draft, every_unit
from acclimate.porter.agent.examine import examine, forget_examinations
from acclimate.porter.agent.job import Job, Step
from acclimate.porter.agent.land import land
from acclimate.porter.agent.outcome import Outcome, gather
from acclimate.porter.agent.plan import plan
from acclimate.porter.agent.review import after_review, present, review
from acclimate.porter.agent.standing import Recorder
from acclimate.porter.agent.state import Migration
from acclimate.porter.agent.survey import survey
from acclimate.porter.agent.turn_back import after_examination, turn_back
from acclimate.porter.keeping.store import Missing

Flow: TypeAlias = CompiledStateGraph[Migration, Job, Migration, Migration]
LONGEST = 400  # supersteps: attempts of six stages, those at models' edits among them


def wired(saver: "BaseCheckpointSaver[str]") -> Flow:
    """The graph, checkpointed after every stage and every drafted unit."""
    graph = StateGraph(Migration, context_schema=Job)
    graph.add_node("survey", survey)
    graph.add_node("consult", consult)
    graph.add_node("plan", plan)
    graph.add_node("draft", draft)
    graph.add_node("assemble", assemble)
    graph.add_node("examine", examine)
    graph.add_node("turn_back", turn_back)
    graph.add_node("present", present)
    graph.add_node("review", review)
    graph.add_node("land", land)
    graph.add_edge(START, "survey")
    graph.add_edge("survey", "consult")
    graph.add_edge("consult", "plan")
    graph.add_conditional_edges("plan", every_unit, ["draft", "assemble"])
    graph.add_edge("draft", "assemble")
    graph.add_conditional_edges("assemble", after_assembly, ["examine", "consult"])
    following = {"turn_back": "turn_back", "review": "present"}
    graph.add_conditional_edges("examine", after_examination, following)  # type: ignore[arg-type]
    graph.add_edge("present", "review")
    graph.add_edge("turn_back", "consult")
    graph.add_conditional_edges("review", after_review, ["consult", "land"])
    graph.add_edge("land", END)
    return graph.compile(checkpointer=saver)


def migrate(job: Job, *, landing: bool, fresh: bool) -> tuple[Outcome, Landed | None]:
    """Run a migration, or what is left of it; `landing` False stops before anything is landed.

    Nothing is landed either where a review is asked for and nobody has decided yet. Nothing is
    sent anywhere: tracing by the graph library is off whatever the environment says.

    Raises:
        Problem: the model cannot be read, built or run, or the place cannot be used.
    """
    with checkpoints(job.work) as saver, tracing_context(enabled=False):
        if fresh:
            saver.delete_thread(job.key)
            forget_examinations(job)
        try:
            return _Run(wired(saver), job).climb(landing=landing)
        except Missing:  # the store lost an artefact that a checkpoint names
            saver.delete_thread(job.key)
            return _Run(wired(saver), job).climb(landing=landing)


class _Run:
    """One process's part in a migration."""

    def __init__(self, flow: Flow, job: Job) -> None:
        self._flow, self._job = flow, job
        self._recorder = Recorder(job.work, job.key, job.command)
        self._config: RunnableConfig = {
            "configurable": {"thread_id": job.key},
            "max_concurrency": job.workers,
            "recursion_limit": LONGEST,
        }

    def climb(self, *, landing: bool) -> tuple[Outcome, Landed | None]:
        before = self._next()
        self._recorder.begin(self._state())
        if before:
            self._job.tell(Step("resume", f"at {', '.join(before)}"))
        if not self._state():
            self._go_on(Migration(attempt=0))
        elif before not in ((), ("land",)) and not (before == ("review",) and self._job.reviewed):
            self._go_on(None)
        landing = landing and self._decided()
        if landing:
            self._land()
        state = self._state()
        key = state.get("landed")
        landed = self._job.store.get(key, Landed) if landing and key else None
        return gather(self._job.manifest.root, state, self._job.store), landed

    def _decided(self) -> bool:
        """Ask for decisions until one lets something land; False where there is none yet."""
        decide = self._job.decide
        if decide is None:
            return True
        if self._next() != ("review",):
            if self._state().get("reviewed"):
                return True
            self._go_on(None, behind="present")
        while self._next() == ("review",):
            self._recorder.wait()
            decision = decide(self._state().get("answered", ""))
            if decision is None:
                return False
            self._go_on(Command(resume=dict(decision)))
        return bool(self._state().get("reviewed"))

    def _land(self) -> None:
        """Land what was examined, unless it stands where it is wanted already."""
        key = self._state().get("landed")
        held = key and self._job.place.holds(self._job.store.get(key, Landed))
        if not self._next() and held:
            self._job.tell(Step("land", "nothing has changed since the port landed"))
            return
        self._go_on(None, behind="" if self._next() else "review", stop=[])

    def _go_on(
        self,
        given: "Migration | Command[str] | None",
        *,
        behind: str = "",
        stop: Sequence[str] = ("land",),
    ) -> None:
        """Run up to the stages in `stop`, from behind the stage `behind` if one is named."""
        if behind:
            self._flow.update_state(self._config, {}, as_node=behind)
        steps = self._flow.stream(
            given,
            self._config,
            context=self._job,
            stream_mode="updates",
            interrupt_before=stop,
            durability="sync",
        )
        for step in steps:
            for stage, update in step.items():
                if not stage.startswith("__"):
                    self._recorder.follow(stage, update)

    def _next(self) -> tuple[str, ...]:
        return tuple(sorted(set(self._flow.get_state(self._config).next)))

    def _state(self) -> Migration:
        return cast(Migration, self._flow.get_state(self._config).values)
