"""Subscripts read from index tables: what follows if a table holds no value twice.

`a(idx(p))` and `a(idx(q))` are one element exactly if `p` and `q` are equal, where `idx` is
injective. So the positions in the table are compared in the place of the values.
"""

from dataclasses import dataclass

from acclimate.analysis.dependence.affine import Affine, AtomKind, Values
from acclimate.analysis.dependence.records import Access
from acclimate.analysis.dependence.regions import Extent, Subscript

_ELEMENT = "element:"


@dataclass(frozen=True, slots=True)
class Lookup:
    """A subscript `coefficient * table(positions) + rest`."""

    table: str  # key
    version: Affine  # of the table's contents
    positions: tuple[Affine, ...]
    coefficient: int
    rest: Affine


def lookup(subscript: Subscript, values: Values) -> Lookup | None:
    """None where the subscript is no element of one unchanging table, scaled and moved."""
    if isinstance(subscript, Extent):
        return None
    for number, coefficient in subscript.terms:
        atom = values.atom(number)
        if atom.kind is not AtomKind.TERM or not atom.name.startswith(_ELEMENT):
            continue
        rest = subscript.replaced(number, Affine(0))
        version, *positions = atom.args
        if values.varies(version) or values.varies(rest):
            continue
        table = atom.name.removeprefix(_ELEMENT)
        return Lookup(table, version, tuple(positions), coefficient, rest)
    return None


@dataclass(frozen=True, slots=True)
class Positions:
    """Two references with positions in tables in the place of the values found there."""

    one: Access
    other: Access
    tables: tuple[str, ...]  # keys


def in_positions(one: Access, other: Access, values: Values) -> Positions | None:
    """None where no subscript of the two is read from the same table in the same manner."""
    first: list[Subscript] = []
    second: list[Subscript] = []
    tables: dict[str, None] = {}
    for a, b in zip(one.subscripts, other.subscripts, strict=False):
        x, y = lookup(a, values), lookup(b, values)
        if x is None or y is None or not _comparable(x, y):
            first.append(a)
            second.append(b)
            continue
        first += x.positions
        second += y.positions
        tables[x.table] = None
    if not tables:
        return None
    return Positions(
        one._replace(subscripts=tuple(first)), other._replace(subscripts=tuple(second)),
        tuple(tables),
    )  # fmt: skip


def _comparable(one: Lookup, other: Lookup) -> bool:
    return (one.table, one.version, one.coefficient, one.rest) == (
        other.table,
        other.version,
        other.coefficient,
        other.rest,
    )
