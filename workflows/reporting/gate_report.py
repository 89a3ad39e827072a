"""What a run of the gate has to say, as plain data for every form it is written in."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

SCHEMA = "acclimate/gate/1"
WORST = 20  # rows that a summary shows


@dataclass(frozen=True, slots=True)
class GateRow:
    """One check of one variable: "holds", "fails" or "no power"; figures in its own unit."""

    variable: str
    check: str
    finding: str
    message: str
    step: int | None
    place: str
    figure: float | None
    limit: float | None
    excess: float
    flips: int
    steps: int
    values: int

    @property
    def where(self) -> str:
        at = f"step {self.step}" if self.step is not None else ""
        return " ".join(part for part in (at, self.place) if part)

    @property
    def told(self) -> str:
        """One line: variable, place and what is wrong."""
        name = f"'{self.variable}'" if self.variable else ""
        where = f" at {self.where}" if self.where else ""
        return f"{name}{where}: {self.message}".lstrip(": ") + f" [{self.check}]"


@dataclass(frozen=True, slots=True)
class SpeedRow:
    """Time of one kernel, or of a step, over the baseline's; `noise` is what both times vary by."""

    name: str
    ratio: float
    noise: float
    slower: bool
    seconds: float


@dataclass(frozen=True, slots=True)
class Section:
    """A plane through the worst field at its worst point: differences, and where the point is."""

    variable: str
    step: int | None
    axes: tuple[str, str]
    values: tuple[tuple[float, ...], ...]
    at: tuple[int, int]


@dataclass(frozen=True, slots=True)
class GateReport:
    """`apart` and `members` are distances from the baseline by step, in a field's variability.

    `exit` is the exit code and `outcome` its word; `command` does the same again.
    """

    model: str
    outcome: str
    exit: int
    mode: str
    baseline: str
    commit: str
    made_with: str
    rows: tuple[GateRow, ...]
    compared: int
    replays: int
    horizon: int | None
    notes: tuple[str, ...]
    loosened: tuple[str, ...]
    speed: tuple[SpeedRow, ...]
    apart: Mapping[int, float]
    members: tuple[Mapping[int, float], ...]
    section: Section | None
    command: str

    @property
    def failing(self) -> tuple[GateRow, ...]:
        return tuple(row for row in self.rows if row.finding == "fails")

    @property
    def worst(self) -> tuple[GateRow, ...]:
        """Failures first, each sort by how far beyond its limit it is."""
        order = {"fails": 0, "no power": 1, "holds": 2}
        return tuple(sorted(self.rows, key=lambda r: (order[r.finding], -r.excess, r.variable)))

    @property
    def slower(self) -> tuple[SpeedRow, ...]:
        return tuple(row for row in self.speed if row.slower)

    @property
    def verdict(self) -> str:
        """One sentence."""
        good = sum(row.finding == "holds" for row in self.rows)
        return (
            f"verdict: {self.outcome} ({len(self.failing)} of {len(self.rows)} checks fail,"
            f" {good} hold; {self.compared} values compared, {self.replays} single steps replayed)"
        )


def as_json(report: GateReport) -> dict[str, Any]:
    """JSON without infinities or NaN, which JSON does not know: they are null."""
    told = {"schema": SCHEMA, **asdict(report)}
    told["apart"] = {str(step): value for step, value in report.apart.items()}
    told["members"] = [{str(s): v for s, v in member.items()} for member in report.members]
    cleaned = _finite(told)
    assert isinstance(cleaned, dict)
    return cleaned


def _finite(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _finite(one) for key, one in value.items()}
    if isinstance(value, list | tuple):
        return [_finite(one) for one in value]
    if isinstance(value, float) and (value != value or value in (float("inf"), float("-inf"))):
        return None
    return value


def number(value: float | None) -> str:
    """A figure for a table."""
    return "" if value is None else f"{value:.3g}"
