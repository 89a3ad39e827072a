"""Arrays that cannot stay on the device and visit it with a kernel: COPY and COPYIN clauses.

A visit is right wherever no copy of the storage lives on the device: the host owns it before and
after the kernel. It costs two transfers a launch, so it is for programs that are ported without
counting them (see `Ground.thrifty`).
"""

from collections.abc import Sequence

from acclimate.analysis.dependence.statements import inside
from acclimate.analysis.ir import Do, Shape, Symbol, Unit
from acclimate.analysis.project import Project
from acclimate.porter.device.section_extent import Unbounded, section_of
from acclimate.porter.device.visits import Visits
from acclimate.porter.kernels.kernel_data import KernelData
from acclimate.porter.kernels.selection import Kernel
from acclimate.porter.names.call_sites import CallSites
from acclimate.porter.names.scope import Reference
from acclimate.porter.rewrite import Refusal

_SCALARS = ("real", "integer", "logical", "complex", "double precision")


class Visiting:
    """Decides for kernels of one project whether data may visit the device with them."""

    def __init__(self, calls: CallSites) -> None:
        self._calls = calls

    def of(self, kernel: Kernel, data: KernelData, barred: Sequence[Reference]) -> Visits | Refusal:
        """The visits of `barred` objects, or why one of them has to stay away."""
        objects: dict[str, list[Reference]] = {}
        for found in barred:
            name = found.root.name if found.path else found.designator
            objects.setdefault(name, []).append(found)
        read: list[str] = []
        written: list[str] = []
        guards: list[str] = []
        for name, references in sorted(objects.items()):
            reason = _unfit(kernel, references[0]) or self._overlap(kernel, references, barred)
            if reason:
                return Refusal(kernel.offload.at, reason, f"give '{name}' a plain local array")
            try:
                section, needed = _item(kernel, name, references)
            except Unbounded as error:
                return Refusal(kernel.offload.at, str(error), f"declare the extents of '{name}'")
            guards += needed
            is_written = any(found.node in data.writes for found in references)
            (written if is_written else read).append(section)
        unique = tuple(dict.fromkeys(guards))
        return Visits(tuple(sorted(objects)), tuple(read), tuple(written), unique)

    def _overlap(
        self, kernel: Kernel, references: list[Reference], barred: Sequence[Reference]
    ) -> str:
        """Two copies of one piece of storage would lose what is written to one of them."""
        unit, root = kernel.scope.unit, references[0].root
        for other in {found.root.name: found.root for found in barred}.values():
            if other is root:
                continue
            group = next((g for g in _groups(kernel) if root.name in g and other.name in g), None)
            if group is not None:
                return f"'{root.name}' and '{other.name}' share storage by EQUIVALENCE"
            if {root.name, other.name} <= set(unit.args) and self._same_actual(unit, root, other):
                return f"a call passes parts of one array to '{root.name}' and '{other.name}'"
        return ""

    def _same_actual(self, unit: Unit, one: Symbol, other: Symbol) -> bool:
        for scope, invocation in self._calls.calls_of(unit):
            actuals = {
                dummy.name: scope.reference(actual)
                for callee in invocation.candidates
                if callee is unit
                for dummy, actual in invocation.bindings(callee)
            }
            first, second = actuals.get(one.name), actuals.get(other.name)
            if first is not None and second is not None and first.root is second.root:
                return True
        return False


def _groups(kernel: Kernel) -> list[set[str]]:
    scope = kernel.scope
    found = []
    for entry in scope.unit.equivalences:
        members = (scope.reference(item) for item in entry)
        found.append({member.root.name for member in members if member is not None})
    return found


def _unfit(kernel: Kernel, found: Reference) -> str:
    """Why copying the object's storage byte by byte would not do."""
    root, name = found.root, found.designator
    if found.path:
        home = root.owner or kernel.scope.unit
        if not _is_flat(kernel.scope.project, home, root.type or ""):
            return f"objects like '{root.name}' hold allocatable or pointer components"
        if root.attributes & {"allocatable", "pointer"} and not root.is_array:
            return f"'{root.name}' is an allocatable or pointer object"
        return ""
    if name in kernel.scope.associated:
        return f"'{name}' is an ASSOCIATE name"
    return ""


def _is_flat(project: Project, unit: Unit, kind: str) -> bool:
    """A type of scalars and arrays of constant shape only, through all levels."""
    if not kind.startswith("type("):
        return kind.startswith(_SCALARS)
    definition = project.derived_type(unit, kind)
    if definition is None or definition[0].extends is not None:
        return False
    derived, home = definition
    return all(
        not component.attributes & {"allocatable", "pointer"}
        and _is_flat(project, home, component.type or "")
        for component in derived.components.values()
    )


def _item(kernel: Kernel, name: str, references: list[Reference]) -> tuple[str, list[str]]:
    """What the clause names, and the conditions under which it may."""
    symbol = references[0].root if references[0].path else references[0].symbol
    if symbol.dims and symbol.dims[-1].shape is Shape.ASSUMED_SIZE:
        loops = [s for s in inside([kernel.statement]) if isinstance(s, Do)]
        return section_of(kernel.scope, kernel.statement, loops, name, references)
    deferred = bool(symbol.dims) and symbol.dims[0].shape in (Shape.ASSUMED, Shape.DEFERRED)
    if deferred and not symbol.attributes & {"allocatable", "contiguous"}:
        return name, [f"is_contiguous({name})"]
    return name, []
