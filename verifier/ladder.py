"""The ladder: every check on one subject, the cheapest first, weighed into a verdict."""

import hashlib
import json
import time
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

from acclimate.verifier.checks import Check, all_checks
from acclimate.verifier.evidence import Assessment, Evidence, Light, Outcome, assess
from acclimate.verifier.figures import Figures, Kernel, Transfer
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
    timings: Mapping[str, float] = field(default_factory=dict)
    cached: bool = False


def examine(
    subject: Subject,
    progress: Callable[[str], None] = lambda text: None,
    stop_at_first_failure: bool = False,
    only: frozenset[str] | None = None,
) -> Examination:
    """Climb the ladder; `only` names the checks to run (None: all that apply).

    An examination of the same sources and inputs by the same program is read from the work folder.

    Raises:
        Problem: the original does not build or run, or a compiler is missing.
    """
    memo = _memo(subject, stop_at_first_failure, only)
    if memo.is_file():
        progress("nothing has changed since the last examination")
        return _from_json(json.loads(memo.read_text()))
    subject.say = progress
    evidence: list[Evidence] = []
    timings: dict[str, float] = {}
    checks = _applicable(subject, only)
    for number, check in enumerate(checks, start=1):
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
    examination = _examination(evidence, subject.figures, timings)
    if not subject.overran:
        memo.parent.mkdir(parents=True, exist_ok=True)
        scratch = memo.with_suffix(".tmp")
        scratch.write_text(json.dumps(asdict(examination)))
        scratch.replace(memo)
    return examination


def _applicable(subject: Subject, only: frozenset[str] | None) -> list[Check]:
    return [
        check
        for check in all_checks()
        if (subject.original is not None or not check.needs_original)
        and (only is None or check.name in only)
    ]


def _memo(subject: Subject, stop: bool, only: frozenset[str] | None) -> Path:
    chosen = f"{stop} {sorted(only) if only is not None else 'all'} {subject.replay_all}"
    key = hashlib.sha256(f"{subject.digest} {chosen} {own_code()}".encode()).hexdigest()
    return subject.work / "examinations" / f"{key[:32]}.json"


@cache
def own_code() -> str:
    """A hash of this program's own code: a new version trusts no old examination."""
    digest = hashlib.sha256()
    rooms = (Path(__file__).parent, Path(__file__).parent.parent / "analysis")
    for room in rooms:
        for path in sorted(room.rglob("*")):
            if path.suffix in (".py", ".c", ".h", ".f90"):
                digest.update(path.read_bytes())
    return digest.hexdigest()


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
        "cached": True,
    }
    return Examination(**kept)
