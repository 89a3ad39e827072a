"""The gate's summary as Markdown, short enough for a comment or a job summary."""

from collections.abc import Iterator

from acclimate.workflows.reporting.gate_report import WORST, GateReport, number

LIMIT = 65_535  # bytes; what GitHub takes as a comment
_LONGEST = 300  # characters of one message


def to_markdown(report: GateReport) -> str:
    """At most `WORST` rows and fewer than `LIMIT` bytes."""
    text = "\n".join(_lines(report)) + "\n"
    data = text.encode()
    if len(data) < LIMIT:
        return text
    cut = data[: LIMIT - 100].decode("utf-8", "ignore").rpartition("\n")[0]
    return cut + "\n\n(the rest was too long; the JSON report holds it)\n"


def _lines(report: GateReport) -> Iterator[str]:
    yield f"## acclimate gate: {report.model}: {report.outcome}"
    yield ""
    yield f"{report.verdict[len('verdict: ') :].capitalize()}."
    yield ""
    yield f"Mode `{report.mode}`, baseline `{report.baseline}` ({_cell(report.made_with)})"
    if report.failing:
        yield ""
        yield f"First: {_cell(report.failing[0].told)}"
    yield ""
    yield "| | variable | check | where | difference | limit | what |"
    yield "|---|---|---|---|---:|---:|---|"
    for row in report.worst[:WORST]:
        mark = {"fails": "✗", "holds": "✓"}.get(row.finding, "?")
        cells = (row.variable, row.check, row.where, number(row.figure), number(row.limit))
        yield f"| {mark} | " + " | ".join(map(_cell, (*cells, row.message))) + " |"
    if len(report.rows) > WORST:
        yield ""
        yield f"{len(report.rows) - WORST} more rows are not shown."
    yield from _speed(report)
    for title, lines in (("Loosened tolerances", report.loosened), ("Notes", report.notes)):
        if lines:
            yield ""
            yield f"**{title}**"
            yield ""
            yield from (f"* {_cell(line)}" for line in lines[:WORST])
    yield ""
    yield "The same again:"
    yield ""
    yield "```sh"
    yield report.command
    yield "```"


def _speed(report: GateReport) -> Iterator[str]:
    if not report.speed:
        return
    yield ""
    yield "| | timed | ratio to baseline | noise |"
    yield "|---|---|---:|---:|"
    for row in sorted(report.speed, key=lambda r: -r.ratio)[:WORST]:
        mark = "✗" if row.slower else "✓"
        yield f"| {mark} | {_cell(row.name)} | {row.ratio:.2f} | {row.noise:.2f} |"


def _cell(text: str) -> str:
    """Text that neither ends a cell nor means anything to Markdown or HTML."""
    short = text if len(text) <= _LONGEST else text[: _LONGEST - 1] + "…"
    for character in "\\`*_[]<>|#~":
        short = short.replace(character, "\\" + character)
    return " ".join(short.split())
