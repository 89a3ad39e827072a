"""Draft: ask the author for one unit's rewrite; one task per unit, independent of the others."""

from langgraph.runtime import Runtime
from langgraph.types import Send

from acclimate.porter.agent.artefacts import Answer, Planned
from acclimate.porter.agent.consult import consultations, edits_of
from acclimate.porter.agent.job import Job, Step
from acclimate.porter.agent.state import Draft, Migration
from acclimate.porter.engine import propose
from acclimate.porter.rewrite import Feedback, Rewrite


def draft(state: Draft, runtime: Runtime[Job]) -> Migration:
    job, unit = runtime.context, state["unit"]
    edits = edits_of(consultations(state, job))
    plan = job.plan(state["turned_back"], edits)
    # In a unit that was turned back only data directives are left, which are the plan's own.
    author = propose if unit in plan.excluded else job.author
    noted = state["feedback"].get(unit) if author is job.author else None
    feedback = job.store.get(noted, Feedback) if noted else None
    said = author(plan, unit, job.prepared(edits).index, feedback)
    answer = Answer(rewrite=said) if isinstance(said, Rewrite) else Answer(refusal=said)
    job.tell(Step("draft", unit, 1, state["total"]))
    return {"drafts": {unit: job.store.put(answer, Answer)}}


def every_unit(state: Migration, runtime: Runtime[Job]) -> list[Send] | str:
    """One `draft` task per planned unit; straight to `assemble` where there is none."""
    units = runtime.context.store.get(state["planned"], Planned).units
    turned_back, feedback = state.get("turned_back", {}), state.get("feedback", {})
    consulted = state.get("consulted", {})
    tasks = [
        Send(
            "draft",
            Draft(
                unit=unit,
                turned_back=turned_back,
                feedback=feedback,
                consulted=consulted,
                total=len(units),
            ),
        )
        for unit in units
    ]
    return tasks or "assemble"
