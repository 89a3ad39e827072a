"""What the runs of a port cost: kernels, transfers, and the share of the work on the device."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType


@dataclass(frozen=True, slots=True)
class Kernel:
    """One compute construct; `seconds` is CPU time of the host standing in for the device."""

    file: str | None
    line: int | None
    launches: int
    seconds: float
    bytes_to_device: int
    bytes_to_host: int


@dataclass(frozen=True, slots=True)
class Transfer:
    """All transfers of one directive in one direction: "to-device", "to-host" or "allocation"."""

    file: str | None
    line: int | None
    reason: str
    direction: str
    count: int
    bytes: int
    changed: int  # how many changed a single byte of their destination


@dataclass(frozen=True, slots=True)
class Figures:
    """Figures of the run with a separate device memory.

    `kernel_share` is kernel CPU time over CPU time without the interposer's own, from 0 to 1.
    `reached` are the constructs that any run launched (None: not measured), `further_lines` what
    the further runs executed. Per-step figures are None unless the manifest says where the number
    of steps stands;
    `per_step_basis` says how they were got.
    """

    kernels: tuple[Kernel, ...] = ()
    transfers: tuple[Transfer, ...] = ()
    totals: Mapping[str, float] = field(default_factory=lambda: MappingProxyType({}))
    kernel_share: float | None = None
    launches_per_step: float | None = None
    bytes_per_step: float | None = None
    per_step_basis: str = ""
    executed_lines: Mapping[str, tuple[int, ...]] = field(
        default_factory=lambda: MappingProxyType({})
    )
    reached: tuple[tuple[str, int], ...] | None = None  # None: not measured
    further_lines: Mapping[str, tuple[int, ...]] = field(
        default_factory=lambda: MappingProxyType({})
    )
