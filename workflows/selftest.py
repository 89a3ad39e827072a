"""Put faults into a port that is right, and count those that the verifier finds.

  acclimate selftest MODEL PORT
  acclimate selftest MODEL        the port that migrate made of it last

Each fault (a mutant) is one change of a directive or of a statement; equivalent changes, which
nothing may be held against, are among them. Results are kept: the same command goes on where it
was stopped. Exit codes: 0 every fault was found, 1 one was not or a right change was rejected,
3 something could not be told.
"""

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from acclimate.analysis.problems import Problem
from acclimate.workflows._compilers import require
from acclimate.workflows._exit import Exit
from acclimate.workflows._workers import add_workers_option
from acclimate.workflows.showing.delivery import deliver_json

if TYPE_CHECKING:
    from acclimate.verifier.mutants.account import Account, Row
    from acclimate.verifier.mutants.campaign import Tried
    from acclimate.verifier.mutants.mutant import Mutant
    from acclimate.verifier.mutants.trial import Rungs

_COUNT = 100


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("paths", metavar="MODEL [PORT]", type=Path, nargs="+")
    parser.add_argument(
        "--count", metavar="N", type=int, default=_COUNT, help=f"mutants to try ({_COUNT})"
    )
    parser.add_argument("--seed", metavar="S", type=int, default=1, help="which ones (1)")
    parser.add_argument(
        "--operators", metavar="NAME", nargs="+", default=[], help="only of these operators"
    )
    parser.add_argument(
        "--rungs", choices=("static", "all"), default="all", help="read only, or run as well (all)"
    )
    parser.add_argument("--json", metavar="FILE", help="write JSON (- for stdout)")
    add_workers_option(parser)


def run(options: argparse.Namespace) -> int:
    from acclimate.verifier.mutants.account import account
    from acclimate.verifier.mutants.trial import Rungs

    if len(options.paths) > 2:
        raise Problem("selftest takes one or two paths", hint="acclimate selftest MODEL PORT")
    if options.count < 1:
        raise Problem("nothing is tried with --count below 1", hint="leave it out for 100")
    require("gfortran")
    rungs = Rungs(options.rungs)
    found = _tried(options, rungs)
    told = account(found, rungs)
    if options.json:
        deliver_json(_as_json(told, found, options), options.json)
    if options.json != "-":
        _print(told, rungs)
    return exit_code(told)


def _tried(options: argparse.Namespace, rungs: "Rungs") -> "tuple[Tried, ...]":
    from acclimate.analysis.tree.manifest import load_manifest
    from acclimate.porter.agent.job import Step
    from acclimate.porter.agent.work_folder import last_place, locked, work_folder
    from acclimate.verifier.mutants.bench import prepare
    from acclimate.verifier.mutants.campaign import campaign
    from acclimate.verifier.mutants.sampling import chosen_operators, every_mutant, sample
    from acclimate.verifier.toolchains import toolchain
    from acclimate.workflows.showing.progress import shown
    from acclimate.workflows.verify import port_manifest

    model = options.paths[0]
    place = options.paths[1] if len(options.paths) == 2 else last_place(model)
    if place is None:
        raise Problem(f"no port of {model} is known", hint="acclimate selftest MODEL PORT")
    operators = chosen_operators(options.operators)
    original = load_manifest(model)
    port = port_manifest(original, model, place)
    work = work_folder(original.root, model if model.is_file() else None) / "selftest"
    work.mkdir(exist_ok=True)
    with shown() as tell:
        say = lambda text: tell(Step("selftest", text))  # noqa: E731
        with locked(work, say):
            bench = prepare(original, port, toolchain("gfortran"), work, rungs)
            mutants = sample(every_mutant(bench.material, operators), options.count, options.seed)
            if not mutants:
                raise Problem(
                    "there is nothing to change in this port",
                    hint="give a port with kernels, and operators that apply to it",
                )
            total = len(mutants)
            note = lambda t: tell(Step("selftest", _line(t), 1, total))  # noqa: E731
            return campaign(bench, mutants, rungs, options.workers, note)


def exit_code(told: "Account") -> Exit:
    """A survivor or a false alarm is a hole; what could not be told is no success either."""
    from acclimate.verifier.mutants.account import Standing

    counts = told.counts
    if counts.get(Standing.SURVIVED) or counts.get(Standing.FALSE_ALARM):
        return Exit.REJECTED
    untold = (Standing.OPEN, Standing.NEVER_VALIDATED, Standing.EQUAL_VALUES)
    undecided = any(counts.get(each) for each in untold)
    return Exit.INCONCLUSIVE if undecided or not counts.get(Standing.KILLED) else Exit.DONE


def _line(tried: "Tried") -> str:
    found = tried.trial
    return f"{tried.mutant.id}: {found.fate}{f' by {found.check}' if found.check else ''}"


def _print(told: "Account", rungs: "Rungs") -> None:
    from acclimate.verifier.mutants.account import Standing
    from acclimate.workflows.showing.table import Cell, Column, show

    kinds = [kind for kind in Standing if told.counts.get(kind)]
    titles = ("operator", "of", "tried", *(kind.value for kind in kinds), "killed of faults", "s")
    show([Column(title, n > 1) for n, title in enumerate(titles)], [
        [
            Cell(row.operator),
            Cell(row.family.value),
            Cell(str(row.tried)),
            *(Cell(str(row.counts.get(kind, 0))) for kind in kinds),
            Cell(_percent(row.rate)),
            Cell(f"{row.seconds / row.tried:.1f}"),
        ]
        for row in told.rows
    ])  # fmt: skip
    print()
    for rung, check, number in told.rungs:
        print(f"{number:6} killed by {check} ({rung})")
    print()
    for tried, standing in told.shown:
        print(f"{tried.mutant.at.file}:{tried.mutant.at.first}: {standing.value}:"
              f" {tried.mutant.detail} [{tried.mutant.operator}]")  # fmt: skip
        for line in tried.mutant.diff:
            print(f"    {line}")
        print(f"    -> {_next_step(tried, standing.value)}")
    _print_summary(told)


def _print_summary(told: "Account") -> None:
    from acclimate.verifier.mutants.mutant import Family

    for family in Family:
        rate = told.rate(family)
        if rate is not None:
            print(f"{_percent(rate)} of the faults of {family}s were found")
    tried = sum(row.tried for row in told.rows)
    print(f"{tried} mutants, {told.seconds / tried:.1f} s of processor time each")


def _next_step(tried: "Tried", standing: str) -> str:
    if standing == "false alarm":
        why, check = tried.mutant.equivalent, tried.trial.check
        return f"right because {why}; {check} says: {tried.trial.message}"
    if tried.trial.excuse and standing != "never validated":
        return f"{tried.trial.excuse}; a longer run may show more: extend [run.short]"
    if standing == "value unused":
        return f"{tried.mutant.if_alive}; a longer run may: extend [run.short]"
    if standing == "never validated":
        return "no run executes this place: make [run.short] reach it"
    if tried.trial.verdict == "accept":
        return "the change is accepted: a check has to learn to see it, or a run to show it"
    return f"not accepted ({tried.trial.verdict}) but no check fails: make one decide"


def _percent(rate: float | None) -> str:
    return "–" if rate is None else f"{100 * rate:.1f} %"


def _as_json(
    told: "Account", found: "tuple[Tried, ...]", options: argparse.Namespace
) -> dict[str, object]:
    from acclimate.verifier.mutants.account import standing
    from acclimate.verifier.mutants.trial import Rungs

    rungs = Rungs(options.rungs)
    return {
        "schema": "acclimate/selftest/1",
        "seed": options.seed,
        "rungs": options.rungs,
        "counts": {kind.value: number for kind, number in told.counts.items()},
        "operators": [_row(row) for row in told.rows],
        "kills": [{"rung": r, "check": c, "count": n} for r, c, n in told.rungs],
        "mutants": [
            {
                **_mutant(tried.mutant),
                "standing": standing(tried, rungs).value,
                "verdict": tried.trial.verdict,
                "check": tried.trial.check,
                "light": tried.trial.light,
                "message": tried.trial.message,
                "excuse": tried.trial.excuse.value,
                "found_at": [tried.trial.file, tried.trial.line],
                "seconds": tried.trial.seconds,
            }
            for tried in found
        ],
    }


def _row(row: "Row") -> dict[str, object]:
    return {
        "operator": row.operator,
        "family": row.family.value,
        "tried": row.tried,
        "counts": {kind.value: number for kind, number in row.counts.items()},
        "rate": row.rate,
        "seconds": row.seconds,
    }


def _mutant(mutant: "Mutant") -> dict[str, object]:
    return {
        "id": mutant.id,
        "operator": mutant.operator,
        "file": mutant.at.file,
        "line": mutant.at.first,
        "unit": mutant.unit,
        "detail": mutant.detail,
        "before": list(mutant.before),
        "after": list(mutant.after),
        "equivalent": mutant.equivalent,
    }
