"""Explain why a loop is, or is not, parallel.

FILE:LINE names any line of the loop; the innermost loop around it is explained. The model is the
nearest folder upward with an acclimate.toml, or --model; without either, the file alone.
"""

import argparse
import sys
from dataclasses import asdict
from pathlib import Path

from acclimate.analysis.facts import LoopFacts, Obstacle, Verdict, Witness
from acclimate.analysis.problems import Problem
from acclimate.analysis.source import Lines
from acclimate.workflows._exit import Exit
from acclimate.workflows.delivery import deliver_json

OFFLOADABLE = (Verdict.PARALLEL, Verdict.REDUCTION, Verdict.ATOMIC, Verdict.REWRITE)


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("where", metavar="FILE:LINE")
    parser.add_argument("--model", metavar="PATH", type=Path, help="the model's root")
    parser.add_argument("--json", metavar="FILE", help="write the facts as JSON (- for stdout)")


def run(options: argparse.Namespace) -> int:
    from acclimate.analysis.index import index_project
    from acclimate.analysis.manifest import load_manifest

    path, line = _place(options.where)
    model = options.model or _model_around(path)
    index = index_project(load_manifest(model))
    root = index.project.root.resolve()
    file = path.resolve().relative_to(root).as_posix() if _below(path, root) else str(path)
    if file not in index.project.texts:
        raise Problem(
            f"{path} is not a source file of the model at {root}",
            hint="name its model with --model, or add it to [model] sources",
        )
    loop = loop_around(index.loops, file, line)
    if loop is None:
        raise Problem(
            f"no loop stands around {file}:{line}",
            notes=_nearby(index.loops, file, line),
            hint="name a line between a DO statement and its END DO",
        )
    if options.json:
        deliver_json({"schema": "acclimate/explain/1", **asdict(loop)}, options.json)
    if options.json != "-":
        sys.stdout.write(explained(loop, index.project.texts))
    return Exit.DONE


def loop_around(loops: tuple[LoopFacts, ...], file: str, line: int) -> LoopFacts | None:
    """The innermost loop whose statements span `line`."""
    around = [
        loop for loop in loops if loop.at.file == file and loop.at.first <= line <= loop.end.last
    ]
    return max(around, key=lambda loop: (loop.at.first, loop.depth), default=None)


def explained(loop: LoopFacts, texts: dict[str, bytes]) -> str:
    """Verdict, source, obstacles with both references, clauses and remedies, as text."""
    what = f"loop over '{loop.index}'" if loop.index else "array statement"
    lines = [f"{loop.at}: {what} in {loop.unit}: {loop.verdict.value}", *_quoted(loop.at, texts)]
    if not loop.obstacles:
        lines += ["nothing stands in the way: no iteration needs the result of another"]
    for number, obstacle in enumerate(loop.obstacles, 1):
        lines += ["", *_obstacle(number, obstacle, texts)]
    clauses = _clauses(loop)
    if clauses and loop.verdict in OFFLOADABLE:
        lines += ["", f"clauses it needs: {' '.join(clauses)}"]
    if loop.last_values:
        lines += [f"values used after the loop: {', '.join(loop.last_values)}"]
    lines += [f"note: {note}" for note in loop.notes]
    return "\n".join(lines) + "\n"


def _obstacle(number: int, obstacle: Obstacle, texts: dict[str, bytes]) -> list[str]:
    lines = [f"{number}. {obstacle.detail} [{obstacle.reason}, {obstacle.verdict.value}]"]
    if not obstacle.witnesses:
        lines += _quoted(obstacle.at, texts)
    for witness in obstacle.witnesses:
        lines += _witness(witness, texts)
    return lines + ([f"   what would change it: {obstacle.remedy}"] if obstacle.remedy else [])


def _witness(witness: Witness, texts: dict[str, bytes]) -> list[str]:
    if witness.distance is None:
        how_far = "at a distance that is not constant"
    else:
        how_far = f"{witness.distance} iteration{'s' * (abs(witness.distance) != 1)} apart"
    head = f"   {witness.kind} dependence on '{witness.variable}', {how_far}:"
    if witness.source == witness.sink:
        return [head, *_quoted(witness.source, texts)]
    return [head, *_quoted(witness.source, texts), *_quoted(witness.sink, texts)]


def _clauses(loop: LoopFacts) -> list[str]:
    named = (("private", loop.private), ("firstprivate", loop.firstprivate))
    clauses = [f"{name}({', '.join(names)})" for name, names in named if names]
    clauses += [f"reduction({r.op}:{r.var})" for r in loop.reduction]
    return clauses + [f"atomic update of {name}" for name in loop.atomic]


def _quoted(at: Lines, texts: dict[str, bytes]) -> list[str]:
    """The source lines, numbered, as a compiler quotes them."""
    text = texts.get(at.file, b"").split(b"\n")[at.first - 1 : at.last]
    width = len(str(at.last))
    return [
        f"   {at.file} {number:>{width}} | {line.decode('latin-1').rstrip()}"
        for number, line in enumerate(text, at.first)
    ]


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
