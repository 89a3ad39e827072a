"""Plan: the order of units, without those the user or an earlier attempt took out."""

from collections import Counter

from langgraph.runtime import Runtime

from acclimate.porter.agent.artefacts import Planned
from acclimate.porter.agent.choice import left_out
from acclimate.porter.agent.job import Job, Step
from acclimate.porter.agent.state import Migration


def plan(state: Migration, runtime: Runtime[Job]) -> Migration:
    job = runtime.context
    steps = job.plan(state.get("turned_back", {}))
    planned = Planned(
        units=steps.changed_units,
        left_out=tuple(sorted(left_out(job.index(), job.choice))),
        routines=steps.routines,
        refusals={unit.unit: unit.refusals for unit in steps.units if unit.refusals},
        loops=dict(Counter(loop.state.value for loop in steps.loops)),
    )
    attempt = state["attempt"] + 1
    job.tell(Step("plan", f"{len(planned.units)} units change, in dependency order", 1, 1))
    return {"planned": job.store.put(planned, Planned), "attempt": attempt}
