"""The launches of one unit: the loops of each, and the lines around it."""

from collections.abc import Iterable
from dataclasses import dataclass

from acclimate.porter.kernels.selection import Kernel
from acclimate.porter.residency.mirrors import line_behind
from acclimate.porter.rule import Offload
from acclimate.porter.switches.generated_lines import compute
from acclimate.porter.text.placement import Slot


@dataclass(frozen=True, eq=False)
class Launch:
    """The offloads of one region, or one by itself.

    `before` and `behind` are the lines ahead of which stands what belongs around it; None where it
    takes the place of the original's lines.
    """

    offloads: tuple[Offload, ...]
    kernels: tuple[Kernel, ...]
    before: int | None
    behind: int


def launches(offloads: Iterable[Offload], kernels: Iterable[Kernel]) -> list[Launch]:
    """The launches that are new in a unit.

    Args:
        offloads: those of the unit, the ones that share a region behind one another.
    """
    by_place = {kernel.offload.at: kernel for kernel in kernels}
    groups: list[list[Offload]] = []
    for offload in offloads:
        if offload.rule == "existing":
            continue
        if not offload.directives or any(compute(line.words) for line in offload.directives):
            groups.append([])
        groups[-1].append(offload)
    return [_launch(group, [by_place[offload.at] for offload in group]) for group in groups]


def _launch(offloads: list[Offload], kernels: list[Kernel]) -> Launch:
    above = [line.above.first for each in offloads for line in each.directives]
    closing = [new.line for each in offloads for new in each.moved if new.slot is Slot.AFTER]
    ends = [each.end.last + 1 for each in offloads]
    return Launch(
        offloads=tuple(offloads),
        kernels=tuple(kernels),
        before=min(above) if above else None,
        behind=max([*closing, *ends, *map(line_behind, kernels)]),
    )
