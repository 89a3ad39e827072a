"""Which directives and clauses of a port could be dropped without a static check noticing?

    python benchmarks/dropped_clauses.py MODEL PORT [--count N] [--seed N]

Nothing is built or run. `update`, `enter data` and `exit data` are left to the legality check of
the porter, names in PRIVATE and REDUCTION to the clause lint of the verifier. Indices of loops are
private by the OpenACC specification: dropping one of those is no fault and is not tried.
"""

import argparse
import random
import re
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from acclimate.analysis.directives import parse
from acclimate.analysis.index import ProjectIndex, index_project
from acclimate.analysis.ir import Directive, Unit
from acclimate.analysis.tree.manifest import load_manifest
from acclimate.porter.invariant.legality import broken, reread
from acclimate.porter.planning.draft import Draft
from acclimate.verifier.checks import all_checks
from acclimate.verifier.evidence import Outcome
from acclimate.verifier.subject import Subject
from acclimate.verifier.texts.source_file import SourceFile, all_files
from acclimate.verifier.toolchains import toolchain

DATA = ("update", "enter data", "exit data")
LISTS = ("private", "reduction", "firstprivate")


@dataclass(frozen=True)
class Drop:
    """What is taken out of a port, and whether something is said with file and line then."""

    kind: str
    place: str
    noticed: Callable[[], bool]


def main() -> int:
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("model", type=Path)
    arguments.add_argument("port", type=Path)
    arguments.add_argument("--count", type=int, default=0, help="a random sample (0: all)")
    arguments.add_argument("--seed", type=int, default=1)
    chosen = arguments.parse_args()
    drops = [*data_drops(chosen.model, chosen.port), *clause_drops(chosen.port)]
    if chosen.count:
        drops = random.Random(chosen.seed).sample(drops, min(chosen.count, len(drops)))
    tried: Counter[str] = Counter()
    missed: Counter[str] = Counter()
    for drop in drops:
        tried[drop.kind] += 1
        if not drop.noticed():
            missed[drop.kind] += 1
            print(f"not noticed: {drop.kind} at {drop.place}")
    for kind, count in sorted(tried.items()):
        print(f"{kind}: {count - missed[kind]} of {count} noticed")
    return 1 if missed else 0


def data_drops(model: Path, port: Path) -> Iterator[Drop]:
    """Data directives, one at a time, by the units they stand in."""
    manifest = load_manifest(model)
    files = {
        name: data
        for name in manifest.sources
        if (data := (port / name).read_bytes()) != (model / name).read_bytes()
    }
    draft = reread(manifest, files)
    said = broken(draft)
    if said:
        sys.exit(f"the port as it is breaks the invariant: {said[0]}")
    for unit in draft.ground.scopes.project.units.values():
        for directive in unit.directives:
            name = parse(directive).name
            if directive.sentinel == "acc" and name in DATA:
                yield Drop(name, str(directive.at), without_directive(draft, unit, directive))


def without_directive(draft: Draft, unit: Unit, dropped: Directive) -> Callable[[], bool]:
    def noticed() -> bool:
        whole = unit.directives
        try:
            unit.directives = [d for d in whole if d is not dropped]
            return bool(broken(draft, [unit]))
        finally:
            unit.directives = whole

    return noticed


def clause_drops(port: Path) -> Iterator[Drop]:
    """Names in clauses of the loops of a port, one at a time."""
    manifest = load_manifest(port)
    index = index_project(manifest)
    for name, file in all_files(manifest).items():
        indices = {loop.index for loop in index.loops if loop.at.file == name}
        for directive in file.directives:
            for clause in parse(directive).clauses:
                for variable in clause.args if clause.name in LISTS else ():
                    if variable not in indices:
                        edited = without_name(file, directive, clause.name, variable)
                        place = f"{directive.at} {variable}"
                        yield Drop(clause.name, place, lint_of(manifest.root, index, edited))


def without_name(file: SourceFile, directive: Directive, clause: str, variable: str) -> SourceFile:
    """The file with a name taken out of a clause; an empty clause goes as well."""
    lines = file.data.decode("latin-1").split("\n")
    first, last = directive.at.first - 1, directive.at.last
    text = "\n".join(lines[first:last])
    found = re.search(rf"\b{clause}\(([^()]*)\)", text, re.IGNORECASE)
    while found and variable not in re.findall(r"\w+", found[1].partition(":")[2] or found[1]):
        found = re.compile(rf"\b{clause}\(([^()]*)\)", re.IGNORECASE).search(text, found.end())
    if found is None:
        raise ValueError(f"{directive.at}: no '{variable}' in {clause}")
    operator, colon, names = found[1].rpartition(":")
    kept = [n for n in re.findall(r"\w+", re.sub(r"&\s*\n\s*!\$acc", "", names)) if n != variable]
    new = f"{clause}({operator}{colon}{', '.join(kept)})" if kept else ""
    changed = text[: found.start()] + new + text[found.end() :]
    missing = text.count("\n") - changed.count("\n")
    lines[first:last] = [*changed.split("\n"), *[""] * missing]
    data = "\n".join(lines).encode("latin-1")
    return SourceFile(file.name, data, file.form, file.width)


def lint_of(root: Path, index: ProjectIndex, file: SourceFile) -> Callable[[], bool]:
    """Whether the lint of a file finds fault; the analysis of the port does not read clauses."""
    lint = next(check for check in all_checks() if check.name == "clause_lint")

    def noticed() -> bool:
        subject = Subject(None, load_manifest(root), toolchain("gfortran"), root / ".acclimate")
        subject.__dict__ |= {"index": index, "port_files": {file.name: file}}
        found = lint.measure(subject)
        return any(each.outcome is Outcome.FAILS and each.file == file.name for each in found)

    return noticed


if __name__ == "__main__":
    sys.exit(main())
