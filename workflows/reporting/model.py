"""What a report says of a migration; report.json is this and nothing else.

`workflows/schemas/report.schema.json` describes it for other readers.
"""

from dataclasses import dataclass, field

from acclimate.porter.agent.artefacts import Decided
from acclimate.porter.agent.folder import SCHEMA
from acclimate.verifier.evidence import Evidence
from acclimate.verifier.figures import Transfer

NEVER_VALIDATED = "never validated"
STATES = ("ported", "refused", "turned-back", "left-out", "host")


@dataclass(frozen=True, slots=True)
class RefusalRow:
    file: str
    line: int
    reason: str
    next_step: str = ""


@dataclass(frozen=True, slots=True)
class EditCount:
    """Edits, and the lines they add and take away together."""

    count: int = 0
    lines: int = 0


@dataclass(frozen=True, slots=True)
class KernelRow:
    """A loop that became a kernel; `line` is its DO statement in the original file.

    `launches` are those of the model's own run: none where only further runs executed it. `share`
    is the part of the run time spent in it, from 0 to 1; None where it was not measured.
    """

    line: int
    executed: bool
    launches: int = 0
    share: float | None = None


@dataclass(frozen=True, slots=True)
class UnitRow:
    """One unit. `state` is one of `STATES`; "host": nothing to offload, "left-out": on request."""

    name: str
    kind: str
    file: str
    line: int
    state: str
    lights: dict[str, str]
    edits: EditCount
    kernels: tuple[KernelRow, ...] = ()
    refusals: tuple[RefusalRow, ...] = ()
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class AskedRow:
    """What a model was asked about one unit. `calls` and tokens are those of this migration's
    journal: a reply that was kept, or came with a batch, is none. `cost` None: not known.

    `stands`: its edits are in the port; `last` is what was said of its last reply otherwise.
    """

    unit: str
    model: str
    attempts: int
    calls: int
    prompt_tokens: int
    output_tokens: int
    cost: float | None
    stands: bool
    last: str = ""


@dataclass(frozen=True, slots=True)
class Finding:
    """Something a person should look at; `line` points into the original."""

    text: str
    file: str = ""
    line: int = 0


@dataclass(frozen=True, slots=True)
class Figures:
    """Measured on the host emulation of a discrete device; None where nothing could be measured.

    `basis` says how the figures per step were got; `seconds` is the CPU time of the run that
    `kernel_share` is a part of.
    """

    kernel_share: float | None = None  # of the run time, 0 to 1
    launches_per_step: float | None = None
    bytes_per_step: float | None = None  # B, both ways
    basis: str = ""
    kernels: int = 0
    kernels_executed: int = 0
    seconds: float | None = None


@dataclass(frozen=True, slots=True)
class Provenance:
    """What the evidence was gathered with."""

    tool: str
    commit: str
    compiler: str
    flags: tuple[str, ...]
    seeds: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Change:
    """What the port does to one file, as a unified diff."""

    file: str
    added: int
    removed: int
    diff: str


@dataclass(frozen=True, slots=True)
class Report:
    model: str
    verdict: str
    lights: dict[str, str]
    device: str
    figures: Figures
    units: tuple[UnitRow, ...]
    loops: dict[str, int]  # by verdict of the analysis
    decisions: dict[str, int]  # the same loops by what became of them
    findings: tuple[Finding, ...]
    transfers: tuple[Transfer, ...]
    evidence: tuple[Evidence, ...]
    changes: tuple[Change, ...]
    provenance: Provenance
    guessed: tuple[str, ...]
    left_out: tuple[str, ...]
    attempts: int
    asked: tuple[AskedRow, ...] = ()  # units that a model was asked about
    reviewers: tuple[str, ...] = ()
    reviewed: tuple[Decided, ...] = ()  # what reviewers decided on what landed
    files: dict[str, str] = field(default_factory=dict)  # sha256 of each file of the port
    schema: str = SCHEMA

    @property
    def states(self) -> dict[str, int]:
        """How many units there are of each state."""
        counts = dict.fromkeys(STATES, 0)
        for unit in self.units:
            counts[unit.state] += 1
        return counts

    @property
    def ported_before(self) -> bool:
        """Whether the model held its kernels already and nothing was added."""
        return not self.states["ported"] and self.decisions.get("offloaded", 0) > 0

    @property
    def nothing_ported(self) -> bool:
        """Whether all that was wanted was refused or turned back."""
        states = self.states
        wanted = states["refused"] + states["turned-back"] > 0
        return wanted and not states["ported"] and not self.ported_before
