"""A model whose procedures can be called for smaller shapes and with other scalars than it has.

A procedure is renamed, and a procedure of its old name and interface calls it with the sizes and
scalars that the run asks for. The same is made of original and port: both still have to give the
same results.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import IntEnum

from acclimate.analysis.dependence.statements import inside, own_expressions, parts
from acclimate.analysis.ir import (
    Apply,
    Associate,
    Do,
    Expr,
    InputOutput,
    Name,
    PointerAssignment,
    Shape,
    Unit,
    UnitKind,
)
from acclimate.analysis.names.resolution import Intrinsic, Variable
from acclimate.analysis.project import Project
from acclimate.analysis.source import Edit
from acclimate.analysis.tree.manifest import Manifest
from acclimate.verifier.structure.written import base_name, names_in, written_in
from acclimate.verifier.trials.other_scalars import Scalars


class Smaller(IntEnum):
    """How a size is made smaller, as the runtime numbers it; ranges may become empty."""

    EMPTY = 21
    ONE = 22
    TWO = 23
    THREE = 24
    HALF = 25
    ONE_LESS = 26


@dataclass(frozen=True, slots=True)
class Sizes:
    """Whole numbers that give a procedure its shape: dummies, and variables it shares."""

    dummies: tuple[str, ...] = ()
    shared: tuple[str, ...] = ()
    fixed: bool = False  # none: its shapes are constants

    def __bool__(self) -> bool:
        return bool(self.dummies or self.shared)

    def common(self, other: "Sizes") -> "Sizes":
        return Sizes(
            tuple(n for n in self.dummies if n in other.dummies),
            tuple(n for n in self.shared if n in other.shared),
            self.fixed and other.fixed,
        )


@dataclass(frozen=True, slots=True)
class Given:
    """What a procedure can be given instead of what its caller gives it."""

    sizes: Sizes
    scalars: Scalars = Scalars()

    def __bool__(self) -> bool:
        return bool(self.sizes or self.scalars)


def sizes_of(project: Project, unit: Unit) -> Sizes:
    """The upper ends of loops and dimensions that a procedure does not set itself."""
    named = {name for end in _ends(unit) for name in names_in(end)}
    lower = {name for start in _starts(unit) for name in names_in(start)}
    own = written_in(unit.body) | _handed_on(project, unit)
    variables = {
        name: found.symbol
        for name in named
        if isinstance(found := project.resolve(unit, name), Variable)
        and not found.symbol.is_parameter
    }
    wanted = {
        name
        for name, symbol in variables.items()
        if name not in lower | own
        and symbol.type == "integer"
        and symbol.kind in (None, "4")
        and not symbol.is_array
        and not symbol.attributes & {"optional", "pointer", "allocatable", "value", "protected"}
    }
    return Sizes(
        dummies=tuple(sorted(wanted & {*unit.args})),
        shared=tuple(sorted(n for n in wanted if variables[n].owner not in (unit, None))),
        fixed=not variables and not _assumed(unit),
    )


def _handed_on(project: Project, unit: Unit) -> set[str]:
    """Names that a function, an ASSOCIATE, a namelist or an I/O statement may write."""
    found = {name for group in unit.namelists.values() for name in group}
    for statement in inside(unit.body):
        for expr in own_expressions(statement):
            for part in parts(expr):
                whole = isinstance(statement, (Associate, InputOutput, PointerAssignment))
                if isinstance(part, Apply):
                    meant = project.resolve(unit, base_name(part))
                    whole = whole or not isinstance(meant, (Variable, Intrinsic))
                if whole:
                    found |= {p.id for p in parts(part) if isinstance(p, Name)}
    return found


def can_be_called_otherwise(project: Project, unit: Unit) -> bool:
    """Whether `called_otherwise` knows how to put a procedure behind another one."""
    lines = _text(project, unit)
    head, specification = lines[unit.at.first - 1], _specification(project, unit)
    whole_head = "".join(lines[unit.at.first - 1 : unit.at.last]).lower()
    return (
        unit.kind is UnitKind.SUBROUTINE
        and not unit.entries
        and not unit.prefixes & {"pure", "elemental", "recursive", "module"}
        and all(name.isidentifier() for name in unit.args)
        and "bind" not in whole_head
        and not (unit.parent is None and _wants_interface(unit))
        and _named(unit.name).search(head) is not None
        and sum(line.startswith("#if") for line in specification)
        == sum(line.startswith("#endif") for line in specification)
    )


def _wants_interface(unit: Unit) -> bool:
    symbols = [unit.symbols[name] for name in unit.args if name in unit.symbols]
    return any(
        symbol.attributes & {"optional", "pointer", "allocatable", "value", "target"}
        or any(dimension.shape is Shape.ASSUMED for dimension in symbol.dims)
        for symbol in symbols
    )


def called_otherwise(
    project: Project, manifest: Manifest, unit: Unit, number: int, given: Given
) -> Iterator[Edit]:
    """The edits that put `unit` behind a procedure that is procedure `number` of the run."""
    file, lines = unit.at.file, _text(project, unit)
    name = f"acclimate_{number}_z"
    for line in {unit.at.first, unit.end.last}:
        renamed = _named(unit.name).sub(rf"\g<1>{name}", lines[line - 1], count=1)
        if renamed != lines[line - 1]:
            yield Edit(file, line, line, (renamed,))
    free = manifest.form(file) == "free"
    text = [*_specification(project, unit), *_call(unit, name, number, given, free=free)]
    yield Edit(file, unit.end.last + 1, unit.end.last, tuple(text))


def _call(unit: Unit, name: str, number: int, given: Given, *, free: bool) -> Iterator[str]:
    sizes = given.sizes
    yield "      integer(4), external :: acclimate_smaller"
    for function in ("times", "over", "more") if given.scalars else ():
        yield f"      integer(4), external :: acclimate_{function}"
    kept = {shared: f"acclimate_kept{n}" for n, shared in enumerate(sizes.shared)}
    for keeper in kept.values():
        yield f"      integer :: {keeper}"
    for shared, keeper in kept.items():
        yield f"      {keeper} = {shared}"
        yield f"      {shared} = acclimate_smaller({number}, {keeper})"
    more, again = (" &", "        ") if free else ("", "     &  ")
    yield f"      call {name}({more}"
    for position, arg in enumerate(unit.args):
        actual = given.scalars.actual(arg, number)
        if arg in sizes.dummies:
            actual = (f"acclimate_smaller({number},", f" {arg})")
        yield from (f"{again}{part}{more}" for part in actual[:-1])
        yield f"{again}{actual[-1]}{',' if position + 1 < len(unit.args) else ''}{more}"
    yield f"{again})"
    for shared, keeper in kept.items():  # what was set in between stays where nothing was changed
        yield f"      if (acclimate_smaller({number}, {keeper}) /= {keeper}) {more.strip()}"
        yield f"{again}{shared} = {keeper}"
    yield "      end subroutine"


def _ends(unit: Unit) -> Iterator[Expr]:
    for statement in inside(unit.body):
        if isinstance(statement, Do) and statement.last is not None:
            yield statement.last
    for symbol in unit.symbols.values():
        yield from (d.upper for d in symbol.dims if d.upper is not None)


def _starts(unit: Unit) -> Iterator[Expr]:
    """Lower ends; of a loop that counts down its start is the upper one."""
    for statement in inside(unit.body):
        if isinstance(statement, Do) and statement.first is not None and statement.step is None:
            yield statement.first
    for symbol in unit.symbols.values():
        yield from (d.lower for d in symbol.dims if d.lower is not None)


def _assumed(unit: Unit) -> bool:
    """Whether an array takes its shape from elsewhere."""
    return any(d.upper is None for symbol in unit.symbols.values() for d in symbol.dims)


def _named(name: str) -> re.Pattern[str]:
    return re.compile(rf"(\bsubroutine\s*){re.escape(name)}\b", re.IGNORECASE)


def _text(project: Project, unit: Unit) -> list[str]:
    return project.texts[unit.at.file].decode("latin-1").split("\n")


def _specification(project: Project, unit: Unit) -> list[str]:
    return _text(project, unit)[unit.at.first - 1 : max(unit.specification_end.last, unit.at.last)]
