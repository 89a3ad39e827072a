"""The gate's report as JUnit XML: one test case a variable and check, the verdict as a suite."""

import re
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from acclimate.workflows.reporting.gate_report import GateReport, GateRow, SpeedRow

_LONGEST = 4000  # characters of a message; GitLab cuts reports at 64 kB a case
_FORBIDDEN = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd]")


def to_junit(report: GateReport) -> str:
    """XML for GitLab's and GitHub's test reports; a check without power is skipped, not passed."""
    rows = report.rows
    failures = len(report.failing) + len(report.slower)
    skipped = sum(row.finding == "no power" for row in rows)
    counts = {
        "tests": str(len(rows) + len(report.speed)),
        "failures": str(failures),
        "errors": "0",
        "skipped": str(skipped),
        "time": "0",
    }
    name = _plain(f"acclimate gate {report.model}")
    suites = Element("testsuites", {"name": name, **counts} | {})
    del suites.attrib["skipped"]
    suite = SubElement(suites, "testsuite", {"name": name, **counts})
    for row in rows:
        _case(suite, report, row)
    for timed in report.speed:
        _timed(suite, report, timed)
    indent(suites)
    text = tostring(suites, encoding="unicode")
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{text}\n'


def _case(suite: Element, report: GateReport, row: GateRow) -> None:
    names = {"classname": _plain(f"{report.model}.{row.check}"), "time": "0"}
    case = SubElement(suite, "testcase", {"name": _plain(row.variable or row.check), **names})
    if row.finding == "fails":
        failure = SubElement(case, "failure", {"message": _plain(row.told), "type": row.check})
        failure.text = _plain(f"{row.told}\nthe same again: {report.command}")
    elif row.finding == "no power":
        SubElement(case, "skipped", {"message": _plain(row.message)})


def _timed(suite: Element, report: GateReport, row: SpeedRow) -> None:
    names = {"classname": _plain(f"{report.model}.speed"), "time": f"{row.seconds:.6f}"}
    case = SubElement(suite, "testcase", {"name": _plain(row.name), **names})
    if row.slower:
        text = f"{row.name} takes {row.ratio:.2f} times as long as in the baseline"
        failure = SubElement(case, "failure", {"message": _plain(text), "type": "speed"})
        failure.text = _plain(f"noise {row.noise:.2f}\nthe same again: {report.command}")


def _plain(text: str) -> str:
    """What XML can hold, and not too much of it."""
    clean = _FORBIDDEN.sub("?", text)
    return clean if len(clean) <= _LONGEST else clean[: _LONGEST - 1] + "…"
