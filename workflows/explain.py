"""Explain why a loop is, or is not, parallel.

FILE:LINE names any line of the loop; the innermost loop around it is explained. The model is the
nearest folder upward with an acclimate.toml, or --model; without either, the file alone.
"""

import argparse
import sys
from collections import Counter
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path

from acclimate.analysis.facts import Finding, LoopFacts, Obstacle, ReadingProblem, Verdict, Witness
from acclimate.analysis.problems import Problem
from acclimate.analysis.source import Lines, Span
from acclimate.workflows._cache import add_cache_option, chosen_cache
from acclimate.workflows._exit import Exit
from acclimate.workflows.delivery import deliver_json

REASONS = 5  # shown unless all are asked for
OFFLOADABLE = (Verdict.PARALLEL, Verdict.REDUCTION, Verdict.ATOMIC, Verdict.REWRITE)


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("where", metavar="FILE:LINE")
    parser.add_argument("--model", metavar="PATH", type=Path, help="the model's root")
    parser.add_argument("--all", action="store_true", help=f"all reasons, not only {REASONS}")
    parser.add_argument("--json", metavar="FILE", help="write the facts as JSON (- for stdout)")
    add_cache_option(parser)


def run(options: argparse.Namespace) -> int:
    from acclimate.analysis.index import index_project
    from acclimate.analysis.manifest import load_manifest

    path, line = _place(options.where)
    model = options.model or _model_around(path)
    index = index_project(load_manifest(model), cache=chosen_cache(options.cache))
    root = index.manifest.root.resolve()
    file = path.resolve().relative_to(root).as_posix() if _below(path, root) else str(path)
    if file not in index.texts:
        raise Problem(
            f"{path} is not a source file of the model at {root}",
            hint="name its model with --model, or add it to [model] sources",
        )
    loop = loop_around(index.loops, file, line)
    problem = _unread(index.problems, file, line)
    if problem is not None:
        raise Problem(
            f"line {line} could not be read: {problem.reason}",
            where=Span(path, problem.at.first),
            notes=(f"it stands in the loop at {loop.at}",) if loop else (),
            hint="mend the statement, or keep the loops around it on the host",
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


def _unread(problems: tuple[ReadingProblem, ...], file: str, line: int) -> ReadingProblem | None:
    """What could not be read at this very line."""
    here = (p for p in problems if p.at.file == file and p.at.first <= line <= p.at.last)
    return next(here, None)


def explained(loop: LoopFacts, texts: Mapping[str, bytes], most: int | None) -> str:
    """Verdict, source, obstacles with both references, clauses and remedies, as text.

    At most `most` obstacles are told, None: all. Of a loop that calls procedures and has more of
    them, the first of each reason come first.
    """
    what = f"loop over '{loop.index}'" if loop.index else "array statement"
    lines = [f"{loop.at}: {what} in {loop.unit}: {loop.verdict.value}", *_quoted(loop.at, texts)]
    lines += _conditions(loop, texts)
    if not loop.obstacles and not loop.conditions:
        lines += ["nothing stands in the way: no iteration needs the result of another"]
    lines += _calls(loop, most)
    told = _varied(loop.obstacles)[:most] if most else loop.obstacles
    for number, obstacle in enumerate(told, 1):
        lines += ["", *_obstacle(number, obstacle, texts)]
    if len(told) < len(loop.obstacles):
        lines += ["", f"and {len(loop.obstacles) - len(told)} more reasons (--all)"]
    clauses = _clauses(loop)
    if clauses and loop.verdict in OFFLOADABLE:
        lines += ["", f"clauses it needs: {' '.join(clauses)}"]
    if loop.last_values:
        lines += [f"values used after the loop: {', '.join(loop.last_values)}"]
    lines += [f"note: {note}" for note in loop.notes]
    lines += [f"hint at {hint.at}: {hint.text}" for hint in loop.hints]
    for finding in loop.findings:
        lines += _finding(finding, texts)
    if loop.verdict in OFFLOADABLE:
        lines += ["whether it is ported depends on where its data lives: see the report of migrate"]
    return "\n".join(lines) + "\n"


def _conditions(loop: LoopFacts, texts: Mapping[str, bytes]) -> list[str]:
    """What the verdict rests on, with the references, and how to promise what nothing proves."""
    lines: list[str] = []
    for condition in loop.conditions:
        if condition.promise is not None:
            lines += [f"it rests on a promise at {condition.promise}: {condition.detail}"]
            continue
        lines += ["", f"only if {condition.detail}, which nothing proves:"]
        for at in dict.fromkeys(condition.references):
            lines += _quoted(at, texts)
        lines += [f"   what would promise it: {condition.hint}"]
    return lines


def _finding(finding: Finding, texts: Mapping[str, bytes]) -> list[str]:
    """A directive or hint that the source contradicts, with the references that clash."""
    word = "may be wrong" if finding.kind == "possible-race" else "is contradicted"
    lines = ["", f"`{finding.claim}` at {finding.at} {word}: {finding.detail}"]
    for witness in finding.witnesses:
        lines += _witness(witness, texts)
    return lines


def _calls(loop: LoopFacts, most: int | None) -> list[str]:
    """What a loop that mostly calls is made of, and how many reasons there are of each kind."""
    if most is None or not loop.calls or len(loop.obstacles) <= most:
        return []
    kinds = Counter(obstacle.reason for obstacle in loop.obstacles).most_common()
    number = len(loop.calls)
    return [
        f"this loop calls {number} procedure{'s' * (number != 1)}; the loops in them are judged"
        " by themselves",
        f"reasons: {', '.join(f'{count} {kind}' for kind, count in kinds)}",
    ]


def _varied(obstacles: tuple[Obstacle, ...]) -> list[Obstacle]:
    """The first obstacle of each reason, then the others; each part in the given order."""
    first = {obstacle.reason: obstacle for obstacle in reversed(obstacles)}
    return sorted(obstacles, key=lambda obstacle: first[obstacle.reason] is not obstacle)


def _obstacle(number: int, obstacle: Obstacle, texts: Mapping[str, bytes]) -> list[str]:
    lines = [f"{number}. {obstacle.detail} [{obstacle.reason}, {obstacle.verdict.value}]"]
    if not obstacle.witnesses:
        lines += _quoted(obstacle.at, texts)
    for witness in obstacle.witnesses:
        lines += _witness(witness, texts)
    return lines + ([f"   what would change it: {obstacle.remedy}"] if obstacle.remedy else [])


def _witness(witness: Witness, texts: Mapping[str, bytes]) -> list[str]:
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


def _quoted(at: Lines, texts: Mapping[str, bytes]) -> list[str]:
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
