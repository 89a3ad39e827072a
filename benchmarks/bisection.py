"""Does `bisect` name the wrong units of a migrated port, all of them and no others, in few runs?

    python benchmarks/bisection.py [--wrong 1 2 4] [--seed 1] [--json FILE]

The rules port the model; then statements are put into units of the port that change what was just
computed by a ten-thousandth. Those that alone leave the numbers as they are count as no fault and
are drawn again. Each search is killed twice on its way and begun again; all its runs count.
"""

import argparse
import json
import math
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path

from acclimate.analysis.index import index_project
from acclimate.analysis.tree.manifest import load_manifest
from acclimate.porter import engine
from acclimate.porter.rewrite import Rewrite

from measuring import load  # isort: skip

ROOT = Path(__file__).parents[1]
ACCLIMATE = Path(sys.executable).with_name("acclimate")
ASSIGNMENT = re.compile(r"^ {4,}(?P<element>\w+(?:%\w+)?\([^()=]*\b[ijk]\b[^()=]*\)) = [^&!]*$")
UNIT = re.compile(r"^ *(?:pure |elemental )*(?P<end>end )?(?:subroutine|function) +(?P<name>\w+)")
ENDINGS = {0: "nothing differs", 1: "units differ", 5: "the budget is used up"}


@dataclass(frozen=True, slots=True)
class Fault:
    """A statement that is put below `line` of a file of the port, in a unit."""

    file: str
    unit: str
    line: int
    text: str


@dataclass(frozen=True, slots=True)
class Search:
    """One bisection: units as "file unit"; `limit` is the largest number of runs allowed."""

    wrong: tuple[str, ...]
    named: tuple[str, ...]
    lines_right: bool
    suspects: int
    runs: int
    limit: float
    kills: int
    wall: float

    @property
    def is_right(self) -> bool:
        exact = self.named == self.wrong and self.lines_right
        return exact and self.runs <= self.limit and self.suspects >= 20 and self.kills == 2


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--wrong", metavar="N", type=int, nargs="+", default=[1, 2, 4])
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--model", type=Path, default=ROOT / "sample_model")
    parser.add_argument("--json", metavar="FILE", type=Path)
    options = parser.parse_args()
    draw = random.Random(options.seed)
    with tempfile.TemporaryDirectory() as scratch:
        model, port = Path(scratch) / "model", Path(scratch) / "port"
        own = shutil.ignore_patterns(".acclimate", "gate")
        shutil.copytree(options.model, model, ignore=own)
        migrated(model, port)
        print(f"load {load():.1f}; wrong units, runs, limit, wall time, and what was named")
        found = [search(model, port, count, draw) for count in options.wrong]
    for one in found:
        print(
            f"{len(one.wrong)} of {one.suspects}: {one.runs:3} runs, at most {one.limit:4.1f},"
            f" {one.kills} kills, {one.wall:4.0f} s: {', '.join(one.named)}"
            f" {'right' if one.is_right else f'WRONG, these are: {one.wrong}'}"
        )
    if options.json:
        told = [asdict(one) | {"right": one.is_right} for one in found]
        options.json.write_text(json.dumps(told, indent=1))
    return 0 if all(one.is_right for one in found) else 1


def migrated(model: Path, port: Path) -> None:
    """Port a model by the rules, without climbing the ladder."""
    shutil.copytree(model, port)
    index = index_project(load_manifest(model))
    plan = engine.plan(index)
    said = {unit: engine.propose(plan, unit, index) for unit in plan.changed_units}
    rewrites = {unit: answer for unit, answer in said.items() if isinstance(answer, Rewrite)}
    for file, text in engine.assemble(plan, rewrites, index).items():
        (port / file).write_bytes(text)


def search(model: Path, port: Path, count: int, draw: random.Random) -> Search:
    """Put so many faults into units of the port, and let `bisect` look for them."""
    candidates = list(faults(port))
    draw.shuffle(candidates)
    chosen: list[Fault] = []
    for fault in candidates:
        apart = fault.unit not in {one.unit for one in chosen}
        if len(chosen) < count and apart and is_felt(model, port, fault):
            chosen.append(fault)
    assert len(chosen) == count, "the model has too few statements to break"
    broken = with_faults(port, chosen)
    began = time.perf_counter()
    told, kills = killed_twice(model, broken)
    culprits = told["culprits"]
    where = {f"{c['file']} {u}": c["line"] for c in culprits for u in (named(c["units"][0]),)}
    lines = placed(chosen)
    return Search(
        wrong=tuple(sorted(lines)),
        named=tuple(sorted(where)) if all(len(c["units"]) == 1 for c in culprits) else (),
        lines_right=where == lines,
        suspects=told["suspects"],
        runs=told["trials"],
        limit=2 * math.log2(told["suspects"]) * count + 5,
        kills=kills,
        wall=time.perf_counter() - began,
    )


def faults(port: Path) -> Iterator[Fault]:
    """Every assignment to an array element that ends on its line, said again a little larger."""
    for path in sorted((port / "src").glob("*.[fF]90")):
        unit = ""
        for number, line in enumerate(path.read_text().splitlines(), 1):
            head = UNIT.match(line)
            if head:
                unit = "" if head["end"] else head["name"]
            found = ASSIGNMENT.match(line)
            if found and unit:
                element, file = found["element"], path.relative_to(port).as_posix()
                yield Fault(file, unit, number, f"{element} = 1.0001d0*{element}")


def is_felt(model: Path, port: Path, fault: Fault) -> bool:
    """Whether this fault alone changes the numbers: one run of all of the port."""
    code = bisect(model, with_faults(port, [fault]), "--max-runs", "1")
    return code == 5


def with_faults(port: Path, chosen: Iterable[Fault]) -> Path:
    """A copy of the port with these faults in it."""
    broken = port.with_name("broken")
    shutil.rmtree(broken, ignore_errors=True)
    shutil.copytree(port, broken)
    for fault in sorted(chosen, key=lambda fault: -fault.line):
        lines = (broken / fault.file).read_text().splitlines(keepends=True)
        lines.insert(fault.line, f"          {fault.text}\n")
        (broken / fault.file).write_text("".join(lines))
    return broken


def placed(chosen: Iterable[Fault]) -> dict[str, int]:
    """The line of each fault where all are in, by file and unit."""
    chosen = list(chosen)
    return {
        f"{one.file} {one.unit}": one.line
        + 1
        + sum(other.file == one.file and other.line < one.line for other in chosen)
        for one in chosen
    }


def named(unit: str) -> str:
    return unit.replace("::", " ").split()[-1]


def bisect(model: Path, port: Path, *words: str) -> int:
    command = [ACCLIMATE, "bisect", model, port, *words]
    code = subprocess.run(command, capture_output=True).returncode
    assert code in ENDINGS, f"bisect ended with {code}"
    return code


def killed_twice(model: Path, port: Path) -> tuple[dict[str, object], int]:
    """What the search came to, and how often it was killed before."""
    report, before = port.with_suffix(".json"), lines_kept(model)
    command = [ACCLIMATE, "bisect", model, port, "--json", report]
    kills = 0
    for more in (3, 7):
        with subprocess.Popen(
            command, start_new_session=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        ) as process:
            while process.poll() is None and lines_kept(model) < before + more:
                time.sleep(0.05)
            if process.poll() is None:
                os.killpg(process.pid, signal.SIGKILL)
                kills += 1
    assert bisect(model, port, "--json", str(report)) == 1
    told: dict[str, object] = json.loads(report.read_text())
    return told, kills


def lines_kept(model: Path) -> int:
    """Trials on disk, of all searches."""
    journals = model.glob(".acclimate/gate/bisect/*/journal.jsonl")
    return sum(path.read_text().count("\n") for path in journals)


if __name__ == "__main__":
    raise SystemExit(main())
