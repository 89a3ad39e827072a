"""How far the original can be trusted as a reference: what differs when nothing was changed."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from numpy.typing import NDArray

from acclimate.verifier.comparing.comparison import Comparison, Outputs, compare, unstable

SAFETY = 10.0  # a port may differ by this many times what optimisation alone changes


@dataclass(frozen=True)
class Noise:
    """`masks` are elements that differ between two runs of the same executable (clocks, dates).

    `relative` is the largest relative difference between two optimisation levels, 0 when the
    bits agree and infinite when numbers are not all that differs; `by_variable` is the same for
    each variable whose values differ, and empty when it could excuse nothing.
    """

    masks: Mapping[str, NDArray[Any]] = field(default_factory=dict)
    relative: float = 0.0
    compared: int = 0
    message: str = ""
    by_variable: Mapping[str, float] = field(default_factory=dict)

    def excuses(self, found: Comparison) -> bool:
        """Whether every variable differs by little more than optimisation alone changes in it."""
        return bool(found.findings) and all(
            finding.norms is not None
            and finding.norms.relative <= SAFETY * self.by_variable.get(finding.variable, 0.0)
            for finding in found.findings
        )

    @property
    def stable(self) -> bool:
        return not self.message


def measure_noise(first: Outputs, again: Outputs, unoptimised: Outputs | None) -> Noise:
    """Judge two runs of one executable and one of an unoptimised build (None: it failed)."""
    masks = unstable(first, again)
    twice = compare(first, again, masks)
    if not twice.identical:
        return Noise(masks, float("inf"), twice.compared, twice.findings[0].message)
    if unoptimised is None:
        return Noise(masks, 0.0, twice.compared, "it does not run without optimisation")
    levels = compare(first, unoptimised, masks)
    if levels.structural:
        message = f"without optimisation {levels.structural[0].message}"
        return Noise(masks, float("inf"), levels.compared, message)
    if not levels.identical:
        message = f"without optimisation {levels.findings[0].message}"
        own = {f.variable: f.norms.relative for f in levels.findings if f.norms is not None}
        return Noise(masks, levels.relative, levels.compared, message, own)
    if masks:
        return Noise(masks, 0.0, levels.compared, _unstable_values(masks))
    return Noise(compared=levels.compared)


def repeated(noise: Noise, first: Outputs, again: Outputs) -> Noise:
    """The same after one more run of the executable that has made `first`."""
    masks = dict(noise.masks)
    for name, mask in unstable(first, again).items():
        masks[name] = masks[name] | mask if name in masks else mask
    if not masks:
        return noise
    plain = not noise.message or noise.message == _unstable_values(noise.masks)
    return replace(noise, masks=masks, message=_unstable_values(masks) if plain else noise.message)


def _unstable_values(masks: Mapping[str, NDArray[Any]]) -> str:
    count = sum(int(mask.sum()) for mask in masks.values())
    return f"{count} values differ from run to run"
