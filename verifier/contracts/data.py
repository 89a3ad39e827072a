"""Does the data clause of a kernel's own construct fit what the kernel does to the array?"""

from collections.abc import Iterator

from acclimate.analysis.directives import parse
from acclimate.analysis.ir import Unit
from acclimate.analysis.source import Lines
from acclimate.verifier.contracts.kernels import Kernel
from acclimate.verifier.contracts.scalars import Breach

_MAPPING = ("copy", "copyin", "copyout", "create")
_CONTRACT = "data clauses cover what is read and written"


def data_breaches(kernel: Kernel) -> Iterator[Breach]:
    """Of arrays that only this construct maps: with another mapping around it, that one counts."""
    constructs = [c for c in (kernel.loop.construct, kernel.loop.enclosing) if c is not None]
    elsewhere = _mapped_elsewhere(kernel)
    written: set[str] = set()
    read: set[str] = set()
    places: dict[tuple[str, bool], Lines] = {}
    for access in kernel.iteration.record.accesses:
        if not access.array.is_private:
            (written if access.write else read).add(access.array.name)
            places.setdefault((access.array.name, access.write), access.at)
    for construct in constructs:
        for name in construct.arguments("copyin"):
            bare = name.split("(")[0]
            if bare in written and bare not in elsewhere:
                text = f"'{bare}' is written on the device, but only copied in"
                yield Breach(_CONTRACT, bare, text, places[bare, True])
        for name in construct.arguments("create", "copyout"):
            bare = name.split("(")[0]
            if bare in read - written and bare not in elsewhere:
                text = f"'{bare}' is read on the device, but never copied in"
                yield Breach(_CONTRACT, bare, text, places[bare, False])


def _mapped_elsewhere(kernel: Kernel) -> set[str]:
    """Names that another directive of the procedure, or of its hosts, maps as well."""
    found: set[str] = set()
    unit: Unit | None = kernel.unit
    while unit is not None:
        for directive in unit.directives:
            if directive.sentinel == "acc" and directive.at != kernel.loop.directive.at:
                for name in parse(directive).arguments(*_MAPPING, "present", "device_resident"):
                    found.add(name.split("(")[0])
        unit = unit.parent
    return found | set(kernel.unit.args)  # what callers map
