"""Which lines of a model a run executed, by the compiler's own counters."""

import json
import shutil
from collections.abc import Iterable, Iterator, Mapping
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
    prefix = _emptied(subject.work / f"coverage-{side}")
    if not _counted(subject, made, side, prefix):
        return None
    counts: dict[str, dict[int, int]] = {}
    untaken: set[tuple[str, int]] = set()
    for item in made.objects.values():
        _add(counts, untaken, subject, item, prefix)
    return Counts(counts, frozenset(untaken)) if counts else None


def lines_of_runs(
    subject: Subject, runs: Iterable[Subject], made: Built
) -> Mapping[str, tuple[int, ...]]:
    """Lines of the port that any short run of `runs` executes, of files that hold directives.

    Raises:
        Problem: the coverage tool is missing.
    """
    prefix = _emptied(subject.work / "coverage-further")
    for one in runs:
        _counted(one, made, Side.PORT, prefix)
        subject.overran |= one.overran
    counts: dict[str, dict[int, int]] = {}
    for name, item in made.objects.items():
        if name in subject.port_files and subject.port_files[name].directives:
            _add(counts, set(), subject, item, prefix)
    return {
        file: tuple(sorted(number for number, count in lines.items() if count))
        for file, lines in counts.items()
    }


def _emptied(folder: Path) -> Path:
    if folder.exists():
        shutil.rmtree(folder)
    folder.mkdir(parents=True)
    return folder.resolve()


def _counted(subject: Subject, made: Built, side: Side, prefix: Path) -> bool:
    """A short run that adds what it counts to what lies below `prefix`; whether it ended well."""
    environment = {"GCOV_PREFIX": str(prefix), "GCOV_PREFIX_STRIP": "0"}
    name = f"{side}-coverage"
    return subject.run(made.executable, name, Length.SHORT, environment=environment).ok


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
