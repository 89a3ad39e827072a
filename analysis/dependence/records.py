"""What the walk over one iteration (or one procedure body) notes down."""

from dataclasses import dataclass, field
from enum import StrEnum
from typing import NamedTuple

from acclimate.analysis.dependence.affine import Affine, Values
from acclimate.analysis.dependence.conditions import Literal
from acclimate.analysis.dependence.regions import Extent, Region, Subscript
from acclimate.analysis.ir import Symbol
from acclimate.analysis.source import Lines


class Trait(StrEnum):
    """Something besides reading and writing data."""

    IO = "io"
    STOP = "stop"
    MPI = "mpi"
    DISPATCH = "dispatch"
    RECURSION = "recursion"
    DUMMY_PROCEDURE = "dummy-procedure"
    RANDOM = "random-numbers"
    CLOCK = "clock"
    ALLOCATION = "allocation"
    CHARACTER = "character"
    EXTERNAL = "external-call"
    UNRESOLVED = "unresolved-name"
    OPAQUE = "opaque-statement"
    POINTER = "pointer-assignment"
    JUMP = "backward-jump"
    ALTERNATE_RETURN = "alternate-return"
    SAVE = "saved-state"
    VOLATILE = "volatile"
    EXIT = "exit"
    RETURN = "return"


LOCAL_TRAITS = frozenset({Trait.EXIT, Trait.RETURN})


@dataclass(frozen=True, slots=True)
class Flag:
    trait: Trait
    at: Lines
    detail: str  # in the user's words


class Access(NamedTuple):
    """One reference to a place. `operator` is set where it is half of `x = x operator e`."""

    key: str
    subscripts: tuple[Subscript, ...]
    write: bool
    at: Lines
    conditions: tuple[Literal, ...]
    symbol: Symbol
    declared: Region
    operator: str | None = None
    constant: str | None = None  # ".or." for a stored .true., ".and." for .false.
    left: tuple[Region, ...] = ()  # of a read: the parts not written before in the iteration
    settled: tuple[Region, ...] = ()  # of an exposed read: regions surely written before it
    covered_if: tuple[tuple[Literal, ...], ...] = ()  # ... nothing is left where all of one hold
    value: Affine | None = None  # of a write: the value stored, where known
    through_pointer: bool = False
    is_target: bool = False
    pointer_rank: int = 0
    part: Symbol | None = None  # the component referred to, where it is data of its type's own
    kind: str | None = None  # the type of what is referred to
    call: str | None = None  # the procedure that makes the access on our behalf
    whole_procedure: bool = False  # made by a callee on a variable it shares with us

    @property
    def exposed(self) -> bool:
        return not self.write and bool(self.left)

    @property
    def is_aliased(self) -> bool:
        return self.is_target or self.through_pointer

    # `_replace` takes four times as long as these two.

    def exposing(self, left: tuple[Region, ...]) -> "Access":
        """The same read with `left` unwritten before it."""
        return Access._make((*self[:_LEFT], left, *self[_LEFT + 1 :]))

    def under(self, conditions: tuple[Literal, ...]) -> "Access":
        return Access._make((*self[:_CONDITIONS], conditions, *self[_CONDITIONS + 1 :]))

    @property
    def anywhere(self) -> "Access":
        """The same to an unknown part of the place."""
        return self._replace(
            subscripts=tuple(Extent.UNKNOWN for _ in self.subscripts),
            declared=tuple(None for _ in self.declared),
            conditions=(),
        )


def is_one_pointer(one: Access, other: Access, values: Values) -> bool:
    """Of two references by one path: do they go through the same pointer in all iterations?

    Pointers in different elements of an array may be associated with parts of one target, each
    part at another offset: then their subscripts say nothing of each other.
    """
    if one.pointer_rank != other.pointer_rank:
        return False
    leading = one.subscripts[: one.pointer_rank]
    return leading == other.subscripts[: other.pointer_rank] and not any(
        isinstance(subscript, Extent) or values.varies(subscript) for subscript in leading
    )


_CONDITIONS = Access._fields.index("conditions")
_LEFT = Access._fields.index("left")


@dataclass(frozen=True, slots=True)
class Location:
    """A scalar set where a maximum or minimum is found (`if (a(i) > top) then; top = ...`)."""

    key: str
    extremum: str
    operator: str
    at: Lines


@dataclass(frozen=True, slots=True)
class Overlap:
    """Two names of a callee that may stand for one object in the call at `at`."""

    callee: str
    names: tuple[str, str]
    at: Lines


@dataclass(slots=True)
class Record:
    accesses: list[Access] = field(default_factory=list)
    flags: list[Flag] = field(default_factory=list)
    calls: dict[str, None] = field(default_factory=dict)
    locations: list[Location] = field(default_factory=list)
    inner_indices: list[str] = field(default_factory=list)  # keys
    atomic_lines: list[Lines] = field(default_factory=list)
    overlaps: list[Overlap] = field(default_factory=list)
    asked: dict[str, Access] = field(default_factory=dict)  # places of unchanged allocation
    names: dict[str, str] = field(default_factory=dict)  # key -> name in the unit
    symbols: dict[str, Symbol] = field(default_factory=dict)  # key -> root symbol

    _flagged: set[Flag] = field(default_factory=set)

    def mention(self, key: str, symbol: Symbol) -> None:
        """Remember what the unit calls a place."""
        if key not in self.names:
            _, percent, path = key.partition("%")
            self.names[key] = symbol.name + percent + path
        if key not in self.symbols:
            self.symbols[key] = symbol

    def flag(self, trait: Trait, at: Lines, detail: str) -> None:
        found = Flag(trait, at, detail)
        if found not in self._flagged:
            self._flagged.add(found)
            self.flags.append(found)
