"""How far one field is from another: a smooth part, and points that a threshold has flipped."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from acclimate.verifier.outputs import Field

Gaps = NDArray[np.float64]
_OUTLYING = 1.0e3  # times what 99 % of the points keep to: a branch was taken, no rounding grew


@dataclass(frozen=True, slots=True)
class Spread:
    """Absolute differences, in the unit of the field.

    `smooth` is the largest but for `flips` points far from all others, `flipped` the largest of
    those; `rms` is over all points and `scale` the largest magnitude of the reference.
    """

    smooth: float
    flips: int
    flipped: float
    rms: float
    scale: float


def is_numeric(field: Field) -> bool:
    return field.values.dtype.kind in "fi"


def gaps(reference: Field, candidate: Field) -> Gaps:
    """|candidate - reference| at each point; NaN where either is, 0 for equal infinities."""
    a = reference.values.astype(np.float64)
    b = candidate.values.astype(np.float64)
    with np.errstate(invalid="ignore", over="ignore"):
        return np.asarray(np.where(a == b, 0.0, np.abs(a - b)))


def spread(reference: Field, candidate: Field) -> Spread:
    """How far two fields of one shape are apart."""
    apart = gaps(reference, candidate)
    if apart.size == 0:
        return Spread(0.0, 0, 0.0, 0.0, 0.0)
    size = scale(reference)
    typical = max(float(np.quantile(apart, 0.99)), epsilon(reference.values) * size)
    far = apart > _OUTLYING * typical
    near = apart[~far]
    return Spread(
        smooth=float(near.max()) if near.size else 0.0,
        flips=int(far.sum()),
        flipped=float(apart[far].max()) if far.any() else 0.0,
        rms=float(np.sqrt(np.mean(apart * apart))),
        scale=size,
    )


def scale(field: Field) -> float:
    """The largest magnitude of a field."""
    values = field.values
    return float(np.max(np.abs(values.astype(np.float64)))) if values.size else 0.0


def variability(field: Field) -> float:
    """The standard deviation of a field over its points; its scale where it has none."""
    deviation = float(np.std(field.values.astype(np.float64))) if field.values.size else 0.0
    return deviation or scale(field)


def epsilon(values: NDArray[Any]) -> float:
    """The relative spacing of numbers of this type; of float64 where they are whole numbers."""
    kind = values.dtype if values.dtype.kind == "f" else np.dtype(np.float64)
    return float(np.finfo(kind).eps)
