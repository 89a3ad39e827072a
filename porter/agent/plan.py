"""Plan: the order of units, without those the user or an earlier attempt took out."""

from collections import Counter
from collections.abc import Set

from langgraph.runtime import Runtime

from acclimate.analysis.facts import LoopFacts
from acclimate.analysis.index import ProjectIndex
from acclimate.analysis.switches import VARIABLE
from acclimate.porter.agent.artefacts import Planned
from acclimate.porter.agent.choice import left_out
from acclimate.porter.agent.consult import consultations, edits_of
from acclimate.porter.agent.job import Job, Step
from acclimate.porter.agent.state import Migration
from acclimate.porter.plan import LoopState, PortPlan


def plan(state: Migration, runtime: Runtime[Job]) -> Migration:
    job = runtime.context
    edits = edits_of(consultations(state, job))
    steps = job.plan(state.get("turned_back", {}), edits)
    without = left_out(job.index(), job.choice)
    planned = Planned(
        units=steps.changed_units,
        left_out=tuple(sorted(without)),
        routines=steps.routines,
        refusals={unit.unit: unit.refusals for unit in steps.units if unit.refusals},
        loops=_became(steps, job.prepared(edits).index, without),
        kernels=steps.kernels,
        residency=steps.residency,
        brackets=steps.updates,
        switches=steps.switches,
    )
    attempt = state["attempt"] + 1
    job.tell(Step("plan", f"units to change, in dependency order: {len(planned.units)}", 1, 1))
    if job.choice.switches:
        switched = sum(switch.refusal is None for switch in steps.switches)
        job.tell(Step("plan", f"units with a switch: {switched} ({VARIABLE}=NAME,... or all)"))
    return {"planned": job.store.put(planned, Planned), "attempt": attempt}


def _became(steps: PortPlan, index: ProjectIndex, without: Set[str]) -> dict[str, int]:
    """How many loops there are by what becomes of each; array statements count as loops.

    Array statements on data that no kernel writes are not decided on: they stay on the host.
    """
    states = {loop.at: loop.state for loop in steps.loops}

    def state(loop: LoopFacts) -> str:
        if loop.unit in without:
            return "left-out"
        undecided = "array-on-host" if loop.kind == "array" else LoopState.REFUSED
        return str(states.get(loop.at, undecided))

    return dict(Counter(map(state, index.loops)))
