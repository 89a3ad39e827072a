"""Residency in every configuration: what stands under a preprocessor condition.

Storage must enter and leave the device whatever is defined. Where a branch that is not compiled
names resident data, the whole conditional region stands in one bracket, or the data is barred.
"""

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field

from acclimate.analysis.dependence.statements import inside
from acclimate.analysis.ir import Do, Name, Unit
from acclimate.analysis.names.resolution import Procedures
from acclimate.analysis.source import Lines
from acclimate.porter.device.conditional_code import words
from acclimate.porter.device.device_code import references_in
from acclimate.porter.names.conditionals import Region
from acclimate.porter.names.scope import Reference, Scope, Scopes
from acclimate.porter.residency.allocations import Allocations, Standing, standing
from acclimate.porter.residency.roots import Roots
from acclimate.porter.residency.simple_statements import SimpleStatements, jump_targets

_JUMPS = re.compile(r"\b(return|exit|cycle|go\s*to|entry|include)\b|#\s*include")
_HARD = re.compile(
    r"\b(allocate|deallocate|nullify|move_alloc|use|subroutine|function|program|module|contains"
    r"|associate|block|select|stop)\b|=>|::"
    r"|^(real|integer|logical|complex|double\s*precision|character|dimension|common|data|type"
    r"|save|parameter|pointer|target|allocatable|equivalence|namelist|external)\b"
)


@dataclass(frozen=True, eq=False)
class Conditions:
    """What has to be known of a draft to judge the conditional regions of a project."""

    scopes: Scopes
    roots: Roots
    allocations: Allocations
    resident: Callable[[str], bool]
    on_device: Callable[[str], bool]  # resident, or objects that hold resident data
    inert: Callable[[Unit], bool]
    holds: Callable[[Unit], bool]  # procedures accessed for at their calls
    used_by_call: Callable[[Unit], Iterable[Reference]]
    simple: SimpleStatements
    bar: Callable[[str, Lines, str], None]


@dataclass(eq=False)
class Configurations:
    """Bars what a condition decides on; `whole` are the statements of regions bracketed whole."""

    given: Conditions
    whole: dict[int, Region] = field(default_factory=dict)
    beside: dict[int, frozenset[Reference]] = field(default_factory=dict)

    def plan(self) -> None:
        for unit in self.given.scopes.project.units.values():
            self._storage(unit)
        for file in sorted(self.given.scopes.project.texts):
            for region in self.given.scopes.conditionals.outermost(file):
                if region.left_out:
                    self._region(region)

    # --- storage ---------------------------------------------------------------------------------

    def _storage(self, unit: Unit) -> None:
        """Declarations, ALLOCATE and DEALLOCATE under a condition that the unit is not under."""
        given = self.given
        scope = given.scopes.of(unit)
        for name, symbol in sorted(unit.symbols.items()):
            is_object = (symbol.type or "").startswith("type(")
            if symbol.owner is not unit or symbol.is_parameter:
                continue
            if symbol.is_array or is_object:
                node = scope.node(symbol)
                self._conditional(unit, node, symbol.at, f"'{name}' is declared", is_own=True)
        for derived in unit.types.values():
            for name, symbol in sorted(derived.components.items()):
                node = given.scopes.component_nodes[id(symbol)]
                self._conditional(unit, node, symbol.at, f"'{name}' is declared", is_own=True)
        if not unit.body:
            return
        for birth in given.allocations.births(scope):
            at, own = birth.place.statement.at, birth.found.root.owner is unit
            what = f"'{birth.found.designator}' is allocated"
            self._conditional(unit, birth.found.node, at, what, is_own=own)
        for death in given.allocations.deaths(scope):
            at, own = death.place.statement.at, death.found.root.owner is unit
            what = f"'{death.found.designator}' is deallocated"
            self._conditional(unit, death.found.node, at, what, is_own=own)

    def _conditional(self, unit: Unit, node: str, at: Lines, what: str, *, is_own: bool) -> None:
        region = self.given.scopes.conditionals.around(at)
        if region is None or not self.given.on_device(node):
            return
        if is_own and region == self.given.scopes.conditionals.around(unit.at):
            return
        self.given.bar(node, at, f"{what} under {region}")

    # --- code that is not compiled here ----------------------------------------------------------

    def _region(self, region: Region) -> None:
        """What the branches left out name: bracketed with the region, or barred."""
        named = {word for text in region.left_out for word in words(text)}
        around = list(self._units(region))
        standing_in = [unit for unit in around if _holds(unit, region)]
        units = standing_in or around
        scopes = [self.given.scopes.of(unit) for unit in units]
        found = {r for scope in scopes for r in self._resident(scope, named)}
        if any(_JUMPS.search(text) for text in region.left_out):
            found |= {r for scope in scopes for r in self._used(scope)}
        called = {c for scope in scopes for c in _procedures(scope, named)}
        active = [unit for unit in called if not self.given.inert(unit)]
        for node in self._components(named) | {n for c in active for n in self._behind(c)}:
            self._bar(node, region)
        is_plain = not any(_HARD.search(t) or _JUMPS.search(t) for t in region.left_out)
        can_stay = len(standing_in) == 1 and is_plain and not active
        if can_stay and self._bracket(standing_in[0], region, found):
            return
        if active:
            found |= {r for scope in scopes for r in self._in_host_loops(scope, region)}
        for reference in found:
            self._bar(reference.node, region)
        if "use" in named or not any(_encloses(unit, region) for unit in around):
            for node in self._elsewhere(named):
                self._bar(node, region)

    def _bar(self, node: str, region: Region) -> None:
        if self.given.resident(node):
            name = re.split(r"[:%]+", node)[-1]
            reason = f"code under {region} that is not compiled here uses '{name}'"
            self.given.bar(node, region.at, reason)

    def _units(self, region: Region) -> Iterator[Unit]:
        """Programs and procedures that have lines in common with a region."""
        for unit in self.given.scopes.executable():
            last = min(unit.end.last, region.at.last)
            if unit.at.file == region.at.file and max(unit.at.first, region.at.first) <= last:
                yield unit

    def _resident(self, scope: Scope, named: set[str]) -> set[Reference]:
        """Resident arrays that go by one of these names in a unit."""
        found = {scope.reference(Name(name)) for name in named}
        return {r for r in found if r is not None and r.is_array and self.given.resident(r.node)}

    def _used(self, scope: Scope) -> set[Reference]:
        """Resident data that a unit itself uses."""
        return {
            found
            for statement in inside(scope.unit.body)
            for found in references_in(scope, statement)
            if self.given.resident(found.node)
        }

    def _in_host_loops(self, scope: Scope, region: Region) -> set[Reference]:
        """What host loops around a region use: a bracket is open while code in it may launch."""
        found: set[Reference] = set()
        for loop in inside(scope.unit.body):
            if isinstance(loop, Do) and loop.at.first < region.at.first < loop.end.last:
                accesses = self.given.simple.accesses(scope, loop)
                found |= accesses.all if accesses is not None else set()
        return found

    def _components(self, named: set[str]) -> set[str]:
        return {n for n in self.given.roots.nodes() if "%" in n and n.rsplit("%", 1)[1] in named}

    def _elsewhere(self, named: set[str]) -> set[str]:
        """Storage of these names anywhere: a region around whole units may use any module."""
        return {n for n in self.given.roots.nodes() if re.split(r"[:%]+", n)[-1] in named}

    def _behind(self, callee: Unit) -> set[str]:
        """Storage that a call adds to the classes of a procedure's dummies, or touches on its own.

        Dummies of a procedure that another configuration calls may get storage unknown here.
        """
        scope = self.given.scopes.of(callee)
        dummies = {scope.reference(Name(name)) for name in callee.args}
        nodes = {found.node for found in dummies if found is not None and found.is_array}
        if self.given.holds(callee):
            nodes |= {found.node for found in self.given.used_by_call(callee)}
        return nodes

    def _bracket(self, unit: Unit, region: Region, found: set[Reference]) -> bool:
        """Let the compiled statements of a region stand for all its branches, if they can."""
        if not found:
            return True
        here = [place for place in standing(unit.body) if region.contains(place.statement.at)]
        within = {id(s) for p in here for s in inside([p.statement]) if s is not p.statement}
        top = [place for place in here if id(place.statement) not in within]
        if not top or self.given.holds(unit) or self._storage_moves(unit, region, found):
            return False
        if not all(self._can_carry(unit, place, top[0]) for place in top):
            return False
        self.beside[id(top[0].statement)] = frozenset(found)
        self.whole |= {id(place.statement): region for place in top}
        return True

    def _can_carry(self, unit: Unit, place: Standing, first: Standing) -> bool:
        return (
            place.block is first.block
            and place.one_line_if is None
            and place.statement.label not in jump_targets(unit.body) - {None}
            and self.given.simple.accesses(self.given.scopes.of(unit), place.statement) is not None
        )

    def _storage_moves(self, unit: Unit, region: Region, found: set[Reference]) -> bool:
        """Some of the data has no storage yet, or none any more, where the region stands."""
        scope, nodes = self.given.scopes.of(unit), {reference.node for reference in found}
        births = (b for b in self.given.allocations.births(scope) if b.found.node in nodes)
        deaths = (d for d in self.given.allocations.deaths(scope) if d.found.node in nodes)
        return any(b.place.statement.at.last > region.at.first for b in births) or any(
            d.place.statement.at.first < region.at.last for d in deaths
        )


def _holds(unit: Unit, region: Region) -> bool:
    """The region stands among the executable statements of the unit itself."""
    inner = any(i.at.first <= region.at.last and region.at.first <= i.end.last
                for i in unit.units.values())  # fmt: skip
    return (
        bool(unit.body)
        and not inner
        and unit.body[0].at.first <= region.at.last
        and unit.specification_end.last < region.at.first
        and region.at.last < unit.end.first
    )


def _encloses(unit: Unit, region: Region) -> bool:
    return unit.at.last < region.at.first and region.at.last < unit.end.first


def _procedures(scope: Scope, named: set[str]) -> Iterator[Unit]:
    """Procedures of the project that go by one of these names in a unit."""
    for name in sorted(named):
        found = scope.project.resolve(scope.unit, name)
        if isinstance(found, Procedures):
            yield from found.candidates
