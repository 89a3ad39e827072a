"""A model whose procedures change the values of their arguments first.

The same change is made in original and port, so both still have to give the same results. Values
are permuted, made alike, zeroed, scaled or given another sign: ties, empty branches, extrema at
the ends of arrays, overflow and negative values occur that the model's own inputs may not have.
"""

from collections.abc import Iterator
from enum import IntEnum
from pathlib import Path

from acclimate.analysis.ir import Unit
from acclimate.analysis.names.resolution import Variable
from acclimate.analysis.project import Project
from acclimate.analysis.source import Edit
from acclimate.verifier.limits import Limits, run_limited
from acclimate.verifier.running.emulation import COMPILER

_LIMITS = Limits(wall=60, cpu=60, memory=1024, file=64, processes=8)
_SOURCE = Path(__file__).parents[1] / "value_runtime" / "shake.c"
# Local variables that nobody has set are the same in every build, and tell: a sum that is begun
# from one is infinite.
UNSET = (
    "-finit-real=inf",
    "-finit-integer=1431655765",
    "-finit-logical=true",
    "-finit-character=85",
)
FLAGS = ("-fallow-argument-mismatch", *UNSET)  # one external procedure takes arrays of any type


class Shake(IntEnum):
    """Classes of values, as the runtime numbers them."""

    REVERSED = 1
    MOVED = 2
    ASCENDING = 3
    DESCENDING = 4
    ALIKE = 5
    ZERO = 6
    HALVED = 7
    SHUFFLED = 8
    NEGATED = 9
    MIXED = 10  # every other one negated
    LARGE = 11
    TINY = 12


def can_be_shaken(project: Project, name: str) -> bool:
    """Whether there is anything to change and the procedure may call others."""
    unit = project.units.get(name)
    if unit is None or unit.prefixes & {"pure", "elemental"}:
        return False
    return any(_calls(project, unit, 1))


def shakes(project: Project, unit: Unit, number: int) -> Edit:
    """The edit that changes the arrays of procedure `number` of a run at its start."""
    line = unit.specification_end.last + 1
    return Edit(unit.at.file, line, line - 1, tuple(_calls(project, unit, number)))


def _calls(project: Project, unit: Unit, number: int) -> Iterator[str]:
    """One call for each array that the procedure is given or shares with others."""
    position = 0
    for name in sorted({*unit.args, *unit.mentioned}):
        found = project.resolve(unit, name)
        if not isinstance(found, Variable):
            continue
        symbol, is_argument = found.symbol, name in unit.args
        shared = symbol.common is not None or symbol.owner not in (unit, None)
        kept = symbol.attributes & {"parameter", "pointer", "optional", "protected", "value"}
        if not symbol.is_array or kept or not (is_argument or shared):
            continue
        if symbol.type not in ("real", "double precision", "integer"):
            continue
        if any(dimension.shape.name == "ASSUMED_SIZE" for dimension in symbol.dims):
            continue
        real = int(symbol.type != "integer")
        guard = f"if (allocated({name})) " if "allocatable" in symbol.attributes else ""
        position += 1
        sizes = f"size({name}), storage_size({name})"
        arguments = f"{number}, {position}, {sizes}, {real}, {name}"
        yield f"      {guard}call acclimate_shake({arguments})"


def runtime_object(work: Path) -> Path | None:
    """The compiled runtime; None where there is no C compiler."""
    work.mkdir(parents=True, exist_ok=True)
    target = work / "shake.o"
    argv = [COMPILER, "-O1", "-c", str(_SOURCE), "-o", target.name]
    done = run_limited(argv, cwd=work, limits=_LIMITS, logs=work / "shake")
    return target if done.ok else None
