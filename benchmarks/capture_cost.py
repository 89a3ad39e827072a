"""What it costs a model that its calls can be written down.

    python benchmarks/capture_cost.py [MODEL] [--runs N]

The model is built as it is and with every procedure that can be replayed instrumented. Both run in
turn, with nothing captured, and once with the chosen calls captured. Seconds of processor time;
instructions of the short run besides, as valgrind counts them, which no other load disturbs.
"""

import argparse
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

from acclimate.analysis.ir import UnitKind
from acclimate.analysis.project import read_project
from acclimate.analysis.tree.manifest import Manifest, load_manifest
from acclimate.analysis.tree.namelist_edits import NamelistEdits
from acclimate.verifier.building.build import Built, build
from acclimate.verifier.capture.targets import Target, Targets
from acclimate.verifier.replay.bench import Bench
from acclimate.verifier.replay.trees import instrumented
from acclimate.verifier.running.runs import run_model
from acclimate.verifier.subject import Length, Side, Subject
from acclimate.verifier.toolchains import Build, toolchain

ROOT = Path(__file__).parents[1]
_PROCEDURES = (UnitKind.SUBROUTINE, UnitKind.FUNCTION)


def targets_of(manifest: Manifest) -> list[Target]:
    """All procedures that a replay of the whole model would instrument."""
    project = read_project(manifest)
    finder = Targets(project)
    names = [name for name, unit in project.units.items() if unit.kind in _PROCEDURES]
    return list({t.name: t for name in names for t in finder.around(name)[0]}.values())


def cpu_of(manifest: Manifest, built: Built, folder: Path) -> float:
    run = run_model(manifest, built.executable, folder)
    assert run.ok, run.ended
    return run.finished.cpu


def instructions(manifest: Manifest, built: Built, folder: Path, short: NamelistEdits) -> int:
    """Executed instructions of a short run; 0 without valgrind."""
    if shutil.which("valgrind") is None:
        return 0
    run_model(manifest, built.executable, folder, edits=short)  # leaves the inputs there
    command = ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null"]
    done = subprocess.run(
        [*command, str(built.executable)], cwd=folder, capture_output=True, text=True, check=True
    )
    found = re.search(r"Collected : (\d+)", done.stderr)
    return int(found[1]) if found else 0


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("model", type=Path, nargs="?", default=ROOT / "sample_model")
    parser.add_argument("--runs", type=int, default=7)
    options = parser.parse_args()
    manifest = load_manifest(options.model)
    with tempfile.TemporaryDirectory() as scratch:
        work = Path(scratch)
        subject = Subject(manifest, manifest, toolchain("gfortran"), work)
        targets = targets_of(manifest)
        bench = Bench(
            subject, read_project(manifest), targets, {target.name: target for target in targets}
        )
        plain = subject.built(Side.ORIGINAL, Build.PLAIN)
        made = instrumented(read_project(manifest), subject.original_files, bench.targets)
        tree = made.capturing(work / "tree", with_edges=False)
        hooked = build(tree, subject.toolchain, Build.PLAIN, work)
        assert isinstance(plain, Built), plain
        assert isinstance(hooked, Built), hooked
        times: dict[str, list[float]] = {"plain": [], "instrumented": []}
        for _ in range(options.runs):
            times["plain"].append(cpu_of(manifest, plain, work / "run"))
            times["instrumented"].append(cpu_of(manifest, hooked, work / "run"))
        for name, seconds in times.items():
            told = f"median {statistics.median(seconds):.3f} s, least {min(seconds):.3f} s"
            print(f"{name:13} {told} of {options.runs} runs")
        ratios = [b / a for a, b in zip(times["plain"], times["instrumented"], strict=True)]
        print(f"{len(targets)} procedures instrumented, nothing captured:")
        print(f"  median of the pairs' ratios {statistics.median(ratios):.4f}")
        print(
            f"  ratio of the least          {min(times['instrumented']) / min(times['plain']):.4f}"
        )
        short = subject.edits(Length.SHORT)
        counts = [instructions(manifest, b, work / "run", short) for b in (plain, hooked)]
        if all(counts):
            print(f"  ratio of instructions       {counts[1] / counts[0]:.5f} of {counts[0]:.4g}")
        captured = bench.captured()
        assert not isinstance(captured, str), captured
        calls = sum(len(blocks) for blocks in captured.blocks().values()) // 2
        size = sum(file.stat().st_size for file in captured.files) / 2**20
        base = run_model(manifest, plain.executable, work / "run", edits=short).finished.cpu
        with_calls = run_model(
            manifest,
            hooked.executable,
            work / "run",
            edits=short,
            environment={
                "ACCLIMATE_MODE": "capture",
                "ACCLIMATE_CALLS": str(bench.folder / "calls"),
                "ACCLIMATE_FOLDER": str(work),
                "ACCLIMATE_LIST": str(bench.folder / "list"),
            },
        ).finished.cpu
        print(f"{calls} calls captured, {size:.1f} MiB: {with_calls:.2f} s beside {base:.2f} s")
    return 0


if __name__ == "__main__":
    sys.exit(main())
