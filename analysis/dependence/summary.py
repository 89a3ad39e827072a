"""What a call of a procedure does, in terms of its dummy arguments and shared variables."""

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache

from acclimate.analysis.dependence.affine import Values
from acclimate.analysis.dependence.coverage import Definition
from acclimate.analysis.dependence.records import Access, Flag, Overlap
from acclimate.analysis.facts import Touch
from acclimate.analysis.ir import Symbol, Unit


@dataclass(frozen=True, slots=True)
class Summary:
    """`accesses` are writes and exposed reads of what outlives the procedure.

    `definitions` hold at every return; forms are over `values`, whose entry atoms are the values
    of dummies and shared variables at the call.
    """

    unit: Unit
    values: Values = field(default_factory=Values)
    accesses: tuple[Access, ...] = ()
    definitions: tuple[tuple[str, Definition], ...] = ()
    flags: tuple[Flag, ...] = ()
    calls: tuple[str, ...] = ()
    overlaps: tuple[Overlap, ...] = ()  # of arguments, in calls the procedure makes
    touches: tuple[tuple[Touch, Symbol], ...] = ()  # by place, reads first


SummaryOf = Callable[[Unit], Summary]


def is_shared(key: str, unit: Unit) -> bool:
    """Does the place belong to another unit (module, host or COMMON) than `unit`?"""
    return _owner(key) != unit.qualified_name


def is_shared_term(term: str, unit: Unit) -> bool:
    """Does the operator of a term mean the same outside of `unit`? Parts name their object."""
    kind, colon, key = term.partition(":")
    return not colon or kind not in ("element", "array", "part") or is_shared(key, unit)


@cache
def _owner(key: str) -> str:
    return key.partition("%")[0].partition("@")[0].rpartition("::")[0]
