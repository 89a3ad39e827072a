"""The analysis of a whole model."""

from dataclasses import dataclass

from acclimate.analysis.call_sites import call_sites, use_edges
from acclimate.analysis.dependence.intents import POSSIBLE, contradictions
from acclimate.analysis.dependence.judging import judge_loops
from acclimate.analysis.dependence.procedures import Summaries
from acclimate.analysis.facts import Finding, LoopFacts, UnitFacts
from acclimate.analysis.hints import check as check_hints
from acclimate.analysis.ir import Unit
from acclimate.analysis.kept_index import ModelFacts
from acclimate.analysis.manifest import Manifest
from acclimate.analysis.procedure_facts import procedure_facts
from acclimate.analysis.project import Project, project_of
from acclimate.analysis.source_texts import SourceTexts


@dataclass(frozen=True, slots=True)
class Analysed:
    """Facts, and the project they are facts of."""

    facts: ModelFacts
    project: Project


def analysed(manifest: Manifest, sources: SourceTexts) -> Analysed:
    """Read and judge everything in this process.

    Raises:
        Problem: a file needs the C preprocessor and there is none; a hint is none.
    """
    project = project_of(manifest, sources)
    check_hints(project)
    units = project.units.items()
    calls = {site for name, unit in units for site in call_sites(project, name, unit)}
    uses = [edge for name, unit in units for edge in use_edges(project, name, unit)]
    summaries = Summaries(project)
    loops = judge_loops(project, summaries)
    facts = ModelFacts(
        units=tuple(unit_facts(name, unit) for name, unit in units),
        loops=loops,
        calls=tuple(sorted(calls, key=lambda c: (c.at, c.caller, c.callee))),
        uses=tuple(sorted(uses, key=lambda u: (u.at, u.module))),
        problems=project.problems,
        procedures=procedure_facts(project, summaries, loops, calls),
        findings=_findings(project, summaries, loops),
    )
    return Analysed(facts, project)


def _findings(
    project: Project, summaries: Summaries, loops: tuple[LoopFacts, ...]
) -> tuple[Finding, ...]:
    """What the loops contradict, and what bodies say against the INTENT of their dummies."""
    found = [finding for loop in loops for finding in loop.findings]
    for unit in project.units.values():
        found += [f for f in contradictions(summaries.of(unit)) if f.kind != POSSIBLE]
    return tuple(sorted(found, key=lambda f: (f.at, f.kind, f.detail)))


def unit_facts(name: str, unit: Unit) -> UnitFacts:
    return UnitFacts(name, unit.kind.value, unit.at, unit.end, tuple(unit.args))
