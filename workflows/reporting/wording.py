"""How figures, outcomes and units are put into words, the same in every format."""

from acclimate.porter.agent.artefacts import Decided
from acclimate.verifier.evidence import Evidence, Outcome
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
LIGHTS_EXPLAINED = (
    "A light holds when a decisive check holds and none fails;"
    " inconclusive lines name what stays open."
)
SHORTEST = 0.05  # s of CPU time; below that a share of it is noise


def counted(number: int, noun: str, plural: str = "") -> str:
    """The number with its noun, "1 unit" and "2 units"; `plural` is one of another form."""
    return f"{number} {noun if number == 1 else plural or f'{noun}s'}"


def headline(report: Report) -> str:
    """One sentence on how far the port got."""
    states, figures = report.states, report.figures
    counts = [f"{states['ported']} of {counted(len(report.units), 'unit')} ported"]
    if report.nothing_ported:
        wanted = len(report.units) - states["left-out"] - states["host"]
        counts = [f"nothing was ported: {counted(wanted, 'unit')} wanted"]
    elif report.ported_before:
        counts = ["nothing was ported: the model held its kernels before"]
    counts += [f"{states['refused']} refused"] if states["refused"] else []
    counts += [f"{states['turned-back']} turned back"] if states["turned-back"] else []
    counts += [f"{states['left-out']} left out on request"] if states["left-out"] else []
    if figures.kernels:
        run = f"{figures.kernels_executed} of {counted(figures.kernels, 'kernel')}"
        counts += [f"{run} executed by a run"]
    return f"{', '.join(counts)}."


def asking(report: Report) -> str:
    """What a model was asked in all, and what that took, as one clause; "" where none was."""
    if not report.asked:
        return ""
    names = ", ".join(sorted({one.model for one in report.asked}))
    calls = counted(sum(one.calls for one in report.asked), "call")
    tokens = sum(one.prompt_tokens + one.output_tokens for one in report.asked)
    costs = [one.cost for one in report.asked if one.calls]
    known = [cost for cost in costs if cost is not None]
    paid = f"cost {sum(known):.4f}" if len(known) == len(costs) > 0 else "cost not known"
    stand = sum(one.stands for one in report.asked)
    units = counted(len(report.asked), "unit")
    return f"{names} about {units}, {stand} of them changed: {calls}, {tokens:,} tokens, {paid}"


def money(cost: float | None) -> str:
    """A sum in the currency of the user's prices."""
    return "not known" if cost is None else f"{cost:.4f}"


def opinion(one: Decided) -> str:
    """What a reviewer decided, as one clause."""
    words = {"accept": "accepted", "reject": "rejected", "edit": "edited", "waive": "waived"}
    hunks = f" ({counted(one.hunks, 'hunk')})" if one.hunks else ""
    return f"{words[one.what]} {one.scope}{hunks}{': ' if one.reason else ''}{one.reason}"


def question(light: str) -> str:
    return QUESTIONS[light]


def sign(outcome: str) -> str:
    return SIGNS[outcome]


def tone(word: str) -> str:
    """The class of colour of a verdict, an outcome or a state; "" for a neutral one."""
    return TONES.get(word, "")


def figures(measured: Figures) -> list[tuple[str, str]]:
    """Label and value of each figure; where there is none, what would give one."""
    seconds = measured.seconds
    inside = share(measured.kernel_share)
    if measured.kernel_share is not None and seconds is not None and seconds < SHORTEST:
        inside = "too short to measure"
    counts = [
        ("Launches per step", number(measured.launches_per_step)),
        ("Moved per step", size(measured.bytes_per_step)),
    ]
    step = "not measured"
    if measured.kernels_executed:
        step += ": set [steps] in acclimate.toml"
    return [
        ("Run time inside kernels", inside if inside != NONE else "not measured"),
        ("Kernels executed", f"{measured.kernels_executed} of {measured.kernels}"),
        *((label, value if value != NONE else step) for label, value in counts),
    ]


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


def reasons(report: Report) -> list[str]:
    """A line for each note and each refusal: its place in the original, unit, reason, next step."""
    lines = []
    for unit in report.units:
        lines += [f"{unit.file}:{unit.line} {unit.name}: {note}" for note in unit.notes]
    for unit, refusal in refusals(report):
        step = f" -> {refusal.next_step}" if refusal.next_step else ""
        lines.append(f"{refusal.file}:{refusal.line} {unit.name}: {refusal.reason}{step}")
    return lines


def open_questions(report: Report) -> list[str]:
    """What keeps a light from holding, a line for each check and light."""
    found: dict[tuple[str, str], list[Evidence]] = {}
    for item in report.evidence:
        if item.outcome is Outcome.INCONCLUSIVE:
            found.setdefault((item.light.value, item.check), []).append(item)
    lines = []
    for (light, check), items in found.items():
        more = f" (and {len(items) - 1} more under Evidence)" if len(items) > 1 else ""
        lines.append(f"{QUESTIONS[light]}: {items[0].message} [{check}]{more}")
    return lines


def remarks(unit: UnitRow) -> str:
    """The unit's notes, then how much was refused in it."""
    refused = len(unit.refusals)
    return "; ".join([*unit.notes, *([f"{refused} refused, see below"] if refused else [])])


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
