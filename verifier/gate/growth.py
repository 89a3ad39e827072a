"""How fast rounding grows in a model, and from when on a comparison of runs has no power."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

LOST = 1.0e-3  # of a field's own variability: members that far apart hide any fault
_LEAST = 5  # steps a rate is fitted to
_FACTOR = 10.0  # the least growth over the fitted steps that is told from noise


@dataclass(frozen=True, slots=True)
class Curve:
    """How far apart members are, by step: root mean square over a field's standard deviation.

    The geometric mean over members, of the variable that is furthest.
    """

    steps: tuple[int, ...]
    apart: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class Growth:
    """`rate` per step (of the natural logarithm); `horizon` the first step without power.

    Both are None where nothing grows beyond noise within the steps that were run.
    """

    rate: float | None
    horizon: int | None


def curve(members: Sequence[Mapping[int, float]]) -> Curve:
    """The mean curve of members, each given as distance by step."""
    steps = sorted(set.intersection(*(set(member) for member in members))) if members else []
    apart = []
    for step in steps:
        values = [member[step] for member in members if member[step] > 0]
        apart.append(float(np.exp(np.mean(np.log(values)))) if values else 0.0)
    return Curve(tuple(steps), tuple(apart))


def growth(told: Curve) -> Growth:
    """Rate and horizon; where the curve does not reach `LOST`, its line is drawn on.

    The line is fitted to the later half of the steps before the loss: the first ones still feel
    how the members were made.
    """
    steps, apart = np.array(told.steps, float), np.array(told.apart, float)
    useful = (apart > 0) & (apart < LOST)
    lost = np.flatnonzero(apart >= LOST)
    if lost.size:
        useful[lost[0] :] = False
    chosen = np.flatnonzero(useful)
    chosen = chosen[len(chosen) // 2 :] if len(chosen) >= 2 * _LEAST else chosen
    rate: float | None = None
    horizon = int(steps[lost[0]]) if lost.size else None
    if len(chosen) >= _LEAST:
        slope, offset = np.polyfit(steps[chosen], np.log(apart[chosen]), 1)
        if slope * (steps[chosen[-1]] - steps[chosen[0]]) >= np.log(_FACTOR):
            rate = float(slope)
            horizon = horizon or int(np.ceil((np.log(LOST) - offset) / slope))
    return Growth(rate, horizon)
