"""Kernels of a draft that cannot stay: barred data, small tables, host loops over the same data."""

from dataclasses import dataclass, field

from acclimate.analysis.dependence.statements import inside
from acclimate.analysis.ir import Do, Unit
from acclimate.analysis.source import Lines
from acclimate.porter.device.device_code import references_in
from acclimate.porter.device.visits import Visits
from acclimate.porter.kernels.selection import Kernel
from acclimate.porter.names.conditionals import NEXT_STEP
from acclimate.porter.names.scope import Reference
from acclimate.porter.names.traversal import names_in
from acclimate.porter.planning.draft import Draft
from acclimate.porter.planning.visiting import Visiting
from acclimate.porter.residency.simple_statements import SimpleStatements
from acclimate.porter.rewrite import Refusal


@dataclass(frozen=True, eq=False)
class Withdrawals:
    """Looks through a complete draft; `found` has the reason by the place of the kernel.

    `visits`: kernels that may stay if data visit the device with them.
    """

    draft: Draft
    found: dict[Lines, Refusal] = field(default_factory=dict)
    visits: dict[Lines, Visits] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._withdraw_barred()
        self._withdraw_guarded()
        self._withdraw_scalar_tables()
        if self.draft.ground.thrifty:
            self._withdraw_unprofitable()
        self._withdraw_in_host_loops()
        if not self.found and not self.visits:
            self._withdraw_in_routines()

    def _withdraw_barred(self) -> None:
        barred = self.draft.classes.why_barred()
        for kernel in self.draft.kernels:
            data = self.draft.data[id(kernel)]
            away = [f for f in data.references if self.draft.classes.find(f.node) in barred]
            if any(found.node not in data.visiting for found in away):
                self._withdraw_or_visit(kernel, away, barred)

    def _withdraw_or_visit(
        self, kernel: Kernel, away: list[Reference], barred: dict[str, tuple[Lines, str]]
    ) -> None:
        data = self.draft.data[id(kernel)]
        declared = any(self.draft.is_mirrored(found.node) for found in away)  # always present
        if not self.draft.ground.thrifty and _is_chosen(kernel) and not declared:
            visits = Visiting(self.draft.ground.calls).of(kernel, data, away)
            if isinstance(visits, Visits):
                self.visits[kernel.offload.at] = visits
                return
        found = next(found for found in away if found.node not in data.visiting)
        at, reason = self.draft.classes.why(found.node, barred)
        self._withdraw(
            kernel, f"'{found.designator}' cannot stay on the device: {reason} ({at})",
            _way_out(found.designator, reason),
        )  # fmt: skip

    def _withdraw_guarded(self) -> None:
        """Where its guests cannot be copied it would run on the host, with stale copies."""
        for kernel in self.draft.kernels:
            data = self.draft.data[id(kernel)]
            for found in data.references if kernel.offload.guarded else ():
                stale = self.draft.is_behind(found.node) or found.node in data.writes
                if stale and found.node not in data.visiting:
                    guests = ", ".join(f"'{name}'" for name in kernel.offload.visiting)
                    self._withdraw(
                        kernel, f"it may have to run on the host, where '{found.designator}' is"
                        f" stale: {guests} may be no storage in one piece",
                        f"declare {guests} CONTIGUOUS, or leave the loop on the host",
                    )  # fmt: skip

    def _withdraw_scalar_tables(self) -> None:
        """A sum into a scalar that device routines read would reach one of its copies only."""
        for kernel in self.draft.kernels:
            for found in self.draft.mirrors.scalars(kernel):
                self._withdraw(
                    kernel, f"'{found.designator}' is reduced into and read by device routines",
                    "reduce into a local variable and assign it behind the loop",
                )  # fmt: skip

    def _withdraw_unprofitable(self) -> None:
        roots, find = self.draft.ground.roots, self.draft.classes.find
        small = {find(node) for node in roots.nodes()}
        small -= {find(node) for node in roots.nodes() if roots.is_field(node)}
        for kernel in filter(_is_chosen, self.draft.kernels):
            arrays = [f for f in self.draft.data[id(kernel)].references if f.is_array]
            if arrays and all(find(f.node) in small for f in arrays):
                self._withdraw(
                    kernel, "only small tables are touched; moving them costs more than the loop",
                    "none needed",
                )  # fmt: skip

    def _withdraw_in_routines(self) -> None:
        """No compute construct may stand in a procedure that kernels call."""
        for kernel in filter(_is_chosen, self.draft.kernels):
            unit = kernel.scope.unit
            if self.draft.ground.scopes.project.name_of(unit) in self.draft.routines:
                reason = f"kernels call '{unit.name}': the loop runs in each thread"
                self._withdraw(kernel, reason, "none needed")

    def _withdraw_in_host_loops(self) -> None:
        """A kernel inside a host loop that touches the same data would move it every iteration."""
        by_statement = {id(kernel.statement): kernel for kernel in self.draft.kernels}
        for unit in self.draft.ground.scopes.executable():
            for loop in inside(unit.body):
                if isinstance(loop, Do) and id(loop) not in by_statement:
                    self._host_loop(unit, loop, by_statement)

    def _host_loop(self, unit: Unit, loop: Do, by_statement: dict[int, Kernel]) -> None:
        kernels = [by_statement[id(s)] for s in inside(loop.body) if id(s) in by_statement]
        if not kernels:
            return
        scope = self.draft.ground.scopes.of(unit)
        without = SimpleStatements(self.draft.accesses, frozenset(), self.draft.inert)
        if without.accesses(scope, loop) is None:
            return
        covered = {id(s) for k in kernels for s in inside([k.statement])}
        moved: dict[str, str] = {}  # what the host works on, by class: where
        for statement in inside([loop]):
            if id(statement) not in covered:
                found = self.draft.accesses.of_statement(scope, statement)
                host = found.writes | {f for f in found.reads if self.draft.is_behind(f.node)}
                for reference in sorted(host, key=lambda f: f.designator):
                    place = f"'{reference.designator}' at {statement.at}"
                    moved.setdefault(self.draft.classes.find(reference.node), place)
        for kernel in kernels:
            for reference in self.draft.mirrors.written(self.draft.data[id(kernel)]):
                place = f"'{reference.designator}', which a kernel writes for the host"
                moved.setdefault(self.draft.classes.find(reference.node), place)
        thrifty = self.draft.ground.thrifty
        for kernel in filter(_is_chosen, kernels):
            if not thrifty and not _is_for_one_point(kernel):
                continue
            touched = {self.draft.classes.find(n) for n in self.draft.data[id(kernel)].touched}
            shared = sorted(moved[name] for name in touched & moved.keys())
            if shared:
                self._withdraw(
                    kernel,
                    f"the host loop around it ({loop.at}) works on the same data: {shared[0]}",
                    "make the outer loop parallel, or split it, or port what the host does there",
                )  # fmt: skip

    def _withdraw(self, kernel: Kernel, reason: str, next_step: str) -> None:
        at = kernel.offload.at
        self.found.setdefault(at, Refusal(at, reason, next_step))


def _is_chosen(kernel: Kernel) -> bool:
    """It does not stand in the model already; what such a one costs is its author's choice."""
    return kernel.offload.rule != "existing"


def _is_for_one_point(kernel: Kernel) -> bool:
    """Two loops around it choose the place it works on: it would be launched for each point."""
    around = {
        loop.index or ""
        for loop in inside(kernel.scope.unit.body)
        if isinstance(loop, Do) and any(s is kernel.statement for s in inside(loop.body))
    }
    used = {
        name
        for statement in inside([kernel.statement])
        for found in references_in(kernel.scope, statement)
        for subscript in found.subscripts or ()
        for name in names_in(subscript)
    }
    return len(around & used) > 1


def _way_out(designator: str, reason: str) -> str:
    """What a person could do about data that cannot stay on the device for `reason`."""
    if " under " in reason or reason.endswith("under a condition"):
        return NEXT_STEP
    if reason.endswith("unseen by its caller"):
        return (
            "take the called procedure in with --only or --exclude where it was left out,"
            " or pass it that data as an argument"
        )
    return (
        f"give '{designator}' its own plain array there and pass it whole and contiguous,"
        " or leave the loop on the host"
    )
