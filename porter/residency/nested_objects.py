"""Components that get storage in objects which are on the device: which of them go together."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from acclimate.analysis.source import Lines
from acclimate.porter.names.scope import Scope
from acclimate.porter.names.settled import is_settled
from acclimate.porter.residency.allocations import Birth
from acclimate.porter.residency.birth_order import BirthOrder
from acclimate.porter.residency.containers import Containers
from acclimate.porter.residency.object_types import DEFERRED, Part

Bar = Callable[[str, Lines, str], None]


@dataclass(frozen=True, eq=False)
class Group:
    """All components that are allocated in one object: `name` is its designator, `kind` its type.

    `holders`: nodes of components that hold objects, whose values count.
    """

    name: str
    kind: str
    births: list[Birth]
    holders: frozenset[str]

    def filled(self, birth: Birth) -> bool:
        """Values of the component are needed on the device from the start."""
        return birth.filled or birth.found.node in self.holders


@dataclass(eq=False)
class NestedObjects:
    """Gathers the births of one procedure; what cannot be followed is reported through `bar`."""

    scope: Scope
    containers: Containers
    order: BirthOrder
    bar: Bar
    _births: dict[tuple[str, str, int], list[Birth]] = field(default_factory=dict)

    def take(self, birth: Birth) -> None:
        """Add a birth; those of components that are not on the device are left aside."""
        found = birth.found
        kind = found.node.rpartition("%")[0]
        if found.node not in self.containers.deferred_in(kind):
            return
        parts = self.containers.types.parts(self.scope.unit, found)
        if not parts:
            self.bar(found.node, birth.place.statement.at, f"'{found.designator}' is inherited")
            return
        place = self._object(parts)
        key = place.designator, place.kind, id(birth.place.block)
        self._births.setdefault(key, []).append(birth)

    def groups(self) -> Iterator[Group]:
        """Objects whose components enter together, with their births."""
        for (name, kind, _), births in sorted(self._births.items(), key=_place):
            complaint = self._complaint(name, kind, births)
            for birth in births if complaint else ():
                self.bar(birth.found.node, birth.place.statement.at, complaint)
            if not complaint:
                nodes = {birth.found.node for birth in births}
                yield Group(name, kind, births, frozenset(filter(self.containers.enters, nodes)))

    def _object(self, parts: list[Part]) -> Part:
        """The object to update: the one around the component, or a mixed one that it lies in."""
        chosen = parts[-2]
        for part in reversed(parts[:-1]):
            if self.containers.is_mixed(part.kind):
                chosen = part
            if part.symbol.attributes & DEFERRED:
                break
        return chosen

    def _complaint(self, name: str, kind: str, births: list[Birth]) -> str:
        if any(birth.place.one_line_if for birth in births):
            return f"a component of '{name}' is allocated under a condition"
        if self.containers.is_mixed(kind) and self.containers.arrays_in(kind):
            return f"'{name}' holds an array of objects beside allocated components"
        born = {birth.found.designator for birth in births}
        if len(born) < len(births):
            return f"a component of '{name}' is allocated twice"
        for path, node in self._expected(kind):
            later = "%" in path and self.order.follows(kind, node)
            if f"{name}%{path}" not in born and not later:
                return f"component '{path}' of '{name}' is allocated elsewhere"
        first, last = births[0].place, births[-1].place
        for birth in (b for others in self._births.values() for b in others):
            is_between = first.statement.at <= birth.place.statement.at <= last.statement.at
            within = birth.found.designator.startswith(tuple(f"{b}{s}" for b in born for s in "(%"))
            if is_between and within:
                return f"'{birth.found.designator}' is allocated before all of '{name}' is"
        between = first.block[first.block.index(first.statement) :]
        for statement in between[: between.index(last.statement) + 1]:
            if not is_settled(self.scope, births[0].found, statement):
                return f"the subscripts in '{name}' may change while its components are allocated"
        return ""

    def _expected(self, kind: str) -> list[tuple[str, str]]:
        """Components that have to be allocated together: path from the object, and node."""
        if self.containers.is_mixed(kind):
            return [(path, node) for path, node, _ in self.containers.below_in_storage(kind)]
        return [(node.rpartition("%")[2], node) for node in self.containers.deferred_in(kind)]


def _place(item: tuple[tuple[str, str, int], list[Birth]]) -> tuple[Lines, str]:
    return item[1][0].place.statement.at, item[0][0]
