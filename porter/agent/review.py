"""Review: a person decides what lands; the flow waits here, in this process or for another."""

from langgraph.runtime import Runtime
from langgraph.types import interrupt

from acclimate.porter.agent.job import Job, Step
from acclimate.porter.agent.state import Migration


def present(state: Migration) -> Migration:
    """Where a review begins: also one that is asked for when all was done already."""
    return {"asked_again": False}


def review(state: Migration, runtime: Runtime[Job]) -> Migration:
    """Pass on where no review was asked for; else wait for a `Decision` of `job.py`."""
    job = runtime.context
    if not job.reviewed:
        return {"asked_again": False}
    answer = interrupt({"tree": state["tree"], "examination": state["examination"]})
    job.tell(Step("review", answer["what"], 1, 1))
    if answer["what"] == "land":
        return {
            "answered": answer["name"],
            "reviewed": answer["reviewed"],
            "asked_again": False,
        }
    # A model hears what is said of its units; the rules would only refuse theirs.
    said, asked = answer["feedback"], state.get("consulted", {})
    return {
        "answered": answer["name"],
        "reviewed": "",
        "asked_again": True,
        "attempt": 0,
        "feedback": {unit: key for unit, key in said.items() if unit not in asked},
        "wishes": {unit: key for unit, key in said.items() if unit in asked},
        "turned_back": answer["turned_back"],
    }


def after_review(state: Migration) -> str:
    return "consult" if state.get("asked_again") else "land"
