"""Array statements that become kernels: those that write data some loop kernel writes already."""

from acclimate.analysis.index import ProjectIndex
from acclimate.analysis.source import Lines
from acclimate.porter.draft import Draft
from acclimate.porter.rewrite import Refusal
from acclimate.porter.selection import Kernel


class ArrayKernels:
    """Array statements of all units that are worth a kernel."""

    def __init__(
        self,
        index: ProjectIndex,
        draft: Draft,
        withdrawn: dict[Lines, Refusal],
        exclude: frozenset[str],
    ) -> None:
        self.kernels: list[Kernel] = []
        self.refused: dict[str, list[tuple[Lines, Refusal]]] = {}
