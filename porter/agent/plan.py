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
    without = left_out(job.index(), job.choice)
    planned = Planned(
        units=steps.changed_units,
        left_out=tuple(sorted(without)),
        routines=steps.routines,
        refusals={unit.unit: unit.refusals for unit in steps.units if unit.refusals},
        loops=dict(
            Counter(
                "left-out" if loop.unit in without else loop.state.value for loop in steps.loops
            )
        ),
    )
    attempt = state["attempt"] + 1
    job.tell(Step("plan", f"units to change, in dependency order: {len(planned.units)}", 1, 1))
    return {"planned": job.store.put(planned, Planned), "attempt": attempt}
