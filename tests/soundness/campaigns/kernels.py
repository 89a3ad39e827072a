"""Every procedure of a model called with made-up arguments, its loops watched."""

import os
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from acclimate.analysis.facts import LoopFacts
from acclimate.analysis.ir import UnitKind
from acclimate.analysis.project import Project
from acclimate.analysis.tree.manifest import Manifest
from acclimate.verifier.limits import Limits, run_limited
from acclimate.verifier.oracle.instrumented import (
    Instrumented,
    instrument,
    link,
    runtime_object,
)
from acclimate.verifier.oracle.report import Trial, read_report
from campaigns.drivers import Driver, callable_units, driver, module_filler

_VALUES = Path(__file__).with_name("values.c")
_LIMITS = Limits(wall=300.0, cpu=300.0, memory=4096)
_BATCH = 16
_FLAGS = ("-O0", "-w", "-std=legacy", "-ffree-line-length-none", "-fallow-argument-mismatch")
_UNDEFINED = re.compile(r"undefined reference to `([^']+)'")


@dataclass(frozen=True)
class Campaign:
    """A linked program of many trials: trial = driver * seeds + seed."""

    instrumented: Instrumented
    drivers: tuple[Driver, ...]
    program: Path
    seeds: int
    fillers: tuple[str, ...]
    libraries: tuple[Path, ...]  # all objects but drivers and main, for other drivers


def without_variants(manifest: Manifest, project: Project) -> Manifest:
    """One file for each module, and no main programs."""
    seen: set[str] = set()
    kept = []
    for file in manifest.sources:
        units = project.file_units(file)
        modules = {unit.name for unit in units if unit.kind is UnitKind.MODULE}
        if modules & seen or any(unit.kind is UnitKind.PROGRAM for unit in units):
            continue
        seen |= modules
        kept.append(file)
    return replace(manifest, sources=tuple(kept))


def build_campaign(
    manifest: Manifest,
    project: Project,
    loops: Iterable[LoopFacts],
    work: Path,
    seeds: int,
    flags: Sequence[str] = (),
    libraries: Sequence[str] = (),
) -> Campaign:
    """Instrument a model and link drivers for all procedures that can be called.

    Raises:
        RuntimeError: the program does not link.
    """
    made = instrument(without_variants(manifest, project), project, loops, work, flags)
    files = set(made.objects)
    drivers = []
    for number, unit in enumerate(callable_units(project, files)):
        found = driver(project, unit, number)
        if found is not None:
            drivers.append(found)
    modules = [m for m in project.modules.values() if m.at.file in files]
    fillers = [
        Driver(f"oracle_fill_{number}", module.name, module_filler(module, number))
        for number, module in enumerate(modules)
    ]
    objects, kept = compiled(drivers, made, flags)
    more, filled = compiled(fillers, made, flags)
    names = tuple(each.name for each in filled)
    main = work / "main.c"
    main.write_text(_main(kept, names, seeds))
    shared = [*made.objects.values(), *more, c_object(_VALUES, work), runtime_object(work)]
    everything = [*shared, *objects, c_object(main, work)]
    program = work / "program"
    done = link(manifest.compiler, everything, program, libraries)
    missing = sorted(set(_UNDEFINED.findall(done.stderr.decode())))
    if missing:
        stubs = work / "stubs.c"
        stubs.write_text(
            "void oracle_missing(void);\n"
            + "".join(f"void {name}(void) {{ oracle_missing(); }}\n" for name in missing)
        )
        shared.append(c_object(stubs, work))
        done = link(manifest.compiler, [*everything, shared[-1]], program, libraries)
    if not done.ok:
        raise RuntimeError(done.stderr.decode()[-2000:])
    return Campaign(made, tuple(kept), program, seeds, names, tuple(shared))


def compiled(
    drivers: Sequence[Driver], made: Instrumented, flags: Sequence[str]
) -> tuple[list[Path], list[Driver]]:
    """Objects, and the drivers in them; those that do not compile are left out."""
    objects: list[Path] = []
    kept: list[Driver] = []
    for first in range(0, len(drivers), _BATCH):
        batch = drivers[first : first + _BATCH]
        whole = _fortran_object(batch, made, flags)
        if whole is not None:
            objects.append(whole)
            kept += batch
            continue
        for each in batch:
            single = _fortran_object([each], made, flags)
            if single is not None:
                objects.append(single)
                kept.append(each)
    return objects, kept


def _fortran_object(
    drivers: Sequence[Driver], made: Instrumented, flags: Sequence[str]
) -> Path | None:
    folder = made.root / "drivers"
    folder.mkdir(exist_ok=True)
    source = folder / f"{drivers[0].name}_{len(drivers)}.f90"
    source.write_text("\n".join(each.text for each in drivers))
    target = source.with_suffix(".o")
    argv = [made.manifest.compiler, *flags, *_FLAGS, "-fno-pie", f"-I{made.root / 'objects'}"]
    argv += ["-J", str(folder), "-c", source.name, "-o", str(target)]
    done = run_limited(argv, cwd=folder, limits=_LIMITS, logs=source.with_suffix(""))
    return target if done.ok else None


def c_object(source: Path, work: Path) -> Path:
    target = work / f"{source.stem}.o"
    argv = ["gcc", "-w", "-fno-pie", "-c", str(source), "-o", str(target)]
    done = run_limited(argv, cwd=work, limits=_LIMITS, logs=target.with_suffix(""))
    if not done.ok:
        raise RuntimeError(done.last_words)
    return target


# `numbers`: how many procedures each driver can choose from. Trials are counted through.
MAIN = """#include <stdint.h>
{declared}
static void (*drivers[])(void) = {{{drivers}}};
static void (*fillers[])(void) = {{{fillers}}};
static const int numbers[] = {{{numbers}}};
void oracle_seed(uint64_t);
void oracle_choose(int);
int oracle_trial_(const int *, const int *);
void oracle_done_(const int *);
void _gfortran_set_args(int, char **);
int main(int argc, char **argv) {{
  int trial = -1, seconds = 5;
  _gfortran_set_args(argc, argv);
  for (int d = 0; d < {count}; d++)
    for (int choice = 0; choice < numbers[d]; choice++)
      for (int seed = 0; seed < {seeds}; seed++) {{
        trial++;
        if (!oracle_trial_(&trial, &seconds)) continue;
        oracle_seed(1000u * (uint64_t)d + (uint64_t)seed + 1);
        oracle_choose(choice);
        for (int f = 0; fillers[f]; f++) fillers[f]();
        drivers[d]();
        oracle_done_(&trial);
      }}
  return 0;
}}
"""


def names_of(drivers: Sequence[Driver], fillers: Sequence[str]) -> list[str]:
    return [*(each.name for each in drivers), *fillers]


def _main(drivers: Sequence[Driver], fillers: Sequence[str], seeds: int) -> str:
    return MAIN.format(
        declared="\n".join(f"void {name}(void);" for name in names_of(drivers, fillers)),
        drivers=", ".join(each.name for each in drivers),
        fillers=", ".join([*fillers, "0"]),
        numbers=", ".join("1" for _ in drivers),
        count=len(drivers),
        seeds=seeds,
    )


def run_trials(program: Path, wall: float) -> list[Trial]:
    """Run all trials, each in a process of its own; `wall` seconds at most."""
    folder = program.parent / "run"
    folder.mkdir(exist_ok=True)
    report = program.parent / "report"
    limits = Limits(wall=wall, cpu=wall, memory=4096)
    report.unlink(missing_ok=True)
    settings = {"ORACLE_TRIALS": "1", "ORACLE_REPORT": str(report)}
    run_limited(
        [str(program)],
        cwd=folder,
        limits=limits,
        logs=report,
        environment=os.environ | settings,
    )
    return read_report(report)
