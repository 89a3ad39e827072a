"""The short form of a report, as a command ends with it."""

from acclimate.workflows.reporting import wording
from acclimate.workflows.reporting.model import Report, UnitRow
from acclimate.workflows.table import Cell, Column, show

LIGHTS = ("data", "races", "numerics", "device")
COLUMNS = (
    Column("unit"),
    Column("state"),
    Column("kernels run", numeric=True),
    *(Column(name) for name in LIGHTS),
    Column("why not, or notes"),
)
UNCHANGED = Cell(wording.NONE)
REASON = 76  # characters of a reason that a row has room for


def show_summary(report: Report) -> None:
    """Print the table of units, the verdict and the figures on standard output."""
    show(COLUMNS, [_row(unit) for unit in report.units if _speaks(unit)])
    silent = sum(not _speaks(unit) for unit in report.units)
    if silent:
        print(f"and {silent} units with nothing to offload")
    print(wording.LEGEND)
    lights = ", ".join(f"{name} {outcome}" for name, outcome in report.lights.items())
    print(f"\n{wording.headline(report)}")
    for label, value in wording.figures(report.figures):
        print(f"{label.lower()}: {value}")
    for finding in report.findings:
        where = f"{finding.file}:{finding.line}: " if finding.file else ""
        print(f"finding: {where}{finding.text}")
    print(f"verdict: {report.verdict} ({lights}; {report.device})")


def _speaks(unit: UnitRow) -> bool:
    return unit.state != "host" or bool(unit.edits.count or unit.refusals or unit.notes)


def _row(unit: UnitRow) -> list[Cell]:
    row = [Cell(unit.name), Cell(unit.state, wording.tone(unit.state)), Cell(wording.kernels(unit))]
    for name in LIGHTS:
        outcome = unit.lights[name]
        judged = wording.judged(unit)
        row.append(Cell(wording.sign(outcome), wording.tone(outcome)) if judged else UNCHANGED)
    reason = wording.first_reason(unit)
    short = reason if len(reason) <= REASON else reason[: REASON - 1] + "…"
    return [*row, Cell(short)]
