"""What a call of a procedure does, in terms of its dummy arguments and shared variables."""

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache, cached_property

from acclimate.analysis.dependence.affine import Values
from acclimate.analysis.dependence.aliasing import pointed
from acclimate.analysis.dependence.lifetimes import is_saved
from acclimate.analysis.dependence.records import Access, Flag, Overlap, Trait
from acclimate.analysis.dependence.regions import Definition, Region
from acclimate.analysis.facts import Touch
from acclimate.analysis.ir import Symbol, Unit


@dataclass(frozen=True)
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
    asked: tuple[Access, ...] = ()  # reads of allocation or bounds alone, anywhere in a place
    allocated: frozenset[str] = frozenset()  # keys of what it may allocate anew or resize

    @cached_property
    def told(self) -> tuple[Flag, ...]:
        """The first flag of each trait, in the words in which callers tell of it."""
        first: dict[Trait, Flag] = {}
        for flag in self.flags:
            if flag.trait not in first:
                detail = flag.detail
                if " in `" not in detail:
                    detail = f"{detail} in `{self.unit.qualified_name}` ({flag.at})"
                first[flag.trait] = Flag(flag.trait, flag.at, detail)
        return tuple(first.values())

    @cached_property
    def first_access(self) -> dict[str, Access]:
        """The first access to each place."""
        return {access.key: access for access in reversed(self.accesses)}

    @cached_property
    def declared_of(self) -> dict[str, Region]:
        """The bounds on the path to a dummy or to a component of one, by the dummy's name."""
        return {a.symbol.name: a.declared for a in reversed(self.accesses) if not a.whole_procedure}

    @cached_property
    def written(self) -> frozenset[str]:
        """The keys of what may be written."""
        return frozenset(access.key for access in self.accesses if access.write)

    @cached_property
    def written_through_pointers(self) -> frozenset[str]:
        """What may be written through pointers or as a target, by type."""
        return frozenset(
            pointed(access.kind)
            for access in self.accesses
            if access.write and (access.is_target or access.through_pointer)
        )

    @cached_property
    def shared(self) -> tuple[Access, ...]:
        """Accesses to variables of other units, one of each kind to a place."""
        places = {
            (access.key, access.write): access
            for access in reversed(self.accesses)
            if is_shared(access.key, self.unit)
        }
        return tuple(reversed(places.values()))

    @cached_property
    def own_names(self) -> dict[str, bool]:
        """Dummies and saved locals that are used: may they be written?"""
        names: dict[str, bool] = {}
        for access in self.accesses:
            if not is_shared(access.key, self.unit):
                name = access.symbol.name
                names[name] = names.get(name, False) or access.write
        return names


SummaryOf = Callable[[Unit], Summary]


def is_shared(key: str, unit: Unit) -> bool:
    """Does the place belong to another unit (module, host or COMMON) than `unit`?"""
    return _owner(key) != unit.qualified_name


def outlives(key: str, symbol: Symbol, unit: Unit) -> bool:
    """Does the place exist before and after a call of the unit?"""
    return is_shared(key, unit) or symbol.name in unit.args or is_saved(symbol)


def is_shared_term(term: str, unit: Unit) -> bool:
    """Does the operator of a term mean the same outside of `unit`? Parts name their object."""
    kind, colon, key = term.partition(":")
    named = kind in ("element", "array", "part", "lower")
    return not colon or not named or is_shared(key, unit)


@cache
def _owner(key: str) -> str:
    return key.partition("%")[0].partition("@")[0].rpartition("::")[0]
