"""How figures, outcomes and units are put into words, the same in every format."""

from acclimate.verifier.figures import Transfer
from acclimate.workflows.reporting.model import Figures, RefusalRow, Report, UnitRow

QUESTIONS = {
    "data": "Data movement",
    "races": "Races and bounds",
    "numerics": "Numerics",
    "device": "Device run",
}
SIGNS = {"holds": "✓", "fails": "✗", "inconclusive": "?"}
TONES = {
    **dict.fromkeys(("accept", "holds", "ported"), "good"),
    **dict.fromkeys(("reject", "fails", "turned-back"), "bad"),
    **dict.fromkeys(("inconclusive", "refused"), "open"),
}
NONE = "–"
LEGEND = "✓ holds, ✗ fails, ? inconclusive, – not changed"


def headline(report: Report) -> str:
    """One sentence on how far the port got."""
    states, figures = report.states, report.figures
    counts = [f"{states['ported']} of {len(report.units)} units ported"]
    counts += [f"{states['refused']} refused"] if states["refused"] else []
    counts += [f"{states['turned-back']} turned back"] if states["turned-back"] else []
    counts += [f"{figures.kernels_executed} of {figures.kernels} kernels executed by the run"]
    return f"{', '.join(counts)}."


def question(light: str) -> str:
    return QUESTIONS[light]


def sign(outcome: str) -> str:
    return SIGNS[outcome]


def tone(word: str) -> str:
    """The class of colour of a verdict, an outcome or a state; "" for a neutral one."""
    return TONES.get(word, "")


def figures(measured: Figures) -> list[tuple[str, str]]:
    """Label and value of each figure that was measured."""
    rows = [
        ("Run time inside kernels", share(measured.kernel_share)),
        ("Kernels executed", f"{measured.kernels_executed} of {measured.kernels}"),
        ("Launches per step", number(measured.launches_per_step)),
        ("Moved per step", size(measured.bytes_per_step)),
    ]
    return [(label, value if value != NONE else "not measured") for label, value in rows]


def share(part: float | None) -> str:
    """A part of 1 as percent."""
    return NONE if part is None else f"{100 * part:.1f} %"


def number(value: float | None) -> str:
    return NONE if value is None else f"{value:,.6g}" if value < 1e6 else f"{value:.3g}"


def size(count: float | None) -> str:
    """Bytes with a decimal prefix."""
    if count is None:
        return NONE
    for unit, scale in (("GB", 1e9), ("MB", 1e6), ("kB", 1e3)):
        if count >= scale:
            return f"{count / scale:.1f} {unit}"
    return f"{count:,.3g} B"


def measured(value: float | None, unit: str) -> str:
    """A figure with its unit; relative numbers ("1") carry none."""
    if unit == "B":
        return size(value)
    text = number(value)
    return text if text == NONE or unit in ("", "1") else f"{text} {unit}"


def judged(unit: UnitRow) -> bool:
    """Whether the lights say something about this unit: it was changed."""
    return unit.edits.count > 0


def kernels(unit: UnitRow) -> str:
    """Kernels that the run executed, of all the unit has."""
    if not unit.kernels:
        return NONE
    return f"{sum(kernel.executed for kernel in unit.kernels)}/{len(unit.kernels)}"


def time_share(unit: UnitRow) -> str:
    parts = [kernel.share for kernel in unit.kernels if kernel.share is not None]
    return share(sum(parts)) if parts else NONE


def first_reason(unit: UnitRow) -> str:
    """The unit's notes, then the reason of its first refusal and how many more there are."""
    reasons = list(unit.notes)
    if unit.refusals:
        more = len(unit.refusals) - 1
        reasons.append(unit.refusals[0].reason + (f" (and {more} more)" if more else ""))
    return "; ".join(reasons)


def site(transfer: Transfer) -> str:
    """Where a transfer stands in the port, as far as it is known."""
    if transfer.file is None:
        return "unknown"
    return transfer.file if transfer.line is None else f"{transfer.file}:{transfer.line}"


def refusals(report: Report) -> list[tuple[UnitRow, RefusalRow]]:
    return [(unit, refusal) for unit in report.units for refusal in unit.refusals]


def cell(text: str) -> str:
    """Text that is safe inside a cell of a Markdown table."""
    plain = text.replace("\\", "\\\\").replace("|", "\\|").replace("<", "&lt;")
    return " ".join(plain.split())


def diff_tone(line: str) -> str:
    """The class of a line of a unified diff."""
    if line.startswith(("+++", "---", "@@")):
        return "hunk"
    return {"+": "plus", "-": "minus"}.get(line[:1], "")
