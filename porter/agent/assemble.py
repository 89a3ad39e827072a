"""Assemble: put the drafted rewrites together into the files that change."""

from langgraph.runtime import Runtime

from acclimate.porter.agent.artefacts import Author, Planned, Tree
from acclimate.porter.agent.job import Job, Step
from acclimate.porter.agent.state import Migration
from acclimate.porter.engine import assemble as assembled


def assemble(state: Migration, runtime: Runtime[Job]) -> Migration:
    job = runtime.context
    index, store = job.index(), job.store
    plan = job.plan(state.get("turned_back", {}))
    planned = store.get(state["planned"], Planned)
    answers = [store.get(state["drafts"][unit], Author) for unit in planned.units]
    rewrites = [answer.rewrite for answer in answers if answer.rewrite is not None]
    files = assembled(plan, rewrites, index)
    changed = {
        file: store.put_bytes(content)
        for file, content in sorted(files.items())
        if index.project.texts.get(file) != content
    }
    job.tell(Step("assemble", f"{len(changed)} files change", 1, 1))
    return {"tree": store.put(Tree(changed), Tree)}
