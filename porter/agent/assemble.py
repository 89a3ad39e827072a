"""Assemble: put the drafted rewrites together into the files that change."""

from collections.abc import Mapping

from langgraph.runtime import Runtime

from acclimate.porter.agent.artefacts import Answer, Planned, Tree
from acclimate.porter.agent.consult import consultations, edits_of
from acclimate.porter.agent.job import Job, Step
from acclimate.porter.agent.sending_back import sent_back
from acclimate.porter.agent.state import Migration
from acclimate.porter.engine import assemble as assembled
from acclimate.porter.invariant.legality import BrokenInvariant


def assemble(state: Migration, runtime: Runtime[Job]) -> Migration:
    """Where an author refused a unit that the plan counts on, or the assembled files break the
    invariant of residency, there is no tree: those units are turned back and planned around."""
    job = runtime.context
    planned = job.store.get(state["planned"], Planned)
    answers = {unit: job.store.get(state["drafts"][unit], Answer) for unit in planned.units}
    refused = {unit: (said.refusal.reason,) for unit, said in answers.items() if said.refusal}
    if refused:
        return _without(refused, state, job)
    consulted = edits_of(consultations(state, job))
    prepared, original = job.prepared(consulted), job.index().project.texts
    rewrites = {unit: said.rewrite for unit, said in answers.items() if said.rewrite}
    try:
        plan = job.plan(state.get("turned_back", {}), consulted)
        files = {**prepared.texts, **assembled(plan, rewrites, prepared.index)}
    except BrokenInvariant as broken:
        return _without(_named(broken, state, planned), state, job)
    changed = {
        file: job.store.put_bytes(content)
        for file, content in sorted(files.items())
        if original.get(file) != content
    }
    job.tell(Step("assemble", f"files to change: {len(changed)}", 1, 1))
    return {"tree": job.store.put(Tree(changed), Tree)}


def after_assembly(state: Migration) -> str:
    return "examine" if state["tree"] else "consult"


def _named(
    broken: BrokenInvariant, state: Migration, planned: Planned
) -> dict[str, tuple[str, ...]]:
    """What broke, by unit; all that changes where the units named are turned back already.

    Raises:
        BrokenInvariant: nothing is left to turn back.
    """
    before = state.get("turned_back", {}).keys()
    found: dict[str, tuple[str, ...]] = {}
    for violation in broken.violations:
        text = f"{violation.at}: {violation.message}"
        found[violation.unit] = (*found.get(violation.unit, ()), text)
    if found.keys() <= before:
        found = dict.fromkeys(planned.units, (str(broken),))
    if found.keys() <= before:
        raise broken
    return found


def _without(found: Mapping[str, tuple[str, ...]], state: Migration, job: Job) -> Migration:
    job.tell(Step("turn back", ", ".join(found), 1, 1))
    return Migration(tree="", **sent_back(found, state, job))
