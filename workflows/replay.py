"""Give calls of a real run, written down in the original, to the port again.

  acclimate replay ORIGINAL PORT                      every procedure
  acclimate replay ORIGINAL PORT --unit m::p --call 7 one call again, bit for bit

The table says which lines no replayed call has executed: they are never validated. Exit codes: 0
nothing differs, 1 something does, 3 nothing could be replayed.
"""

import argparse
from collections.abc import Callable, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

from acclimate.analysis.problems import Problem
from acclimate.workflows._compilers import require
from acclimate.workflows._exit import Exit
from acclimate.workflows.showing.delivery import deliver_json

if TYPE_CHECKING:
    from acclimate.verifier.replay.replaying import UnitReplay
    from acclimate.verifier.subject import Subject
    from acclimate.workflows.showing.table import Cell


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("original", metavar="ORIGINAL", type=Path)
    parser.add_argument("port", metavar="PORT", type=Path)
    parser.add_argument("--unit", metavar="NAME", action="append", help="only this procedure")
    parser.add_argument("--call", metavar="N", type=int, help="only this call of it")
    parser.add_argument(
        "--tolerance",
        metavar="REL",
        type=float,
        default=0.0,
        help="let values differ by this part of the largest of their variable (default: no bit)",
    )
    parser.add_argument("--json", metavar="FILE", help="write JSON (- for stdout)")


def run(options: argparse.Namespace) -> int:
    from acclimate.analysis.tree.manifest import load_manifest
    from acclimate.verifier.subject import Subject
    from acclimate.verifier.toolchains import toolchain
    from acclimate.workflows.verify import port_manifest, verify_folder

    if options.call is not None and len(options.unit or ()) != 1:
        raise Problem("--call is a call of one procedure", hint="name it: --unit NAME --call N")
    original = load_manifest(options.original)
    port = port_manifest(original, options.original, options.port)
    require("gfortran")
    work = verify_folder(original.root, options.original)
    subject = Subject(original, port, toolchain("gfortran"), work, replay_all=True)
    found = _replayed(subject, options)
    if options.json:
        deliver_json(
            {"schema": "acclimate/replay/1", "units": [asdict(each) for each in found]},
            options.json,
        )
    if options.json != "-":
        _print(found)
    if any(each.failures for each in found):
        return Exit.REJECTED
    return Exit.DONE if any(each.values for each in found) else Exit.INCONCLUSIVE


def _replayed(subject: "Subject", options: argparse.Namespace) -> "Sequence[UnitReplay]":
    from acclimate.analysis.project import read_project
    from acclimate.porter.agent.job import Step
    from acclimate.porter.agent.work_folder import locked
    from acclimate.verifier.checks.replay import replayed_names
    from acclimate.verifier.replay.replaying import replay_units
    from acclimate.verifier.subject import Side
    from acclimate.workflows.showing.progress import shown

    known = replayed_names(subject, read_project(subject.manifest(Side.ORIGINAL)))
    for name in options.unit or ():
        if name not in known:
            raise Problem(
                f"there is no procedure called '{name}'",
                hint="give its full name, as `acclimate analyze --rank` does",
            )
    with shown() as tell:
        say: Callable[[str], None] = lambda text: tell(Step("replay", text))  # noqa: E731
        subject.say = say
        with locked(subject.work, say):
            names = tuple(options.unit or known)
            return replay_units(subject, names, options.tolerance, options.call)


def _print(found: "Sequence[UnitReplay]") -> None:
    from acclimate.workflows.showing.table import Cell, Column, show

    titles = ("procedure", "calls", "values", "differ", "branches", "never validated")
    columns = [Column(title, title in titles[1:5]) for title in titles]
    show(columns, [_row(each, Cell) for each in found])
    for each in found:
        for failure in each.failures:
            place = f"{each.at}: " if each.at else ""
            print(f"{place}call {failure.call} of '{failure.unit}': {failure.message}")
        if not each.calls and each.why:
            print(f"'{each.unit}' was not replayed: {each.why}")


def _row(each: "UnitReplay", cell: "type[Cell]") -> "list[Cell]":
    covered = each.coverage
    inside = "" if each.around in ((), (each.unit,)) else f" (in {', '.join(each.around)})"
    branches = f"{covered.taken}/{covered.branches}" if covered else ""
    never = covered.regions if covered and each.calls else "all of it"
    tone = "bad" if each.failures else "good" if each.values else "open"
    return [
        cell(each.unit + inside),
        cell(str(each.calls)),
        cell(str(each.values)),
        cell(str(len(each.failures)), tone),
        cell(branches),
        cell(never),
    ]
