"""`acclimate gate tolerance estimate`: tolerances from what differs by rounding alone."""

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from acclimate.workflows._exit import Exit
from acclimate.workflows.gating.places import bench_of, reviewed_folder
from acclimate.workflows.showing.delivery import deliver_json
from acclimate.workflows.showing.table import Cell, Column, show

if TYPE_CHECKING:
    from acclimate.verifier.gate.estimating import Estimated
    from acclimate.verifier.gate.tolerances import Estimate


def estimate(options: argparse.Namespace, path: Path) -> Exit:
    """Write tolerances.toml and ensemble.json beside the baseline; what a person wrote is kept.

    Entries of the last estimate are replaced; mode, ignored variables and what may differ stay.
    """
    from acclimate.analysis.tree.manifest import load_manifest
    from acclimate.verifier.gate import baseline as baselines
    from acclimate.verifier.gate import estimating, tolerances
    from acclimate.verifier.gate.gating import check_comparable
    from acclimate.verifier.gate.loosening import compare

    folder = reviewed_folder(options, path)
    file = folder / tolerances.FILE
    with bench_of(load_manifest(path), path) as bench:
        baseline = baselines.load(folder)
        before = tolerances.load(file)
        check_comparable(bench, baseline, before)
        found = estimating.estimate(bench, baseline, folder, options.members, before)
        file.write_text(tolerances.render(found.tolerances))
        estimating.save_ensemble(found, folder / estimating.FILE)
    told = found.tolerances
    if options.json:
        deliver_json(_as_json(found), options.json)
    if options.json != "-":
        show(
            [Column("variable"), Column("check"), Column("abs", True), Column("growth", True),
             Column("flips", True)],
            [
                [Cell(e.variable), Cell(e.check), Cell(f"{e.abs:.2e}"), Cell(f"{e.growth:.3g}"),
                 Cell(str(e.flips))]
                for e in told.entries
                if e.check != "statistics"
            ],
        )  # fmt: skip
        print()
        changes = compare(before, told, "") if before.estimate.baseline else ()
        looser = [f"loosened: {one.what}: {one.before} -> {one.after}" for one in changes]
        for line in (*found.notes, horizon_text(told.estimate), *looser):
            print(line)
        print(f"tolerances: {file}")
    return Exit.DONE


def horizon_text(estimate: "Estimate") -> str:
    """What the ensemble says of the reach of a comparison of whole runs."""
    if estimate.horizon is None or estimate.growth is None:
        return "horizon: none found, rounding does not grow beyond noise within the run"
    return (
        f"horizon: step {estimate.horizon}; rounding grows {estimate.growth:.3g} per step, and from"
        " there on a comparison of whole runs has no power"
    )


def _as_json(found: "Estimated") -> dict[str, object]:
    from dataclasses import asdict

    return {
        "schema": "acclimate/gate-estimate/1",
        "growth": asdict(found.growth),
        "curve": asdict(found.curve),
        "tolerances": asdict(found.tolerances),
    }
