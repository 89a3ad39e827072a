"""SARIF 2.1.0 of loops that a device must not run in parallel, for annotations at their lines.

Directives that the analysis contradicts are errors; loops it refuses are notes, and no failure.
"""

from importlib import metadata
from pathlib import PurePosixPath
from typing import Any
from urllib.parse import quote

from acclimate.analysis.facts import Finding, LoopFacts, Verdict
from acclimate.analysis.index import ProjectIndex
from acclimate.analysis.source import Lines

SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
_REFUSED = (Verdict.REWRITE, Verdict.SERIAL, Verdict.HOST, Verdict.UNKNOWN)
_MOST = 5000  # results; GitHub takes so many for a run, and shows fewer


def to_sarif(index: ProjectIndex) -> dict[str, Any]:
    """One run; places are lines of the original files, relative to the model's root."""
    unsafe = [_unsafe(finding) for finding in index.findings if finding.kind != "intent"]
    refused = [_refused(loop) for loop in index.loops if loop.verdict in _REFUSED]
    results = (unsafe + refused)[:_MOST]
    names = sorted({result["ruleId"] for result in results})
    for result in results:
        result["ruleIndex"] = names.index(result["ruleId"])
    driver = {
        "name": "acclimate",
        "version": metadata.version("acclimate"),
        "rules": [{"id": name, "shortDescription": {"text": _title(name)}} for name in names],
    }
    run = {
        "tool": {"driver": driver},
        "columnKind": "utf16CodeUnits",
        "originalUriBaseIds": {"MODEL": {"description": {"text": "the root of the model"}}},
        "results": results,
    }
    return {"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}


def _unsafe(finding: Finding) -> dict[str, Any]:
    level = "warning" if finding.kind.startswith("possible") else "error"
    text = f"{finding.claim}: {finding.detail}"
    related = [place for w in finding.witnesses for place in (w.source, w.sink)]
    return _result(f"unsafe/{finding.kind}", level, text, finding.at, related)


def _refused(loop: LoopFacts) -> dict[str, Any]:
    first = loop.obstacles[0] if loop.obstacles else None
    reason = first.reason if first else loop.verdict.value
    remedy = f" To change that: {first.remedy}." if first and first.remedy else ""
    text = f"loop over '{loop.index}' in {loop.unit} is {loop.verdict}: {loop.reason}.{remedy}"
    related = [place for w in (first.witnesses if first else ()) for place in (w.source, w.sink)]
    return _result(f"refused/{reason}", "note", text, loop.at, related)


def _result(rule: str, level: str, text: str, at: Lines, related: list[Lines]) -> dict[str, Any]:
    result: dict[str, Any] = {
        "ruleId": rule,
        "level": level,
        "message": {"text": text},
        "locations": [_location(at)],
    }
    others = list(dict.fromkeys((place.file, place.first) for place in related))
    if others:
        result["relatedLocations"] = [_location(Lines(file, n, n)) for file, n in others]
    return result


def _location(at: Lines) -> dict[str, Any]:
    uri = quote(PurePosixPath(at.file).as_posix())
    artifact: dict[str, Any] = {"uri": uri}
    if not PurePosixPath(at.file).is_absolute():
        artifact["uriBaseId"] = "MODEL"
    region = {"startLine": max(1, at.first), "endLine": max(1, at.first, at.last)}
    return {"physicalLocation": {"artifactLocation": artifact, "region": region}}


def _title(rule: str) -> str:
    sort, _, name = rule.partition("/")
    words = name.replace("-", " ")
    return f"A directive that the analysis contradicts: {words}" if sort == "unsafe" else (
        f"A loop that stays serial: {words}"
    )  # fmt: skip
