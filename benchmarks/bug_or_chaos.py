"""Does `diagnose` tell a bug from a reordered sum? As many of each as asked for, drawn by seed.

    python benchmarks/bug_or_chaos.py [--count 20] [--seed 1]

Bugs are of 1e-12 to 1e-4 relative, in a coefficient, in one point, or in one stage of the step.
Reordered sums start anywhere, go in strides and run either way. The model is Lorenz-96.
"""

import argparse
import math
import random
import shutil
import tempfile
from pathlib import Path

from acclimate.analysis.tree.manifest import load_manifest
from acclimate.verifier.gate import baseline as baselines
from acclimate.verifier.gate import estimating, gating
from acclimate.verifier.gate.bench import Bench
from acclimate.verifier.gate.diagnosis import Cause, Diagnosis, diagnose
from acclimate.verifier.gate.tolerances import Tolerances
from acclimate.verifier.toolchains import toolchain

MODEL = Path(__file__).parent / "lorenz96"
FILE = "src/lorenz.f90"
LOOP = "    do i = 1, size(x)\n      total = total + x(i)\n    end do\n"


def bug(draw: random.Random) -> tuple[str, str, str]:
    """What it is, the text to replace, and what replaces it."""
    size = 10 ** draw.uniform(-12, -4)
    factor = f"(1.0_wp + {size:.3e}_wp)"
    point = draw.randrange(1, 400)
    first = "    call tendency(x, k1)\n"
    places = {
        "coefficient": ("- x(i) + push", f"- x(i) + push*{factor}"),
        "point": (first, f"    x({point}) = x({point})*{factor}\n{first}"),
        "stage": ("    call tendency(y, k3)\n", f"    y = y*{factor}\n    call tendency(y, k3)\n"),
    }  # fmt: skip
    name = draw.choice(sorted(places))
    return f"{name} {size:.1e}", *places[name]


def reordered(draw: random.Random) -> tuple[str, str, str]:
    stride, down = draw.choice((1, 2, 3, 4, 7, 8, 16, 32)), draw.random() < 0.5
    start = draw.randrange(400)
    loop = f"do i = j, size(x), {stride}" if not down else f"do i = size(x) - j + 1, 1, -{stride}"
    body = (
        f"    do j = 1, {stride}\n      {loop}\n"
        f"        total = total + x(1 + mod(i + {start}, size(x)))\n      end do\n    end do\n"
    )
    return f"stride {stride}{' down' if down else ''} from {start}", LOOP, body


def judged(bench: Bench, reference: gating.Reference, allowed: Tolerances,
           estimated: estimating.Estimated, change: tuple[str, str, str]) -> Diagnosis:  # fmt: skip
    """The model with one change, diagnosed."""
    folder = bench.work / "changed"
    if folder.exists():
        shutil.rmtree(folder)
    shutil.copytree(MODEL, folder, ignore=shutil.ignore_patterns(".acclimate", "gate"))
    text = (
        (folder / FILE)
        .read_text()
        .replace("    integer :: i\n\n    total", "    integer :: i, j\n\n    total")
    )
    assert text.count(change[1]) == 1, change[0]
    (folder / FILE).write_text(text.replace(change[1], change[2]))
    other = bench.with_manifest(load_manifest(folder))
    return diagnose(other, reference, allowed, estimated.members)


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--count", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    draw = random.Random(options.seed)
    right = {"bug": 0, "reordered": 0}
    with tempfile.TemporaryDirectory() as scratch:
        bench = Bench(load_manifest(MODEL), toolchain("gfortran"), Path(scratch) / "work")
        bench.work.mkdir()
        folder = Path(scratch) / "baseline"
        made = gating.make_baseline(bench, folder, "", ("*",))
        baselines.save(made, folder)
        reference = gating.open_reference(folder, bench.work / "kept")
        estimated = estimating.estimate(bench, made, folder, 10, Tolerances())
        allowed = estimated.tolerances
        for _ in range(options.count):
            for sort, drawn, good in (
                ("bug", bug(draw), (Cause.BUG,)),
                ("reordered", reordered(draw), (Cause.ROUNDING, Cause.SAME)),
            ):
                found = judged(bench, reference, allowed, estimated, drawn)
                right[sort] += found.cause in good
                excess = max(
                    (row.excess for row in found.gated.rows if row.check == "step"), default=0.0
                )
                print(f"{sort:10} {drawn[0]:24} {found.cause:10} {_power(excess)}", flush=True)
    print(f"right: {right['bug']} of {options.count} bugs, "
          f"{right['reordered']} of {options.count} reordered sums")  # fmt: skip
    return 0 if all(count == options.count for count in right.values()) else 1


def _power(excess: float) -> str:
    """How far beyond what rounding explains one step is, as a power of ten."""
    return f"1e{math.log10(excess):+.1f} of the limit" if 0 < excess < math.inf else ""


if __name__ == "__main__":
    raise SystemExit(main())
