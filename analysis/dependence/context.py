"""Everything the parts of one walk share."""

from collections.abc import Callable
from dataclasses import dataclass, field

from acclimate.analysis.dependence.affine import Affine, Values
from acclimate.analysis.dependence.aliasing import Places, Storage, WrittenKeys, root
from acclimate.analysis.dependence.conditions import Prover
from acclimate.analysis.dependence.coverage import Coverage
from acclimate.analysis.dependence.records import Record
from acclimate.analysis.dependence.state import State
from acclimate.analysis.ir import Expr, Unit
from acclimate.analysis.project import Project


@dataclass(slots=True)
class Context:
    """`modified` holds the keys that may be written anywhere in the walked statements.

    `stable` tells whether a key keeps its value from the entry of the unit to its end, so that
    declared bounds that mention it can be compared with later values of it.
    """

    project: Project
    unit: Unit
    storage: Storage
    places: Places
    modified: frozenset[str]
    stable: Callable[[str], bool]
    values: Values = field(default_factory=Values)
    state: State = field(default_factory=State)
    record: Record = field(default_factory=Record)
    enclosing: list[int] = field(default_factory=list)  # atoms of the inner loops we are in
    aliases: dict[str, Expr] = field(default_factory=dict)  # ASSOCIATE names
    prover: Prover = field(init=False)
    coverage: Coverage = field(init=False)
    _written: WrittenKeys = field(init=False)
    _neighbours: dict[str, dict[str, None]] = field(default_factory=dict)  # area -> keys met

    def __post_init__(self) -> None:
        self.prover = Prover(self.values)
        self.coverage = Coverage(self.values, self.prover)
        self._written = WrittenKeys(self.storage, self.modified)

    def fresh(self) -> Affine:
        return self.values.opaque(tuple(self.enclosing))

    def is_modified(self, key: str) -> bool:
        """May the walked statements change the place?"""
        return self._written.touch(key)

    def value_of(self, key: str) -> Affine:
        """The present value of a scalar place."""
        value = self.state.values.get(key)
        if value is None:
            self._neighbours.setdefault(root(key), {})[key] = None
            return self.initial_value(key)
        return value

    def initial_value(self, key: str) -> Affine:
        return self.values.at_start(key) if self.is_modified(key) else self.values.entry(key)

    def contents_of(self, key: str) -> Affine:
        """The present version of the contents of the storage a place lies in."""
        area = root(key)
        version = self.state.contents.get(area)
        return self.initial_contents(area) if version is None else version

    def initial_contents(self, area: str) -> Affine:
        name = f"contents:{area}"
        changed = self._written.touch_area(area)
        return self.values.at_start(name) if changed else self.values.entry(name)

    def forget_all(self, keys: frozenset[str]) -> None:
        """The places may have been written: nothing is known of them any more."""
        for key in sorted(keys):
            self.forget(key)

    def forget(self, key: str, value: Affine | None = None) -> None:
        """The place has been written: drop what was known of it and of what overlaps it."""
        area = root(key)
        self.state.contents[area] = self.fresh()
        neighbours = self._neighbours.setdefault(area, {})
        neighbours[key] = None
        for other in neighbours:
            if other != key and self.storage.overlapping(key, other):
                self.state.values[other] = self.fresh()
        self.state.values[key] = self.fresh() if value is None else value
