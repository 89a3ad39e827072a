"""Hold one run, or one step, against the reference: bits, points or statistics."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any

import numpy as np
from numpy.typing import NDArray

from acclimate.verifier.comparing.comparison import Difference, Outputs, compare
from acclimate.verifier.gate.baseline import Baseline, StepRecord, VariableRecord, level_key
from acclimate.verifier.gate.differences import epsilon, gaps, is_numeric, scale
from acclimate.verifier.gate.history import NO_STEP, History
from acclimate.verifier.gate.statistics import NAMES, by_level, count_nan, digest
from acclimate.verifier.gate.tolerances import Check, Tolerance, Tolerances
from acclimate.verifier.outputs import Field

_ROUNDING = 4.0  # ulp of the largest value: what storing and reading back may cost


class Finding(StrEnum):
    HOLDS = "holds"
    FAILS = "fails"
    NO_POWER = "no power"  # beyond the horizon a comparison could not tell right from wrong


@dataclass(frozen=True, slots=True)
class Row:
    """What one check says of one variable; `step` and `place` are those of the worst point.

    `figure` is the difference in the unit of the variable and `limit` what it may be; `steps` and
    `values` count what was compared.
    """

    variable: str
    check: str
    finding: Finding
    message: str
    step: int | None = None
    place: str = ""
    figure: float | None = None
    limit: float | None = None
    flips: int = 0
    steps: int = 0
    values: int = 0

    @property
    def excess(self) -> float:
        """How many times its limit a difference is; infinite where nothing could excuse it."""
        if self.figure is None or self.limit is None:
            return float("inf") if self.finding is Finding.FAILS else 0.0
        if np.isnan(self.figure):
            return float("inf")
        return self.figure / self.limit if self.limit else float("inf") if self.figure else 0.0


def structure(
    baseline: Baseline, told: History, chosen: Iterable[str], steps: set[int]
) -> list[Row]:
    """What no tolerance excuses: variables, steps, types and shapes that are not the baseline's.

    NaN on either side, and on both, is such a thing too. `chosen` are names of variables on either
    side, `steps` those that must be there.
    """
    rows = [
        _failure(text.split(":", 1)[0], Difference.UNREADABLE, text) for text in told.unreadable
    ]
    broken = {row.variable for row in rows}
    for name in sorted(chosen):
        mine, theirs = baseline.variables.get(name), told.fields.get(name)
        if mine is None:
            rows.append(_failure(name, Difference.EXTRA, "is not in the baseline"))
        elif theirs is None:
            if name.partition(":")[0] not in broken:
                rows.append(_failure(name, Difference.MISSING, "is no longer written"))
        else:
            rows += _form(name, mine, theirs, steps)
    return rows


def _form(
    name: str, mine: VariableRecord, theirs: Mapping[int, Field], steps: set[int]
) -> list[Row]:
    before = {int(step) for step in mine.steps} & (steps | {NO_STEP})
    for step in sorted(before - theirs.keys()):
        return [_failure(name, Difference.MISSING, "is not written at this step any more", step)]
    for step in sorted(theirs.keys() - {int(step) for step in mine.steps}):
        return [_failure(name, Difference.EXTRA, "is written at a step the baseline has not", step)]
    for step in sorted(before):
        values = theirs[step].values
        if values.dtype.str != mine.type and values.dtype.kind != "U":
            what = f"changed from {np.dtype(mine.type)} to {values.dtype}"
            return [_failure(name, Difference.TYPE, what, step)]
        if values.shape != mine.shape or theirs[step].lower != mine.lower:
            what = f"changed its shape from {mine.shape} to {values.shape}"
            return [_failure(name, Difference.SHAPE, what, step)]
        here, there = mine.steps[str(step)].nan, count_nan(values)
        if here or there:
            sides = "both runs" if here and there else "the baseline" if here else "this run"
            what = f"holds {max(here, there)} NaN in {sides}"
            return [_failure(name, Difference.NAN, what, step)]
    return []


def strict(
    baseline: Baseline, kept: History, told: History, chosen: Iterable[str]
) -> list[Row]:  # fmt: skip
    """Bit identity of every variable at every step; the first step that differs is described."""
    rows = []
    for name in sorted(chosen):
        records = {int(step): one for step, one in baseline.variables[name].steps.items()}
        fields = told.fields[name]
        values = sum(field.values.size for field in fields.values())
        different = [step for step in sorted(records) if digest(fields[step]) != records[step].bits]
        row = Row(name, "bits", Finding.HOLDS, "bit-identical", steps=len(records), values=values)
        if different:
            first = different[0]
            before = kept.fields.get(name, {}).get(first)
            row = _different_bits(row, first, records[first], before, fields[first])
            row = replace(row, message=f"{row.message}; {_steps(len(different), len(records))}")
        rows.append(row)
    return rows


def _different_bits(
    row: Row, step: int, record: StepRecord, before: Field | None, after: Field
) -> Row:
    row = replace(row, finding=Finding.FAILS, step=None if step == NO_STEP else step)
    if before is None:  # its file was not kept: statistics are all there is
        now = by_level(after.values)
        text = f"other bits; mean {record.statistics[2]} became {now[:, 2].mean():.17g}"
        return replace(row, message=text, limit=0.0)
    found = compare(Outputs({"": before}), Outputs({"": after})).findings[0]
    text = found.message.removeprefix("'' ")
    if found.norms is None:
        return replace(row, message=text)
    apart = gaps(before, after)
    at = np.unravel_index(int(np.argmax(apart)), apart.shape)
    return replace(
        row,
        message=text,
        place=_place(after, tuple(int(i) for i in at)),
        figure=found.norms.worst,
        limit=0.0,
    )


def pointwise(
    check: Check,
    reference: Mapping[str, Mapping[int, Field]],
    candidate: Mapping[str, Mapping[int, Field]],
    tolerances: Tolerances,
    horizon: int | None,
) -> list[Row]:
    """Every point of every variable that both sides have, at every step they share."""
    rows = []
    for name in sorted(reference.keys() & candidate.keys()):
        shared = sorted(reference[name].keys() & candidate[name].keys())
        powerful = [s for s in shared if s == NO_STEP or horizon is None or s < horizon]
        found = [
            _point_row(name, check, step, reference[name][step], candidate[name][step], tolerances)
            for step in powerful
        ]
        if found:
            rows.append(_worst(found))
        elif shared:
            text = f"all steps lie beyond the horizon, step {horizon}"
            rows.append(Row(name, check, Finding.NO_POWER, text))
    return rows


def _point_row(
    name: str, check: Check, step: int, before: Field, after: Field, tolerances: Tolerances
) -> Row:
    shown = None if step == NO_STEP else step
    size = before.values.size
    row = Row(name, check, Finding.HOLDS, "within tolerance", shown, steps=1, values=size)
    if size == 0 and after.values.size == 0:
        return replace(row, message="empty on both sides")
    entries = tolerances.find(name, check, step)
    if not is_numeric(before) or not entries:
        found = compare(Outputs({"": before}), Outputs({"": after})).findings
        if not found:
            return replace(row, message="bit-identical")
        why = "" if entries or not is_numeric(before) else " (no tolerance is given)"
        text = found[0].message.removeprefix("'' ") + why
        norms = found[0].norms
        figure, limit = (norms.worst, 0.0) if norms else (None, None)
        return replace(row, finding=Finding.FAILS, message=text, figure=figure, limit=limit)
    apart, limits = gaps(before, after), _limits(entries, before, step)
    deciding = entries[-1]
    beyond = ~(apart <= limits)
    with np.errstate(divide="ignore", invalid="ignore"):
        times = np.where(apart == 0.0, 0.0, apart / limits)
    at = tuple(int(i) for i in np.unravel_index(int(np.argmax(times)), apart.shape))
    figure, limit = float(apart[at]), float(limits[at])
    row = replace(row, place=_place(after, at), figure=figure, limit=limit)
    count = int(beyond.sum())
    if count == 0:
        return row
    if count <= deciding.flips and bool((apart[beyond] <= deciding.flip_abs).all()):
        text = f"within tolerance, but for {count} points where a branch was taken otherwise"
        return replace(row, message=text, flips=count, limit=deciding.flip_abs)
    text = f"{count} of {size} points differ by more than they may: {before.values[at]} became"
    return replace(row, finding=Finding.FAILS, message=f"{text} {after.values[at]}", flips=count)


def _limits(entries: tuple[Tolerance, ...], before: Field, step: int) -> NDArray[np.float64]:
    values = np.abs(before.values.astype(np.float64))
    limits = np.zeros(values.shape)
    for entry in entries:
        where: Any = ...
        if entry.levels is not None and values.ndim > 0:
            low = before.lower[-1] if before.lower else 1
            where = (..., slice(entry.levels[0] - low, entry.levels[1] - low + 1))
        limits[where] = entry.at(step) + entry.rel * values[where]
    if before.last_digit is not None:  # a number that was printed may be rounded the other way
        limits = limits + before.last_digit
    return limits


def statistical(
    baseline: Baseline,
    levels: Mapping[str, NDArray[np.float64]],
    told: History,
    chosen: Iterable[str],
    tolerances: Tolerances,
    horizon: int | None,
) -> list[Row]:
    """Minimum, maximum, mean and rms of every level at every step within the horizon."""
    rows = []
    for name in sorted(chosen):
        found = []
        beyond = 0
        for step, field in sorted(told.fields[name].items()):
            if horizon is not None and step >= horizon:
                beyond += 1
            elif is_numeric(field) and field.values.size:
                mine = levels[level_key(name, step)]
                found.append(_statistics_row(name, step, mine, field, tolerances))
        if found:
            rows.append(_worst(found))
        elif beyond:
            text = f"all steps lie beyond the horizon, step {horizon}"
            rows.append(Row(name, Check.STATISTICS, Finding.NO_POWER, text))
    return rows


def _statistics_row(
    name: str, step: int, mine: NDArray[np.float64], field: Field, tolerances: Tolerances
) -> Row:
    theirs = by_level(field.values)
    apart = np.abs(mine - theirs)
    entries = tolerances.find(name, Check.STATISTICS, step)
    allowed = entries[-1].at(step) if entries else 0.0
    allowed += _ROUNDING * epsilon(field.values) * scale(field) if entries else 0.0
    level, number = (int(i) for i in np.unravel_index(int(np.argmax(apart)), apart.shape))
    worst = float(apart[level, number])
    where = f"{NAMES[number]} of level {level + 1}" if len(mine) > 1 else NAMES[number]
    good = bool((apart <= allowed).all())
    text = "within tolerance" if good else f"{mine[level, number]} became {theirs[level, number]}"
    finding = Finding.HOLDS if good else Finding.FAILS
    shown = None if step == NO_STEP else step
    size = mine.size
    return Row(
        name, Check.STATISTICS, finding, text, shown, where, worst, allowed, steps=1, values=size
    )


def _worst(rows: list[Row]) -> Row:
    """The first step that fails, else the one nearest to its limit; with all that was compared."""
    failing = [row for row in rows if row.finding is Finding.FAILS]
    chosen = failing[0] if failing else max(rows, key=lambda row: row.excess)
    text = f"{chosen.message}; {_steps(len(failing), len(rows))}" if failing else chosen.message
    return replace(
        chosen,
        message=text,
        steps=len(rows),
        values=sum(row.values for row in rows),
    )


def _place(field: Field, at: tuple[int, ...]) -> str:
    return field.place(at) if at or field.places else ""


def _steps(some: int, of: int) -> str:
    return f"at {some} of {of} steps" if of > 1 else "at the only step"


def _failure(name: str, kind: Difference, text: str, step: int | None = None) -> Row:
    shown = None if step == NO_STEP else step
    return Row(name, kind, Finding.FAILS, text, shown)
