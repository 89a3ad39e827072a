"""The plan of a port: which loops become kernels, which data live on the device."""

from dataclasses import asdict, dataclass
from enum import StrEnum
from typing import Any

from acclimate.analysis.source import Edit, Lines
from acclimate.porter.residency.updates import UpdateSite
from acclimate.porter.rewrite import Refusal


class LoopState(StrEnum):
    """What became of a DO loop."""

    OFFLOADED = "offloaded"  # the outermost loop of a kernel
    IN_KERNEL = "in-kernel"
    IN_ROUTINE = "in-routine"  # inside a procedure compiled for the device
    REFUSED = "refused"


@dataclass(frozen=True, slots=True)
class LoopDecision:
    """One loop, or one array statement that acts as one; `refusal` is set for refused ones."""

    unit: str
    at: Lines
    state: LoopState
    rule: str = ""
    refusal: Refusal | None = None


@dataclass(frozen=True, slots=True)
class KernelPlan:
    """One kernel: where it stands, the procedures it calls, the storage it touches."""

    unit: str
    rule: str
    at: Lines
    end: Lines
    routines: tuple[str, ...]
    reads: tuple[str, ...]
    writes: tuple[str, ...]
    loops: tuple[Lines, ...]


@dataclass(frozen=True, slots=True)
class ResidentClass:
    """Arrays that share storage by argument association and live on the device.

    `declared`: static module data that device routines read; it is mapped by `declare`.
    """

    name: str
    members: tuple[str, ...]
    written_by_kernels: bool
    declared: bool = False


@dataclass(frozen=True, slots=True)
class UnitPlan:
    """All that changes in one unit."""

    unit: str
    file: str
    edits: tuple[Edit, ...]
    offloaded: tuple[Lines, ...]
    refusals: tuple[Refusal, ...]
    is_routine: bool = False


@dataclass(frozen=True, slots=True)
class UnitSwitch:
    """Whether a unit's new kernels can be switched off at run time; `refusal` says why not."""

    unit: str
    refusal: Refusal | None = None


@dataclass(frozen=True, slots=True)
class PortPlan:
    """A function of the index, of `excluded` and of whether there are switches at all.

    Callees stand before callers in `units`.
    """

    units: tuple[UnitPlan, ...]
    kernels: tuple[KernelPlan, ...]
    routines: tuple[str, ...]
    residency: tuple[ResidentClass, ...]
    updates: tuple[UpdateSite, ...]
    loops: tuple[LoopDecision, ...]
    excluded: tuple[str, ...] = ()
    switches: tuple[UnitSwitch, ...] = ()

    def unit(self, name: str) -> UnitPlan | None:
        """The plan of one unit by qualified name, None if the project has no such unit."""
        return next((unit for unit in self.units if unit.unit == name), None)

    @property
    def changed_units(self) -> tuple[str, ...]:
        """Units with edits, in dependency order."""
        return tuple(unit.unit for unit in self.units if unit.edits)

    def to_json(self) -> dict[str, Any]:
        """Plain JSON values; enums as their text."""
        return asdict(self)
