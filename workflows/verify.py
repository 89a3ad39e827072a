"""Doubt a port, whoever wrote it: evidence on four lights and a verdict.

With ORIGINAL and PORT the port is held to the original; with PORT alone only what needs no
original is checked. Each is a model tree or one source file that is a whole program.
"""

import argparse
from collections.abc import Callable
from dataclasses import asdict, replace
from difflib import get_close_matches
from pathlib import Path
from typing import TYPE_CHECKING

from acclimate.analysis.problems import Problem
from acclimate.verifier.evidence import Assessment, Evidence, Outcome
from acclimate.workflows._compilers import require
from acclimate.workflows._exit import Exit
from acclimate.workflows.showing.delivery import deliver_json

if TYPE_CHECKING:
    from acclimate.analysis.tree.manifest import Manifest
    from acclimate.verifier.ladder import Examination
    from acclimate.verifier.subject import Subject

EXITS = {
    "accept": Exit.DONE,
    "reject": Exit.REJECTED,
    "inconclusive": Exit.INCONCLUSIVE,
}


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("paths", metavar="[ORIGINAL] PORT", type=Path, nargs="+")
    parser.add_argument("--json", metavar="FILE", help="write the verdict as JSON (- for stdout)")
    parser.add_argument(
        "--first-failure", action="store_true", help="stop after the first check that fails"
    )
    parser.add_argument(
        "--only",
        metavar="CHECK",
        action="append",
        default=[],
        help="only this check; the verdict speaks of what was checked",
    )
    parser.add_argument(
        "--replay-all",
        action="store_true",
        help="replay calls of every procedure, not of changed ones alone",
    )
    budget_argument(parser)


def budget_argument(parser: argparse.ArgumentParser) -> None:
    """`--budget`: None leaves it to the manifest."""
    parser.add_argument(
        "--budget",
        metavar="S",
        type=_seconds,
        help="processor seconds for trying changed procedures on other values, one by one"
        " (default: [verify] budget, else 600 or 50 short runs of the model)",
    )


def _seconds(text: str) -> float:
    value = float(text)
    if not 0 < value < float("inf"):
        raise argparse.ArgumentTypeError(f"'{text}' is not a positive number of seconds")
    return value


def run(options: argparse.Namespace) -> int:
    from acclimate.analysis.tree.manifest import load_manifest
    from acclimate.verifier.subject import Subject
    from acclimate.verifier.toolchains import toolchain

    if len(options.paths) > 2:
        raise Problem("verify takes one or two paths", hint="acclimate verify ORIGINAL PORT")
    only = _chosen(options.only)
    *originals, port_path = options.paths
    original = load_manifest(originals[0]) if originals else None
    port = port_manifest(original, originals[0] if originals else None, port_path)
    if original is not None and options.budget:
        original = replace(original, budget=options.budget)
    require("gfortran")
    where = originals[0] if originals else port_path
    work = verify_folder((original or port).root, where)
    subject = Subject(original, port, toolchain("gfortran"), work, replay_all=options.replay_all)
    examination = _examine(subject, options.first_failure, only)
    if options.json:
        deliver_json(_as_json(examination), options.json)
    if options.json != "-":
        _print(examination)
    return EXITS[examination.assessment.verdict]


def port_manifest(original: "Manifest | None", source: Path | None, port: Path) -> "Manifest":
    """How the port is read and built: by its own acclimate.toml, else as the original is.

    Raises:
        Problem: there is no port at `port`.
    """
    from acclimate.analysis.tree.manifest import load_manifest

    if source is not None and source.is_file() and port.is_dir():
        return load_manifest(port / source.name)
    if original is None or port.is_file() or (port / "acclimate.toml").is_file():
        return load_manifest(port)
    if not port.is_dir():
        raise Problem(f"there is no port at {port}", hint="give the folder of the ported tree")
    return replace(original, root=port)


def verify_folder(root: Path, path: Path) -> Path:
    """Where builds and runs of a model go that nobody migrates; migrate has its own."""
    from acclimate.porter.agent.work_folder import work_folder

    work = work_folder(root, path if path.is_file() else None) / "verify"
    work.mkdir(exist_ok=True)
    return work


def _chosen(names: list[str]) -> frozenset[str] | None:
    """The checks to run; None: all."""
    from acclimate.verifier.checks import all_checks

    known = [check.name for check in all_checks()]
    for name in names:
        if name not in known:
            near = get_close_matches(name, known, n=1)
            hint = f"did you mean '{near[0]}'?" if near else f"known: {', '.join(sorted(known))}."
            raise Problem(f"there is no check '{name}'", hint=hint)
    return frozenset(names) or None


def _examine(subject: "Subject", first_failure: bool, only: frozenset[str] | None) -> "Examination":
    from acclimate.porter.agent.job import Step
    from acclimate.porter.agent.work_folder import locked
    from acclimate.verifier.ladder import examine
    from acclimate.workflows.showing.progress import shown

    with shown() as tell:
        say: Callable[[str], None] = lambda text: tell(Step("verify", text))  # noqa: E731
        with locked(subject.work, say):
            return examine(subject, say, first_failure, only)


def _as_json(examination: "Examination") -> dict[str, object]:
    assessment = examination.assessment
    return {
        "schema": "acclimate/verify/1",
        "verdict": assessment.verdict,
        "lights": assessment.lights,
        "evidence": [asdict(item) for item in assessment.evidence],
        "figures": {
            "kernel_share": examination.kernel_share,
            "launches_per_step": examination.launches_per_step,
            "bytes_per_step": examination.bytes_per_step,
        },
    }


def _print(examination: "Examination") -> None:
    from acclimate.workflows.reporting import wording
    from acclimate.workflows.reporting.gathering import NO_DEVICE
    from acclimate.workflows.showing.table import Cell, Column, show

    assessment = examination.assessment
    columns = ("check", "light", "outcome", "figure", "limit", "what was seen")
    show([Column(title, title in ("figure", "limit")) for title in columns], [
        [
            Cell(item.check),
            Cell(item.light.value),
            Cell(item.outcome.value, wording.tone(item.outcome.value)),
            Cell(wording.measured(item.figure, item.unit)),
            Cell(wording.measured(item.limit, item.unit)),
            Cell(_located(item)),
        ]
        for item in assessment.evidence
    ])  # fmt: skip
    print()
    for line in failures(assessment):
        print(line)
    device = f"; {NO_DEVICE}" if assessment.lights["device"] != Outcome.HOLDS else ""
    lights = ", ".join(f"{name} {outcome}" for name, outcome in assessment.lights.items())
    print(f"verdict: {assessment.verdict} ({lights}{device})")


def failures(assessment: Assessment) -> list[str]:
    """A line in the manner of a compiler for each failure; lines are the port's."""
    failed = [item for item in assessment.evidence if item.outcome is Outcome.FAILS]
    return [f"{_place(item)}{item.light.value}: {item.message} [{item.check}]" for item in failed]


def _place(item: Evidence) -> str:
    return f"{item.file}:{item.line}: " if item.file and item.line else ""


def _located(item: Evidence) -> str:
    return f"{item.message} ({item.file}:{item.line})" if item.file and item.line else item.message
