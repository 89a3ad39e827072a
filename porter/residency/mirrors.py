"""Module data under DECLARE that kernels write: the host's copy follows behind each kernel.

Device routines read such data, and so do their calls on the host, where nobody may have a name for
it that an `update self` could use. So both copies are kept valid at all times: what the host writes
goes to the device at once (`brackets.py`), what a kernel writes comes back right behind it.
"""

from collections.abc import Callable
from dataclasses import dataclass

from acclimate.analysis.dependence.statements import inside
from acclimate.analysis.directives import parse
from acclimate.analysis.ir import Assignment
from acclimate.analysis.source import Lines
from acclimate.porter.kernels.kernel_data import KernelData
from acclimate.porter.kernels.selection import Kernel
from acclimate.porter.names.scope import Reference
from acclimate.porter.names.traversal import last_line
from acclimate.porter.residency.updates import UpdateSite, by_name
from acclimate.porter.text.directives_text import clause, directive
from acclimate.porter.text.margins import Margins
from acclimate.porter.text.placement import Insertion, Slot

Bar = Callable[[str, Lines, str], None]


@dataclass(frozen=True, eq=False)
class Mirrors:
    """Plans the `update self` behind kernels.

    Args:
        mirrored: whether both copies of a storage node are kept valid.
        bar: takes a node, a place and the reason why its copies cannot be kept so.
    """

    margins: Margins
    mirrored: Callable[[str], bool]
    bar: Bar

    def written(self, data: KernelData) -> list[Reference]:
        """What a kernel writes of such data, each name once."""
        found = {f.designator: f for f in data.references if f.node in data.writes}
        return sorted((f for f in found.values() if self.mirrored(f.node)), key=by_name)

    def scalars(self, kernel: Kernel) -> list[Reference]:
        """Scalars of that kind which a kernel stores into and no thread has for its own."""
        targets = [s.target for s in inside([kernel.statement]) if isinstance(s, Assignment)]
        stored = {f for f in map(kernel.scope.reference, targets) if f is not None}
        return sorted(
            (
                f
                for f in stored
                if not f.is_array and not f.path and self.mirrored(f.node)
                and f.root.name not in kernel.offload.private
            ),
            key=by_name,
        )  # fmt: skip

    def behind(
        self, unit: str, kernel: Kernel, data: KernelData
    ) -> list[tuple[Insertion, UpdateSite]]:
        """The update behind one kernel of `unit`; empty if it writes no such data."""
        written = self.written(data)
        if not written:
            return []
        at, line = kernel.offload.at, line_behind(kernel)
        objection = complaint(kernel, line)
        for found in written:
            reason = "an element of an array of objects" if found.varying else objection
            if reason:
                self.bar(found.node, at, f"'{found.designator}': {reason}")
        names = [found.designator for found in written]
        margin, form = self.margins.of(at.file, at.first), self.margins.form(at.file)
        text = directive(("update", clause("self", names)), margin, form)
        site = UpdateSite(unit, at, tuple(names), ())
        return [(Insertion(at.file, line, Slot.AFTER, -1, text), site)]


def line_behind(kernel: Kernel) -> int:
    """The line before which an update behind a kernel stands: below its END directive, if any."""
    last = last_line(kernel.statement)
    later = [d for d in kernel.scope.unit.directives if d.sentinel == "acc" and d.at.first > last]
    following = min(later, key=lambda d: d.at, default=None)
    if following is not None and parse(following).name.startswith("end "):
        return following.at.last + 1
    return last + 1


def complaint(kernel: Kernel, line: int) -> str:
    """Why no update can stand right behind a kernel, before line `line`; "" if one can."""
    if kernel.statement.at.file != kernel.scope.unit.at.file:
        return "written by a kernel in an include file"
    own = {id(statement) for statement in inside([kernel.statement])}
    busy = kernel.scope.by_line
    for number in range(last_line(kernel.statement), line):
        for statement in busy.get((kernel.statement.at.file, number), ()):
            if id(statement) not in own:
                return "another statement stands where a kernel that writes it ends"
    return ""
