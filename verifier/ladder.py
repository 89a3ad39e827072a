"""The ladder: every check on one subject, the cheapest first, weighed into a verdict."""

import hashlib
import json
import time
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from acclimate.verifier.checks import Check, all_checks
from acclimate.verifier.evidence import Assessment, Evidence, Light, Outcome, assess
from acclimate.verifier.figures import Figures, Kernel, Transfer
from acclimate.verifier.own_code import own_code
from acclimate.verifier.subject import Subject


@dataclass(frozen=True)
class Examination:
    """The verdict on a port, and what was measured on the way; see `Figures` for the figures.

    `timings` are seconds per check; `cached` tells that nothing was run this time.
    """

    assessment: Assessment
    kernels: tuple[Kernel, ...] = ()
    transfers: tuple[Transfer, ...] = ()
    totals: Mapping[str, float] = field(default_factory=dict)
    kernel_share: float | None = None
    launches_per_step: float | None = None
    bytes_per_step: float | None = None
    per_step_basis: str = ""
    executed_lines: Mapping[str, tuple[int, ...]] = field(default_factory=dict)
    reached: tuple[tuple[str, int], ...] | None = None  # None: not measured
    further_lines: Mapping[str, tuple[int, ...]] = field(default_factory=dict)
    timings: Mapping[str, float] = field(default_factory=dict)
    cached: bool = False


def examine(
    subject: Subject,
    progress: Callable[[str], None] = lambda text: None,
    stop_at_first_failure: bool = False,
    only: frozenset[str] | None = None,
) -> Examination:
    """Climb the ladder; `only` names the checks to run (None: all that apply).

    An examination of the same sources and inputs by the same program is read from the work folder;
    one that was interrupted goes on with the check it was in.

    Raises:
        Problem: the original does not build or run, or a compiler is missing.
    """
    memo = _memo(subject, stop_at_first_failure, only)
    if memo.is_file():
        progress("nothing has changed since the last examination")
        return _from_json(json.loads(memo.read_text()))
    subject.say = progress
    unfinished = memo.with_suffix(".unfinished")
    evidence, timings = _taken_up(subject, unfinished)
    checks = _applicable(subject, only)
    for number, check in enumerate(checks, start=1):
        if check.name in timings:
            continue
        progress(f"check {check.name} ({number} of {len(checks)})")
        began = time.monotonic()
        found = list(check.measure(subject))
        timings[check.name] = time.monotonic() - began
        evidence += found
        failed = [e for e in found if e.outcome is Outcome.FAILS]
        # A failure without a place lets the ladder go on until a check can name one.
        located = any(e.file is not None for e in failed)
        if failed and (check.name == "host_build" or (stop_at_first_failure and located)):
            break
        if not failed and not subject.overran:
            _put_down(subject, evidence, timings, unfinished)
    examination = _examination(evidence, subject.figures, timings)
    if not subject.overran:
        _write(asdict(examination), memo)
    unfinished.unlink(missing_ok=True)
    return examination


def _put_down(
    subject: Subject, evidence: list[Evidence], timings: Mapping[str, float], place: Path
) -> None:
    """Keep what the checks so far have found, for the case that the others are interrupted."""
    so_far = asdict(_examination(evidence, subject.figures, timings))
    _write({"examination": so_far, "tested": subject.tested}, place)


def _taken_up(subject: Subject, place: Path) -> tuple[list[Evidence], dict[str, float]]:
    """What the checks of an interrupted examination have found, and the seconds each has taken."""
    if not place.is_file():
        return [], {}
    kept = json.loads(place.read_text())
    subject.tested |= kept["tested"]
    found = _from_json(kept["examination"])
    subject.figures = Figures(
        found.kernels,
        found.transfers,
        found.totals,
        found.kernel_share,
        found.launches_per_step,
        found.bytes_per_step,
        found.per_step_basis,
        found.executed_lines,
        found.reached,
        found.further_lines,
    )
    return list(found.assessment.evidence), dict(found.timings)


def _write(content: Mapping[str, Any], place: Path) -> None:
    place.parent.mkdir(parents=True, exist_ok=True)
    scratch = place.with_suffix(f"{place.suffix}.tmp")
    scratch.write_text(json.dumps(content))
    scratch.replace(place)


def _applicable(subject: Subject, only: frozenset[str] | None) -> list[Check]:
    return [
        check
        for check in all_checks()
        if (subject.original is not None or not check.needs_original)
        and (only is None or check.name in only)
    ]


def _memo(subject: Subject, stop: bool, only: frozenset[str] | None) -> Path:
    chosen = f"{stop} {sorted(only) if only is not None else 'all'} {subject.replay_all}"
    content = f"{subject.digest} {chosen} {subject.inputs.budget} {own_code()}"
    key = hashlib.sha256(content.encode()).hexdigest()
    return subject.work / "examinations" / f"{key[:32]}.json"


def _examination(
    evidence: list[Evidence], figures: Figures, timings: Mapping[str, float]
) -> Examination:
    return Examination(
        assess(evidence),
        figures.kernels,
        figures.transfers,
        dict(figures.totals),
        figures.kernel_share,
        figures.launches_per_step,
        figures.bytes_per_step,
        figures.per_step_basis,
        dict(figures.executed_lines),
        figures.reached,
        dict(figures.further_lines),
        timings,
    )


def _from_json(data: dict[str, Any]) -> Examination:
    assessment = data["assessment"]
    evidence = tuple(
        Evidence(**{**item, "light": Light(item["light"]), "outcome": Outcome(item["outcome"])})
        for item in assessment["evidence"]
    )
    kept: dict[str, Any] = {
        **data,
        "assessment": Assessment(assessment["verdict"], assessment["lights"], evidence),
        "kernels": tuple(Kernel(**item) for item in data["kernels"]),
        "transfers": tuple(Transfer(**item) for item in data["transfers"]),
        "executed_lines": {k: tuple(v) for k, v in data["executed_lines"].items()},
        "reached": _places(data["reached"]),
        "further_lines": {k: tuple(v) for k, v in data["further_lines"].items()},
        "cached": True,
    }
    return Examination(**kept)


def _places(found: list[list[Any]] | None) -> tuple[tuple[str, int], ...] | None:
    return None if found is None else tuple((file, line) for file, line in found)
