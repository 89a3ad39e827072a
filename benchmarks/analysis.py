"""Acclimate, fparser and PSyclone on the same files, side by side in one run.

    python benchmarks/analysis.py MODEL --others build/bench/bin/python

See benchmarks/README.md.
"""

import argparse
import json
import random
import sys
import tempfile
from collections import Counter
from dataclasses import asdict, dataclass
from pathlib import Path

from acclimate.analysis.index import ProjectIndex, index_project
from acclimate.analysis.keeping.cache import open_cache
from acclimate.analysis.tree.manifest import Manifest, load_manifest

sys.path.insert(0, str(Path(__file__).parent))

from agreement import Compared, Second, compare, table
from measuring import Cost, load, measured

READERS = Path(__file__).parent / "readers"
SHARES = (0.25, 0.5, 1.0)


@dataclass(frozen=True, slots=True)
class Row:
    """One program on its files: all of them, or a sample."""

    program: str
    files: int
    read: int  # files that gave something
    lines: int
    cpu: float  # s
    wall: float | None  # s; None where it was not the whole model
    peak_mib: float
    loops: int
    parallel: int

    @property
    def speed(self) -> float:
        """Lines a second of processor time."""
        return self.lines / self.cpu if self.cpu else 0.0


def main() -> int:
    options = _options()
    manifest = load_manifest(options.model)
    sizes = {f: (manifest.root / f).read_bytes().count(b"\n") for f in manifest.sources}
    order = list(manifest.sources)
    random.Random(options.seed).shuffle(order)
    before = load()
    with tempfile.TemporaryDirectory() as cache:
        rows = [_acclimate(options.model, cache, sizes, state) for state in ("cold", "warm")]
        index = index_project(manifest, cache=open_cache(Path(cache)))
    linear = [] if options.no_parts else [_part(options.model, order, sizes, s) for s in SHARES]
    sample = _sample(order, sizes, options.sample)
    second: dict[tuple[str, int], bool] = {}
    for program in ("fparser", "psyclone") if options.others else ():
        row, loops = _other(program, options.others, manifest, sample, sizes)
        rows.append(row)
        second |= loops
    given = Second(frozenset(sample if options.others else ()), second)
    compared = [] if not options.directives else compare(index, options.directives, given)
    _print(rows, linear, sizes, sample, options, (before, load()))
    if options.directives:
        print("\n" + "\n".join(table(compared)))
    if options.json:
        _write(options.json, rows, linear, compared, options, (before, load()))
    return 0


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("model", type=Path, help="a model tree with an acclimate.toml")
    parser.add_argument("--others", metavar="PYTHON", help="a Python that has PSyclone and fparser")
    parser.add_argument(
        "--sample", type=int, metavar="LINES", help="give the others a random sample of files"
    )
    parser.add_argument("--seed", type=int, default=1, help="of samples and parts (1)")
    parser.add_argument("--no-parts", action="store_true", help="no quarter, half and whole")
    parser.add_argument("--directives", choices=("omp", "acc"), help="compare with directives")
    parser.add_argument("--json", type=Path, metavar="FILE")
    return parser.parse_args()


# --- runs ----------------------------------------------------------------------------------------


def _acclimate(model: Path, cache: str, sizes: dict[str, int], state: str) -> Row:
    """The command as users run it; the second run finds what the first has kept."""
    program = "import sys; from acclimate.workflows.cli import main; sys.exit(main())"
    command = [sys.executable, "-c", program, "analyze", str(model), "--cache", cache]
    _, cost = measured(command)
    index = index_project(load_manifest(model), cache=open_cache(Path(cache)))
    return _own_row(f"acclimate {state}", index, sizes, cost)


def _own_row(program: str, index: ProjectIndex, sizes: dict[str, int], cost: Cost) -> Row:
    known = {unit.at.file for unit in index.units}
    verdicts = Counter(loop.verdict.value for loop in index.loops if not loop.unproved)
    return Row(
        program,
        len(sizes),
        sum(file in known for file in sizes),
        sum(sizes.values()),
        cost.cpu,
        cost.wall,
        cost.peak_mib,
        len(index.loops),
        sum(verdicts[verdict] for verdict in ("parallel", "reduction", "atomic")),
    )


def _part(model: Path, order: list[str], sizes: dict[str, int], share: float) -> tuple[int, Cost]:
    """(lines, cost) of a share of the model, by lines, without a cache."""
    files = _sample(order, sizes, int(share * sum(sizes.values())))
    command = [sys.executable, str(READERS / "acclimate_part.py"), str(model)]
    _, cost = measured(command, "".join(f"{file}\n" for file in files))
    return sum(sizes[file] for file in files), cost


def _sample(order: list[str], sizes: dict[str, int], lines: int | None) -> list[str]:
    """The first files of a random order that have so many lines together."""
    chosen: list[str] = []
    total = 0
    for file in order:
        if lines is not None and total >= lines:
            break
        chosen.append(file)
        total += sizes[file]
    return chosen


def _other(
    program: str, python: str, manifest: Manifest, files: list[str], sizes: dict[str, int]
) -> tuple[Row, dict[tuple[str, int], bool]]:
    """A competitor on raw files; processor time is that of reading and judging alone."""
    paths = {str(manifest.root / file): file for file in files}
    given = "".join(f"{path}\n" for path in paths)
    out, cost = measured([python, str(READERS / "one_by_one.py"), program], given)
    *rows, last = (json.loads(line) for line in out.splitlines())
    loops = {
        (paths[row["file"]], line): parallel
        for row in rows
        for line, parallel, _ in row["loops"]
        if line
    }
    whole = len(files) == len(sizes)
    row = Row(
        program,
        len(files),
        sum(not row["error"] for row in rows),
        sum(row["lines"] for row in rows),
        sum(row["seconds"] for row in rows),
        cost.wall if whole else None,
        last["peak_mib"],
        sum(len(row["loops"]) for row in rows),
        sum(parallel for row in rows for _, parallel, _ in row["loops"]),
    )
    return row, loops


# --- what is shown -------------------------------------------------------------------------------


def _print(
    rows: list[Row],
    linear: list[tuple[int, Cost]],
    sizes: dict[str, int],
    sample: list[str],
    options: argparse.Namespace,
    loads: tuple[float, float],
) -> None:
    total = sum(sizes.values())
    print(f"{len(sizes)} files, {total} lines; load {loads[0]:.1f} before, {loads[1]:.1f} after\n")
    head = ("program", "files read", "CPU s", "wall s", "lines/CPU s", "peak MiB", "parallel loops")
    print("{:16} {:>11} {:>9} {:>8} {:>12} {:>9} {:>15}".format(*head))
    for row in rows:
        wall = "-" if row.wall is None else f"{row.wall:.1f}"
        read, loops = f"{row.read}/{row.files}", f"{row.parallel}/{row.loops}"
        print(
            f"{row.program:16} {read:>11} {row.cpu:9.1f} {wall:>8} {row.speed:12.0f}"
            f" {row.peak_mib:9.0f} {loops:>15}"
        )
    cold = rows[0]
    print()
    for row in rows[2:]:
        whole = "" if row.lines == total else f", {row.cpu * total / row.lines:.0f} CPU s for all"
        times = cold.speed / row.speed if row.speed else 0.0
        print(f"acclimate is {times:.1f} times as fast as {row.program}{whole}")
    if len(sample) < len(sizes) and options.others:
        print(
            f"the others had a sample, seed {options.seed}: {len(sample)} files,"
            f" {sum(sizes[file] for file in sample)} lines; 'for all' is extrapolated by lines"
        )
    for lines, cost in linear:
        print(
            f"acclimate, {lines:7} lines: {cost.cpu:6.1f} CPU s, {1e6 * cost.cpu / lines:5.1f} CPU"
            f" s a million lines, {cost.peak_mib:.0f} MiB"
        )


def _write(
    file: Path,
    rows: list[Row],
    linear: list[tuple[int, Cost]],
    compared: list[Compared],
    options: argparse.Namespace,
    loads: tuple[float, float],
) -> None:
    found = {
        "schema": "acclimate/benchmark/1",
        "model": str(options.model),
        "seed": options.seed,
        "load": loads,
        "programs": [asdict(row) for row in rows],
        "parts": [{"lines": lines, **asdict(cost)} for lines, cost in linear],
        "directives": [asdict(one) for one in compared],
    }
    file.write_text(json.dumps(found, indent=1) + "\n")


if __name__ == "__main__":
    sys.exit(main())
