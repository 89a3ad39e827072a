"""Loops by file and verdict as a table, and what could not be read."""

import sys
from collections import Counter
from collections.abc import Iterable

from acclimate.analysis.causes import causes
from acclimate.analysis.facts import LoopFacts, Verdict
from acclimate.analysis.graph.call_frequency import live_procedures
from acclimate.analysis.index import ProjectIndex
from acclimate.workflows.showing.table import Cell, Column, show
from acclimate.workflows.showing.verdict_basis import basis_of

FILES_SHOWN = 20
PROBLEMS_SHOWN = 10

_Row = tuple[str, tuple[int, ...]]


def print_loops(index: ProjectIndex, *, every_file: bool) -> None:
    """A row for each file, of many files those with most loops first, and one for all."""
    verdicts = [
        verdict for verdict in Verdict if any(loop.verdict is verdict for loop in index.loops)
    ]
    columns = [Column("file"), Column("lines", True), Column("units", True), Column("loops", True)]
    columns += [Column(verdict.value, True) for verdict in verdicts]
    counts = list(_counts(index, verdicts))
    told = _told(counts, every_file)
    rows = told if len(told) == len(counts) else [*told, _rest(counts, told)]
    if counts:
        show(columns, [_cells(row) for row in [*rows, _total(counts)]])
    print(f"\n{index.manifest.name}: {_share(index.loops) if counts else 'no file could be read'}")
    _print_dead(index)
    for line in basis_of(index):
        print(line)
    _warn(index)


def _counts(index: ProjectIndex, verdicts: list[Verdict]) -> Iterable[_Row]:
    """A row of numbers for each source file."""
    texts, units = index.texts, Counter(unit.at.file for unit in index.units)
    loops = Counter((loop.at.file, loop.verdict) for loop in index.loops)
    for file in sorted(texts):
        found = tuple(loops[file, verdict] for verdict in verdicts)
        yield file, (texts[file].count(b"\n"), units[file], sum(found), *found)


def _told(counts: list[_Row], every_file: bool) -> list[_Row]:
    """All files; of many files only those with most loops, by name."""
    if every_file or len(counts) <= FILES_SHOWN:
        return counts
    largest = sorted(counts, key=lambda row: (-row[1][2], -row[1][0], row[0]))[:FILES_SHOWN]
    return sorted(largest)


def _rest(counts: list[_Row], told: list[_Row]) -> _Row:
    others = [row for row in counts if row not in told]
    return f"and {len(others)} more (--all)", _sums(others)


def _total(counts: list[_Row]) -> _Row:
    return f"{len(counts)} file{'s' * (len(counts) != 1)}", _sums(counts)


def _sums(rows: list[_Row]) -> tuple[int, ...]:
    return tuple(map(sum, zip(*(numbers for _, numbers in rows), strict=True)))


def _cells(row: _Row) -> list[Cell]:
    return [Cell(row[0]), *(Cell(str(number) if number else ".") for number in row[1])]


def _share(loops: tuple[LoopFacts, ...]) -> str:
    ready = sum(
        loop.verdict in (Verdict.PARALLEL, Verdict.REDUCTION, Verdict.ATOMIC) and not loop.unproved
        for loop in loops
    )
    if not loops:
        return "no loops"
    arrays = sum(loop.kind == "array" for loop in loops)
    among = f" (array statements among them: {arrays})" if arrays else ""
    return f"{ready} of {len(loops)} loops can run in parallel as they stand{among}"


def _print_dead(index: ProjectIndex) -> None:
    live = live_procedures(index.procedures)
    dead = sum(facts.unit not in live for facts in index.procedures)
    if dead and any(facts.kind == "program" for facts in index.procedures):
        number = len(index.procedures)
        print(f"{dead} of {number} procedures cannot be reached from a program")


def _warn(index: ProjectIndex) -> None:
    """What could not be read, in the manner of a compiler, and what that costs."""
    warnings = list(dict.fromkeys((p.reason, str(p.at)) for p in index.problems))
    if len(warnings) > PROBLEMS_SHOWN:
        for cause in causes(index.problems)[:PROBLEMS_SHOWN]:
            times = f" ({cause.places} times in {cause.files} files)" if cause.places > 1 else ""
            print(f"{cause.first}: warning: {cause.reason}{times}", file=sys.stderr)
        print(f"{len(warnings)} problems in all (see --json)", file=sys.stderr)
    else:
        for reason, at in warnings:
            print(f"{at}: warning: {reason}", file=sys.stderr)
    if warnings:
        print(
            "hint: loops around these places are not offloaded; mend the sources, or name include"
            " folders and macros in acclimate.toml ([model] include_dirs, defines)",
            file=sys.stderr,
        )
