"""Assemble: put the drafted rewrites together into the files that change."""

from langgraph.runtime import Runtime

from acclimate.porter.agent.artefacts import Answer, Planned, Tree
from acclimate.porter.agent.job import Job, Step
from acclimate.porter.agent.state import Migration
from acclimate.porter.engine import assemble as assembled
from acclimate.porter.rewrite import Feedback


def assemble(state: Migration, runtime: Runtime[Job]) -> Migration:
    """Where an author refused a unit that the plan counts on, turn it back instead: the data of
    the others has to be planned again without it."""
    job = runtime.context
    planned = job.store.get(state["planned"], Planned)
    answers = {unit: job.store.get(state["drafts"][unit], Answer) for unit in planned.units}
    refused = {unit: answer.refusal for unit, answer in answers.items() if answer.refusal}
    if refused:
        job.tell(Step("assemble", f"the author refused {', '.join(refused)}"))
        feedback = {
            unit: Feedback(unit, state["attempt"], (refusal.reason,))
            for unit, refusal in refused.items()
        }
        return {
            "tree": "",
            "turned_back": {unit: job.store.put(f, Feedback) for unit, f in feedback.items()},
        }
    index = job.index()
    rewrites = {unit: answer.rewrite for unit, answer in answers.items() if answer.rewrite}
    files = assembled(job.plan(state.get("turned_back", {})), rewrites, index)
    changed = {
        file: job.store.put_bytes(content)
        for file, content in sorted(files.items())
        if index.project.texts.get(file) != content
    }
    job.tell(Step("assemble", f"{len(changed)} files change", 1, 1))
    return {"tree": job.store.put(Tree(changed), Tree)}


def after_assembly(state: Migration) -> str:
    return "examine" if state["tree"] else "plan"
