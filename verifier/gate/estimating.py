"""Estimate tolerances: what members and builds do that differ by rounding, times a factor."""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np

from acclimate.analysis.problems import Problem
from acclimate.verifier.building.build import Built
from acclimate.verifier.gate import ensemble
from acclimate.verifier.gate.baseline import Baseline, contents, kept_history
from acclimate.verifier.gate.bench import Bench, SavedState
from acclimate.verifier.gate.differences import epsilon, is_numeric, spread, variability
from acclimate.verifier.gate.growth import Curve, Growth, curve, growth
from acclimate.verifier.gate.history import NO_STEP, History, selected
from acclimate.verifier.gate.replay import (
    Replay,
    by_variable,
    check_exact,
    chosen_states,
    replayed,
)
from acclimate.verifier.gate.statistics import by_level
from acclimate.verifier.gate.tolerances import Check, Estimate, Mode, Tolerance, Tolerances
from acclimate.verifier.outputs import Field
from acclimate.verifier.running.runs import Run
from acclimate.verifier.toolchains import Build

FILE = "ensemble.json"
FACTOR = 5.0  # as probtest has it: a tenth member may be further off than nine others
_ROUNDING = 4.0  # ulp of the largest value, below which nothing is told apart
_STATES = 8  # from which members start, when tolerances of a step are estimated

Sides = tuple[Mapping[str, Mapping[int, Field]], Mapping[str, Mapping[int, Field]]]


@dataclass
class Widest:
    """The largest spread seen of one variable; `by_step` are pointwise maxima of whole runs."""

    smooth: float = 0.0
    flips: int = 0
    flipped: float = 0.0
    scale: float = 0.0
    epsilon: float = 0.0
    by_step: dict[int, float] = field(default_factory=dict)
    statistics: dict[int, float] = field(default_factory=dict)


@dataclass(frozen=True)
class Estimated:
    """Tolerances, and the members' distances from the reference by step, one mapping a member."""

    tolerances: Tolerances
    members: tuple[Mapping[int, float], ...]
    growth: Growth
    curve: Curve
    notes: tuple[str, ...] = ()


def estimate(
    bench: Bench, baseline: Baseline, folder: Path, count: int, previous: Tolerances
) -> Estimated:
    """Run the ensemble on the reference and turn what it does into tolerances.

    `previous` are the tolerances there are: their mode and what they ignore stay.

    Raises:
        Problem: the reference does not build or run, goes on from its states otherwise than it
            ran, or members do not differ.
    """
    return _Estimating(bench, baseline, folder, count, previous).run()


class _Estimating:
    def __init__(
        self, bench: Bench, baseline: Baseline, folder: Path, count: int, previous: Tolerances
    ) -> None:
        self.bench, self.baseline, self.count, self.previous = bench, baseline, count, previous
        files = contents(baseline, folder)
        self.scratch = bench.work / "estimate"
        self.reference = kept_history(baseline, files, self.scratch / "kept")
        self.states = bench.states(files)
        self.chosen = chosen_states(self.states, _STATES)
        self.step: dict[str, Widest] = {}
        self.whole: dict[str, Widest] = {}
        self.notes: list[str] = []

    def run(self) -> Estimated:
        built = self.bench.build(Build.PLAIN)
        members: list[Mapping[int, float]] = []
        if self.chosen:
            check_exact(self._replay(built, self.chosen, "exact"))
            ensemble.check_prognostic(
                self.bench, built, self.reference, self.chosen, self.scratch / "probe"
            )
            members = self._members(built)
        else:
            self.notes.append(
                "no saved states ([gate.state]): tolerances rest on builds alone, and there is"
                " no replay of single steps"
            )
        builds = self._builds()
        told = curve(members)
        rate = growth(told)
        return Estimated(
            self._tolerances(rate, builds), tuple(members), rate, told, tuple(self.notes)
        )

    def _replay(self, built: Built, states: Sequence[SavedState], name: str) -> tuple[Replay, ...]:
        return replayed(self.bench, built, self.reference, states, name)

    def _members(self, built: Built) -> list[Mapping[int, float]]:
        """One step from each state and the whole run from the first, for each member."""
        spec = self.bench.manifest.gate.state
        assert spec is not None, "there are states only where they are described"
        scratch = self.scratch / "members"
        replays: dict[int, tuple[Replay, ...]] = {}
        distances: list[Mapping[int, float]] = []
        for number in range(1, self.count + 1):
            self.bench.say(f"member {number} of {self.count}")
            states = [ensemble.perturbed(s, spec.prognostic, number, scratch) for s in self.chosen]
            replays[number] = self._replay(built, states, "member")
            self._widen_step(replays[number])
            run = self.bench.go_on(built, states[0], self.baseline.steps[-1], "member-run")
            told = self._whole_run(run, f"member {number}")
            distances.append(self._distances(told))
        ensemble.check_members(replays)
        return distances

    def _builds(self) -> tuple[str, ...]:
        names = []
        for variation in ensemble.variations(self.bench.toolchain, ensemble.processor_flags()):
            built = self.bench.build(variation.kind, variation.toolchain)
            self._widen_step(self._replay(built, self.chosen, f"build-{variation.name}"))
            run = run_from_first(self.bench, built, self.states, self.baseline, "build-run")
            self._whole_run(run, f"the build {variation.name}")
            names.append(variation.name)
        return tuple(names)

    def _widen_step(self, replays: Sequence[Replay]) -> None:
        for replay in replays:
            if replay.crash:
                raise Problem(
                    f"a member of the ensemble does not run: {replay.crash}.",
                    hint="the model is too fragile for an ensemble from this state",
                )
        mine, theirs = by_variable(replays)
        for name, fields in mine.items():
            for step, before in fields.items():
                _widen(self.step.setdefault(name, Widest()), before, theirs[name][step])

    def _whole_run(self, run: Run, who: str) -> History:
        if not run.ok:
            raise Problem(
                f"{who} of the ensemble {run.ended}.",
                hint="the model is too fragile for an ensemble of this length",
            )
        told = self.bench.history(run)
        for name, fields in self.reference.fields.items():
            for step, before in fields.items():
                after = told.fields.get(name, {}).get(step)
                if after is None or after.values.shape != before.values.shape:
                    continue  # a run from a saved state has no earlier steps
                if not is_numeric(before) or before.values.size == 0:
                    continue
                widest = self.whole.setdefault(name, Widest())
                apart = _widen(widest, before, after)
                widest.by_step[step] = max(widest.by_step.get(step, 0.0), apart)
                levels = np.abs(by_level(before.values) - by_level(after.values))
                worst = float(np.nan_to_num(levels).max())
                widest.statistics[step] = max(widest.statistics.get(step, 0.0), worst)
        return told

    def _distances(self, told: History) -> dict[int, float]:
        """By step, of the prognostic variable that is furthest in its own variability."""
        spec = self.bench.manifest.gate.state
        assert spec is not None, "there are members only where there are states"
        return distances(self.reference, told, spec.prognostic)

    def _tolerances(self, rate: Growth, builds: tuple[str, ...]) -> Tolerances:
        how = f"{FACTOR:g} times the largest of {self.count if self.chosen else 0} members"
        how += f" and builds {', '.join(builds)}"
        entries = [
            entry
            for name, widest in sorted(self.step.items())
            for entry in _step_entries(
                name, widest, f"{how}, one step from {len(self.chosen)} states"
            )
        ]
        for name, widest in sorted(self.whole.items()):
            entries += _run_entries(name, _within(widest, rate.horizon), self.step.get(name), how)
        told = Estimate(
            baseline=self.baseline.identity,
            members=self.count if self.chosen else 0,
            states=len(self.chosen),
            factor=FACTOR,
            builds=builds,
            growth=rate.rate,
            horizon=rate.horizon,
        )
        mode = self.previous.mode
        return replace(
            self.previous,
            mode=Mode.TOLERANCE if mode is Mode.STRICT else mode,
            entries=tuple(entries),
            estimate=told,
        )


def run_from_first(
    bench: Bench, built: Built, states: Sequence[SavedState], baseline: Baseline, name: str
) -> Run:
    """The whole run, from the first saved state where there is one.

    What a model does before it saves anything (a spin-up) may have amplified rounding already.
    """
    if not states:
        return bench.run(built, name)
    return bench.go_on(built, states[0], baseline.steps[-1], name)


def distances(reference: History, told: History, prognostic: Iterable[str]) -> dict[int, float]:
    """RMS difference over variability, by step, of the prognostic variable that is furthest."""
    patterns = tuple(prognostic)
    found: dict[int, float] = {}
    for name, fields in reference.fields.items():
        if not selected(name, patterns):
            continue
        for step, before in fields.items():
            after = told.fields.get(name, {}).get(step)
            if step == NO_STEP or after is None or after.values.shape != before.values.shape:
                continue
            own = variability(before)
            if own > 0.0:
                apart = spread(before, after).rms / own
                found[step] = max(found.get(step, 0.0), apart)
    return found


def _widen(widest: Widest, before: Field, after: Field) -> float:
    """Take one more difference into account; the largest one at any point."""
    if not is_numeric(before):
        return 0.0
    seen = spread(before, after)
    widest.smooth = max(widest.smooth, seen.smooth)
    widest.flips = max(widest.flips, seen.flips)
    widest.flipped = max(widest.flipped, seen.flipped)
    widest.scale = max(widest.scale, seen.scale)
    widest.epsilon = epsilon(before.values)
    return max(seen.smooth, seen.flipped)


def _floor(widest: Widest) -> float:
    return _ROUNDING * widest.epsilon * widest.scale


def _step_entries(name: str, widest: Widest, reason: str) -> list[Tolerance]:
    entry = Tolerance(
        name,
        Check.STEP,
        FACTOR * widest.smooth + _floor(widest),
        reason,
        flips=widest.flips,
        flip_abs=FACTOR * widest.flipped,
    )
    return [entry]


def _within(widest: Widest, horizon: int | None) -> Widest:
    """Without what lies beyond the horizon, where differences grow no more."""
    if horizon is None:
        return widest
    return replace(
        widest,
        by_step={s: v for s, v in widest.by_step.items() if s < horizon},
        statistics={s: v for s, v in widest.statistics.items() if s < horizon},
    )


def _run_entries(name: str, widest: Widest, step: Widest | None, how: str) -> list[Tolerance]:
    """A line above all that was seen, for points and for statistics."""
    floor = max(_floor(widest), _floor(step) + step.smooth if step else 0.0)
    points = _line(name, Check.RUN, widest.by_step, floor, f"{how}, whole run")
    numbers = _line(name, Check.STATISTICS, widest.statistics, _floor(widest), f"{how}, by level")
    return [points, numbers]


def _line(
    name: str, check: Check, seen: Mapping[int, float], floor: float, reason: str
) -> Tolerance:
    """abs and growth of a line that no value of `seen` exceeds, times the factor."""
    steps = sorted(step for step in seen if step != NO_STEP)
    values = {step: FACTOR * seen[step] + floor for step in seen}
    if len(steps) < 2:
        largest = max(values.values(), default=floor)
        return Tolerance(name, check, largest, reason)
    logs = np.log([max(values[step], 5e-324) for step in steps])
    slope = max(0.0, float(np.polyfit(np.array(steps, float), logs, 1)[0]))
    height = max(float(log) - slope * step for log, step in zip(logs, steps, strict=True))
    return Tolerance(name, check, float(np.exp(height)), reason, growth=slope)


def save_ensemble(estimated: Estimated, path: Path) -> None:
    """Keep the members' distances, for `diagnose` to hold a run against."""
    told = {
        "schema": 1,
        "members": [{str(step): value for step, value in m.items()} for m in estimated.members],
    }
    path.write_text(json.dumps(told, indent=1) + "\n")


def load_ensemble(path: Path) -> tuple[dict[int, float], ...]:
    """The members' distances by step; empty where no ensemble was run."""
    if not path.is_file():
        return ()
    told = json.loads(path.read_text())
    return tuple({int(s): float(v) for s, v in member.items()} for member in told["members"])
