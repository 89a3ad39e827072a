"""`acclimate gate baseline create|update|show`: the numbers a port is held to."""

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from acclimate.analysis.problems import Problem
from acclimate.workflows._exit import Exit
from acclimate.workflows.gating.places import bench_of, reviewed_folder
from acclimate.workflows.showing.delivery import deliver_json
from acclimate.workflows.showing.table import Cell, Column, show

if TYPE_CHECKING:
    from acclimate.verifier.gate.baseline import Baseline
    from acclimate.verifier.gate.bench import Bench

ACTIONS = ("create", "update", "show")


def create(options: argparse.Namespace, path: Path) -> Exit:
    """Make the first baseline; an existing one is left alone."""
    from acclimate.analysis.tree.manifest import load_manifest
    from acclimate.verifier.gate.baseline import FILE, save

    folder = reviewed_folder(options, path)
    if (folder / FILE).exists():
        raise Problem(
            f"there is a baseline in {folder} already",
            hint="acclimate gate baseline update PATH shows what would change",
        )
    with bench_of(load_manifest(path), path) as bench:
        made = _make(options, bench, folder)
        save(made, folder)
    _tell(made, folder, options.json)
    return Exit.DONE


def update(options: argparse.Namespace, path: Path) -> Exit:
    """Show old against new, and with --replace put the new one in place."""
    from acclimate.analysis.tree.manifest import load_manifest
    from acclimate.verifier.gate.baseline import load, save

    folder = reviewed_folder(options, path)
    with bench_of(load_manifest(path), path) as bench:
        before = load(folder)
        made = _make(options, bench, folder if options.replace else bench.work / "proposed")
        _show_changes(before, made)
        if options.replace:
            save(made, folder)
    if options.replace:
        _tell(made, folder, options.json)
        print("the tolerances were estimated for the old baseline: estimate them anew")
    else:
        print("nothing was written; --replace puts the new baseline in place", file=sys.stderr)
    return Exit.DONE


def display(options: argparse.Namespace, path: Path) -> Exit:
    """Print what the baseline holds."""
    from acclimate.verifier.gate.baseline import load

    folder = reviewed_folder(options, path)
    baseline = load(folder)
    _tell(baseline, folder, options.json)
    return Exit.DONE


def _make(options: argparse.Namespace, bench: "Bench", folder: Path) -> "Baseline":
    from dataclasses import replace

    from acclimate.verifier.gate.gating import make_baseline
    from acclimate.verifier.gate.loosening import revision
    from acclimate.verifier.gate.speed import take_times

    state = bench.manifest.gate.state
    keep = {"all": ("*",), "states": (state.files,) if state else (), "none": ()}[options.keep]
    commit = revision(bench.manifest.root, bench.work)
    made = make_baseline(bench, folder, commit, keep)
    timed = bench.manifest.gate.speed and not options.no_speed
    return replace(made, times=take_times(bench)) if timed else made


def _tell(baseline: "Baseline", folder: Path, target: str | None) -> None:
    from dataclasses import asdict

    if target:
        told = {"schema": "acclimate/gate-baseline/1", "identity": baseline.identity}
        deliver_json(told | {"baseline": asdict(baseline)}, target)
    if target == "-":
        return
    columns = [Column("variable"), Column("steps", True)]
    columns += [Column(name, True) for name in ("min", "max", "mean", "rms", "NaN")]
    show(columns, [
        [
            Cell(name),
            Cell(str(len(one.steps))),
            *(Cell(_number(v)) for v in list(one.steps.values())[-1].statistics),
            Cell(str(sum(step.nan for step in one.steps.values()))),
        ]
        for name, one in baseline.variables.items()
    ])  # fmt: skip
    print()
    values = sum(len(one.steps) for one in baseline.variables.values())
    print(f"baseline {baseline.identity} of {baseline.model}: {values} fields, {folder}")
    print(f"made with {baseline.settings.compiler}, flags {' '.join(baseline.settings.flags)}")
    print(f"commit {baseline.commit or 'unknown'}, sources {baseline.sources}")
    if any(step.nan for one in baseline.variables.values() for step in one.steps.values()):
        print("warning: it holds NaN; the gate will fail as long as it does", file=sys.stderr)


def _show_changes(before: "Baseline", after: "Baseline") -> None:
    """Old against new: settings, then every variable that is not what it was."""
    from acclimate.verifier.gate.settings import differing

    for text in differing(before.settings, after.settings):
        print(f"setting changes: {text}")
    rows = []
    for name in sorted(before.variables.keys() | after.variables.keys()):
        old, new = before.variables.get(name), after.variables.get(name)
        if old is None or new is None:
            rows.append([Cell(name), Cell(""), Cell("absent" if old is None else "there"),
                         Cell("there" if old is None else "absent")])  # fmt: skip
            continue
        for step in sorted(old.steps.keys() | new.steps.keys(), key=int):
            a, b = old.steps.get(step), new.steps.get(step)
            if a is None or b is None or a.bits != b.bits:
                mean = (_number(one.statistics[2]) if one else "absent" for one in (a, b))
                rows.append([Cell(name), Cell(step), *(Cell(text) for text in mean)])
                break
    if not rows:
        print(f"the numbers are the same (baseline {before.identity})")
        return
    show([Column("variable"), Column("first step", True), Column("old mean"), Column("new mean")],
         rows)  # fmt: skip
    print()


def _number(value: float | None) -> str:
    return "–" if value is None else f"{value:.6g}"
