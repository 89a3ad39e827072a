"""What a name in a kernel stands for, also in the procedures that the kernel calls."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from acclimate.analysis.ir import Symbol, Unit
from acclimate.analysis.source import Lines
from acclimate.verifier.contracts.terms import Term


@dataclass(frozen=True, slots=True)
class Array:
    """An array as one storage; `is_private` where each iteration has its own."""

    key: str
    name: str  # as a user writes it
    symbol: Symbol
    is_private: bool = False
    is_shifting: bool = False  # a pointer or target: other names may reach its elements


@dataclass(frozen=True, slots=True)
class Scalar:
    key: str
    name: str
    type: str | None
    is_private: bool = False


@dataclass(frozen=True, slots=True)
class Element:
    """One element of an array, or all of it where `subscripts` is None."""

    array: Array
    subscripts: tuple[Term, ...] | None
    conditions: tuple[str, ...] = ()  # of sections: the ranges of their subscripts


@dataclass(frozen=True, slots=True)
class Known:
    """An argument that is an expression."""

    term: Term | None


Place = Array | Scalar | Element | Known


@dataclass(slots=True)
class Frame:
    """A procedure on the way from the kernel down; `bound` are its dummies."""

    unit: Unit
    name: str  # "" for the kernel's own procedure
    bound: Mapping[str, Place] = field(default_factory=dict)
    depth: int = 0


@dataclass(frozen=True, slots=True)
class Access:
    """A read or write of an array element in one iteration, under its conditions."""

    array: Array
    subscripts: tuple[Term, ...] | None
    write: bool
    conditions: tuple[str, ...]
    at: Lines
    inner: tuple[str, ...] = ()  # ranges of the loops inside the kernel's own

    @property
    def is_exact(self) -> bool:
        """Whether its subscripts are all there is to it: nothing unknown in them."""
        return self.subscripts is not None and all(term.exact for term in self.subscripts)


@dataclass(frozen=True, slots=True)
class ScalarUse:
    """A write of a scalar, or a read that has no value from the iteration: perhaps, or surely."""

    scalar: Scalar
    at: Lines
    surely: bool


@dataclass(slots=True)
class Record:
    """All that one iteration of a kernel does to what outlives it."""

    accesses: list[Access] = field(default_factory=list)
    early_reads: list[ScalarUse] = field(default_factory=list)
    scalar_writes: dict[str, ScalarUse] = field(default_factory=dict)
    gaps: list[tuple[str, Lines]] = field(default_factory=list)  # what could not be followed

    def gap(self, reason: str, at: Lines) -> None:
        if (reason, at) not in self.gaps:
            self.gaps.append((reason, at))
