"""Which lines of a model a run executed, by the compiler's own counters."""

import json
import shutil
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from posixpath import normpath
from typing import Any

from acclimate.verifier.building.build import Built
from acclimate.verifier.limits import Limits, run_limited
from acclimate.verifier.subject import Length, Side, Subject
from acclimate.verifier.toolchains import Toolchain

_LIMITS = Limits(wall=120, cpu=120, memory=2048, file=256, processes=8)


@dataclass(frozen=True, slots=True)
class Counts:
    """Executions by file and line, for executable lines; lines with a branch never taken."""

    lines: Mapping[str, Mapping[int, int]]
    untaken: frozenset[tuple[str, int]]


def execution_counts(subject: Subject, made: Built, side: Side) -> Counts | None:
    """What a short run of one side executed; None when it left no counts.

    Raises:
        Problem: the coverage tool is missing.
    """
    prefix = subject.work / f"coverage-{side}"
    if prefix.exists():
        shutil.rmtree(prefix)
    prefix.mkdir(parents=True)
    environment = {"GCOV_PREFIX": str(prefix.resolve()), "GCOV_PREFIX_STRIP": "0"}
    run = subject.run(made.executable, f"{side}-coverage", Length.SHORT, environment=environment)
    if not run.ok:
        return None
    counts: dict[str, dict[int, int]] = {}
    untaken: set[tuple[str, int]] = set()
    for item in made.objects.values():
        _add(counts, untaken, subject, item, prefix)
    return Counts(counts, frozenset(untaken)) if counts else None


def _add(
    counts: dict[str, dict[int, int]],
    untaken: set[tuple[str, int]],
    subject: Subject,
    item: Path,
    prefix: Path,
) -> None:
    """Add the counts of one object file, whose data file lies below `prefix`."""
    for file in gcov_files(subject.toolchain, item, prefix):
        lines = counts.setdefault(normpath(file["file"]), {})
        for line in file["lines"]:
            number, count = line["line_number"], line["count"]
            lines[number] = max(lines.get(number, 0), count)
            if not all(branch["count"] for branch in line["branches"]):
                untaken.add((normpath(file["file"]), number))


def gcov_files(toolchain: Toolchain, item: Path, prefix: Path) -> Iterator[dict[str, Any]]:
    """What gcov says of the source files behind one object file, in the terms of its JSON.

    `prefix` is the folder that GCOV_PREFIX named in the run.
    """
    compiled = item.resolve()
    data = prefix / compiled.relative_to("/").with_suffix(".gcda")
    notes = compiled.with_suffix(".gcno")
    if not data.is_file() or not notes.is_file():
        return
    shutil.copy2(notes, data.parent)
    argv = [*toolchain.coverage_tool, data.name]
    done = run_limited(argv, cwd=data.parent, limits=_LIMITS, logs=data.parent / "gcov")
    if done.ok:
        yield from json.loads(done.stdout)["files"]
