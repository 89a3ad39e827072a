"""Which faults does the gate find, and which do end-of-run comparison and probtest's rule?

    python benchmarks/detection.py [--model lorenz96|cumulet] [--json FILE] [--quick]

Known faults of known size are put into a model, which is built and judged three ways. The same
judges see builds and members that differ by rounding alone, where any alarm is a false one. Last,
the horizon that the ensemble predicts is held against the one that fresh members show.
"""

import argparse
import json
import shutil
import sys
import tempfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path

import numpy as np

from acclimate.analysis.tree.manifest import Manifest, load_manifest
from acclimate.analysis.tree.namelist_edits import with_edits
from acclimate.verifier.building.build import Built
from acclimate.verifier.gate import baseline as baselines
from acclimate.verifier.gate import ensemble, estimating, gating
from acclimate.verifier.gate.bench import Bench
from acclimate.verifier.gate.growth import LOST, curve
from acclimate.verifier.gate.history import History, selected
from acclimate.verifier.gate.judging import Finding
from acclimate.verifier.gate.replay import chosen_states
from acclimate.verifier.gate.statistics import by_level
from acclimate.verifier.gate.tolerances import Mode, Tolerances
from acclimate.verifier.toolchains import Build, toolchain

ROOT = Path(__file__).parents[1]
SIZES = (1e-13, 1e-12, 1e-11, 1e-10, 1e-8, 1e-6, 1e-4)
FACTOR = 5.0  # of probtest, and of the end-of-run comparison here
FRESH = 20
LONG = 500  # steps of the chaotic model: rounding has grown to order one long before
RULES = ("end of run", "probtest", "acclimate")


@dataclass(frozen=True)
class Change:
    """An edit of a model's source that is a fault, or that is none."""

    name: str
    file: str
    before: str
    after: str
    size: float | None = None  # relative; None: legitimate


@dataclass(frozen=True)
class Line:
    """One row of the table: what was changed, and which rule raised an alarm."""

    name: str
    size: float | None
    alarms: Mapping[str, bool]


def lorenz_changes() -> list[Change]:
    push = "push = forcing - feedback*mean_of(x)"
    where = "    call tendency(x, k1)\n"
    faults = []
    for size in SIZES:
        factor = f"(1.0_wp + {size:.1e}_wp)"
        scaled = f"push = (forcing - feedback*mean_of(x))*{factor}"
        faults.append(Change(f"coefficient {size:.0e}", "src/lorenz.f90", push, scaled, size))
        point = f"    x(7) = x(7)*{factor}\n{where}"
        faults.append(Change(f"one point {size:.0e}", "src/lorenz.f90", where, point, size))
    single = "push = 8.0_wp*real(1.0 + 1.0e-7) - feedback*mean_of(x)"
    faults.append(Change("real(4) literal", "src/lorenz.f90", push, single, 1e-7))
    loop = "    do i = 1, size(x)\n      total"
    backwards = "    do i = size(x), 1, -1\n      total"
    halves = "    total = sum(x(1::2)) + sum(x(2::2))\n    do i = 1, 0\n      total"
    return [
        *faults,
        Change("sum backwards", "src/lorenz.f90", loop, backwards),
        Change("sum by halves", "src/lorenz.f90", loop, halves),
    ]


def cumulet_changes() -> list[Change]:
    where = "    call halo_state(now)\n    time"
    faults = []
    for size in SIZES:
        factor = f"(1.0_wp + {size:.1e}_wp)"
        field = f"    now%rth = now%rth*{factor}\n{where}"
        faults.append(Change(f"theta {size:.0e}", "src/cumulet.f90", where, field, size))
        point = f"    now%qv(4, 3, 5) = now%qv(4, 3, 5)*{factor}\n{where}"
        faults.append(Change(f"one point {size:.0e}", "src/cumulet.f90", where, point, size))
    sign = ("src/microphysics.F90", "    qv = qv + gone\n", "    qv = qv - gone\n")
    single = ("src/microphysics.F90", "vent = 1.6_wp +", "vent = 1.6 +")
    faults += [Change("flipped sign", *sign, 1.0), Change("real(4) literal", *single, 1e-8)]
    cfl = "cfl = (abs(now%ru(i, j, k))*rdx + abs(now%rv(i, j, k))*rdy &"
    again = "cfl = (abs(now%rv(i, j, k))*rdy + abs(now%ru(i, j, k))*rdx &"
    sums = ("src/turbulence.f90", "(du*du + dv*dv)*rdz*rdz", "(du*rdz)*(du*rdz) + dv*dv*rdz*rdz")
    return [
        *faults,
        Change("terms exchanged", "src/dynamics.f90", cfl, again),
        Change("sum of squares exchanged", *sums),
    ]


class Judges:
    """The three rules, made ready on one reference and its ensemble."""

    def __init__(self, bench: Bench, folder: Path) -> None:
        self.bench = bench
        made = gating.make_baseline(bench, folder, "", ("*",))
        baselines.save(made, folder)
        self.reference = gating.open_reference(folder, bench.work / "kept")
        self.estimated = estimating.estimate(bench, made, folder, 10, Tolerances())
        self.allowed = replace(self.estimated.tolerances, mode=Mode.TOLERANCE)
        self.plain = bench.build(Build.PLAIN)
        self.states = bench.states(self.reference.files)
        self.spec = bench.manifest.gate.state
        members = [self.member(number) for number in range(1, 11)]
        self.widest_end = {n: max(self._end(m, n) for m in members) for n in self._names()}
        self.widest_stats = {
            n: self._monotone([self._probtest(m, n) for m in members]) for n in self._names()
        }

    def member(self, seed: int, built: Built | None = None) -> History:
        """The run of a perturbed member, from the first saved state."""
        assert self.spec is not None
        scratch = self.bench.work / "bench-member"
        state = ensemble.perturbed(self.states[0], self.spec.prognostic, seed, scratch)
        last = self.reference.baseline.steps[-1]
        run = self.bench.go_on(built or self.plain, state, last, "bench-member")
        return self.bench.history(run)

    def from_state(self, built: Built) -> History:
        last = self.reference.baseline.steps[-1]
        return self.bench.history(self.bench.go_on(built, self.states[0], last, "bench-run"))

    def alarms(self, bench: Bench, built: Built, told: History) -> dict[str, bool]:
        """Which rules object to a build of a model whose run from the first state is `told`."""
        end = any(not self._end(told, n) <= FACTOR * self.widest_end[n] for n in self._names())
        stats = any(
            not all(
                value <= FACTOR * self.widest_stats[name][step]
                for step, value in self._probtest(told, name).items()
            )
            for name in self._names()
        )
        ours = self._ours(bench, built, told)
        return dict(zip(RULES, (end, stats, ours), strict=True))

    def _ours(self, bench: Bench, built: Built, told: History) -> bool:
        """The gate's own rules, on builds whose flags are not the baseline's too."""
        horizon = self.allowed.estimate.horizon
        baseline = self.reference.baseline
        blank = gating.Gated("", Mode.TOLERANCE, baseline, (), horizon=horizon, told=told)
        whole = {n for n in self._names() if n in told.fields}
        rows, _, _ = gating.within_tolerance(
            bench, built, blank, self.reference, self.allowed, whole
        )
        return any(row.finding is Finding.FAILS for row in rows)

    def _names(self) -> list[str]:
        assert self.spec is not None
        return [n for n in self.reference.fields.fields if selected(n, self.spec.prognostic)]

    def _end(self, told: History, name: str) -> float:
        """The largest difference at any point of the last state."""
        before = self.reference.fields.fields[name]
        last = max(before)
        a, b = before[last].values, told.fields[name][last].values
        return float(np.max(np.abs(a - b)))

    def _probtest(self, told: History, name: str) -> dict[int, float]:
        """|ref-cur|/(1+|ref|) of min, mean and max by level: the largest at each step."""
        found = {}
        for step, field in self.reference.fields.fields[name].items():
            if step in told.fields[name] and step > self.states[0].step:
                a = by_level(field.values)[:, :3]
                b = by_level(told.fields[name][step].values)[:, :3]
                found[step] = float(np.max(np.abs(a - b) / (1.0 + np.abs(a))))
        return found

    def _monotone(self, members: Sequence[Mapping[int, float]]) -> dict[int, float]:
        """The largest of the members, never falling in time, and never below rounding."""
        widest, so_far = {}, 1e-15
        for step in sorted(members[0]):
            so_far = max(so_far, *(member[step] for member in members))
            widest[step] = so_far
        return widest


def changed(manifest: Manifest, change: Change, folder: Path) -> Manifest:
    """A copy of the model with one change."""
    if folder.exists():
        shutil.rmtree(folder)
    shutil.copytree(manifest.root, folder, ignore=shutil.ignore_patterns(".acclimate", "gate"))
    path = folder / change.file
    text = path.read_text()
    assert text.count(change.before) == 1, f"{change.name}: not once in {change.file}"
    path.write_text(text.replace(change.before, change.after))
    return load_manifest(folder)


def table(judges: Judges, changes: Sequence[Change], say: Callable[[str], None]) -> list[Line]:
    """Faults and legitimate changes, then other builds, then fresh members."""
    bench, lines = judges.bench, []
    for change in changes:
        say(change.name)
        other = bench.with_manifest(changed(bench.manifest, change, bench.work / "changed"))
        built = other.build(Build.HOST)
        lines.append(_line(judges, other, built, change.name, change.size))
    for one in ensemble.variations(bench.toolchain, ensemble.processor_flags()):
        say(one.name)
        built = bench.build(one.kind, one.toolchain)
        lines.append(_line(judges, bench, built, f"build {one.name}", None))
    return lines


def _line(judges: Judges, bench: Bench, built: Built, name: str, size: float | None) -> Line:
    told = judges.from_state(built)
    return Line(name, size, judges.alarms(bench, built, told))


def fresh_members(judges: Judges, count: int) -> dict[str, int]:
    """False alarms of each rule on members that the ensemble has not seen.

    A member is judged as a port would be whose states are perturbed ones: single steps too.
    """
    alarms = dict.fromkeys(RULES, 0)
    chosen = chosen_states(judges.states, 8)
    spec = judges.spec
    assert spec is not None
    for seed in range(1001, 1001 + count):
        told = judges.member(seed)
        scratch = judges.bench.work / "fresh"
        files = dict(judges.reference.files)
        for state in chosen:
            files[state.file] = ensemble.perturbed(state, spec.prognostic, seed, scratch).content
        perturbed = replace(judges.reference, files=files)
        kept, judges.reference = judges.reference, perturbed
        found = judges.alarms(judges.bench, judges.plain, told)
        judges.reference = kept
        for rule in RULES:
            alarms[rule] += found[rule]
    return alarms


def longer(bench: Bench, steps: int) -> Bench:
    """The same model, with runs of so many steps."""
    manifest = bench.manifest
    assert manifest.steps is not None, "the models here say where their steps stand"
    where = manifest.steps
    more = {where.namelist: {where.group: {where.variable: steps}}}
    gate = replace(manifest.gate, run=with_edits(manifest.gate.run, more))
    return bench.with_manifest(replace(manifest, gate=gate))


def predicted_horizon(bench: Bench, folder: Path) -> int | None:
    """The horizon that ten members of a run predict which is too short to show it."""
    made = gating.make_baseline(bench, folder, "", ("*",))
    baselines.save(made, folder)
    return estimating.estimate(bench, made, folder, 10, Tolerances()).growth.horizon


def measured_horizon(judges: Judges, count: int) -> int | None:
    """The step at which members that no estimate has seen really are `LOST` apart."""
    spec, reference = judges.spec, judges.reference.fields
    assert spec is not None, "the models here have saved states"
    told = [judges.member(seed) for seed in range(2001, 2001 + count)]
    members = [estimating.distances(reference, one, spec.prognostic) for one in told]
    found = curve(members)
    return next((s for s, v in zip(found.steps, found.apart, strict=True) if v >= LOST), None)


def show(lines: Sequence[Line], fresh: Mapping[str, int], count: int) -> None:
    width = max(len(line.name) for line in lines)
    print(f"{'':{width}}  " + "  ".join(f"{rule:>10}" for rule in RULES))
    for line in lines:
        words = ("found" if line.size is not None else "FALSE", "missed" if line.size else "quiet")
        cells = (words[0] if line.alarms[rule] else words[1] for rule in RULES)
        print(f"{line.name:{width}}  " + "  ".join(f"{cell:>10}" for cell in cells))
    cells = (f"{fresh[rule]} of {count}" for rule in RULES)
    print(f"{'fresh members':{width}}  " + "  ".join(f"{cell:>10}" for cell in cells))


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--model", choices=("lorenz96", "cumulet"), default="lorenz96")
    parser.add_argument("--json", metavar="FILE", type=Path)
    parser.add_argument("--quick", action="store_true", help="four sizes, four fresh members")
    options = parser.parse_args()
    lorenz = options.model == "lorenz96"
    source = ROOT / "benchmarks" / "lorenz96" if lorenz else ROOT / "sample_model"
    changes = lorenz_changes() if lorenz else cumulet_changes()
    if options.quick:
        changes = [c for c in changes if c.size in (None, 1e-12, 1e-4, 1e-7)]
    count = 4 if options.quick else FRESH
    with tempfile.TemporaryDirectory() as scratch:
        bench = Bench(load_manifest(source), toolchain("gfortran"), Path(scratch) / "work")
        bench.work.mkdir()
        say: Callable[[str], None] = lambda text: print(text, file=sys.stderr)  # noqa: E731
        predicted = predicted_horizon(bench, Path(scratch) / "short") if lorenz else None
        bench = longer(bench, LONG) if lorenz else bench
        judges = Judges(bench, Path(scratch) / "baseline")
        lines = table(judges, changes, say)
        fresh = fresh_members(judges, count)
        show(lines, fresh, count)
        measured = measured_horizon(judges, count) if lorenz else None
        if lorenz:
            print(f"horizon: predicted {predicted}, measured with fresh members {measured}")
    missed = [line.name for line in lines if line.size and line.size >= 1e-12
              and not line.alarms["acclimate"]]  # fmt: skip
    false = [line.name for line in lines if line.size is None and line.alarms["acclimate"]]
    print(f"acclimate: {len(missed)} faults of 1e-12 or more missed, {len(false)} false alarms in"
          f" builds and changes, {fresh['acclimate']} in fresh members")  # fmt: skip
    if options.json:
        told = {"table": [asdict(line) for line in lines], "fresh": fresh,
                "predicted": predicted, "measured": measured}  # fmt: skip
        options.json.write_text(json.dumps(told, indent=1) + "\n")
    return 1 if missed or false or fresh["acclimate"] else 0


if __name__ == "__main__":
    raise SystemExit(main())
