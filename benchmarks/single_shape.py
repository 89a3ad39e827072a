"""One comparison on one shape, beside the ladder: 15 right ports of small kernels and 9 wrong ones.

    python benchmarks/single_shape.py [--only NAME ...] [--json FILE]

The experiment of arXiv 2606.20128, redone for OpenACC Fortran with kernels of our own. The faults
are those of transcription: a lost tail, the extent of one case, a wrong identity, cancellation,
overflow, precision, a lost guard, a lost update, a misplaced small number. The fixed comparison
runs both versions on one shape and takes what differs by less than 1e-5 relative or 1e-8 absolute
for equal, as the benchmarks do that the paper examines. The ladder gets the same shape and inputs;
device code is left out.
"""

import argparse
import json
import shutil
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np

from acclimate.analysis.tree.manifest import Manifest
from acclimate.analysis.tree.run_spec import RunSpec
from acclimate.verifier.checks import all_checks
from acclimate.verifier.evidence import Evidence, Outcome
from acclimate.verifier.ladder import examine
from acclimate.verifier.running.runs import Run
from acclimate.verifier.subject import Length, Side, Subject
from acclimate.verifier.toolchains import Build, toolchain

KERNELS = Path(__file__).with_name("kernels")
RELATIVE, ABSOLUTE = 1e-5, 1e-8  # numpy.allclose; those of KernelBench are wider
LEFT_OUT = frozenset({"offload_build", "device_run"})


@dataclass(frozen=True)
class Line:
    """One row: a port, what the fixed comparison says, what the ladder says and why; seconds."""

    kernel: str
    port: str
    fixed: str
    ladder: str
    check: str
    message: str
    cpu: float


def model(folder: Path, kind: str, name: str) -> Manifest:
    """A kernel with the program that calls it, as a model."""
    folder.mkdir(parents=True)
    shutil.copy2(KERNELS / kind / f"{name}.f90", folder / "kernel.f90")
    for shared in ("driver.f90", "case.nml"):
        shutil.copy2(KERNELS / shared, folder / shared)
    run = RunSpec(namelists=("case.nml",), time_limit=60)
    return Manifest(folder, name, ("driver.f90", "kernel.f90"), flags=("-O1",), run=run)


def fixed_comparison(subject: Subject) -> str:
    """The verdict of one comparison of all numbers on the model's own shape."""
    reference = subject.baseline(Length.FULL)
    run = subject.ran(Side.PORT, Build.HOST, Length.FULL)
    if not isinstance(run, Run) or not run.ok:
        return "reject"
    close = all(
        np.allclose(field.values, run.outputs.fields[name].values, RELATIVE, ABSOLUTE)
        for name, field in reference.outputs.fields.items()
        if field.values.dtype.kind in "fi"
    )
    return "accept" if close else "reject"


def reason(evidence: Sequence[Evidence]) -> Evidence | None:
    """What keeps a port from being accepted, failures first."""
    failed = [e for e in evidence if e.outcome is Outcome.FAILS]
    return next(iter([*failed, *(e for e in evidence if e.unsettled)]), None)


def judged(name: str, kind: str, folder: Path) -> Line:
    """One port, by both."""
    sides = model(folder / "original", "original", name), model(folder / "port", kind, name)
    subject = Subject(*sides, toolchain("gfortran"), folder / "work")
    fixed = fixed_comparison(subject)
    before = time.process_time(), _children()
    only = frozenset(check.name for check in all_checks()) - LEFT_OUT
    found = examine(subject, stop_at_first_failure=True, only=only).assessment
    cpu = time.process_time() - before[0] + _children() - before[1]
    why = None if found.verdict == "accept" else reason(found.evidence)
    check, message = (why.check, why.message) if why else ("", "")
    return Line(name, kind, fixed, found.verdict, check, message, round(cpu, 1))


def _children() -> float:
    import resource

    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def shown(line: Line) -> str:
    """One row of the table."""
    why = f"  {line.check}: {line.message[:90]}" if line.check else ""
    return f"{line.kernel:18} {line.port:6} {line.fixed:7} {line.ladder:13} {line.cpu:6.1f}{why}"


def summary(lines: Sequence[Line]) -> str:
    """What each of the two has caught and let through."""
    wrong = [line for line in lines if line.port == "wrong"]
    right = [line for line in lines if line.port == "right"]
    caught = sum(line.fixed != "accept" for line in wrong)
    kept = sum(line.fixed == "accept" for line in right)
    rejected = sum(line.ladder == "reject" for line in wrong)
    held = sum(line.ladder == "inconclusive" for line in wrong)
    passed = sum(line.ladder == "accept" for line in right)
    return (
        f"fixed comparison: {caught} of {len(wrong)} wrong ports caught, {kept} of {len(right)}"
        f" right ones accepted\nladder: {rejected} of {len(wrong)} wrong ports rejected, {held}"
        f" held back, {passed} of {len(right)} right ones accepted"
    )


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--only", nargs="+", metavar="NAME", help="these kernels")
    parser.add_argument("--json", metavar="FILE", type=Path)
    options = parser.parse_args()
    lines = []
    print(f"{'kernel':18} {'port':6} {'fixed':7} {'ladder':13} {'CPU s':>6}  why")
    for kind in ("right", "wrong"):
        for path in sorted((KERNELS / kind).glob("*.f90")):
            if options.only and path.stem not in options.only:
                continue
            with tempfile.TemporaryDirectory() as scratch:
                line = judged(path.stem, kind, Path(scratch))
            lines.append(line)
            print(shown(line), flush=True)
    print(summary(lines))
    if options.json:
        options.json.write_text(json.dumps([asdict(line) for line in lines], indent=1))
    good = all((line.ladder == "accept") == (line.port == "right") for line in lines)
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
