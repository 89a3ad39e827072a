"""Draft: ask the author for one unit's rewrite; one task per unit, independent of the others."""

from langgraph.runtime import Runtime
from langgraph.types import Send

from acclimate.porter.agent.artefacts import Author, Planned
from acclimate.porter.agent.job import Job, Step
from acclimate.porter.agent.state import Draft, Migration
from acclimate.porter.engine import propose
from acclimate.porter.rewrite import Feedback, Rewrite


def draft(task: Draft, runtime: Runtime[Job]) -> Migration:
    job, unit = runtime.context, task["unit"]
    key = task["turned_back"].get(unit)
    feedback = job.store.get(key, Feedback) if key else None
    answer = propose(job.plan(task["turned_back"]), unit, job.index(), feedback)
    author = Author(rewrite=answer) if isinstance(answer, Rewrite) else Author(refusal=answer)
    job.tell(Step("draft", unit, 1, task["total"]))
    return {"drafts": {unit: job.store.put(author, Author)}}


def every_unit(state: Migration, runtime: Runtime[Job]) -> list[Send] | str:
    """One `draft` task per planned unit; straight to `assemble` where there is none."""
    units = runtime.context.store.get(state["planned"], Planned).units
    turned_back = state.get("turned_back", {})
    tasks = [
        Send("draft", Draft(unit=unit, turned_back=turned_back, total=len(units))) for unit in units
    ]
    return tasks or "assemble"
