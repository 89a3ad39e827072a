"""Survey: read the model once and keep what later stages and the report need of it."""

from langgraph.runtime import Runtime

from acclimate.analysis.graph.ranking import rank_procedures
from acclimate.analysis.index import ProjectIndex
from acclimate.analysis.view.includes import included_files
from acclimate.porter.agent.artefacts import Survey, SurveyedUnit
from acclimate.porter.agent.job import Job, Step
from acclimate.porter.agent.state import Migration


def survey(state: Migration, runtime: Runtime[Job]) -> Migration:
    job = runtime.context
    job.tell(Step("survey", "reading the model"))
    index = job.index()
    found = surveyed(index, job)
    for file in found.sources:
        job.store.put_bytes(index.project.texts[file])
    for file in sorted(included_files(job.manifest, index.project.texts)):
        job.store.put_bytes((job.manifest.root / file).read_bytes())
    job.tell(Step("survey", f"units: {len(found.units)}, loops: {len(found.loops)}", 1, 1))
    return {"surveyed": job.store.put(found, Survey)}


def surveyed(index: ProjectIndex, job: Job) -> Survey:
    """The survey of an indexed model."""
    return Survey(
        name=job.manifest.name,
        files=dict(job.files),
        sources=tuple(sorted(index.project.texts)),
        units=tuple(
            SurveyedUnit(name, unit.kind.value, unit.at, unit.end)
            for name, unit in sorted(
                index.project.units.items(), key=lambda item: (item[1].at, item[0])
            )
        ),
        loops=index.loops,
        problems=index.problems,
        compiler=job.machine,
        flags=job.manifest.flags,
        guessed=job.manifest.guessed,
        scores={rank.name: rank.score for rank in rank_procedures(index.procedures)},
    )
