"""From what a migration found and made to what its report says."""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Any

from acclimate.analysis.facts import LoopFacts
from acclimate.porter.agent.branch import head_commit
from acclimate.porter.agent.identity import tool_version
from acclimate.porter.agent.outcome import Outcome, unified
from acclimate.porter.asking.spending import Spent, spent_by_unit
from acclimate.verifier.evidence import Light
from acclimate.verifier.evidence import Outcome as Held
from acclimate.verifier.ladder import Examination
from acclimate.verifier.toolchains import Build, toolchain
from acclimate.workflows.reporting.model import (
    AskedRow,
    Change,
    Figures,
    Finding,
    Provenance,
    Report,
)
from acclimate.workflows.reporting.units import Rows

NO_DEVICE = "host emulation of a discrete device; device run: not run"


def reported(outcome: Outcome, journal: Iterable[dict[str, Any]] = ()) -> Report:
    """The report on an examined port; `journal` are the lines of a model's journal."""
    survey, examination = outcome.survey, outcome.examination
    assessment = examination.assessment
    rows = Rows(outcome)
    units = tuple(map(rows.row, survey.units))
    report = Report(
        model=survey.name,
        verdict=assessment.verdict,
        lights={light.value: assessment.lights[light.value] for light in Light},
        device=NO_DEVICE if assessment.lights["device"] != Held.HOLDS else "run on a device",
        figures=_figures(examination, [k.executed for unit in units for k in unit.kernels]),
        units=units,
        loops=dict(Counter(loop.verdict.value for loop in survey.loops).most_common()),
        decisions=outcome.planned.loops,
        findings=tuple(_findings(outcome, rows)),
        transfers=tuple(
            sorted((t for t in examination.transfers if t.count), key=lambda t: -t.bytes)
        ),
        evidence=assessment.evidence,
        changes=tuple(_change(outcome, file) for file in sorted(outcome.tree.changed)),
        provenance=_provenance(outcome),
        guessed=survey.guessed,
        left_out=outcome.planned.left_out,
        attempts=outcome.attempts,
        asked=tuple(_asked(outcome, spent_by_unit(journal))),
        reviewers=outcome.reviewers,
        reviewed=outcome.decided,
        files=_files(outcome),
    )
    # That a program equals itself is no evidence on a port.
    unproved = report.verdict == "accept" and report.nothing_ported
    return replace(report, verdict="inconclusive") if unproved else report


def _figures(examination: Examination, executed: list[bool]) -> Figures:
    return Figures(
        kernel_share=examination.kernel_share,
        launches_per_step=examination.launches_per_step,
        bytes_per_step=examination.bytes_per_step,
        basis=examination.per_step_basis,
        kernels=len(executed),
        kernels_executed=sum(executed),
        seconds=_seconds(examination),
    )


def _seconds(examination: Examination) -> float | None:
    """CPU time of the run with a separate device memory, the emulation's own left out."""
    totals = examination.totals
    if "processor_seconds" not in totals:
        return None
    return max(0.0, totals["processor_seconds"] - totals["runtime_seconds"])


def _findings(outcome: Outcome, rows: Rows) -> Iterator[Finding]:
    """What failed (lines of the original), could not be read, or has no switch though wanted."""
    for item in outcome.examination.assessment.evidence:
        if item.outcome is not Held.FAILS:
            continue
        text = f"{item.check}: {item.message}"
        if item.file is None or item.line is None:
            yield Finding(text)
        else:
            yield Finding(text, item.file, rows.line_map(item.file).original(item.line))
    for problem in outcome.survey.problems:
        yield Finding(problem.reason, problem.at.file, problem.at.first)
    for switch in outcome.planned.switches:
        if switch.refusal is not None:
            text = f"'{switch.unit}' has no switch: {switch.refusal.reason}"
            yield Finding(text, switch.refusal.at.file, switch.refusal.at.first)
    for loop in outcome.survey.loops:
        yield from _of_source(loop)


def _of_source(loop: LoopFacts) -> Iterator[Finding]:
    """Promises the verdict on a loop rests on, hints, and directives it contradicts."""
    at = loop.at
    for condition in loop.conditions:
        if condition.promise is not None:
            text = f"the verdict rests on a promise at {condition.promise}: {condition.detail}"
            yield Finding(text, at.file, at.first)
    for hint in loop.hints:
        if hint.word == "skip":
            yield Finding(f"left alone by the hint at {hint.at}", at.file, at.first)
    for found in loop.findings:
        text = f"the source says `{found.claim}`, but {found.detail}"
        yield Finding(text, found.at.file, found.at.first)


def _asked(outcome: Outcome, spent: dict[str, Spent]) -> Iterator[AskedRow]:
    """A row for each unit that a model was asked about, with what it took."""
    for unit, said in sorted(outcome.consulted.items()):
        took = spent.get(unit, Spent())
        yield AskedRow(
            unit=unit,
            model=said.model,
            attempts=said.asked,
            calls=took.calls,
            prompt_tokens=took.prompt_tokens,
            output_tokens=took.output_tokens,
            cost=took.cost,
            stands=bool(said.edits),
            last="" if said.edits else "".join(said.history[-1:]),
        )


def _change(outcome: Outcome, file: str) -> Change:
    diff = list(unified(file, outcome.original(file), outcome.ported(file)))
    body = diff[2:]
    return Change(
        file,
        added=sum(line.startswith(b"+") for line in body),
        removed=sum(line.startswith(b"-") for line in body),
        diff=_decoded(b"".join(diff)),
    )


def _decoded(text: bytes) -> str:
    try:
        return text.decode()
    except UnicodeDecodeError:
        return text.decode("latin-1")


def _provenance(outcome: Outcome) -> Provenance:
    tool, evidence = toolchain("gfortran"), outcome.examination.assessment.evidence
    return Provenance(
        tool=tool_version(),
        commit=head_commit(outcome.root),
        compiler=outcome.survey.compiler,
        flags=(*outcome.survey.flags, *tool.always, *tool.flags[Build.HOST]),
        seeds=tuple(sorted({item.seed for item in evidence if item.seed is not None})),
    )


def _files(outcome: Outcome) -> dict[str, str]:
    """The sha256 of every file of the port; a symbolic link is named by its target."""
    files = outcome.survey.files.items()
    kept = {name: f"link:{file.link}" if file.link else file.sha256 for name, file in files}
    return kept | outcome.tree.changed
