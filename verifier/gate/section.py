"""A plane through the field that fails first, at its worst point, for a picture."""

from dataclasses import dataclass

import numpy as np

from acclimate.verifier.gate.differences import Gaps, gaps, is_numeric
from acclimate.verifier.gate.gating import Gated, Reference
from acclimate.verifier.gate.history import NO_STEP

_LARGEST = 96  # points along a side; a longer one is cut around the worst point


@dataclass(frozen=True)
class Plane:
    """Differences [unit of the variable], (rows, columns), with the worst point at `at`.

    `axes` name the dimensions of rows and columns, counted from 1 as Fortran does.
    """

    variable: str
    step: int | None
    axes: tuple[int, int]
    values: Gaps
    at: tuple[int, int]


def worst_section(found: Gated, reference: Reference) -> Plane | None:
    """The plane of the first failing variable that both runs have; None: there is none."""
    for row in found.failures:
        step = NO_STEP if row.step is None else row.step
        before = reference.fields.fields.get(row.variable, {}).get(step)
        after = found.told.fields.get(row.variable, {}).get(step)
        if before is None or after is None or before.values.shape != after.values.shape:
            continue
        if not is_numeric(before) or before.values.ndim < 2:
            continue
        apart = gaps(before, after)
        if not (apart > 0).any():
            continue
        return _plane(row.variable, row.step, apart)
    return None


def _plane(variable: str, step: int | None, apart: Gaps) -> Plane:
    """The two longest dimensions, the others at the worst point."""
    worst = [int(i) for i in np.unravel_index(int(np.nanargmax(apart)), apart.shape)]
    longest = sorted(np.argsort(apart.shape)[-2:].tolist())
    index = tuple(slice(None) if axis in longest else worst[axis] for axis in range(apart.ndim))
    plane, at = apart[index], [worst[axis] for axis in longest]
    for axis, length in enumerate(plane.shape):
        if length > _LARGEST:
            start = min(max(0, at[axis] - _LARGEST // 2), length - _LARGEST)
            plane = plane.take(range(start, start + _LARGEST), axis)
            at[axis] -= start
    return Plane(variable, step, (longest[0] + 1, longest[1] + 1), plane, (at[0], at[1]))
