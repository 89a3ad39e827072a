"""Plan: the order of units, without those the user or an earlier attempt took out."""

from langgraph.runtime import Runtime

from acclimate.porter.agent.artefacts import Planned
from acclimate.porter.agent.choice import left_out
from acclimate.porter.agent.job import Job, Step
from acclimate.porter.agent.state import Migration


def plan(state: Migration, runtime: Runtime[Job]) -> Migration:
    job = runtime.context
    steps = job.plan(state.get("turned_back", {}))
    planned = Planned(tuple(steps.units), tuple(sorted(left_out(job.index(), job.choice))))
    attempt = state["attempt"] + 1
    job.tell(Step("plan", f"{len(planned.units)} units in dependency order", 1, 1))
    return {"planned": job.store.put(planned, Planned), "attempt": attempt}
