"""Which storage a kernel touches, and which of it it writes."""

from dataclasses import dataclass

from acclimate.analysis.dependence.statements import inside, own_expressions
from acclimate.analysis.ir import Assignment, Expr
from acclimate.porter.device.device_code import references
from acclimate.porter.kernels.selection import Kernel
from acclimate.porter.names.invocations import invocations
from acclimate.porter.names.scope import Reference


@dataclass(frozen=True, eq=False)
class KernelData:
    """Storage nodes by use, and every shared array or component as the kernel names it.

    `visiting`: nodes of objects that only visit the device with the kernel.
    """

    reads: frozenset[str]
    writes: frozenset[str]
    references: tuple[Reference, ...]
    visiting: frozenset[str] = frozenset()

    @property
    def touched(self) -> frozenset[str]:
        return self.reads | self.writes

    @property
    def resident(self) -> frozenset[str]:
        """Nodes that have to be on the device when the kernel is launched."""
        return self.touched - self.visiting


def kernel_data(kernel: Kernel) -> KernelData:
    """Arrays and components a kernel names, its private ones and named constants left out."""
    scope, private = kernel.scope, set(kernel.offload.private)
    seen: dict[Reference, Reference] = {}
    written: set[str] = set()
    for statement in inside([kernel.statement]):
        for expr in own_expressions(statement):
            for found in references(scope, expr):
                if _is_shared(found, private):
                    seen.setdefault(found, found)
        if isinstance(statement, Assignment):
            written |= _written(kernel, statement.target, private)
        for invocation in invocations(scope, statement):
            for callee in invocation.candidates:
                for dummy, actual in invocation.bindings(callee):
                    if dummy.intent != "in":
                        written |= _written(kernel, actual, private)
    everything = sorted(seen, key=lambda found: (found.designator, found.node))
    reads = frozenset(found.node for found in everything) - written
    guests = set(kernel.offload.visiting)
    visiting = {f.node for f in everything if {f.designator, f.root.name} & guests}
    return KernelData(reads, frozenset(written), tuple(everything), frozenset(visiting))


def _written(kernel: Kernel, target: Expr, private: set[str]) -> set[str]:
    found = kernel.scope.reference(target)
    return {found.node} if found is not None and _is_shared(found, private) else set()


def _is_shared(found: Reference, private: set[str]) -> bool:
    if found.root.is_parameter or found.root.name in private:
        return False
    return found.is_array or bool(found.path)
