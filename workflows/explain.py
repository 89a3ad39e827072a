"""Explain why a loop is, or is not, parallel.

FILE:LINE names any line of the loop; the innermost loop around it is explained. The model is the
nearest folder upward with an acclimate.toml, or --model; without either, the file alone.
"""

import argparse
import sys
from dataclasses import asdict
from pathlib import Path

from acclimate.analysis.facts import LoopFacts, ReadingProblem
from acclimate.analysis.problems import Problem
from acclimate.analysis.source import Span
from acclimate.workflows._cache import add_cache_option, chosen_cache
from acclimate.workflows._exit import Exit
from acclimate.workflows._workers import add_workers_option
from acclimate.workflows.showing.delivery import deliver_json
from acclimate.workflows.showing.loop_account import explained

REASONS = 5  # shown unless all are asked for


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("where", metavar="FILE:LINE")
    parser.add_argument("--model", metavar="PATH", type=Path, help="the model's root")
    parser.add_argument("--all", action="store_true", help=f"all reasons, not only {REASONS}")
    parser.add_argument("--json", metavar="FILE", help="write the facts as JSON (- for stdout)")
    add_cache_option(parser)
    add_workers_option(parser)


def run(options: argparse.Namespace) -> int:
    from acclimate.analysis.index import index_project
    from acclimate.analysis.tree.manifest import load_manifest

    path, line = _place(options.where)
    model = options.model or _model_around(path)
    index = index_project(
        load_manifest(model), workers=options.workers, cache=chosen_cache(options.cache)
    )
    root = index.manifest.root.resolve()
    file = path.resolve().relative_to(root).as_posix() if _below(path, root) else str(path)
    if file not in index.texts:
        raise _not_in_the_model(path, file, index.problems, root)
    loop = loop_around(index.loops, file, line)
    problem = _unread(index.problems, file, line)
    if problem is not None:
        raise Problem(
            f"line {line} could not be read: {problem.reason}",
            where=Span(path, problem.at.first),
            notes=(f"it stands in the loop at {loop.at}",) if loop else (),
            hint="write it in another way, or keep the loops around it on the host",
        )
    if loop is None:
        raise Problem(
            f"no loop stands around {file}:{line}",
            notes=_nearby(index.loops, file, line),
            hint="name a line between a DO statement and its END DO",
        )
    if options.json:
        deliver_json({"schema": "acclimate/explain/1", **asdict(loop)}, options.json)
    if options.json != "-":
        sys.stdout.write(explained(loop, index.texts, None if options.all else REASONS))
    return Exit.DONE


def loop_around(loops: tuple[LoopFacts, ...], file: str, line: int) -> LoopFacts | None:
    """The innermost loop whose statements span `line`."""
    around = [
        loop for loop in loops if loop.at.file == file and loop.at.first <= line <= loop.end.last
    ]
    return max(around, key=lambda loop: (loop.at.first, loop.depth), default=None)


def _not_in_the_model(
    path: Path, file: str, problems: tuple[ReadingProblem, ...], root: Path
) -> Problem:
    """Why nothing is known of a file: it could not be read, or the model does not name it."""
    for problem in problems:
        if problem.at.file == file:
            return Problem(
                f"{path} could not be read: {problem.reason}",
                hint="see that the file can be read, and is within the limits of the analysis",
            )
    return Problem(
        f"{path} is not a source file of the model at {root}",
        hint="name its model with --model, or add it to [model] sources",
    )


def _unread(problems: tuple[ReadingProblem, ...], file: str, line: int) -> ReadingProblem | None:
    """What could not be read at this very line."""
    here = (p for p in problems if p.at.file == file and p.at.first <= line <= p.at.last)
    return next(here, None)


def _place(where: str) -> tuple[Path, int]:
    name, _, line = where.rpartition(":")
    if not name or not line.isdigit():
        raise Problem(f"'{where}' is not FILE:LINE", hint="for example src/flux.f90:12")
    path = Path(name)
    if not path.is_file():
        raise Problem(f"there is no file {name}", hint="give the path from the current folder")
    return path, int(line)


def _model_around(path: Path) -> Path:
    """The nearest folder upward that holds an acclimate.toml; the file itself without one."""
    for folder in path.resolve().parents:
        if (folder / "acclimate.toml").is_file():
            return folder
    return path


def _below(path: Path, root: Path) -> bool:
    return path.resolve().is_relative_to(root)


def _nearby(loops: tuple[LoopFacts, ...], file: str, line: int) -> tuple[str, ...]:
    here = [loop for loop in loops if loop.at.file == file]
    if not here:
        return (f"{file} holds no loop",)
    nearest = min(here, key=lambda loop: abs(loop.at.first - line))
    return (f"the nearest loop begins at {nearest.at}",)
