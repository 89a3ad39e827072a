"""The port run with the emulated device, and its findings as evidence."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from posixpath import normpath

from acclimate.analysis.tree.namelist_edits import NamelistEdits
from acclimate.verifier.evidence import Evidence, Light, Outcome
from acclimate.verifier.running.code_places import Place
from acclimate.verifier.running.emulation import (
    NOTHING_LEFT_OUT,
    EmulationSummary,
    Finding,
    LeftOut,
    Runtime,
    read_summary,
    reports,
)
from acclimate.verifier.running.runs import Run
from acclimate.verifier.subject import Length, Subject

_SHOWN = 20
_ORDER = ("race-", "out-of-bounds", "section-overrun")  # the findings that are not about data


@dataclass(frozen=True, slots=True)
class EmulatedRun:
    """A run and what each process reported; no report: no OpenACC construct was reached."""

    run: Run
    summaries: tuple[EmulationSummary, ...]

    @property
    def launches(self) -> int:
        return sum(summary.launches for summary in self.summaries)

    @property
    def reached(self) -> tuple[tuple[str, int], ...]:
        """File and line of every construct that any process launched."""
        places = {place_of(k.at) for summary in self.summaries for k in summary.kernels}
        return tuple(sorted((file, line) for file, line in places if file and line))

    @property
    def findings(self) -> tuple[Finding, ...]:
        """All findings, with files relative to the model's root."""
        return tuple(_tidy(finding) for summary in self.summaries for finding in summary.findings)


def emulate(
    subject: Subject,
    runtime: Runtime,
    executable: Path,
    name: str,
    poison: int,
    *,
    length: Length = Length.SHORT,
    slower: float = 20.0,
    edits: NamelistEdits | None = None,
    left_out: LeftOut = NOTHING_LEFT_OUT,
    environment: Mapping[str, str] | None = None,
) -> EmulatedRun:
    """Run `executable` with the runtime in front of libgomp; `edits` replace those of `length`."""
    report = subject.work / "reports" / f"{name}.json"
    report.parent.mkdir(parents=True, exist_ok=True)
    for old in (report, *report.parent.glob(f"{report.name}.*")):
        old.unlink(missing_ok=True)
    run = subject.run(
        executable,
        name,
        length,
        environment={
            **runtime.environment(report.resolve(), poison, left_out),
            **(environment or {}),
        },
        slower=slower,
        edits=edits,
    )
    found = (read_summary(path) for path in reports(report))
    return EmulatedRun(run, tuple(summary for summary in found if summary is not None))


def place_of(at: Place | None) -> tuple[str | None, int | None]:
    """File relative to the model's root, and line."""
    return (normpath(at.file), at.line) if at else (None, None)


def _tidy(finding: Finding) -> Finding:
    def place(at: Place | None) -> Place | None:
        return replace(at, file=normpath(at.file)) if at else None

    return replace(
        finding,
        at=place(finding.at),
        writer=place(finding.writer),
        mapped_at=place(finding.mapped_at),
    )


def is_race(finding: Finding) -> bool:
    """Whether a finding speaks of races and bounds rather than of data movement."""
    return finding.kind.startswith(_ORDER)


def findings_as_evidence(check: str, findings: Iterable[Finding]) -> Iterator[Evidence]:
    """Errors fail their light at the place where they were seen; the rest is said."""
    seen: set[tuple[str, Place | None]] = set()
    ordered = sorted(findings, key=lambda f: (not f.error, f.at is None))
    for finding in ordered:
        key = (finding.kind, finding.at)
        if key in seen or len(seen) == _SHOWN:
            continue
        seen.add(key)
        file, line = place_of(finding.at or finding.writer)
        light = Light.RACES if is_race(finding) else Light.DATA
        yield Evidence(
            check,
            light,
            Outcome.FAILS if finding.error else Outcome.INCONCLUSIVE,
            f"{finding.kind}: {finding.message}",
            figure=finding.count,
            limit=0,
            unit="times",
            file=file,
            line=line,
            decisive=False,
        )
