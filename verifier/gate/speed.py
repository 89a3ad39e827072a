"""How long each procedure takes, over what it took for the baseline, and whether that is noise.

Times are processor time of a build without directives in which every procedure is timed. They say
nothing of a GPU; they say which unit was made slower, on whatever machine the gate runs.
"""

import hashlib
import statistics
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from acclimate.analysis.problems import Kind, Problem
from acclimate.verifier.building.build import BuildFailure, Extra, build, compiler_version
from acclimate.verifier.gate.baseline import KernelTime, Times
from acclimate.verifier.gate.bench import Bench, does_not_build
from acclimate.verifier.limits import Limits, run_limited
from acclimate.verifier.running.code_places import places
from acclimate.verifier.running.runs import run_model
from acclimate.verifier.toolchains import Build

WHOLE = "whole run"
RUNS = 5
MORE_RUNS = 15  # where something seems slower: a minimum of many is hard to disturb
LEAST_SLOWER = 0.15  # a ratio beyond 1 + this, and beyond the noise, is slower
_NOISE = 2.0  # times the relative spread of the runs on both sides
_SHARE = 0.01  # of the whole run; what takes less is not judged by itself
_SOURCE = Path(__file__).with_name("unit_times.c")
_COMPILER = "gcc"
_LIMITS = Limits(wall=120, cpu=120, memory=2048, file=64, processes=16)
_GAUGE = "gauge"


@dataclass(frozen=True, slots=True)
class Ratio:
    """A time over the baseline's, both as minima over runs, the machine's own speed taken out.

    `noise` is the relative spread of both together; `seconds` the time now.
    """

    name: str
    ratio: float
    noise: float
    seconds: float

    @property
    def slower(self) -> bool:
        return self.ratio > 1.0 + max(LEAST_SLOWER, _NOISE * self.noise)


@dataclass(frozen=True, slots=True)
class Compared:
    """Ratios, largest first; where times cannot be compared, none and the reason."""

    ratios: tuple[Ratio, ...]
    reason: str = ""


def take_times(bench: Bench, runs: int = RUNS) -> Times:
    """Time every procedure in several runs.

    Raises:
        Problem: the model does not build or run, or there is no C compiler.
    """
    return _times(_Timed(bench).runs(runs))


def compare_times(bench: Bench, before: Times) -> Compared:
    """Time the model and hold it against the baseline's times; look again before saying slower.

    Raises:
        Problem: as `take_times`.
    """
    if processor() != before.processor:
        reason = f"the baseline's times are of another processor ({before.processor})"
        return Compared((), reason)
    timed = _Timed(bench)
    told = timed.runs(RUNS)
    found = ratios(before, _times(told))
    if any(ratio.slower for ratio in found):
        found = ratios(before, _times([*told, *timed.runs(MORE_RUNS - RUNS)]))
    return Compared(found)


def ratios(before: Times, now: Times) -> tuple[Ratio, ...]:
    """Every procedure that took a share worth judging on one of the two sides.

    The machine's own speed is the median of all ratios, and for the whole run that of the gauge:
    one procedure that became slower moves neither.
    """
    old = {kernel.name: kernel.seconds for kernel in before.kernels}
    new = {kernel.name: kernel.seconds for kernel in now.kernels}
    least = _SHARE * max(min(old.get(WHOLE, (0.0,))), min(new.get(WHOLE, (0.0,))))
    plain = {
        name: min(seconds) / min(old[name])
        for name, seconds in new.items()
        if name in old and min(old[name]) > 0 and max(min(old[name]), min(seconds)) >= least
    }
    parts = [ratio for name, ratio in plain.items() if name != WHOLE]
    machine = statistics.median(parts) if parts else 1.0
    whole = min(now.gauge) / min(before.gauge)
    found = [
        Ratio(
            name,
            ratio / (whole if name == WHOLE else machine),
            (_spread(old[name]) ** 2 + _spread(new[name]) ** 2) ** 0.5,
            min(new[name]),
        )
        for name, ratio in plain.items()
    ]
    return tuple(sorted(found, key=lambda ratio: -ratio.ratio))


def processor() -> str:
    """The processor's own name; empty where the system does not tell."""
    try:
        text = Path("/proc/cpuinfo").read_text()
    except OSError:
        return ""
    lines = (line for line in text.splitlines() if line.startswith("model name"))
    return next(lines, "").partition(":")[2].strip()


def _spread(seconds: Sequence[float]) -> float:
    """How far the lower quartile lies above the minimum: what the minimum itself may be off by."""
    if len(seconds) < 2 or min(seconds) <= 0:
        return 0.0
    return statistics.quantiles(seconds, n=4, method="inclusive")[0] / min(seconds) - 1.0


def _times(told: Sequence[Mapping[str, float]]) -> Times:
    names = sorted(set().union(*told) - {_GAUGE})
    gauge = tuple(one[_GAUGE] for one in told)
    kernels = (KernelTime(n, tuple(one.get(n, 0.0) for one in told)) for n in names)
    return Times(processor(), gauge, tuple(kernels))


class _Timed:
    """A build of the model in which procedures are timed."""

    def __init__(self, bench: Bench) -> None:
        self.bench = bench
        extra = Extra((_hooks(bench.work),))
        bench.say(f"building {bench.manifest.name} ({Build.TIMED})")
        made = build(bench.manifest, bench.toolchain, Build.TIMED, bench.work, extra)
        if isinstance(made, BuildFailure):
            raise does_not_build(bench.manifest, made)
        self.executable = made.executable
        self.names: dict[int, str] = {}

    def runs(self, count: int) -> list[dict[str, float]]:
        return [self._run(number) for number in range(count)]

    def _run(self, number: int) -> dict[str, float]:
        gate = self.bench.manifest.gate
        self.bench.say(f"timing run {number + 1}")
        report = self.bench.work / "times.txt"
        report.unlink(missing_ok=True)
        run = run_model(
            self.bench.manifest,
            self.executable,
            self.bench.work / "runs" / "timed",
            edits=gate.speed or gate.run,
            environment={"ACCLIMATE_TIMES": str(report)},
        )
        if not run.ok or not report.is_file():
            raise Problem(
                f"a timed run of {self.bench.manifest.name} {run.ended}.",
                kind=Kind.ENVIRONMENT,
                hint="check [gate.speed] in acclimate.toml, or leave times out with --no-speed",
            )
        return self._read(report.read_text())

    def _read(self, text: str) -> dict[str, float]:
        lines = [line.split() for line in text.splitlines()]
        told = {_GAUGE: float(lines[0][1])}
        measured = [(int(address, 16), float(seconds)) for address, _, seconds in lines[1:]]
        unknown = [address for address, _ in measured if address not in self.names]
        for address, place in places(self.executable, unknown).items():
            self.names[address] = place.procedure
        for address, seconds in measured:
            name = self.names.get(address, "elsewhere")
            told[name] = told.get(name, 0.0) + seconds
        told[WHOLE] = sum(seconds for _, seconds in measured)
        return told


def _hooks(work: Path) -> Path:
    """The hooks, compiled once for each content and compiler.

    Raises:
        Problem: there is no C compiler.
    """
    key = hashlib.sha256(_SOURCE.read_bytes() + compiler_version(_COMPILER).encode()).hexdigest()
    path = work / "hooks" / f"{key[:16]}.o"
    if not path.is_file():
        path.parent.mkdir(parents=True, exist_ok=True)
        argv = [_COMPILER, "-O2", "-c", str(_SOURCE), "-o", str(path)]
        done = run_limited(argv, cwd=path.parent, limits=_LIMITS, logs=path.with_suffix(".log"))
        if not done.ok:
            path.unlink(missing_ok=True)
            raise Problem(
                f"the hooks that time procedures do not build: {_COMPILER} {done.outcome}.",
                kind=Kind.ENVIRONMENT,
                notes=(done.last_words,),
                hint="install gcc and the C library's headers, or use --no-speed",
            )
    return path
