"""Is the port of a model always the same, and does porting it again change nothing?

    python benchmarks/same_port.py MODEL [--port PORT]

Plans the port in processes of their own, under several hash seeds and numbers of workers, and
compares the trees byte by byte; nothing is built or run. PORT, the tree that `migrate` has landed,
is compared as well; it is then planned itself, under the first seed: no file may change. Lines of
PORT that differ from the model's in blanks or line ends alone are no edits, and may not be there.
The command ends with 1 where any of this fails.
"""

import argparse
import difflib
import hashlib
import json
import os
import resource
import statistics
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

WAYS = (("1", 1), ("2", 2))  # PYTHONHASHSEED, workers
ONE_PLAN = "--one-plan"


def main() -> int:
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("model", type=Path)
    arguments.add_argument("--port", type=Path)
    arguments.add_argument(ONE_PLAN, type=int, metavar="WORKERS", help=argparse.SUPPRESS)
    chosen = arguments.parse_args()
    if chosen.one_plan:
        json.dump(planned(chosen.model, chosen.one_plan), sys.stdout)
        return 0
    trees = [in_a_process(chosen.model, seed, workers) for seed, workers in WAYS]
    first = trees[0]
    good = all(files == first for files in trees)
    for files in trees:
        same = "same tree" if files == first else "ANOTHER TREE"
        print(f"{same}: {differing(files, first)}", flush=True)
    if chosen.port is not None:
        good &= is_as_planned(chosen.model, chosen.port, first)
        good &= is_unchanged(chosen.port)
    return 0 if good else 1


def planned(model: Path, workers: int) -> dict[str, str]:
    """Changed files of the port that the rules plan, and the sha256 of each."""
    from acclimate.analysis.index import index_project
    from acclimate.analysis.tree.manifest import load_manifest
    from acclimate.porter.engine import assemble, plan, propose
    from acclimate.porter.rewrite import Rewrite

    index = index_project(load_manifest(model), workers=workers)
    port = plan(index)
    answers = {name: propose(port, name, index) for name in port.changed_units}
    rewrites = {name: found for name, found in answers.items() if isinstance(found, Rewrite)}
    files = assemble(port, rewrites, index)
    return {name: hashlib.sha256(data).hexdigest() for name, data in sorted(files.items())}


def in_a_process(model: Path, seed: str, workers: int) -> dict[str, str]:
    """`planned` under a hash seed; tells what it took."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(
        [sys.executable, __file__, str(model), ONE_PLAN, str(workers)],
        env=os.environ | {"PYTHONHASHSEED": seed},
        stdout=subprocess.PIPE,
        check=True,
    )
    now = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = now.ru_utime + now.ru_stime - before.ru_utime - before.ru_stime
    files: dict[str, str] = json.loads(done.stdout)
    took = f"{cpu:.0f} s of CPU, load {os.getloadavg()[0]:.1f}"
    print(f"seed {seed}, {workers} workers: {len(files)} files change ({took})")
    return files


def differing(files: Mapping[str, str], others: Mapping[str, str]) -> str:
    """Names of files that are not the same, or that all are."""
    names = sorted(n for n in files.keys() | others.keys() if files.get(n) != others.get(n))
    return ", ".join(names) or f"{len(files)} files, byte for byte"


def is_as_planned(model: Path, port: Path, files: Mapping[str, str]) -> bool:
    """Whether the landed tree is the planned one; tells how large the edits are."""
    landed, sizes, strays = {}, [], []
    for path in sorted(p for p in port.rglob("*") if p.is_file()):
        name = path.relative_to(port).as_posix()
        source = model / name
        data = path.read_bytes()
        if source.is_file() and data != source.read_bytes():
            landed[name] = hashlib.sha256(data).hexdigest()
            changed, stray = edits(source.read_bytes(), data)
            sizes.append(changed)
            strays += [name] if stray else []
    print(f"landed: {differing(landed, files)}")
    if sizes:
        middle, most = statistics.median(sizes), max(sizes)
        print(f"added or changed lines of a file: median {middle:g}, at most {most}")
    print(f"files with lines that differ in blanks alone: {', '.join(strays) or 'none'}")
    return landed == files and not strays


def edits(before: bytes, after: bytes) -> tuple[int, bool]:
    """Lines that a file has of its own; whether some differ from the old in blanks alone."""
    old, new = before.split(b"\n"), after.split(b"\n")
    matcher = difflib.SequenceMatcher(None, old, new, autojunk=False)
    changed = sum(j2 - j1 for tag, _, _, j1, j2 in matcher.get_opcodes() if tag != "equal")
    kept = [line.rstrip() for line in old]
    stray = any(
        [line.rstrip() for line in new[j1:j2]] == kept[i1:i2]
        for tag, i1, i2, j1, j2 in matcher.get_opcodes()
        if tag == "replace"
    )
    return changed, stray


def is_unchanged(port: Path) -> bool:
    """Whether planning the port changes no file of it."""
    seed, workers = WAYS[0]
    files = in_a_process(port, seed, workers)
    print(f"planned again: {', '.join(files) or 'nothing changes'}")
    return not files


if __name__ == "__main__":
    sys.exit(main())
