"""Minimum, maximum, mean and root mean square of a field, as a whole and level by level."""

import hashlib
from typing import Any

import numpy as np
from numpy.typing import NDArray

from acclimate.verifier.outputs import Field

NAMES = ("min", "max", "mean", "rms")
_LEVELLED = 3  # dimensions; the last of at least so many is the vertical one


def statistics(values: NDArray[Any]) -> NDArray[np.float64]:
    """(4,): `NAMES`, in the unit of the field; NaN where a value is, or where there is none."""
    if values.size == 0 or values.dtype.kind not in "fiub":
        return np.full(4, np.nan)
    numbers = values.astype(np.float64)
    with np.errstate(invalid="ignore", over="ignore"):
        mean, square = np.mean(numbers), np.mean(numbers * numbers)
    return np.array([np.min(numbers), np.max(numbers), mean, np.sqrt(square)])


def by_level(values: NDArray[Any]) -> NDArray[np.float64]:
    """(levels, 4): the statistics of each level; one level for fields of one or two dimensions."""
    if values.ndim < _LEVELLED:
        return statistics(values)[np.newaxis]
    return np.array([statistics(values[..., k]) for k in range(values.shape[-1])])


def digest(field: Field) -> str:
    """A hash of type, bounds and bits, in array element order."""
    values = field.values
    head = f"{values.dtype.str} {values.shape} {field.lower}".encode()
    return hashlib.sha256(head + values.tobytes(order="F")).hexdigest()[:24]


def count_nan(values: NDArray[Any]) -> int:
    return int(np.isnan(values).sum()) if values.dtype.kind == "f" else 0
