"""Land: put the port where the user wants it, with the documents that speak of it."""

from langgraph.runtime import Runtime

from acclimate.porter.agent.artefacts import Landed
from acclimate.porter.agent.job import Job, Step
from acclimate.porter.agent.outcome import gather
from acclimate.porter.agent.state import Migration


def land(state: Migration, runtime: Runtime[Job]) -> Migration:
    job = runtime.context
    outcome = gather(job.manifest.root, state, job.store)
    landed = job.place.put(outcome, job.publish(outcome), job.key)
    job.tell(Step("land", landed.place, 1, 1))
    return {"landed": job.store.put(landed, Landed)}
