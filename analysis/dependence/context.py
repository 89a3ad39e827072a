"""Everything the parts of one walk share."""

from dataclasses import dataclass, field

from acclimate.analysis.dependence.affine import Affine, Values
from acclimate.analysis.dependence.aliasing import Storage, root
from acclimate.analysis.dependence.blind import Blind
from acclimate.analysis.dependence.bounds import DeclaredBounds
from acclimate.analysis.dependence.conditions import Prover
from acclimate.analysis.dependence.coverage import Coverage
from acclimate.analysis.dependence.effort import Effort
from acclimate.analysis.dependence.expressions import Expressions
from acclimate.analysis.dependence.interest import Interest, Need, needed
from acclimate.analysis.dependence.neighbours import Neighbours
from acclimate.analysis.dependence.records import Record
from acclimate.analysis.dependence.state import State
from acclimate.analysis.flow.structuring import Structuring
from acclimate.analysis.ir import Expr, Symbol, Unit
from acclimate.analysis.project import Project

_NEIGHBOURS = 4  # of a place, forgotten in the time of one step


@dataclass(slots=True)
class Context:
    """`modified` holds the keys that may be written anywhere in the walked statements.

    `reallocated` holds those of them whose allocation an assignment or a callee may change.
    A `blind` walk learns of no region that it is surely written: all reads are exposed.
    """

    project: Project
    unit: Unit
    storage: Storage
    expressions: Expressions
    structuring: Structuring
    modified: frozenset[str]
    reallocated: frozenset[str]
    bounds: DeclaredBounds
    interest: Interest
    effort: Effort
    blind: bool = False
    values: Values = field(default_factory=Values)
    state: State = field(default_factory=State)
    record: Record = field(default_factory=Record)
    enclosing: list[int] = field(default_factory=list)  # atoms of the inner loops we are in
    aliases: dict[str, Expr] = field(default_factory=dict)  # ASSOCIATE names
    prover: Prover = field(init=False)
    coverage: Coverage = field(init=False)
    _written: Neighbours = field(init=False)
    _met: Neighbours = field(init=False)  # whose values are, or were, of interest
    _initial: dict[str, Affine] = field(default_factory=dict)
    _needs: dict[tuple[str, bool], Need] = field(default_factory=dict)
    _changes: dict[str, int] = field(default_factory=dict)  # by area

    def __post_init__(self) -> None:
        self.prover = Prover(self.values, self.effort)
        coverage = Blind if self.blind else Coverage
        self.coverage = coverage(self.values, self.prover)
        self._written = Neighbours(self.storage, sorted(self.modified))
        self._met = Neighbours(self.storage)

    def fresh(self) -> Affine:
        return self.values.opaque(tuple(self.enclosing))

    def is_modified(self, key: str) -> bool:
        """May the walked statements change the place?"""
        return self._written.touch(key)

    def need(self, key: str, symbol: Symbol, *, is_aliased: bool) -> Need:
        """How much of a read of the place is to be noted."""
        found = self._needs.get((key, is_aliased))
        if found is None:
            found = self._needs[key, is_aliased] = needed(
                self.interest,
                self.unit,
                key,
                symbol,
                is_aliased=is_aliased,
                is_modified=self.is_modified(key),
            )
        return found

    def value_of(self, key: str) -> Affine:
        """The present value of a scalar place, or a version of what an array holds."""
        value = self.state.values.get(key)
        if value is not None:
            return value
        self._met.add(key)
        changed = tuple(
            form
            for other in self._met.of(key)
            if (form := self.state.values.get(other)) is not None
        )
        return self.values.term(f"part:{key}", changed) if changed else self.initial_value(key)

    def initial_value(self, key: str) -> Affine:
        found = self._initial.get(key)
        if found is None:
            at_entry = self.values.at_start if self.is_modified(key) else self.values.entry
            found = self._initial[key] = at_entry(key)
        return found

    def is_reallocated(self, key: str, is_aliased: bool) -> bool:
        """May the walked statements change the allocation, bounds or length of the place?

        Of what a pointer may point to, they may change it under any name.
        """
        return (is_aliased and bool(self.reallocated)) or any(
            self.storage.overlapping(key, other) for other in self.reallocated
        )

    def changes_to(self, key: str) -> int:
        """How often the walk has met writes to the storage area of the place."""
        return self._changes.get(root(key), 0)

    def forget_all(self, keys: tuple[str, ...]) -> None:
        """The places may have been written: nothing is known of them any more."""
        for key in keys:
            self.forget(key)

    def forget(self, key: str, value: Affine | None = None) -> None:
        """The place has been written: drop what was known of it and of what overlaps it."""
        area = root(key)
        self._changes[area] = self._changes.get(area, 0) + 1
        self._met.add(key)
        neighbours = self._met.of(key)
        self.effort.spend(1 + len(neighbours) // _NEIGHBOURS)
        for other in neighbours:
            self.state.values[other] = self.fresh()
        self.state.values[key] = self.fresh() if value is None else value
