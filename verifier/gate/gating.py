"""The gate: build and run a port, and hold what it writes against the baseline, row by row."""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TypeVar

from acclimate.analysis.problems import Kind, Problem
from acclimate.verifier.building.build import Built
from acclimate.verifier.gate import baseline as baselines
from acclimate.verifier.gate.baseline import Baseline
from acclimate.verifier.gate.bench import Bench
from acclimate.verifier.gate.differences import is_numeric
from acclimate.verifier.gate.estimating import distances, run_from_first
from acclimate.verifier.gate.history import NO_STEP, History, selected
from acclimate.verifier.gate.judging import (
    Finding,
    Row,
    pointwise,
    statistical,
    strict,
    structure,
)
from acclimate.verifier.gate.replay import broken_off, by_variable, chosen_states, replayed
from acclimate.verifier.gate.settings import differing, settings_of
from acclimate.verifier.gate.tolerances import Check, Mode, Tolerances
from acclimate.verifier.outputs import Field
from acclimate.verifier.running.runs import Run
from acclimate.verifier.texts.source_file import all_files
from acclimate.verifier.toolchains import Build

T = TypeVar("T")


@dataclass(frozen=True)
class Reference:
    """A baseline with its kept output files, read."""

    baseline: Baseline
    folder: Path
    files: Mapping[str, bytes]
    fields: History


@dataclass(frozen=True)
class Gated:
    """What the gate found; `replays` counts saved states from which a step was compared.

    `apart` is how far the run is from the baseline, by step, as `estimating.distances` has it.
    """

    model: str
    mode: Mode
    baseline: Baseline
    rows: tuple[Row, ...]
    replays: int = 0
    horizon: int | None = None
    apart: Mapping[int, float] = field(default_factory=dict)
    told: History = field(default_factory=lambda: History({}))
    run: Run | None = None

    @property
    def failures(self) -> tuple[Row, ...]:
        """The rows that fail: the earliest step first, in it the largest excess and field."""
        failed = [row for row in self.rows if row.finding is Finding.FAILS]
        return tuple(
            sorted(
                failed,
                key=lambda r: (r.step is None, r.step or 0, -r.excess, -r.values, r.variable),
            )
        )

    @property
    def verdict(self) -> Finding:
        """Fails where a row does; holds where a row does; no power where none could tell."""
        findings = {row.finding for row in self.rows}
        if Finding.FAILS in findings or not findings:
            return Finding.FAILS
        return Finding.HOLDS if Finding.HOLDS in findings else Finding.NO_POWER

    @property
    def compared(self) -> int:
        return sum(row.values for row in self.rows)


def open_reference(folder: Path, scratch: Path) -> Reference:
    """Read a baseline and what it keeps.

    Raises:
        Problem: it is missing, damaged or of another version.
    """
    baseline = baselines.load(folder)
    files = baselines.contents(baseline, folder)
    fields = baselines.kept_history(baseline, files, scratch / baseline.identity)
    return Reference(baseline, folder, files, fields)


def make_baseline(bench: Bench, folder: Path, commit: str, keep: tuple[str, ...]) -> Baseline:
    """Build and run the reference and record what it wrote; `save` it to make it count.

    `keep` are globs of output files that are kept whole.

    Raises:
        Problem: the reference does not build, does not run to its end, or writes nothing readable.
    """
    settings = settings_of(bench.manifest, bench.toolchain, bench.edits)
    run = bench.run(bench.build(Build.PLAIN), "reference")
    if not run.ok or run.outputs.unreadable:
        broken = "; ".join(run.outputs.unreadable)
        why = f"left outputs that cannot be read: {broken}" if run.ok else run.ended
        raise Problem(
            f"the reference {why}.",
            kind=Kind.ENVIRONMENT,
            hint="a baseline can only be made of a model that runs: check [run] and [gate.run]",
        )
    return baselines.record(
        run,
        bench.history(run),
        settings=settings,
        origin=(bench.manifest.name, commit, sources_digest(bench)),
        folder=folder,
        keep=lambda name: selected(f"{name}:", tuple(f"{glob}:" for glob in keep)),
    )


def sources_digest(bench: Bench) -> str:
    """A hash of the names and bytes of all source files of the model."""
    digest = hashlib.sha256()
    for name, file in sorted(all_files(bench.manifest).items()):
        digest.update(name.encode() + b"\0" + hashlib.sha256(file.data).digest())
    return digest.hexdigest()[:16]


def check_comparable(bench: Bench, baseline: Baseline, tolerances: Tolerances) -> None:
    """Make sure that the port is built and run as the baseline was.

    Raises:
        Problem: it is not; numbers that differ would say nothing of the port.
    """
    now = settings_of(bench.manifest, bench.toolchain, bench.edits)
    found = differing(baseline.settings, now, tolerances.may_differ)
    if found:
        raise Problem(
            f"{bench.manifest.name} is not comparable with its baseline {baseline.identity}.",
            kind=Kind.ENVIRONMENT,
            notes=tuple(found),
            hint="build and run it as the baseline was, or make a new baseline: "
            "acclimate gate baseline update PATH --replace",
        )


def gate(
    bench: Bench,
    reference: Reference,
    tolerances: Tolerances,
    mode: Mode,
    patterns: tuple[str, ...] = ("*",),
) -> Gated:
    """Hold the port to the baseline.

    Raises:
        Problem: the two are not comparable, the port does not build, or a run reached a limit.
    """
    check_comparable(bench, reference.baseline, tolerances)
    built = bench.build(Build.HOST)
    run = bench.run(built, "port")
    blank = Gated(bench.manifest.name, mode, reference.baseline, (), run=run)
    if not run.ok:
        return replace(blank, rows=(Row("", "run", Finding.FAILS, f"the port {run.ended}"),))
    return judge(
        bench, built, replace(blank, told=bench.history(run)), reference, tolerances, patterns
    )


def judge(
    bench: Bench,
    built: Built,
    blank: Gated,
    reference: Reference,
    tolerances: Tolerances,
    patterns: tuple[str, ...],
) -> Gated:
    """Judge a run that came to its end; `blank` holds it."""
    baseline, told = reference.baseline, blank.told
    chosen = {
        name
        for name in baseline.variables.keys() | told.fields.keys()
        if selected(name, patterns) and not tolerances.ignores(name)
    }
    if not chosen & baseline.variables.keys():
        text = f"no variable of the baseline matches {', '.join(patterns)}"
        return replace(blank, rows=(Row("", "nothing compared", Finding.FAILS, text),))
    broken = structure(baseline, told, chosen, set(baseline.steps))
    whole = chosen & baseline.variables.keys() & told.fields.keys()
    whole -= {row.variable for row in broken}
    bits = strict(baseline, reference.fields, told, whole)
    exact = all(row.finding is Finding.HOLDS for row in bits)
    spec = bench.manifest.gate.state
    apart = distances(reference.fields, told, spec.prognostic if spec else ("*",))
    blank = replace(blank, apart=apart, horizon=tolerances.estimate.horizon)
    if blank.mode is Mode.STRICT or exact:
        return replace(blank, rows=(*broken, *bits))
    rows, replays, later = within_tolerance(bench, built, blank, reference, tolerances, whole)
    apart = distances(reference.fields, later, spec.prognostic if spec else ("*",))
    return replace(blank, rows=(*broken, *rows), replays=replays, apart=apart)


def within_tolerance(
    bench: Bench,
    built: Built,
    blank: Gated,
    reference: Reference,
    tolerances: Tolerances,
    whole: set[str],
) -> tuple[list[Row], int, History]:
    """Single steps first, then the run as far as it has power; and what that run told."""
    baseline, told, horizon = reference.baseline, blank.told, blank.horizon
    saved = bench.states(reference.files)
    replays = replayed(bench, built, reference.fields, chosen_states(saved), "replay")
    mine, theirs = by_variable(replays)
    rows = broken_off(replays, whole)
    rows += pointwise(Check.STEP, _only(mine, whole), _only(theirs, whole), tolerances, None)
    kept = reference.fields.fields
    if saved:
        run = run_from_first(bench, built, saved, baseline, "port-from-state")
        if not run.ok:
            rows.append(Row("", "run", Finding.FAILS, f"the port {run.ended}"))
            return rows, len(replays), told
        told = _from_state(bench.history(run), told, kept)
        rows += _not_reached(told, _only(kept, whole), saved[0].step)
    if blank.mode is Mode.TOLERANCE:
        rows += pointwise(
            Check.RUN, _only(kept, whole), _only(told.fields, whole), tolerances, horizon
        )
    rest = whole if blank.mode is Mode.STATISTICAL else whole - kept.keys()
    texts = {name for name in rest if not all(map(is_numeric, blank.told.fields[name].values()))}
    rows += strict(baseline, reference.fields, blank.told, texts)
    rest -= texts
    levels = baselines.level_statistics(baseline, reference.folder)
    rows += statistical(baseline, levels, told, rest & told.fields.keys(), tolerances, horizon)
    return rows, len(replays), told


def _from_state(later: History, told: History, kept: Mapping[str, Mapping[int, Field]]) -> History:
    """What a run from a state wrote; where it wrote less of a file than a whole run, that one's."""
    fields = dict(later.fields)
    for name, before in kept.items():
        if NO_STEP not in before or name not in told.fields:
            continue
        after = later.fields.get(name, {}).get(NO_STEP)
        if after is None or after.values.shape != before[NO_STEP].values.shape:
            fields[name] = told.fields[name]
    return History(fields)


def _not_reached(told: History, kept: Mapping[str, Mapping[int, Field]], first: int) -> list[Row]:
    """A row for each variable that a run from the first state does not write at all its steps."""
    rows = []
    for name, fields in kept.items():
        gone = {step for step in fields if step > first} - told.fields.get(name, {}).keys()
        if gone:
            text = "is not written by the run from the first saved state"
            rows.append(Row(name, Check.RUN, Finding.FAILS, text, step=min(gone)))
    return rows


def _only(fields: Mapping[str, T], names: set[str]) -> dict[str, T]:
    return {name: one for name, one in fields.items() if name in names}
