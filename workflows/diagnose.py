"""Bug or chaos: does a port differ as rounding does, or otherwise?

PATH is held against the ensemble of its baseline, one step from each saved state first. With
--original the units that leave the ensemble are named, by mixtures of both. Exit codes: 0 the same
or rounding, 1 a bug, 3 nothing could tell.
"""

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from acclimate.workflows._exit import Exit
from acclimate.workflows.gating.places import bench_of, reviewed_folder
from acclimate.workflows.showing.delivery import deliver, deliver_json

if TYPE_CHECKING:
    from acclimate.verifier.bisection.bisecting import Bisected
    from acclimate.verifier.gate.diagnosis import Diagnosis

_MOST_TRIALS = 200


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("path", metavar="PATH", type=Path)
    parser.add_argument(
        "--baseline", metavar="DIR", type=Path, help="folder of baseline and tolerances"
    )
    parser.add_argument("--original", metavar="PATH", type=Path, help="name the units at fault")
    parser.add_argument("--json", metavar="FILE", help="write JSON (- for stdout)")
    parser.add_argument("--svg", metavar="FILE", help="write the growth curves as a picture")


def run(options: argparse.Namespace) -> int:
    from acclimate.analysis.tree.manifest import load_manifest
    from acclimate.verifier.bisection.bisecting import Budget, bisect
    from acclimate.verifier.gate import estimating, tolerances
    from acclimate.verifier.gate.diagnosis import Cause, diagnose
    from acclimate.verifier.gate.gating import open_reference
    from acclimate.verifier.gate.tolerances import Mode

    folder = reviewed_folder(options, options.path)
    units: Bisected | None = None
    with bench_of(load_manifest(options.path), options.path) as bench:
        reference = open_reference(folder, bench.work / "kept")
        allowed = tolerances.load(folder / tolerances.FILE)
        members = estimating.load_ensemble(folder / estimating.FILE)
        found = diagnose(bench, reference, allowed, members)
        if found.cause is Cause.BUG and options.original:
            original = bench.with_manifest(load_manifest(options.original))
            budget = Budget(_MOST_TRIALS)
            units = bisect(bench, original, reference, allowed, Mode.TOLERANCE, budget)
    _write(options, found, units)
    exits = {Cause.BUG: Exit.REJECTED, Cause.UNDECIDED: Exit.INCONCLUSIVE}
    return exits.get(found.cause, Exit.DONE)


def _write(options: argparse.Namespace, found: "Diagnosis", units: "Bisected | None") -> None:
    from acclimate.workflows.reporting.plots import Line, curves

    if options.svg:
        lines = [Line(f"member {n}", "member", m) for n, m in enumerate(found.members, 1)]
        lines.append(Line("this run", "run", found.apart))
        picture = curves(lines, "distance from the baseline", found.gated.horizon)
        deliver(picture.replace("<svg ", _LOOK, 1), options.svg)
    if options.json:
        deliver_json(_as_json(found, units), options.json)
    if "-" not in (options.json, options.svg):
        _print(found, units)


_LOOK = (
    '<svg style="background:#fff;font:12px sans-serif;stroke:none" fill="none" stroke-width="1.5" '
)


def _print(found: "Diagnosis", units: "Bisected | None") -> None:
    words = {
        "same": "the same: every bit",
        "rounding": "rounding: it differs as the members of the ensemble do",
        "bug": "bug: it leaves the ensemble where rounding cannot",
        "undecided": "undecided: nothing that was compared has power",
    }
    if found.first is not None:
        row = found.first
        step = f"step {row.step}" if row.step is not None else "no step"
        print(
            f"first: {step}, variable '{row.variable}', {row.place or 'as a whole'}: {row.message}"
        )
    for line in found.evidence:
        print(f"* {line}")
    for culprit in units.culprits if units else ():
        names = " with ".join(culprit.units)
        print(f"unit: {culprit.file}:{culprit.line}: {names}: {culprit.change}")
    print(f"verdict: {words[found.cause]}")


def _as_json(found: "Diagnosis", units: "Bisected | None") -> dict[str, object]:
    from dataclasses import asdict

    first = found.first
    return {
        "schema": "acclimate/diagnose/1",
        "cause": found.cause,
        "first": None
        if first is None
        else {
            "step": first.step,
            "variable": first.variable,
            "place": first.place,
            "message": first.message,
        },
        "evidence": list(found.evidence),
        "horizon": found.gated.horizon,
        "apart": {str(step): value for step, value in found.apart.items()},
        "members": [{str(s): v for s, v in member.items()} for member in found.members],
        "units": [asdict(one) for one in units.culprits] if units else [],
    }
