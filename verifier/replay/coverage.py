"""Which lines and branches of a procedure the replayed calls have executed."""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from posixpath import normpath

from acclimate.analysis.ir import Unit
from acclimate.analysis.source import Lines
from acclimate.verifier.building.build import Built
from acclimate.verifier.measuring.executed_lines import gcov_files
from acclimate.verifier.toolchains import Toolchain


@dataclass(frozen=True)
class Coverage:
    """Of one procedure, in the original: branches taken of all, and lines nothing executed.

    `lines` counts those that have code.
    """

    unit: str
    lines: int
    branches: int
    taken: int
    never: tuple[Lines, ...]

    @property
    def regions(self) -> str:
        """The lines that were never validated, for a report."""
        return ", ".join(
            f"{at.file}:{at.first}" + (f"-{at.last}" if at.last > at.first else "")
            for at in self.never
        )


Counts = Mapping[str, Mapping[int, tuple[int, tuple[int, ...]]]]


def branch_counts(toolchain: Toolchain, made: Built, prefix: Path) -> Counts:
    """Executions of every line and of its branches, by file and line."""
    counts: dict[str, dict[int, tuple[int, tuple[int, ...]]]] = {}
    for item in made.objects.values():
        for file in gcov_files(toolchain, item, prefix):
            lines = counts.setdefault(normpath(file["file"]), {})
            for line in file["lines"]:
                number, count = line["line_number"], line["count"]
                branches = tuple(b["count"] for b in line["branches"])
                known, others = lines.get(number, (0, ()))
                joined = max(branches, others, key=sum) if branches or others else ()
                lines[number] = (max(count, known), joined)
    return counts


def save_counts(counts: Counts, path: Path) -> None:
    """Keep counts in a file."""
    path.write_text(json.dumps(counts))


def load_counts(path: Path) -> Counts:
    """Counts that were kept."""
    return {
        file: {int(n): (count, tuple(branches)) for n, (count, branches) in lines.items()}
        for file, lines in json.loads(path.read_text()).items()
    }


def coverage(counts: Counts, name: str, unit: Unit) -> Coverage:
    """What was executed of a procedure; contained ones count to it."""
    lines = counts.get(unit.at.file, {})
    here = {n: found for n, found in lines.items() if unit.at.first <= n <= unit.end.last}
    branches = [count for _, each in here.values() for count in each]
    silent = [n for n, (count, _) in here.items() if not count]
    never = tuple(_ranges(unit.at.file, silent, here))
    return Coverage(name, len(here), len(branches), sum(1 for count in branches if count), never)


def _ranges(file: str, silent: Iterable[int], executable: Iterable[int]) -> Iterable[Lines]:
    """Runs of silent lines with no executed line between them."""
    executed = set(executable) - set(silent)
    first = before = 0
    for line in sorted(silent):
        if first and not any(n in executed for n in range(before, line)):
            before = line
            continue
        if first:
            yield Lines(file, first, before)
        first = before = line
    if first:
        yield Lines(file, first, before)
