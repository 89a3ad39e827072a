"""Trees of IR and summaries of procedures as flat tables of numbers and strings, and back.

This is how they travel between processes and into the cache. Only the classes named here are ever
made from a table, by their fields alone: reading one runs no code of its own. What is one object
before is one object after.
"""

from collections.abc import Callable, Iterable
from dataclasses import fields, is_dataclass
from enum import Enum
from itertools import chain
from operator import attrgetter
from typing import Any

import msgspec

from acclimate.analysis import ir
from acclimate.analysis.dependence.affine import Affine, Atom, AtomKind, Range, Values
from acclimate.analysis.dependence.conditions import Literal, Relation
from acclimate.analysis.dependence.records import Access, Flag, Overlap, Trait
from acclimate.analysis.dependence.regions import Definition, Extent, Interval
from acclimate.analysis.dependence.summary import Summary
from acclimate.analysis.source import Lines

Table = list[list[Any]]
Named = Callable[[object], tuple[str, ...] | None]
"""The name of an object that stays behind; None for what travels."""
Found = Callable[[tuple[str, ...]], object]

_IMMUTABLE: tuple[type, ...] = (
    *(ir.Name, ir.Literal, ir.Apply, ir.Component, ir.Unary, ir.Binary, ir.Section, ir.Keyword),
    *(ir.ArrayConstructor, ir.ImpliedDo, ir.Star, ir.Unreadable, ir.Directive, ir.Dimension),
    *(ir.Use, Lines, Atom, Range, Literal, Definition, Interval, Access, Flag, Overlap),
    Summary,
)
_MUTABLE: tuple[type, ...] = (
    *(ir.Unit, ir.Symbol, ir.DerivedType, ir.Assignment, ir.Jump, ir.OpaqueStatement, Values),
)
_ENUMS: tuple[type[Enum], ...] = (
    *(ir.LiteralKind, ir.Shape, ir.UnitKind, AtomKind, Relation, Extent, Trait),
)
_COLLECTIONS: tuple[type, ...] = (tuple, list, set, frozenset, dict)
_LEAVES: tuple[type, ...] = (str, int, bool, type(None))
_NAMED = "@"
_LEAF = "="


def _field_names(kind: type) -> tuple[str, ...]:
    if kind is Literal:
        return "relation", "form", "positive"
    if kind is Values:
        return tuple(vars(Values()))
    if is_dataclass(kind):
        return tuple(field.name for field in fields(kind))
    names: tuple[str, ...] = kind._fields  # type: ignore[attr-defined]
    return names


_FIELDS = {kind: _field_names(kind) for kind in (*_IMMUTABLE, *_MUTABLE)}
_TAGS: dict[type, int] = {
    kind: tag for tag, kind in enumerate((*_COLLECTIONS, *_IMMUTABLE, *_MUTABLE, *_ENUMS, Affine))
}
_KINDS = {tag: kind for kind, tag in _TAGS.items()}
_BY_FIELDS = frozenset(_TAGS[kind] for kind in _IMMUTABLE)
_MUTABLE_TAGS = frozenset(_TAGS[kind] for kind in _MUTABLE)
_FORM = _TAGS[Affine]


def _parts_of(kind: type) -> Callable[[Any], Iterable[object]]:
    """How to get at the parts of a value of the kind, in the order in which a row has them."""
    if kind is dict:
        return lambda value: chain.from_iterable(value.items())
    if kind in (set, frozenset):
        return sorted
    if kind in (tuple, list) or issubclass(kind, tuple):
        return iter
    names = _FIELDS[kind]
    if len(names) > 1:
        return attrgetter(*names)
    return lambda value: [getattr(value, name) for name in names]


_PARTS = {kind: _parts_of(kind) for kind in (*_COLLECTIONS, *_IMMUTABLE, *_MUTABLE)}


class Writer:
    """Puts values into one table; `named` tells what is only referred to."""

    def __init__(self, named: Named = lambda value: None) -> None:
        self._named = named
        self._rows: Table = []
        self._seen: dict[int, tuple[int, object]] = {}  # the object is kept, so its id is its own
        self._leaves: dict[type, dict[Any, int]] = {}
        self._leaves.update((kind, {}) for kind in (*_LEAVES, *_ENUMS, Affine))

    def table(self, value: object) -> bytes:
        """The value and all it leads to.

        Raises:
            TypeError: something in it is of no class named here.
        """
        root = self._row(value)
        return msgspec.msgpack.encode((root, self._rows))

    def _row(self, value: object) -> int:
        kind = type(value)
        leaves = self._leaves.get(kind)
        if leaves is not None:
            number = leaves.get(value)
            return self._leaf(kind, value) if number is None else number
        seen = self._seen.get(id(value))
        if seen is not None:
            return seen[0]
        parts = _PARTS.get(kind)
        if parts is None:
            raise TypeError(f"{kind.__name__} has no place in a table")
        tag = _TAGS[kind]
        if tag in _MUTABLE_TAGS:
            return self._mutable(value, tag, parts(value))
        row: list[Any] = [tag]
        row += [self._row(part) for part in parts(value)]
        return self._remembered(value, row)

    def _mutable(self, value: object, tag: int, parts: Iterable[object]) -> int:
        """The row of what may lead back to itself, or be one that stays behind."""
        name = self._named(value)
        if name is not None:
            return self._remembered(value, [_NAMED, *name])
        row: list[Any] = [tag]
        number = self._remembered(value, row)
        row += [self._row(part) for part in parts]
        return number

    def _leaf(self, kind: type, value: Any) -> int:
        number = self._leaves[kind][value] = len(self._rows)
        if kind is Affine:
            row = [_FORM, value.constant, *chain.from_iterable(value.terms)]
        else:
            row = [_LEAF, value] if kind in _LEAVES else [_TAGS[kind], value.value]
        self._rows.append(row)
        return number

    def _remembered(self, value: object, row: list[Any]) -> int:
        number = len(self._rows)
        self._rows.append(row)
        self._seen[id(value)] = number, value
        return number


def value_of(table: bytes, found: Found) -> Any:
    """The value that a `Writer` put into a table; `found` gives what is only referred to.

    Raises:
        ValueError, TypeError, IndexError, KeyError: this is no such table.
    """
    root, rows = msgspec.msgpack.decode(table, type=tuple[int, Table])
    values: list[Any] = [None] * len(rows)
    unfilled = [number for number, row in enumerate(rows) if row[0] in _MUTABLE_TAGS]
    for number in unfilled:
        values[number] = object.__new__(_KINDS[rows[number][0]])
    for number, row in enumerate(rows):
        tag = row[0]
        if tag in _BY_FIELDS:
            values[number] = _KINDS[tag](*[values[part] for part in row[1:]])
        elif tag == _FORM:
            values[number] = Affine(row[1], tuple(zip(row[2::2], row[3::2], strict=True)))
        elif tag == _LEAF:
            values[number] = row[1]
        elif tag == _NAMED:
            values[number] = found(tuple(row[1:]))
        elif tag not in _MUTABLE_TAGS:
            values[number] = _made(_KINDS[tag], row, values)
    for number in unfilled:
        kind = type(values[number])
        for name, part in zip(_FIELDS[kind], rows[number][1:], strict=True):
            setattr(values[number], name, values[part])
    return values[root]


def _made(kind: type, row: list[Any], values: list[Any]) -> Any:
    if kind in _ENUMS:
        return kind(row[1])
    parts = [values[part] for part in row[1:]]
    if kind is dict:
        return dict(zip(parts[::2], parts[1::2], strict=True))
    return kind(parts) if kind in _COLLECTIONS else kind(*parts)
