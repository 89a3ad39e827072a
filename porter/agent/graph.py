"""The flow of a migration: survey, plan, draft, assemble, examine, turn back or land."""

from typing import TypeAlias, cast

from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.base import BaseCheckpointSaver
from langgraph.graph import END, START, StateGraph
from langgraph.graph.state import CompiledStateGraph
from langsmith import tracing_context

from acclimate.porter.agent.artefacts import Landed
from acclimate.porter.agent.assemble import after_assembly, assemble
from acclimate.porter.agent.checkpoints import checkpoints
from acclimate.porter.agent.draft import draft, every_unit
from acclimate.porter.agent.examine import examine, forget_examinations
from acclimate.porter.agent.job import Job, Step
from acclimate.porter.agent.land import land
from acclimate.porter.agent.outcome import Outcome, gather
from acclimate.porter.agent.plan import plan
from acclimate.porter.agent.state import Migration
from acclimate.porter.agent.survey import survey
from acclimate.porter.agent.turn_back import after_examination, turn_back
from acclimate.porter.store import Missing

Flow: TypeAlias = CompiledStateGraph[Migration, Job, Migration, Migration]
LONGEST = 40  # supersteps: four attempts of five stages, and room for stages to come


def wired(saver: "BaseCheckpointSaver[str]") -> Flow:
    """The graph, checkpointed after every stage and every drafted unit."""
    graph = StateGraph(Migration, context_schema=Job)
    graph.add_node("survey", survey)
    graph.add_node("plan", plan)
    graph.add_node("draft", draft)
    graph.add_node("assemble", assemble)
    graph.add_node("examine", examine)
    graph.add_node("turn_back", turn_back)
    graph.add_node("land", land)
    graph.add_edge(START, "survey")
    graph.add_edge("survey", "plan")
    graph.add_conditional_edges("plan", every_unit, ["draft", "assemble"])
    graph.add_edge("draft", "assemble")
    graph.add_conditional_edges("assemble", after_assembly, ["examine", "plan"])
    graph.add_conditional_edges("examine", after_examination, ["turn_back", "land"])
    graph.add_edge("turn_back", "plan")
    graph.add_edge("land", END)
    return graph.compile(checkpointer=saver)


def migrate(job: Job, *, landing: bool, fresh: bool) -> tuple[Outcome, Landed | None]:
    """Run a migration, or what is left of it; `landing` False stops before anything is landed.

    Nothing is sent anywhere: tracing by the graph library is off whatever the environment says.

    Raises:
        Problem: the model cannot be read, built or run, or the place cannot be used.
    """
    with checkpoints(job.work) as saver, tracing_context(enabled=False):
        if fresh:
            saver.delete_thread(job.key)
            forget_examinations(job)
        flow = wired(saver)
        try:
            return _climb(flow, job, landing)
        except Missing:  # the store lost an artefact that a checkpoint names
            saver.delete_thread(job.key)
            return _climb(flow, job, landing)


def _climb(flow: Flow, job: Job, landing: bool) -> tuple[Outcome, Landed | None]:
    config: RunnableConfig = {
        "configurable": {"thread_id": job.key},
        "max_concurrency": job.workers,
        "recursion_limit": LONGEST,
    }
    before = flow.get_state(config)
    begin: Migration | None = None if before.values else Migration(attempt=0)
    if before.next:
        job.tell(Step("resume", f"at {', '.join(sorted(set(before.next)))}"))
    if before.next != ("land",) and (before.next or begin):
        flow.invoke(begin, config, context=job, interrupt_before=["land"], durability="sync")
    if landing:
        _land(flow, job, config)
    state = cast(Migration, flow.get_state(config).values)
    key = state.get("landed")
    landed = job.store.get(key, Landed) if landing and key else None
    return gather(job.manifest.root, state, job.store), landed


def _land(flow: Flow, job: Job, config: RunnableConfig) -> None:
    """Land what was examined, unless it stands where it is wanted already."""
    now = flow.get_state(config)
    key = now.values.get("landed")
    if not now.next and key and job.place.holds(job.store.get(key, Landed)):
        job.tell(Step("land", "nothing has changed since the port landed"))
        return
    if not now.next:
        flow.update_state(config, {}, as_node="examine")
    flow.invoke(None, config, context=job, durability="sync")
