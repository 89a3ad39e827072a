"""Mutated loop nests of a model: what the analysis says of them, and what a run shows."""

import re
import shutil
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random

from acclimate.analysis.dependence.judging import judge_unit
from acclimate.analysis.dependence.procedures import Summaries
from acclimate.analysis.facts import LoopFacts
from acclimate.analysis.ir import Do, Unit, UnitKind
from acclimate.analysis.names.resolution import Variable
from acclimate.analysis.project import Project, read_project
from acclimate.analysis.source import Lines
from acclimate.analysis.tree.manifest import Manifest
from acclimate.analysis.view.normalising import view_of
from acclimate.verifier.limits import Limits, run_limited
from acclimate.verifier.oracle.instrumented import FLAGS, Instrumented, instrument, link
from campaigns.drivers import Driver, callable_units, driver, used
from campaigns.kernels import MAIN, Campaign, c_object, compiled, names_of
from campaigns.mutation import CALLEES, TABLE, Array, Nest, mutants
from campaigns.walking import outermost_loops, own_loops

_LIMITS = Limits(wall=300.0, cpu=300.0, memory=4096)
_INTENT = re.compile(r"(?i),\s*intent\s*\(\s*\w+\s*\)")
_ERROR = re.compile(rb"^[^\s:]+:(\d+):\d+:$", re.MULTILINE)
_LONGEST_NEST, _LONGEST_UNIT = 40, 120  # statements


@dataclass(frozen=True)
class Kernel:
    """One nest of a procedure; the text before and behind it has no other loops."""

    unit: Unit
    at: Lines  # the outermost DO statement
    head: tuple[str, ...]
    nest: Nest
    tail: tuple[str, ...]


@dataclass(frozen=True)
class Mutant:
    name: str  # of the procedure
    kind: str
    text: str


def kernels(manifest: Manifest, project: Project, files: set[str]) -> Iterable[Kernel]:
    """The nests of all procedures that can be called, small ones only."""
    for unit in callable_units(project, files):
        if unit.kind is not UnitKind.SUBROUTINE or unit.units:
            continue
        view = view_of(manifest, unit.at.file, project.texts[unit.at.file])
        statements = [
            s
            for s in view.statements
            if s.at.file == unit.at.file and unit.at.first <= s.at.first <= unit.end.last
        ]
        loops = list(outermost_loops(unit.body))
        for loop in loops:
            others = [other for other in loops if other is not loop]
            kept = [
                s
                for s in statements
                if not any(o.at.first <= s.at.first <= o.end.last for o in others)
            ]
            inside = [loop.at.first <= s.at.first <= loop.end.last for s in kept]
            lines = [f"{s.label} {s.text}" if s.label else s.text for s in kept]
            first, size = inside.index(True) if True in inside else 0, sum(inside)
            if not 3 <= size <= _LONGEST_NEST or len(lines) > _LONGEST_UNIT:
                continue
            nest = _nest(project, unit, loop, lines[first : first + size])
            yield Kernel(unit, loop.at, tuple(lines[:first]), nest, tuple(lines[first + size :]))


def _nest(project: Project, unit: Unit, loop: Do, lines: Sequence[str]) -> Nest:
    arrays, scalars = [], []
    for name in sorted(unit.symbols):
        meaning = project.resolve(unit, name)
        if not isinstance(meaning, Variable) or meaning.symbol.is_parameter:
            continue
        symbol = meaning.symbol
        kind = f"{symbol.type}({symbol.kind})" if symbol.kind else str(symbol.type)
        if symbol.dims:
            arrays.append(Array(name, len(symbol.dims), kind))
        elif symbol.type == "real":
            scalars.append(name)
    indices = tuple(each.index for each in own_loops([loop]) if each.index)
    return Nest(tuple(lines), tuple(arrays), tuple(scalars), indices)


def mutated(kernel: Kernel, number: int, random: Random, count: int) -> list[Mutant]:
    """The kernel itself first, then its mutants."""
    chosen = [("none", kernel.nest.lines), *mutants(kernel.nest, random, count)]
    found = []
    for position, (kind, lines) in enumerate(chosen):
        name = f"oracle_k{number}_m{position}"
        whole = [_INTENT.sub("", line) for line in (*kernel.head, *lines, *kernel.tail)]
        word = re.compile(rf"(?i)\bsubroutine\s+{re.escape(kernel.unit.name)}\b")
        whole = [word.sub(f"subroutine {name}", line) for line in whole]
        whole = [re.sub(r"(?i)^(pure|elemental|recursive)\s+", "", line) for line in whole]
        whole[-1] = f"end subroutine {name}"
        found.append(Mutant(name, kind, "\n".join(whole)))
    return found


def module_text(kernel: Kernel, number: int, chosen: Sequence[Mutant]) -> str:
    """A module of all mutants of one kernel."""
    module = kernel.unit.parent
    lines = [f"module oracle_mutants_{number}"]
    if module is not None:
        lines += [f"use {module.name}", *(used(use) for use in module.uses)]
        lines += ["implicit none"]
    lines += [TABLE, "contains", *(mutant.text for mutant in chosen), CALLEES]
    return "\n".join([*lines, f"end module oracle_mutants_{number}", ""])


def compiling(
    kernel: Kernel, number: int, chosen: list[Mutant], folder: Path, flags: Sequence[str]
) -> list[Mutant]:
    """The mutants that a compiler accepts."""
    source = folder / f"oracle_mutants_{number}.f90"
    for _ in range(6):
        text = module_text(kernel, number, chosen)
        source.write_text(text)
        argv = ["gfortran", *flags, *FLAGS, "-ffree-form", "-fsyntax-only", source.name]
        done = run_limited(argv, cwd=folder, limits=_LIMITS, logs=folder / "syntax")
        if done.ok:
            return chosen
        wrong = {int(line) for line in _ERROR.findall(done.stderr)}
        owner = _owners(text)
        bad = {owner[line - 1] for line in wrong if 0 < line <= len(owner)}
        left = [mutant for mutant in chosen if mutant.name not in bad]
        if len(left) == len(chosen) or not left or left[0].kind != "none":
            return []
        chosen = left
    return []


def _owners(text: str) -> list[str]:
    """The procedure each line of a module stands in."""
    owners, current = [], ""
    for line in text.splitlines():
        found = re.match(r"(?i)subroutine\s+(\w+)", line)
        current = found[1].lower() if found else current
        owners.append(current)
    return owners


def judged(project: Project, files: set[str]) -> list[LoopFacts]:
    """Facts on the loops of these files only; the rest of the project answers for calls."""
    summaries = Summaries(project)
    return [
        facts
        for unit in project.units.values()
        if unit.at.file in files and unit.kind is UnitKind.SUBROUTINE
        for facts in judge_unit(summaries, unit)
    ]


@dataclass(frozen=True)
class Round:
    """Kernels with their mutants, judged and linked; a trial is one mutant with one seed."""

    instrumented: Instrumented
    mutants: tuple[Mutant, ...]
    program: Path
    seeds: int


FIRST_LOOP = 20_000  # above the numbers of the model's own loops


def build_round(
    campaign: Campaign,
    project: Project,
    chosen: Sequence[tuple[int, Kernel]],
    work: Path,
    random: Random,
    count: int,
    flags: Sequence[str] = (),
    libraries: Sequence[str] = (),
) -> Round:
    """Judge and build `count` mutants of each kernel, linked with the model of a campaign.

    Raises:
        RuntimeError: the program does not link.
    """
    tree = work / "tree"
    tree.mkdir(parents=True)
    objects = campaign.instrumented.root / "objects"
    flags = (*flags, f"-I{objects}")
    kept: list[tuple[Driver, list[Mutant]]] = []
    for number, kernel in chosen:
        found = compiling(kernel, number, mutated(kernel, number, random, count), tree, flags)
        names = [mutant.name for mutant in found]
        module = f"oracle_mutants_{number}"
        made = driver(project, kernel.unit, number, module, names)
        if found and made is not None:
            kept.append((made, found))
        else:
            (tree / f"{module}.f90").unlink()
    mutant_files = sorted(path.name for path in tree.glob("*.f90"))
    needed = _needed(project, [kernel.unit for _, kernel in chosen])
    for name in needed:
        (tree / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(project.root / name, tree / name)
    base = replace(project.manifest, root=tree, sources=(*needed, *mutant_files))
    whole = read_project(base)
    facts = judged(whole, set(mutant_files))
    made = instrument(
        replace(base, sources=tuple(mutant_files)), whole, facts, work, flags, FIRST_LOOP
    )
    drivers, linked = compiled([each for each, _ in kept], made, flags)
    mutants_of = {each.name: found for each, found in kept}
    program = work / "program"
    (work / "main.c").write_text(_main(linked, mutants_of, campaign))
    everything = [
        *made.objects.values(),
        *drivers,
        *campaign.libraries,
        c_object(work / "main.c", work),
    ]
    done = link(base.compiler, everything, program, libraries)
    if not done.ok:
        raise RuntimeError(done.stderr.decode()[-2000:])
    order = [mutant for each in linked for mutant in mutants_of[each.name]]
    return Round(made, tuple(order), program, campaign.seeds)


def _needed(project: Project, units: Iterable[Unit]) -> list[str]:
    """The files of these units and of all modules they use, directly or not."""
    waiting = {unit.at.file for unit in units}
    found: set[str] = set()
    while waiting:
        file = waiting.pop()
        found.add(file)
        inside = [u for u in project.units.values() if u.at.file == file]
        used_modules = {use.module for unit in inside for use in unit.uses}
        files = {project.modules[m].at.file for m in used_modules if m in project.modules}
        waiting |= files - found
    return sorted(found)


def _main(
    drivers: Sequence[Driver], mutants_of: dict[str, list[Mutant]], campaign: Campaign
) -> str:
    numbers = ", ".join(str(len(mutants_of[each.name])) for each in drivers)
    return MAIN.format(
        declared="\n".join(f"void {name}(void);" for name in names_of(drivers, campaign.fillers)),
        drivers=", ".join(each.name for each in drivers),
        fillers=", ".join([*campaign.fillers, "0"]),
        numbers=numbers,
        count=len(drivers),
        seeds=campaign.seeds,
    )
