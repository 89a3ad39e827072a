"""The short form of a report, as a command ends with it."""

from acclimate.workflows.reporting import wording
from acclimate.workflows.reporting.model import Report, UnitRow
from acclimate.workflows.showing.table import Cell, Column, columns_that_fit, show

LIGHTS = ("data", "races", "numerics", "device")
COLUMNS = (
    Column("unit"),
    Column("state"),
    *(Column(name) for name in LIGHTS),
    Column("kernels run", numeric=True),
)
EXPENDABLE = (6, 5)  # columns to drop where the table is too wide, the first first
UNCHANGED = Cell(wording.NONE)
REASONS = 10  # lines of reasons before the reader is sent to the report


def show_summary(report: Report) -> None:
    """Print the table of units, reasons, the verdict and the figures on standard output."""
    if report.nothing_ported:
        print(wording.headline(report))
        _show_reasons(report)
        print()
    rows = [_row(unit) for unit in report.units if _speaks(unit)]
    if rows:
        kept = columns_that_fit(COLUMNS, rows, EXPENDABLE)
        show([COLUMNS[n] for n in kept], [[row[n] for n in kept] for row in rows])
        print(wording.LEGEND)
    _show_silent(report)
    if not report.nothing_ported:
        _show_reasons(report)
        print(f"\n{wording.headline(report)}")
    for label, value in wording.figures(report.figures):
        print(f"{label.lower()}: {value}")
    if report.asked:
        print(f"asked: {wording.asking(report)}")
    for finding in report.findings:
        where = f"{finding.file}:{finding.line}: " if finding.file else ""
        print(f"finding: {where}{finding.text}")
    lights = ", ".join(f"{name} {outcome}" for name, outcome in report.lights.items())
    print(f"verdict: {report.verdict} ({lights}; {report.device})")


def _show_reasons(report: Report) -> None:
    reasons = wording.reasons(report)
    for line in reasons[:REASONS]:
        print(line)
    if len(reasons) > REASONS:
        print(f"and {len(reasons) - REASONS} more in report.md")


def _show_silent(report: Report) -> None:
    silent = [unit.state for unit in report.units if not _speaks(unit)]
    left_out = silent.count("left-out")
    if left_out < len(silent):
        print(f"and {wording.counted(len(silent) - left_out, 'unit')} with nothing to offload")
    if left_out:
        print(f"and {wording.counted(left_out, 'unit')} left out on request")


def _speaks(unit: UnitRow) -> bool:
    silent = unit.state in ("host", "left-out")
    return not silent or bool(unit.edits.count or unit.refusals or unit.notes)


def _row(unit: UnitRow) -> list[Cell]:
    row = [Cell(unit.name), Cell(unit.state, wording.tone(unit.state))]
    for name in LIGHTS:
        outcome = unit.lights[name]
        judged = wording.judged(unit)
        row.append(Cell(wording.sign(outcome), wording.tone(outcome)) if judged else UNCHANGED)
    return [*row, Cell(wording.kernels(unit))]
