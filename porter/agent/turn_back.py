"""Turn back: what failed becomes feedback, and the units it names return to their original."""

from langgraph.runtime import Runtime

from acclimate.porter.agent.blame import findings
from acclimate.porter.agent.job import Job, Step
from acclimate.porter.agent.outcome import Outcome, gather
from acclimate.porter.agent.state import Migration
from acclimate.porter.rewrite import Feedback

ATTEMPTS = 3


def turn_back(state: Migration, runtime: Runtime[Job]) -> Migration:
    """Turn back the units that failing evidence names; all that were changed after the last
    attempt, or where nothing that was changed is named."""
    job = runtime.context
    outcome = gather(job.manifest.root, state, job.store)
    rewritten = changed_units(outcome)
    failed = findings(
        outcome.examination.assessment.evidence,
        outcome.survey.units,
        outcome.line_map,
    )
    named = rewritten & failed.keys()
    if not named or state["attempt"] >= ATTEMPTS:
        named = rewritten
    overall = failed.get("", ())
    job.tell(Step("turn back", ", ".join(sorted(named)), 1, 1))
    return {
        "turned_back": {
            unit: job.store.put(
                Feedback(unit, state["attempt"], failed.get(unit, overall)), Feedback
            )
            for unit in sorted(named)
        }
    }


def changed_units(outcome: Outcome) -> set[str]:
    """Units of the last attempt whose author changed something."""
    return {
        unit
        for unit, answer in outcome.answers.items()
        if answer.rewrite is not None and answer.rewrite.edits
    }


def after_examination(state: Migration) -> str:
    """A rejected port goes back while there is something to turn back; all else is reviewed."""
    return "turn_back" if state["mendable"] and state["attempt"] <= ATTEMPTS else "review"
