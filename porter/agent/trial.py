"""What the analysis and the plan say to a model's edits, before anything is built."""

from collections.abc import Sequence
from dataclasses import dataclass

from acclimate.analysis.index import ProjectIndex
from acclimate.analysis.problems import Problem
from acclimate.analysis.source import Lines
from acclimate.porter.agent.blame import unit_at
from acclimate.porter.agent.job import Job
from acclimate.porter.agent.preparation import Prepared
from acclimate.porter.agent.survey import surveyed
from acclimate.porter.author.claims import claim_objections
from acclimate.porter.plan import LoopState, PortPlan


def trial_objections(
    job: Job, prepared: Prepared, units: Sequence[str], turned_back: Sequence[str]
) -> dict[str, tuple[str, ...]]:
    """By unit: claims that the analysis does not confirm, then what the plan cannot use."""
    found: dict[str, tuple[str, ...]] = {}
    for unit in units:
        claims = list(dict.fromkeys(claim_objections(job.index(), prepared.index, unit)))
        if claims:
            found[unit] = tuple(f"{_quoted(prepared, o.at)}{o.text}" for o in claims)
    if found:
        return found
    try:
        after = job.plan(turned_back, prepared.edits)
    except Problem as problem:
        return _refused_by_plan(problem, job, prepared, units)
    before = job.plan(turned_back)
    for unit in units:
        was = work_of(before, job.index(), unit)
        now = work_of(after, prepared.index, unit)
        if not now.gains(was):
            found[unit] = _no_gain(after, prepared, unit)
    return found


def _refused_by_plan(
    problem: Problem, job: Job, prepared: Prepared, units: Sequence[str]
) -> dict[str, tuple[str, ...]]:
    """A kernel of the author's that the plan cannot place: its unit's, else of all."""
    said = ": ".join((problem.what, *problem.notes))
    named = None
    if problem.where is not None:
        root = prepared.index.manifest.root
        path = problem.where.path
        file = path.relative_to(root).as_posix() if path.is_absolute() else path.as_posix()
        named = unit_at(surveyed(prepared.index, job).units, file, problem.where.line)
    return {unit: (said,) for unit in units if named in (unit, None) or named not in units}


@dataclass(frozen=True, slots=True)
class Work:
    """Loops of a unit on the device; what is left to the host: loops, launches from within these,
    launches."""

    ported: int
    host: tuple[int, int, int]

    def gains(self, before: "Work") -> bool:
        """More loops run on the device, or some do and the host has less to do.

        A restructured unit may have fewer loops altogether.
        """
        return self.ported > before.ported or (self.ported > 0 and self.host < before.host)


def work_of(plan: PortPlan, index: ProjectIndex, unit: str) -> Work:
    ends = {loop.at: loop.end.last for loop in index.loops if loop.unit == unit}
    loops = [d for d in plan.loops if d.unit == unit]
    refused = [d.at for d in loops if d.state is LoopState.REFUSED]
    kernels = [d.at for d in loops if d.state is LoopState.OFFLOADED]
    inside = sum(r.first < k.first <= ends.get(r, 0) for k in kernels for r in refused)
    return Work(len(loops) - len(refused), (len(refused), inside, len(kernels)))


def _no_gain(plan: PortPlan, prepared: Prepared, unit: str) -> tuple[str, ...]:
    refused = [d for d in plan.loops if d.unit == unit and d.state is LoopState.REFUSED]
    texts = tuple(
        f"{_quoted(prepared, d.at)}still refused: {d.refusal.reason}" for d in refused if d.refusal
    )
    return ("no more loops run on the device than before", *texts)


def _quoted(prepared: Prepared, at: Lines | None) -> str:
    """A line of the author's version, as it stands there."""
    if at is None:
        return ""
    lines = prepared.index.project.texts[at.file].decode("latin-1").split("\n")
    return f"your `{lines[at.first - 1].strip()}`: "
