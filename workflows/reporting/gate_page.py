"""The gate's report as one HTML page that loads nothing."""

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from acclimate.workflows.reporting.gate_report import GateReport, number
from acclimate.workflows.reporting.plots import Line, curves, field_map


def to_page(report: GateReport) -> str:
    """HTML; everything a model or a user named is escaped."""
    lines = [Line(f"member {n}", "member", m) for n, m in enumerate(report.members, 1)]
    lines.append(Line("this run", "run", report.apart))
    environment = Environment(
        loader=PackageLoader("acclimate.workflows", "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    return environment.get_template("gate.html").render(
        report=report,
        number=number,
        curves=Markup(curves(lines, "distance from the baseline by time step", report.horizon)),
        map=Markup(field_map(report.section)) if report.section else "",
    )
