"""One file: from its view to its program units."""

from dataclasses import dataclass

from acclimate.analysis.facts import ReadingProblem
from acclimate.analysis.ir import Expr, InputOutput, Unit
from acclimate.analysis.reader.parsing import Parsing
from acclimate.analysis.reader.repair import parse_unit
from acclimate.analysis.reader.scanning import UnitSpan, scan_units
from acclimate.analysis.reader.units import UnitReader
from acclimate.analysis.view.view import View


@dataclass(frozen=True, slots=True)
class FileUnits:
    """What one file holds. `io_units`: WRITE statements whose unit may be an internal file."""

    units: tuple[Unit, ...]
    problems: tuple[ReadingProblem, ...]
    io_units: tuple[tuple[Unit, InputOutput, Expr], ...]


def read(view: View) -> FileUnits:
    """The program units of a file; whatever is wrong with it becomes a ReadingProblem."""
    units: list[Unit] = []
    problems = list(view.problems)
    io_units: list[tuple[Unit, InputOutput, Expr]] = []
    parsing = Parsing()
    for span in scan_units(view.statements):
        parsed = parse_unit(view.statements, span, parsing)
        reader = UnitReader(view, parsed)
        units += reader.read(span)
        problems += [*parsed.problems, *reader.problems]
        io_units += reader.io_units
        _place_directives(view, span, reader.by_row)
    return FileUnits(tuple(units), tuple(problems), tuple(io_units))


def _place_directives(view: View, span: UnitSpan, by_row: dict[int, Unit]) -> None:
    """Give each directive to the innermost unit it stands in."""
    for row, directive in view.directives:
        if not span.first < row <= span.last:
            continue
        current = span
        while inner := [c for c in current.children if c.first < row <= c.last]:
            current = inner[0]
        unit = by_row.get(current.first)
        if unit is not None:
            unit.directives.append(directive)
