"""A file as the other files see it: its units without their statements."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import msgspec

from acclimate.analysis.exchange.tables import Writer, value_of
from acclimate.analysis.facts import ReadingProblem
from acclimate.analysis.ir import (
    Apply,
    Assignment,
    BlockConstruct,
    DerivedType,
    Jump,
    Name,
    OpaqueStatement,
    Statement,
    Symbol,
    Unit,
    UnitKind,
)
from acclimate.analysis.keeping.fingerprint import digest
from acclimate.analysis.reader.reading import FileUnits
from acclimate.analysis.source import Lines
from acclimate.analysis.view.view import View

_WORD = re.compile(r"[a-z_]\w*")
_SEEN_FROM_OUTSIDE = frozenset({"save", "parameter", "result", "pointer", "target", "external"})


@dataclass(frozen=True, slots=True)
class Outline:
    """One file without the statements of its units.

    `interface` is a digest of all that a unit of another file can see of it; where things stand
    and what is local to a procedure is left out. `words` holds every name that stands in the file.
    """

    units: bytes  # a table of `list[Unit]`
    interface: str
    words: str  # separated by blanks
    problems: tuple[ReadingProblem, ...]


def outline_of(view: View, found: FileUnits) -> Outline:
    """The outline of a file just read, before a `Project` has settled its names.

    Raises:
        TypeError: something in a declaration cannot be put into a table.
    """
    bodies = [(unit, unit.body) for unit in _all(found.units)]
    for unit, body in bodies:
        unit.body = _of_the_whole_unit(body)
    try:
        units = Writer().table(list(found.units))
        interface = msgspec.msgpack.encode([_interface(unit) for unit in found.units])
    finally:
        for unit, body in bodies:
            unit.body = body
    text = "\n".join([statement.text for statement in view.statements])
    words = sorted(set(_WORD.findall(text.lower())))
    return Outline(units, digest(interface), " ".join(words), found.problems)


def unread(file: str, reason: str) -> Outline:
    """The outline of a file of which nothing is known but why."""
    problem = ReadingProblem(Lines(file, 1, 1), reason)
    return Outline(Writer().table([]), digest(), "", (problem,))


def units_of(outline: Outline) -> FileUnits:
    """The units without their statements."""
    units: list[Unit] = value_of(outline.units, _nothing)
    return FileUnits(tuple(units), outline.problems, ())


def _nothing(name: tuple[str, ...]) -> object:
    raise ValueError(f"an outline refers to {name}")


def _all(units: Iterable[Unit]) -> Iterator[Unit]:
    for unit in units:
        yield unit
        yield from _all(unit.units.values())


def _of_the_whole_unit(body: list[Statement]) -> list[Statement]:
    """Statements that say something of a unit's names: statement functions, entries.

    A declaration that could not be read says something, too; a BLOCK is none.
    """
    leading = 0
    while leading < len(body) and _may_be_specification(body[leading]):
        leading += 1
    entries = [s for s in body[leading:] if isinstance(s, Jump) and s.keyword == "entry"]
    return body[:leading] + entries


def _may_be_specification(statement: Statement) -> bool:
    if isinstance(statement, OpaqueStatement):
        return not isinstance(statement, BlockConstruct)
    return _may_be_statement_function(statement)


def _may_be_statement_function(statement: Statement) -> bool:
    if not isinstance(statement, Assignment) or not isinstance(statement.target, Apply):
        return False
    return isinstance(statement.target.base, Name) and all(
        isinstance(arg, Name) for arg in statement.target.args
    )


# --- what others can see -------------------------------------------------------------------------


def _interface(unit: Unit) -> list[object]:
    seen: list[object] = [
        unit.kind,
        unit.name,
        unit.args,
        unit.result,
        sorted(unit.prefixes),
        unit.ancestor,
        [(use.module, use.only, use.renames) for use in unit.uses],
        list(unit.generics.items()),
        [(name, _interface(body)) for name, body in unit.interfaces.items()],
        [(name, _type(derived)) for name, derived in unit.types.items()],
        [_symbol(symbol) for symbol in unit.symbols.values() if _is_seen(symbol, unit)],
        [unit.private_default, sorted(unit.public), sorted(unit.private)],
        [unit.implicit_none, sorted(unit.implicit.items()), unit.equivalences],
        list(unit.namelists.items()),
        [_statement(statement) for statement in unit.body],
        [(name, _interface(inner)) for name, inner in unit.units.items()],
    ]
    text = msgspec.msgpack.encode(seen)
    used = [[n for n in sorted(names) if n.encode() in text] for names in _usage(unit)]
    return [seen, used]


def _usage(unit: Unit) -> tuple[set[str], set[str]]:
    return unit.applied, unit.mentioned


def _is_seen(symbol: Symbol, unit: Unit) -> bool:
    """False for what is local to a procedure: it is gone when a call returns."""
    if unit.kind not in (UnitKind.SUBROUTINE, UnitKind.FUNCTION, UnitKind.PROGRAM):
        return True
    return (
        bool(unit.equivalences)
        or bool(symbol.attributes & _SEEN_FROM_OUTSIDE)
        or symbol.initial is not None
        or symbol.common is not None
        or symbol.name in unit.args
        or symbol.name in (unit.name, unit.result)
    )


def _symbol(symbol: Symbol) -> list[object]:
    return [
        symbol.name,
        symbol.type,
        symbol.kind,
        symbol.dims,
        sorted(symbol.attributes),
        symbol.intent,
        symbol.initial,
        symbol.common,
    ]


def _type(derived: DerivedType) -> list[object]:
    return [
        [_symbol(component) for component in derived.components.values()],
        list(derived.bindings.items()),
        list(derived.generic_bindings.items()),
        derived.extends,
        derived.has_final,
    ]


def _statement(statement: Statement) -> list[object]:
    if isinstance(statement, Assignment):
        return [statement.target, statement.value]
    if isinstance(statement, OpaqueStatement):
        return [statement.text]
    return [statement.value] if isinstance(statement, Jump) else []
