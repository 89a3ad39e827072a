"""A report as JSON, as Markdown and as one self-contained HTML page."""

from functools import cache

from jinja2 import Environment, PackageLoader, StrictUndefined
from pydantic import TypeAdapter, ValidationError

from acclimate.analysis.problems import Problem
from acclimate.workflows.reporting import wording
from acclimate.workflows.reporting.model import Report

_FILTERS = {
    "asking": wording.asking,
    "bytes": wording.size,
    "cell": wording.cell,
    "counted": wording.counted,
    "diff_tone": wording.diff_tone,
    "figures": wording.figures,
    "headline": wording.headline,
    "judged": wording.judged,
    "kernels": wording.kernels,
    "measured": wording.measured,
    "money": wording.money,
    "open_questions": wording.open_questions,
    "opinion": wording.opinion,
    "question": wording.question,
    "remarks": wording.remarks,
    "refusals": wording.refusals,
    "sign": wording.sign,
    "site": wording.site,
    "time_share": wording.time_share,
    "tone": wording.tone,
}


def documents(report: Report) -> dict[str, bytes]:
    """The files that land beside a port, by name."""
    return {
        "report.json": to_json(report).encode(),
        "report.md": to_markdown(report).encode(),
        "report.html": to_html(report).encode(),
    }


def to_json(report: Report) -> str:
    return _adapter().dump_json(report, indent=1).decode() + "\n"


def from_json(text: bytes, name: str) -> Report:
    """Read a report back.

    Raises:
        Problem: `text`, found in `name`, is not a report of this version.
    """
    try:
        return _adapter().validate_json(text)
    except ValidationError as error:
        first = error.errors()[0]
        raise Problem(
            f"{name} is not a report of this version of acclimate",
            notes=(f"{'.'.join(map(str, first['loc']))}: {first['msg']}",),
            hint="run acclimate migrate again",
        ) from error


def to_markdown(report: Report) -> str:
    return _environment(escape=False).get_template("report.md").render(report=report)


def to_html(report: Report) -> str:
    return _environment(escape=True).get_template("report.html").render(report=report)


@cache
def _adapter() -> TypeAdapter[Report]:
    return TypeAdapter(Report)


@cache
def _environment(*, escape: bool) -> Environment:
    loader = PackageLoader("acclimate.workflows", "templates")
    environment = Environment(
        loader=loader, autoescape=escape, undefined=StrictUndefined, keep_trailing_newline=True
    )
    environment.filters.update(_FILTERS)
    environment.globals["legend"] = wording.LEGEND
    environment.globals["lights_explained"] = wording.LIGHTS_EXPLAINED
    return environment
