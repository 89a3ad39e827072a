"""Figures of a campaign: `python -m campaigns MODEL WORK [--seeds N] [--mutants N]`.

Run from this folder. WORK is an empty folder for what is built. Prints how many loops that may run
in any order were put to the test, every contradiction, and the same for mutants of the loops.
"""

import argparse
from pathlib import Path
from random import Random

from acclimate.analysis.dependence.judging import judge_loops
from acclimate.analysis.project import Project, read_project
from acclimate.analysis.tree.manifest import load_manifest
from campaigns.kernels import Campaign, build_campaign, run_trials
from campaigns.mutants import build_round, kernels
from campaigns.outcome import Outcome, mutant_outcome, outcome

_WALL = 3600.0  # s, for the trials of one program
_KERNELS, _MUTANTS = 24, 25  # in one round


def main() -> None:
    parser = argparse.ArgumentParser(prog="campaigns", description=__doc__)
    parser.add_argument("model", type=Path)
    parser.add_argument("work", type=Path)
    parser.add_argument("--seeds", type=int, default=4)
    parser.add_argument("--mutants", type=int, default=0)
    parser.add_argument("--flag", action="append", default=[], help="of the compiler")
    parser.add_argument("--library", action="append", default=[], help="of the linker")
    options = parser.parse_args()
    options.work.mkdir(parents=True)
    work = options.work.resolve()
    project = read_project(load_manifest(options.model))
    loops = judge_loops(project)
    made = build_campaign(
        project.manifest,
        project,
        loops,
        work / "model",
        options.seeds,
        options.flag,
        options.library,
    )
    found = outcome(made.instrumented, run_trials(made.program, _WALL), made.program.name)
    print(f"{len(made.instrumented.failed)} files do not compile, {len(made.drivers)} procedures")
    _tell(found)
    if options.mutants:
        _mutants(project, made, found, work, options)


def _tell(found: Outcome) -> None:
    claimed = found.claimed & found.powerful
    print(f"loops with a claim: {len(found.claimed)}, put to the test: {len(claimed)}")
    print(f"contradictions: {len(found.contradictions)}")
    for each in found.contradictions:
        print(f"  {each}")


def _mutants(
    project: Project, made: Campaign, found: Outcome, work: Path, options: argparse.Namespace
) -> None:
    loops = made.instrumented.marks.loops
    tested = {loops[number].facts.at for number in found.powerful}
    files = set(made.instrumented.objects)
    chosen = [k for k in kernels(project.manifest, project, files) if k.at in tested]
    random = Random(options.seeds)
    random.shuffle(chosen)
    judged = powerful = conflicting = refused = contradicted = number = 0
    while judged < options.mutants and chosen:
        some = [(number * _KERNELS + n, chosen[n % len(chosen)]) for n in range(_KERNELS)]
        chosen = chosen[_KERNELS:] + chosen[:_KERNELS]
        built = build_round(
            made,
            project,
            some,
            work / f"round{number}",
            random,
            _MUTANTS,
            options.flag,
            options.library,
        )
        sums = mutant_outcome(built, run_trials(built.program, _WALL))
        number += 1
        judged += len(built.mutants)
        powerful += len(sums.powerful)
        conflicting += len(sums.conflicting)
        refused += len(sums.refused_clean)
        contradicted += len(sums.outcome.contradictions)
        _tell(sums.outcome)
        print(
            f"mutants: {judged}, powerful {powerful}, a value passed between iterations"
            f" {conflicting}, clean but refused {refused}, contradictions {contradicted}"
        )


main()
