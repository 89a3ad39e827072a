"""Say what is true of a model: its units, calls and loops, and what may be done with each loop.

PATH is a model tree with an acclimate.toml, a tree without one (guessed), or one source file that
is a whole program.
"""

import argparse
import sys
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from acclimate.analysis.facts import LoopFacts, Verdict
from acclimate.workflows._cache import add_cache_option, chosen_cache
from acclimate.workflows._exit import Exit
from acclimate.workflows.delivery import deliver_json

if TYPE_CHECKING:
    from acclimate.analysis.index import ProjectIndex

PROBLEMS_SHOWN = 10


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("path", metavar="PATH", type=Path)
    parser.add_argument("--json", metavar="FILE", help="write the index as JSON (- for stdout)")
    add_cache_option(parser)


def run(options: argparse.Namespace) -> int:
    from acclimate.analysis.index import index_project, to_json
    from acclimate.analysis.manifest import load_manifest

    manifest = load_manifest(options.path)
    for guess in manifest.guessed:
        print(f"guessed: {guess}", file=sys.stderr)
    index = index_project(manifest, cache=chosen_cache(options.cache))
    if options.json:
        deliver_json(to_json(index), options.json)
    if options.json != "-":
        _print(index)
    return Exit.DONE


def _print(index: "ProjectIndex") -> None:
    from acclimate.workflows.table import Cell, Column, show

    verdicts = [
        verdict for verdict in Verdict if any(loop.verdict is verdict for loop in index.loops)
    ]
    columns = [Column("file"), Column("lines", True), Column("units", True), Column("loops", True)]
    columns += [Column(verdict.value, True) for verdict in verdicts]
    rows = [
        [Cell(label), *(Cell(str(n) if n else ".") for n in counts)]
        for label, counts in _counts(index, verdicts)
    ]
    show(columns, rows)
    print(f"\n{index.manifest.name}: {_share(index.loops)}")
    _warn(list(dict.fromkeys(f"{p.at}: warning: {p.reason}" for p in index.problems)))


def _warn(warnings: list[str]) -> None:
    """What could not be read, in the manner of a compiler, and what that costs."""
    for warning in warnings[:PROBLEMS_SHOWN]:
        print(warning, file=sys.stderr)
    if len(warnings) > PROBLEMS_SHOWN:
        print(f"and {len(warnings) - PROBLEMS_SHOWN} more (see --json)", file=sys.stderr)
    if warnings:
        print(
            "hint: loops around these places are not offloaded; mend the sources, or name include"
            " folders and macros in acclimate.toml ([model] include_dirs, defines)",
            file=sys.stderr,
        )


def _counts(
    index: "ProjectIndex", verdicts: list[Verdict]
) -> Iterable[tuple[str, tuple[int, ...]]]:
    """A row of numbers for each source file with units, and one for all of them."""
    texts, units = index.texts, Counter(unit.at.file for unit in index.units)
    loops = Counter((loop.at.file, loop.verdict) for loop in index.loops)
    rows = []
    for file in sorted(texts):
        found = tuple(loops[file, verdict] for verdict in verdicts)
        rows.append((file, (texts[file].count(b"\n"), units[file], sum(found), *found)))
    total = tuple(map(sum, zip(*(counts for _, counts in rows), strict=True)))
    return [*rows, (f"{len(rows)} file{'s' * (len(rows) != 1)}", total)]


def _share(loops: tuple[LoopFacts, ...]) -> str:
    ready = sum(
        loop.verdict in (Verdict.PARALLEL, Verdict.REDUCTION, Verdict.ATOMIC) for loop in loops
    )
    if not loops:
        return "no loops"
    arrays = sum(loop.kind == "array" for loop in loops)
    among = f" (array statements among them: {arrays})" if arrays else ""
    return f"{ready} of {len(loops)} loops can run in parallel as they stand{among}"
