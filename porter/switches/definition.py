"""Where the function stands that the switches ask: behind the main program.

A file of its own, or a module, would have to be known to the model's build and come first in it.
"""

from collections.abc import Iterable, Set

from acclimate.analysis.ir import Unit, UnitKind
from acclimate.analysis.project import Project
from acclimate.analysis.switches import FUNCTION, FUNCTION_LINES
from acclimate.porter.text.margins import Margins
from acclimate.porter.text.placement import Insertion, Slot


def definitions(
    project: Project, margins: Margins, switched: Iterable[str], exclude: Set[str]
) -> dict[str, Insertion]:
    """The function at the end of a file, by the unit whose change it belongs to.

    Every main program gets it, so that whatever is linked has it once; without any, or where they
    are to stay as they are, the first of the switched units does. Nothing where it stands already.

    Args:
        exclude: qualified names of units that stay as they are.
    """
    units = [project.units[name] for name in sorted(switched)]
    if not units or stands(project, margins):
        return {}
    programs = [
        unit
        for name, unit in project.units.items()
        if unit.kind is UnitKind.PROGRAM and unit.body and name not in exclude
    ]
    return {project.name_of(unit): _at_the_end(unit, margins) for unit in programs or units[:1]}


def stands(project: Project, margins: Margins) -> bool:
    """The very function is a unit of the project."""
    unit = project.units.get(FUNCTION)
    if unit is None:
        return False
    text = margins.lines(unit.at.file)[unit.at.first - 1 : unit.end.last]
    plain = [line.rstrip(b"\r").decode("latin-1") for line in text]
    return plain == list(FUNCTION_LINES[1:])


def _at_the_end(unit: Unit, margins: Margins) -> Insertion:
    lines = margins.lines(unit.at.file)
    last = len(lines) - (lines[-1] == b"")
    return Insertion(unit.at.file, last + 1, Slot.AFTER, 0, tuple(FUNCTION_LINES))
