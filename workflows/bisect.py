"""Name the ported units that make a model differ.

  acclimate bisect ORIGINAL PORT
  acclimate bisect MODEL          the port that migrate made of it last

Mixtures of original and port, unit by unit, are built and run on the host until every unit that
differs by itself is known. Run again after any interruption, the same command goes on. Exit codes:
0 nothing differs, 1 units do, 5 the budget is used up.
"""

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from acclimate.analysis.problems import Problem
from acclimate.workflows._exit import Exit
from acclimate.workflows.gating.places import bench_of
from acclimate.workflows.showing.delivery import deliver_json

if TYPE_CHECKING:
    from acclimate.verifier.bisection.bisecting import Bisected
    from acclimate.verifier.gate.bench import Bench
    from acclimate.verifier.gate.gating import Reference
    from acclimate.verifier.gate.tolerances import Tolerances


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("paths", metavar="[ORIGINAL] PORT", type=Path, nargs="+")
    parser.add_argument(
        "--baseline", metavar="DIR", type=Path, help="judge by this baseline and its tolerances"
    )
    parser.add_argument("--mode", choices=("strict", "tolerance", "statistical"))
    parser.add_argument("--max-runs", metavar="N", type=int, help="try no more mixtures than this")
    parser.add_argument("--max-time", metavar="SECONDS", type=float, help="stop after so long")
    parser.add_argument("--json", metavar="FILE", help="write JSON (- for stdout)")


def run(options: argparse.Namespace) -> int:
    from acclimate.analysis.tree.manifest import load_manifest
    from acclimate.verifier.bisection.bisecting import Budget, bisect
    from acclimate.verifier.gate.tolerances import Mode
    from acclimate.workflows.verify import port_manifest

    if len(options.paths) > 2:
        raise Problem("bisect takes one or two paths", hint="acclimate bisect ORIGINAL PORT")
    if options.mode and options.baseline is None and options.mode != "strict":
        raise Problem(
            f"--mode {options.mode} needs tolerances", hint="name their folder with --baseline"
        )
    path, port = _paths(options.paths)
    manifest = load_manifest(path)
    with bench_of(manifest, path) as original:
        bench = original.with_manifest(port_manifest(manifest, path, port))
        reference, allowed = _reference(options, original)
        mode = Mode(options.mode) if options.mode else allowed.mode
        budget = Budget(options.max_runs, options.max_time)
        found = bisect(bench, original, reference, allowed, mode, budget)
    if options.json:
        deliver_json(_as_json(found), options.json)
    if options.json != "-":
        _print(found)
    if found.unfinished:
        return Exit.BUDGET
    return Exit.REJECTED if found.culprits else Exit.DONE


def _paths(paths: list[Path]) -> tuple[Path, Path]:
    from acclimate.porter.agent.work_folder import last_place

    if len(paths) == 2:
        return paths[0], paths[1]
    port = last_place(paths[0])
    if port is None:
        raise Problem(f"no port of {paths[0]} is known", hint="acclimate bisect ORIGINAL PORT")
    return paths[0], port


def _reference(options: argparse.Namespace, original: "Bench") -> "tuple[Reference, Tolerances]":
    """The baseline the user names, else one that is made of the original now."""
    from acclimate.verifier.bisection.bisecting import scratch_reference
    from acclimate.verifier.gate import baseline as baselines
    from acclimate.verifier.gate import tolerances
    from acclimate.verifier.gate.gating import make_baseline, open_reference

    if options.baseline is not None:
        allowed = tolerances.load(options.baseline / tolerances.FILE)
        return open_reference(options.baseline, original.work / "kept"), allowed
    folder = scratch_reference(original.work)
    baselines.save(make_baseline(original, folder, "", ("*",)), folder)
    return open_reference(folder, original.work / "kept"), tolerances.Tolerances()


def _as_json(found: "Bisected") -> dict[str, object]:
    from dataclasses import asdict

    return {"schema": "acclimate/bisect/1", **asdict(found)}


def _print(found: "Bisected") -> None:
    for culprit in found.culprits:
        names = " with ".join(culprit.units)
        print(f"{culprit.file}:{culprit.line}: {names}: {culprit.change}")
        print(f"    {culprit.told} (original line {culprit.original_line})")
    known = f", {found.earlier} of them known from before" if found.earlier else ""
    tried = f"{found.trials} mixtures of {found.suspects} changed units tried{known}"
    if found.unfinished:
        print(f"stopped: the budget is used up; {tried}; the same command with more goes on")
    else:
        print(f"{len(found.culprits)} culprits; {tried}")
