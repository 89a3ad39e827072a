"""One consistent draft of a port for a given set of kernels."""

from dataclasses import dataclass, field
from functools import cached_property

from acclimate.analysis.dependence.statements import inside
from acclimate.analysis.ir import Symbol, Unit, UnitKind
from acclimate.porter.device.routines import Routines
from acclimate.porter.kernels.kernel_data import KernelData, kernel_data
from acclimate.porter.kernels.selection import Kernel
from acclimate.porter.names.call_sites import CallSites
from acclimate.porter.names.conditionals import Region
from acclimate.porter.names.scope import Scopes
from acclimate.porter.planning.host_procedures import HostProcedures
from acclimate.porter.residency.allocations import Allocations
from acclimate.porter.residency.birth_order import BirthOrder
from acclimate.porter.residency.brackets import Brackets, Setting
from acclimate.porter.residency.classes import ClassBuilder, Classes
from acclimate.porter.residency.configurations import Conditions, Configurations
from acclimate.porter.residency.containers import ContainerBars, Containers
from acclimate.porter.residency.host_accesses import HostAccesses
from acclimate.porter.residency.mirrors import Mirrors
from acclimate.porter.residency.object_types import ObjectTypes, is_deferred_array
from acclimate.porter.residency.objects import Objects, ObjectSetting
from acclimate.porter.residency.roots import Root, Roots
from acclimate.porter.residency.simple_statements import SimpleStatements
from acclimate.porter.residency.statics import Statics, is_private
from acclimate.porter.residency.storage import Storage, StorageSetting, is_static
from acclimate.porter.residency.twins import asked_by_element, twins
from acclimate.porter.residency.updates import UpdateSite, UpdateWriter
from acclimate.porter.text.margins import Margins
from acclimate.porter.text.placement import Insertion


@dataclass(frozen=True, eq=False)
class Ground:
    """What holds for every draft of one project.

    `thrifty`: a kernel has to be worth what it moves. Where a program is one file it may be a
    piece of something larger, whose sizes are not known: every loop that may run is offloaded,
    and data that cannot stay on the device visit it.
    """

    scopes: Scopes
    calls: CallSites
    roots: Roots
    allocations: Allocations
    margins: Margins
    routines: Routines
    thrifty: bool = True

    @cached_property
    def object_types(self) -> ObjectTypes:
        return ObjectTypes(self.scopes)

    @cached_property
    def born(self) -> frozenset[str]:
        """Nodes of variables and components that some statement allocates."""
        return frozenset(
            birth.found.node
            for unit in self.scopes.executable()
            for birth in self.allocations.births(self.scopes.of(unit))
        )

    @cached_property
    def asked_by_element(self) -> frozenset[str]:
        return asked_by_element(self.scopes, self.roots)


@dataclass(eq=False)
class Draft:
    """Residency for a set of kernels; `withdrawals` says which of them cannot stay."""

    ground: Ground
    kernels: list[Kernel]
    data: dict[int, KernelData] = field(default_factory=dict)
    insertions: dict[str, list[Insertion]] = field(default_factory=dict)
    sites: list[UpdateSite] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._project = self.ground.scopes.project
        self.data = {id(kernel): kernel_data(kernel) for kernel in self.kernels}
        self.launches = frozenset(id(kernel.statement) for kernel in self.kernels)
        self._by_unit: dict[int, list[Kernel]] = {}
        for kernel in self.kernels:
            self._by_unit.setdefault(id(kernel.scope.unit), []).append(kernel)
        called = {name for kernel in self.kernels for name in kernel.routines}
        self.routines = self.ground.routines.closure(called)
        self._touched = {node for data in self.data.values() for node in data.resident}
        self.declared = self._declared()
        self.host = HostProcedures(
            self.ground.scopes, self.ground.calls, frozenset(self.routines), self._launching,
            lambda node: node in self._touched,
        )  # fmt: skip
        self.classes: Classes = ClassBuilder(
            self.ground.scopes,
            self.ground.calls,
            self.host.holds,
            self.ground.allocations.allocates,
        ).build()
        find = self.classes.find
        self._resident = {find(node) for node in self._touched} | {find(n) for n in self.declared}
        written = {node for data in self.data.values() for node in data.writes}
        self._written = {find(node) for node in written}
        self._mirrored = {find(node) for node in self.declared}
        self._mirrored |= twins(self.ground.asked_by_element, self.ground.roots, find)
        self.containers = Containers(
            self.ground.object_types, self.ground.born, self.is_resident, self.is_written
        )
        self.mirrors = Mirrors(self.ground.margins, self.is_mirrored, self.classes.bar)
        self.accesses = HostAccesses(
            self.is_resident,
            self.host.holds,
            lambda scope, call, callee: self.host.accesses(self.is_resident, scope, call, callee),
        )
        self._inert: dict[int, bool] = {}
        self._whole: dict[int, Region] = {}

    # --- questions -------------------------------------------------------------------------------

    def kernels_of(self, unit: Unit) -> list[Kernel]:
        return self._by_unit.get(id(unit), [])

    def is_resident(self, node: str) -> bool:
        return self.classes.find(node) in self._resident

    def is_on_device(self, node: str) -> bool:
        """Resident data, or storage of objects that hold some."""
        return self.is_resident(node) or self.containers.enters(node)

    def is_written(self, node: str) -> bool:
        """Some kernel writes the storage."""
        return self.classes.find(node) in self._written

    def is_mirrored(self, node: str) -> bool:
        """Both copies of the storage are kept valid: device routines read it, or it is a twin."""
        return self.classes.find(node) in self._mirrored

    def is_behind(self, node: str) -> bool:
        """The host's copy of the storage may be out of date."""
        return self.is_written(node) and not self.is_mirrored(node)

    def own_variables(self, unit: Unit) -> list[str]:
        """Resident arrays that live as long as a procedure, or as the main program."""
        return [
            name
            for name, symbol in sorted(unit.symbols.items())
            if symbol.owner is unit
            and name not in unit.args
            and not symbol.is_parameter
            and not symbol.attributes & {"allocatable", "pointer"}
            and (symbol.common is None or unit.kind is UnitKind.PROGRAM)
            and self._is_own(self.ground.scopes.node(unit, symbol), symbol)
        ]

    def _is_own(self, node: str, symbol: Symbol) -> bool:
        return (symbol.is_array and self.is_resident(node)) or self.containers.enters(node)

    def inert(self, unit: Unit) -> bool:
        """A call of the procedure launches nothing and touches no resident data."""
        known = self._inert.get(id(unit))
        if known is None:
            self._inert[id(unit)] = True  # recursion adds nothing new
            known = self._inert[id(unit)] = self._is_inert(unit)
        return known

    def _is_inert(self, unit: Unit) -> bool:
        scope = self.ground.scopes.of(unit)
        if self._project.name_of(unit) in self._launching or self.ground.allocations.births(scope):
            return False
        for statement in inside(unit.body):
            if self.accesses.of_statement(scope, statement):
                return False
        return all(self.inert(callee) for callee in self.ground.calls.callees(unit))

    @cached_property
    def _launching(self) -> frozenset[str]:
        return frozenset(self._project.name_of(k.scope.unit) for k in self.kernels)

    def _declared(self) -> dict[str, Root]:
        """Static module data that device routines read."""
        nodes = {n for name in self.routines for n in self.ground.routines.module_data(name)}
        return {node: root for node in sorted(nodes) for root in self.ground.roots.of(node)}

    # --- the plan --------------------------------------------------------------------------------

    def complete(self) -> None:
        """Plan storage and brackets of all units, and bar what cannot be followed."""
        self._bar_rootless()
        objects = ContainerBars(
            self.ground.scopes, self.ground.calls, self.ground.allocations, self.containers,
            self.classes,
        )  # fmt: skip
        objects.plan()
        self._bar_objects()
        self._bar_nameless()
        self._conditions()
        for unit in self.ground.scopes.executable():
            self._unit(unit)
        self._statics()
        objects.pass_on()

    def _unit(self, unit: Unit) -> None:
        ground, scope, bar = self.ground, self.ground.scopes.of(unit), self.classes.bar
        name = self._project.name_of(unit)
        new = self.insertions.setdefault(name, [])
        storage = Storage(
            StorageSetting(
                scope,
                self.is_on_device,
                ground.allocations,
                ground.margins,
                ground.scopes.conditionals,
                bar,
            )  # fmt: skip
        )
        objects = Objects(
            ObjectSetting(
                scope,
                self.is_resident,
                self._siblings,
                ground.allocations,
                BirthOrder(ground.scopes, ground.calls, ground.allocations, self.containers),
                ground.margins,
                bar,
            )  # fmt: skip
        )
        objects.plan()
        new += objects.insertions
        if self.host.holds(unit):
            return
        storage.plan()
        new += storage.insertions
        writer = UpdateWriter(name, ground.margins, self.is_written, self.is_behind)
        setting = Setting(
            scope, self.accesses, self.launches, self.inert, objects.before_entry, bar,
            ground.scopes.conditionals, lambda statement: self._whole.get(id(statement)),
        )  # fmt: skip
        Brackets(setting, writer).walk()
        new += writer.insertions
        self.sites += writer.sites
        for kernel in self.kernels_of(unit):
            for insertion, site in self.mirrors.behind(name, kernel, self.data[id(kernel)]):
                new.append(insertion)
                self.sites.append(site)

    def _conditions(self) -> None:
        """Take in what the configurations that are not compiled here would do."""
        ground = self.ground
        configurations = Configurations(
            Conditions(
                scopes=ground.scopes,
                roots=ground.roots,
                allocations=ground.allocations,
                resident=self.is_resident,
                on_device=self.is_on_device,
                inert=self.inert,
                holds=self.host.holds,
                used_by_call=self.host.outside,
                simple=SimpleStatements(self.accesses, self.launches, self.inert),
                bar=self.classes.bar,
            )
        )
        configurations.plan()
        self.accesses.beside = configurations.beside
        self._whole = configurations.whole
        self._inert.clear()

    def _in_common(self, node: str) -> list[Root]:
        """Declarations of a resident member of a COMMON block."""
        roots = self.ground.roots.of(node) if self.is_resident(node) else []
        return [root for root in roots if root.symbol.common is not None]

    def _siblings(self, node: str) -> frozenset[str]:
        """Resident array components of the type a component belongs to."""
        owner = node.rsplit("%", 1)[0] + "%"
        return frozenset(
            other
            for other in self.ground.roots.nodes()
            if other.startswith(owner)
            and self.is_resident(other)
            and any(is_deferred_array(root.symbol) for root in self.ground.roots.of(other))
        )

    def _statics(self) -> None:
        ground = self.ground
        statics = Statics(ground.scopes, ground.margins, self.classes.bar)
        statics.require(root for n in ground.roots.nodes() for root in self._in_common(n))
        declared, entered = dict(self.declared), []
        for node in ground.roots.nodes():
            for root in ground.roots.of(node):
                if not self.is_on_device(node) or not needs_entry(root) or node in declared:
                    continue
                if is_private(root):
                    declared[node] = root
                else:
                    entered.append(root)
        self.declared = declared
        for unit, insertion in [*statics.declared(declared.values()), *statics.entered(entered)]:
            self.insertions.setdefault(self._project.name_of(unit), []).append(insertion)

    # --- storage that cannot be resident ---------------------------------------------------------

    def _bar_rootless(self) -> None:
        rooted = {self.classes.find(node) for node in self.ground.roots.nodes()}
        rooted |= set(self.classes.why_barred())  # a better reason is known
        reached = self.ground.calls.reached
        for kernel in (k for k in self.kernels if id(k.scope.unit) in reached):
            for found in self.data[id(kernel)].references:
                if self.classes.find(found.node) not in rooted:
                    reason = f"no call in the project passes storage to '{found.designator}'"
                    self.classes.bar(found.node, found.symbol.at, reason)

    def _bar_objects(self) -> None:
        """Components need their object on the device; it is entered where it gets components."""
        entered = {
            birth.found.node.rsplit("%", 1)[0]
            for unit in self.ground.scopes.executable()
            for birth in self.ground.allocations.births(self.ground.scopes.of(unit))
            if birth.found.path and self.is_resident(birth.found.node)
        }
        for kernel in self.kernels:
            for found in self.data[id(kernel)].references:
                kind = found.node.rpartition("%")[0]
                if found.path and kind not in entered and not self.containers.is_deep(kind):
                    reason = f"objects like '{found.root.name}' never enter the device"
                    self.classes.bar(found.node, found.symbol.at, reason)

    def _bar_nameless(self) -> None:
        """Data a call touches on the host must have a name where the update has to stand."""
        for unit in self.ground.scopes.executable():
            if self.host.holds(unit):
                continue
            scope = self.ground.scopes.of(unit)
            for site in self.ground.calls.of(unit):
                for callee in site.invocation.candidates:
                    if not self.host.holds(callee):
                        continue
                    for found, written in self.host.nameless(scope, site.invocation, callee):
                        if self.is_resident(found.node) and (written or self.is_behind(found.node)):
                            reason = (
                                f"'{callee.name}' uses '{found.designator}' unseen by its caller"
                            )
                            self.classes.bar(found.node, site.statement.at, reason)


def needs_entry(root: Root) -> bool:
    """A static variable of a module: neither allocated nor a component."""
    return (
        root.owner.kind is UnitKind.MODULE
        and not root.is_component
        and not root.symbol.attributes & {"allocatable", "pointer"}
        and is_static(root.owner, root.symbol)
    )
