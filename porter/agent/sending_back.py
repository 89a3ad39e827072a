"""What goes back: a model's edits to the model with advice, all else to the host."""

from collections.abc import Mapping, Set

from acclimate.porter.agent.artefacts import Consultation
from acclimate.porter.agent.consult import consultations
from acclimate.porter.agent.job import Job
from acclimate.porter.agent.state import Migration
from acclimate.porter.rewrite import Feedback


def sent_back(
    found: Mapping[str, tuple[str, ...]],
    state: Migration,
    job: Job,
    plausible: Set[str] = frozenset(),
) -> Migration:
    """The change of state for units that failed, each with its findings.

    Where a model changed one of them, only models' units go back, and the attempt does not count:
    without their edits the others may be right. `plausible` are wrong ones that plain runs do not
    tell from the original.
    """
    now = consultations(state, job)
    models = {unit for unit in found if unit in now and now[unit].edits}
    if models:
        return {
            "attempt": state["attempt"] - 1,
            "advice": {
                u: _advice(u, now[u], found[u], job, u in plausible) for u in sorted(models)
            },
        }
    return {"turned_back": {u: _kept(u, state["attempt"], found[u], job) for u in sorted(found)}}


def _advice(
    unit: str, said: Consultation, findings: tuple[str, ...], job: Job, plausible: bool
) -> str:
    job.note_evidence(unit, said.asked, findings, plausible=plausible)
    return _kept(unit, said.turn, findings, job)


def _kept(unit: str, attempt: int, findings: tuple[str, ...], job: Job) -> str:
    return job.store.put(Feedback(unit, attempt, findings), Feedback)
