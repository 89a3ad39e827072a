"""Tolerances: a text file that people review, in which every number has a reason.

An entry means the variables its pattern matches; where several match, the last one counts. A
variable without an entry has to keep its bits.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from acclimate.analysis.tree.toml_table import TomlTable, read_toml
from acclimate.verifier.gate.history import selected

FILE = "tolerances.toml"
SCHEMA = 1
_LARGEST_POWER = 700.0  # of e, in a float64


class Mode(StrEnum):
    """From strict to loose."""

    STRICT = "strict"  # every bit
    TOLERANCE = "tolerance"  # every point, within tolerances
    STATISTICAL = "statistical"  # minimum, maximum, mean and rms of every level


class Check(StrEnum):
    STEP = "step"  # one time step from a saved state
    RUN = "run"  # the whole run
    STATISTICS = "statistics"  # the whole run, by statistics


@dataclass(frozen=True, slots=True)
class Tolerance:
    """|candidate - reference| <= abs + rel |reference| at every point.

    `abs` is in the unit of the variable and may grow, by exp(growth) with every step from step 0
    on. `flips` points may go beyond that, up to `flip_abs`. `levels` and `steps` (first and last)
    restrict the entry; a statistic has neither rel nor flips.
    """

    variable: str
    check: Check
    abs: float
    reason: str
    rel: float = 0.0
    growth: float = 0.0
    flips: int = 0
    flip_abs: float = 0.0
    levels: tuple[int, int] | None = None
    steps: tuple[int, int] | None = None

    def covers(self, variable: str, check: Check, step: int) -> bool:
        within = self.steps is None or self.steps[0] <= step <= self.steps[1]
        return self.check is check and within and selected(variable, (self.variable,))

    def at(self, step: int) -> float:
        """The absolute part at one step; bounded by the largest power of e."""
        return self.abs * math.exp(min(self.growth * max(0, step), _LARGEST_POWER))


@dataclass(frozen=True, slots=True)
class Ignored:
    """Variables that are not compared, and why."""

    variable: str
    reason: str


@dataclass(frozen=True, slots=True)
class Estimate:
    """How tolerances came about, and how fast rounding grows.

    `growth` is per step, `horizon` the step from which a comparison of runs has no power; both
    None where no growth was seen. `baseline` is the identity of what was estimated for.
    """

    baseline: str = ""
    members: int = 0
    states: int = 0
    factor: float = 0.0
    builds: tuple[str, ...] = ()
    growth: float | None = None
    horizon: int | None = None


@dataclass(frozen=True, slots=True)
class Tolerances:
    """The whole file. `may_differ` names settings that need not be those of the baseline."""

    mode: Mode = Mode.STRICT
    entries: tuple[Tolerance, ...] = ()
    ignored: tuple[Ignored, ...] = ()
    estimate: Estimate = Estimate()
    may_differ: tuple[str, ...] = ()
    may_differ_reason: str = ""

    def find(self, variable: str, check: Check, step: int) -> tuple[Tolerance, ...]:
        """The entries for one variable at one step, the deciding one last."""
        return tuple(entry for entry in self.entries if entry.covers(variable, check, step))

    def ignores(self, variable: str) -> bool:
        return any(selected(variable, (entry.variable,)) for entry in self.ignored)


def load(path: Path) -> Tolerances:
    """Read a file of tolerances; where there is none, everything has to keep its bits.

    Raises:
        Problem: an unknown key, a number that is none, or an entry without a reason; at its line.
    """
    if not path.is_file():
        return Tolerances()
    return parse(read_toml(path))


def parse(whole: TomlTable) -> Tolerances:
    """A file of tolerances.

    Raises:
        Problem: as `load`.
    """
    whole.allow("schema", "mode", "estimate", "ignore", "tolerance", "may_differ", "reason")
    if "schema" not in whole or whole.raw("schema") != SCHEMA:
        whole.refuse("schema", f"'schema' must be {SCHEMA}")
    mode = whole.text("mode", Mode.STRICT)
    if mode not in list(Mode):
        whole.refuse("mode", f"'mode' must be one of {', '.join(Mode)}")
    may_differ = whole.texts("may_differ")
    known = ("compiler", "machine", "flags", "always", "link_flags", "defines")
    if any(name not in known for name in may_differ):
        whole.refuse("may_differ", f"'may_differ' may name {', '.join(known)}")
    if may_differ and not whole.text("reason", "").strip():
        whole.refuse("may_differ", "'may_differ' needs a 'reason'")
    return Tolerances(
        mode=Mode(mode),
        entries=tuple(_entry(table) for table in whole.tables("tolerance")),
        ignored=tuple(_ignored(table) for table in whole.tables("ignore")),
        estimate=_estimate(whole.table("estimate")),
        may_differ=may_differ,
        may_differ_reason=whole.text("reason", ""),
    )


def _entry(table: TomlTable) -> Tolerance:
    table.allow(
        "variable",
        "check",
        "abs",
        "rel",
        "growth",
        "flips",
        "flip_abs",
        "levels",
        "steps",
        "reason",
    )
    check = table.text("check", "")
    if check not in list(Check):
        table.refuse("check", f"'check' must be one of {', '.join(Check)}")
    return Tolerance(
        variable=_variable(table),
        check=Check(check),
        abs=table.size("abs"),
        rel=table.size("rel"),
        growth=table.size("growth"),
        flips=int(table.size("flips")),
        flip_abs=table.size("flip_abs"),
        levels=_range(table, "levels"),
        steps=_range(table, "steps"),
        reason=_reason(table),
    )


def _ignored(table: TomlTable) -> Ignored:
    table.allow("variable", "reason")
    return Ignored(_variable(table), _reason(table))


def _variable(table: TomlTable) -> str:
    name = table.text("variable", "")
    if not name:
        table.refuse("variable", "'variable' is missing", hint="a name, or a pattern with *")
    return name


def _reason(table: TomlTable) -> str:
    reason = table.text("reason", "").strip()
    if not reason:
        what = f"the entry for '{table.text('variable', '')}' has no reason"
        table.refuse("variable", what, hint='say why the number is what it is: reason = "..."')
    return reason


def _range(table: TomlTable, key: str) -> tuple[int, int] | None:
    if key not in table:
        return None
    value = table.raw(key)
    numbers = value if isinstance(value, list) else [value, value]
    whole = [number for number in numbers if isinstance(number, int)]
    if len(whole) != 2 or len(numbers) != 2:
        table.refuse(key, f"'{key}' must be a whole number, or the first and the last")
    return whole[0], whole[1]


def _estimate(table: TomlTable | None) -> Estimate:
    if table is None:
        return Estimate()
    table.allow(
        "baseline", "members", "states", "factor", "builds", "growth", "horizon"
    )  # fmt: skip
    return Estimate(
        baseline=table.text("baseline", ""),
        members=int(table.size("members")),
        states=int(table.size("states")),
        factor=table.size("factor"),
        builds=table.texts("builds"),
        growth=table.size("growth") if "growth" in table else None,
        horizon=int(table.size("horizon")) if "horizon" in table else None,
    )


def render(tolerances: Tolerances) -> str:
    """The text of a file that reads back as the same tolerances."""
    estimate = tolerances.estimate
    lines = [
        "# How far the model may be from its baseline. Every entry has a reason; `acclimate gate`",
        "# shows what was loosened since the last commit. The last entry that matches counts.",
        f"schema = {SCHEMA}",
        f'mode = "{tolerances.mode}"',
    ]
    if tolerances.may_differ:
        lines += [f"may_differ = {_list(tolerances.may_differ)}"]
        lines += [f"reason = {_string(tolerances.may_differ_reason)}"]
    lines += ["", "[estimate]", f'baseline = "{estimate.baseline}"']
    lines += [f"members = {estimate.members}", f"states = {estimate.states}"]
    lines += [f"factor = {estimate.factor:g}", f"builds = {_list(estimate.builds)}"]
    lines += [] if estimate.growth is None else [f"growth = {estimate.growth:.4g}"]
    lines += [] if estimate.horizon is None else [f"horizon = {estimate.horizon}"]
    for ignored in tolerances.ignored:
        lines += ["", "[[ignore]]", f"variable = {_string(ignored.variable)}"]
        lines += [f"reason = {_string(ignored.reason)}"]
    for entry in tolerances.entries:
        lines += _entry_lines(entry)
    return "\n".join(lines) + "\n"


def _entry_lines(entry: Tolerance) -> list[str]:
    lines = ["", "[[tolerance]]", f"variable = {_string(entry.variable)}"]
    lines += [f'check = "{entry.check}"']
    lines += [f"levels = {list(entry.levels)}"] if entry.levels else []
    lines += [f"steps = {list(entry.steps)}"] if entry.steps else []
    lines += [f"abs = {entry.abs:.3g}"]
    lines += [f"rel = {entry.rel:.3g}"] if entry.rel else []
    lines += [f"growth = {entry.growth:.3g}"] if entry.growth else []
    lines += [f"flips = {entry.flips}", f"flip_abs = {entry.flip_abs:.3g}"] if entry.flips else []
    return [*lines, f"reason = {_string(entry.reason)}"]


def _list(texts: Sequence[str]) -> str:
    return f"[{', '.join(map(_string, texts))}]"


def _string(text: str) -> str:
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'
