"""`acclimate gate PATH`: build and run the port, hold it to the baseline, report."""

import argparse
import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from acclimate.analysis.problems import Kind, Problem
from acclimate.workflows._exit import Exit
from acclimate.workflows.gating.places import bench_of, reviewed_folder
from acclimate.workflows.reporting.gate_report import (
    WORST,
    GateReport,
    GateRow,
    Section,
    SpeedRow,
    as_json,
    number,
)
from acclimate.workflows.showing.delivery import check_target, deliver, deliver_json

if TYPE_CHECKING:
    from acclimate.analysis.tree.manifest import Manifest
    from acclimate.verifier.gate.bench import Bench
    from acclimate.verifier.gate.gating import Gated, Reference
    from acclimate.verifier.gate.judging import Row
    from acclimate.verifier.gate.tolerances import Tolerances

_FORMS = ("json", "markdown", "junit", "sarif", "html")


def judge(options: argparse.Namespace, path: Path) -> Exit:
    """Compare, and write every form of the report that was asked for."""
    from acclimate.analysis.tree.manifest import load_manifest
    from acclimate.verifier.gate import tolerances
    from acclimate.verifier.gate.gating import gate, open_reference
    from acclimate.verifier.gate.tolerances import Mode

    for form in _FORMS:
        if getattr(options, form):
            check_target(getattr(options, form))
    manifest = load_manifest(path)
    folder = reviewed_folder(options, path)
    with bench_of(manifest, path) as bench:
        reference = open_reference(folder, bench.work / "kept")
        allowed = tolerances.load(folder / tolerances.FILE)
        mode = Mode(options.mode) if options.mode else allowed.mode
        patterns = tuple(options.variables) or ("*",)
        if options.original:
            _check_original(options.original, bench, reference, manifest)
        found = gate(bench, reference, allowed, mode, patterns)
        report = _report(options, bench, found, reference, allowed, folder)
    _write(options, report, manifest)
    return Exit(report.exit)


def _check_original(
    path: Path, bench: "Bench", reference: "Reference", manifest: "Manifest"
) -> None:
    """Make sure that the original still is what the baseline holds.

    Raises:
        Problem: it gives other numbers; a port must not be held to a baseline nobody can make.
    """
    from acclimate.analysis.tree.manifest import load_manifest
    from acclimate.verifier.gate.gating import check_comparable
    from acclimate.verifier.gate.judging import Finding, strict, structure
    from acclimate.verifier.gate.tolerances import Tolerances
    from acclimate.verifier.toolchains import Build

    original = bench.with_manifest(load_manifest(path))
    check_comparable(original, reference.baseline, Tolerances())
    run = original.run(original.build(Build.PLAIN), "original")
    told = original.history(run)
    names = set(reference.baseline.variables) | set(told.fields)
    rows = structure(reference.baseline, told, names, set(reference.baseline.steps))
    if run.ok and not rows:
        rows = strict(reference.baseline, reference.fields, told, names)
    failing = [row for row in rows if row.finding is Finding.FAILS]
    if failing or not run.ok:
        said = [f"{row.variable}: {row.message}" for row in failing[:3]] or [run.ended]
        raise Problem(
            f"the original {path} does not give the numbers of the baseline.",
            kind=Kind.ENVIRONMENT,
            notes=tuple(said),
            hint="if that is meant, look at: acclimate gate baseline update ORIGINAL",
        )


def _report(
    options: argparse.Namespace,
    bench: "Bench",
    found: "Gated",
    reference: "Reference",
    allowed: "Tolerances",
    folder: Path,
) -> GateReport:
    from acclimate.verifier.gate import estimating, tolerances
    from acclimate.verifier.gate.judging import Finding
    from acclimate.verifier.gate.loosening import loosened

    baseline = reference.baseline
    file = folder / tolerances.FILE
    changes = loosened(file, options.against, bench.work)
    notes = list(_notes(found, allowed, reference))
    others = [row for row in found.rows if row.finding is not Finding.FAILS]
    speed, remarks = _speed(options, bench, reference, found)
    code = {
        Finding.HOLDS: Exit.SLOWER if any(row.slower for row in speed) else Exit.DONE,
        Finding.FAILS: Exit.REJECTED,
        Finding.NO_POWER: Exit.INCONCLUSIVE,
    }[found.verdict]
    words = {
        Exit.DONE: "accept",
        Exit.REJECTED: "reject",
        Exit.INCONCLUSIVE: "inconclusive",
        Exit.SLOWER: "slower",
    }
    return GateReport(
        model=found.model,
        outcome=words[code],
        exit=int(code),
        mode=found.mode,
        baseline=baseline.identity,
        commit=baseline.commit,
        made_with=f"{baseline.settings.compiler}, {' '.join(baseline.settings.flags)}",
        rows=tuple(_row(row) for row in (*found.failures, *others)),
        compared=found.compared,
        replays=found.replays,
        horizon=found.horizon,
        notes=(*notes, *remarks),
        loosened=tuple(
            f"{one.what}: {one.before} → {one.after} ({one.who or 'not committed'})"
            for one in changes
        ),
        speed=speed,
        apart=found.apart,
        members=estimating.load_ensemble(folder / estimating.FILE),
        section=_section(found, reference),
        command=_again(options),
    )


def _row(row: "Row") -> GateRow:
    return GateRow(
        row.variable,
        row.check,
        row.finding,
        row.message,
        row.step,
        row.place,
        row.figure,
        row.limit,
        row.excess,
        row.flips,
        row.steps,
        row.values,
    )


def _section(found: "Gated", reference: "Reference") -> Section | None:
    from acclimate.verifier.gate.section import worst_section

    plane = worst_section(found, reference)
    if plane is None:
        return None
    rows = tuple(tuple(float(v) for v in row) for row in plane.values)
    names = (f"index {plane.axes[0]}", f"index {plane.axes[1]}")
    return Section(plane.variable, plane.step, names, rows, plane.at)


def _notes(found: "Gated", allowed: "Tolerances", reference: "Reference") -> Iterator[str]:
    estimate = allowed.estimate
    if estimate.baseline and estimate.baseline != reference.baseline.identity:
        yield (
            f"the tolerances were estimated for baseline {estimate.baseline}, which is no longer"
            " the one in place"
        )
    yield from (f"'{one.variable}' is ignored: {one.reason}" for one in allowed.ignored)
    if allowed.may_differ:
        yield f"may differ from the baseline: {', '.join(allowed.may_differ)}"
    if found.horizon is not None:
        yield f"beyond step {found.horizon} a comparison of whole runs has no power"
    if found.run is not None and not found.run.outputs.fields:
        yield f"the run left nothing that can be read in {found.run.folder}"


def _speed(
    options: argparse.Namespace, bench: "Bench", reference: "Reference", found: "Gated"
) -> tuple[tuple[SpeedRow, ...], tuple[str, ...]]:
    """Times are only looked at where the numbers are right: others are the time of other work."""
    from acclimate.verifier.gate.judging import Finding
    from acclimate.verifier.gate.speed import compare_times

    before = reference.baseline.times
    if before is None or options.no_speed or found.verdict is Finding.FAILS:
        return (), ()
    told = compare_times(bench, before)
    rows = tuple(SpeedRow(r.name, r.ratio, r.noise, r.slower, r.seconds) for r in told.ratios)
    return rows, (f"speed was not compared: {told.reason}",) if told.reason else ()


def _again(options: argparse.Namespace) -> str:
    """The command line that does the same again, its forms of output apart."""
    words = ["acclimate", "gate", *options.words]
    words += ["--baseline", str(options.baseline)] if options.baseline else []
    words += ["--mode", options.mode] if options.mode else []
    for pattern in options.variables:
        words += ["--variables", pattern]
    words += ["--original", str(options.original)] if options.original else []
    return shlex.join(words)


def _write(options: argparse.Namespace, report: GateReport, manifest: "Manifest") -> None:
    from acclimate.workflows.reporting.gate_markdown import to_markdown
    from acclimate.workflows.reporting.junit import to_junit

    if options.json:
        deliver_json(as_json(report), options.json)
    if options.markdown:
        deliver(to_markdown(report), options.markdown)
    if options.junit:
        deliver(to_junit(report), options.junit)
    if options.html:
        from acclimate.workflows.reporting.gate_page import to_page  # jinja2: only where asked for

        deliver(to_page(report), options.html)
    if options.sarif:
        _write_sarif(options, manifest)
    if "-" not in (getattr(options, form) for form in _FORMS):
        _print(report)


def _write_sarif(options: argparse.Namespace, manifest: "Manifest") -> None:
    """The port's loops, or the original's where it is at hand: they have the lines people know."""
    from acclimate.analysis.index import index_project
    from acclimate.analysis.tree.manifest import load_manifest
    from acclimate.workflows._cache import chosen_cache
    from acclimate.workflows.reporting.sarif import to_sarif

    read = load_manifest(options.original) if options.original else manifest
    deliver_json(to_sarif(index_project(read, cache=chosen_cache(None))), options.sarif)


def _print(report: GateReport) -> None:
    from acclimate.workflows.showing.table import Cell, Column, show

    tones = {"fails": "bad", "holds": "good", "no power": "open"}
    titles = ("variable", "check", "finding", "where", "difference", "limit")
    show([Column(title, title in ("difference", "limit")) for title in titles], [
        [
            Cell(row.variable),
            Cell(row.check),
            Cell(row.finding, tones[row.finding]),
            Cell(row.where),
            Cell(number(row.figure)),
            Cell(number(row.limit)),
        ]
        for row in report.worst[:WORST]
    ])  # fmt: skip
    if len(report.rows) > WORST:
        print(f"and {len(report.rows) - WORST} more rows")
    print()
    for row in report.failing[:WORST]:
        print(row.told)
    for one in report.slower:
        print(f"{one.name}: {one.ratio:.2f} times as slow as the baseline, noise {one.noise:.2f}")
    for line in report.loosened[:WORST]:
        print(f"loosened: {line}")
    for line in report.notes:
        print(f"note: {line}")
    if report.exit:
        print(f"the same again: {report.command}")
    print(report.verdict)
