"""Host accesses to resident data, bracketed by updates where they stand.

The invariant, kept by every procedure alone: outside a bracket the device copy of resident data is
the valid one. Adjacent host statements that launch nothing share a bracket; a host loop without
launches is one statement of such a group; block IFs and loops with launches are entered.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace

from acclimate.analysis.dependence.statements import bodies, inside
from acclimate.analysis.ir import (
    Allocate,
    Associate,
    Do,
    If,
    Jump,
    Name,
    OpaqueStatement,
    PointerAssignment,
    Statement,
    Unit,
)
from acclimate.analysis.source import Lines
from acclimate.porter.device.device_code import references
from acclimate.porter.names.conditionals import Conditionals, Region
from acclimate.porter.names.scope import Reference, Scope
from acclimate.porter.names.settled import is_settled
from acclimate.porter.names.traversal import last_line
from acclimate.porter.residency.host_accesses import Accesses, HostAccesses
from acclimate.porter.residency.receives import Receives
from acclimate.porter.residency.simple_statements import SimpleStatements, jump_targets
from acclimate.porter.residency.updates import Group, UpdateWriter, by_name
from acclimate.porter.residency.valid_copies import ValidCopies

Bar = Callable[[str, Lines, str], None]
"""Reports a storage node whose host access cannot be bracketed: node, place, reason."""


@dataclass(frozen=True, eq=False)
class Setting:
    """What the walk over one procedure needs to know of the rest of the plan."""

    scope: Scope
    host: HostAccesses
    launches: frozenset[int]  # id() of the statements that became kernels
    inert: Callable[[Unit], bool]  # procedures that launch nothing and touch no resident data
    before_entry: Callable[[Statement, Reference], bool]  # storage not yet entered there
    bar: Bar
    conditionals: Conditionals
    whole: Callable[[Statement], Region | None]  # the region that is bracketed as one


class Brackets:
    """Walks one procedure and hands its groups of host accesses to the writer."""

    def __init__(self, setting: Setting, writer: UpdateWriter) -> None:
        self._set = setting
        self._writer = writer
        self._scope = setting.scope
        self._targets = jump_targets(setting.scope.unit.body)
        self._simple = SimpleStatements(setting.host, setting.launches, setting.inert)
        self._receives = Receives()
        self._valid = ValidCopies(setting.scope, setting.conditionals)
        self._group: Group | None = None
        self._region: Region | None = None  # that the group stands in
        self._associates: list[Associate] = []  # those around
        self._closed_at = 0  # the last line of the last closed group or launch
        self._born: dict[str, int] = {}  # designator: the line its last ALLOCATE ends on

    def walk(self) -> None:
        """Bracket the whole procedure."""
        self._block(self._scope.unit.body)
        for found in self._receives.unfinished():
            self._bar(found, self._scope.unit.at, "no wait for a receive stands in this procedure")

    def _block(self, body: list[Statement]) -> None:
        for statement in body:
            if id(statement) in self._set.launches:
                self._close()
                self._valid.forget()
                self._closed_at = max(self._closed_at, last_line(statement))
                continue
            if statement.label in self._targets:
                self._close()
                self._valid.forget()
            if isinstance(statement, PointerAssignment):
                self._close()
            found = self._simple.accesses(self._scope, statement)
            if found is not None:
                self._host(statement, self._entered(statement, found), body)
            else:
                self._construct(statement)
        self._close()

    def _construct(self, statement: Statement) -> None:
        match statement:
            case If(is_construct=True):
                self._opening(statement, again=False)
                before, ends = self._valid.branch(), []
                for branch in statement.branches:
                    self._valid.back_to(before)
                    self._block(branch.body)
                    ends.append(self._valid.branch())
                self._valid.back_to(before)
                self._valid.joined(statement, ends)
            case Do():
                self._opening(statement, again=statement.condition is not None)
                self._check_terminal(statement)
                self._valid.forget()
                self._block(statement.body)
                self._valid.forget()
            case Associate():
                self._close()
                self._valid.forget()
                outer = self._scope
                self._scope = outer.within(statement)
                self._associates.append(statement)
                self._block(statement.body)
                self._associates.pop()
                self._scope = outer
                self._valid.forget()
            case OpaqueStatement():
                self._close()
                self._valid.forget()
                self._opaque(statement)
            case If():
                found = self._set.host.of_statement(self._scope, statement)
                for inner in inside(statement.branches[0].body):
                    found.add(self._set.host.of_statement(self._scope, inner))
                found.fills.clear()
                self._alone(statement, found)
                self._valid.forget()
            case _:
                self._alone(statement, self._set.host.of_statement(self._scope, statement))
                self._valid.forget()
                if isinstance(statement, Allocate):
                    for born in filter(None, map(self._scope.reference, statement.objects)):
                        self._born[born.designator] = last_line(statement)

    # --- groups ----------------------------------------------------------------------------------

    def _host(self, statement: Statement, found: Accesses, body: list[Statement]) -> None:
        completed = self._receives.completed(self._scope, statement, body)
        self._receives.start(self._scope, statement, body, found)
        for buffer, together in completed:
            if not together and self._writer.keeps_device_values(buffer.node):
                self._bar(buffer, statement.at, "a receive and its wait stand apart")
            found.writes.add(buffer)
            found.fills.add(buffer)
        if not found:
            return
        self._check_place(statement, found)
        if any(r.varying or _may_be_absent(r) for r in found.all):
            self._close()
            self._alone(statement, found)
            return
        region = self._set.conditionals.around(statement.at)
        whole = self._set.whole(statement)
        if region != self._region or self._is_parted(statement):
            self._close()
        self._region = region
        last = whole.at.last if whole is not None else last_line(statement)
        if self._group is None:
            self._group = Group(statement.at, last, above=whole.at.first if whole else 0)
        self._group.take(found, last)

    def _is_parted(self, statement: Statement) -> bool:
        """Code that is not compiled here stands between the group and a statement."""
        return self._group is not None and any(
            region.left_out and self._group.last < region.at.first <= statement.at.first
            for region in self._set.conditionals.outermost(statement.at.file)
        )

    def _alone(self, statement: Statement, found: Accesses) -> None:
        """A bracket of its own: the statement may launch, jump, or name `s(n)%q`."""
        self._close()
        found = self._entered(statement, found)
        if not found:
            return
        self._check_place(statement, found)
        self._check_varying(statement, found)
        if self._set.whole(statement) is not None:
            for reference in sorted(found.all, key=by_name):
                self._bar(reference, statement.at, "an element of an array of objects")
        group = Group(statement.at, last_line(statement))
        group.take(found, last_line(statement))
        self._emit(group)
        self._closed_at = max(self._closed_at, group.last)

    def _opening(self, statement: If | Do, *, again: bool) -> None:
        """What the first statement of a construct reads is brought to the host before it."""
        self._opened(statement, again=again)
        if not self._simple.calls_inert(self._scope, statement):
            self._valid.forget()

    def _opened(self, statement: If | Do, *, again: bool) -> None:
        self._close()
        found = self._entered(statement, self._set.host.of_statement(self._scope, statement))
        if not found:
            return
        self._check_place(statement, found)
        self._check_varying(statement, found)
        for reference in sorted(found.all, key=by_name):
            if again or reference in found.writes:
                self._bar(reference, statement.at, "used by a condition that is evaluated again")
        group = Group(statement.at, statement.at.last)
        group.take(Accesses(reads=found.reads), statement.at.last)
        self._emit(group)

    def _close(self) -> None:
        if self._group is not None:
            self._emit(self._group)
            self._closed_at = max(self._closed_at, self._group.last)
        self._group = None

    def _emit(self, group: Group) -> None:
        if group.at.file != self._scope.unit.at.file:
            for found in sorted(group.wanted | group.written, key=by_name):
                self._bar(found, group.at, "used on the host in an include file")
            return
        wanted = {found for found in group.wanted if not self._valid.has(found)}
        self._writer.emit(replace(group, wanted=wanted))
        self._valid.brought(group.wanted | group.written)

    # --- what cannot be bracketed ----------------------------------------------------------------

    def _entered(self, statement: Statement, found: Accesses) -> Accesses:
        """Accesses to storage that the device has already.

        Behind an ALLOCATE on the same line the host has the only copy: it is not read back.
        """
        early = {f for f in found.all if self._set.before_entry(statement, f)}
        early |= {f for f in found.reads - found.writes if f.varying and not self._writer.wants(f)}
        new = {f for f in found.all if self._born.get(f.designator) == statement.at.first}
        if not early and not new:
            return found
        writes = found.writes - early
        return Accesses(found.reads - early - new, writes, found.fills - early | new & writes)

    def _bar(self, found: Reference, at: Lines, reason: str) -> None:
        self._set.bar(found.node, at, f"'{found.designator}': {reason}")

    def _check_place(self, statement: Statement, found: Accesses) -> None:
        for reference in sorted(found.all, key=by_name):
            end = Lines(statement.at.file, last_line(statement), last_line(statement))
            if self._set.conditionals.around(statement.at) != self._set.conditionals.around(end):
                self._bar(reference, statement.at, "a condition begins or ends in this statement")
            if statement.at.first <= self._closed_at:
                self._bar(reference, statement.at, "shares its line with a launch or another group")
            if statement.label in self._targets:
                self._bar(reference, statement.at, "used by a statement that is jumped to")

    def _check_varying(self, statement: Statement, found: Accesses) -> None:
        for reference in sorted(found.all, key=by_name):
            if not all(
                is_settled(self._scope, reference, around)
                for around in [statement, *self._associates]
            ):
                reason = "which object that is may change in the statement, or be asked in it"
                self._bar(reference, statement.at, reason)
            elif any(self._writer.wants(used) for used in self._subscripts(reference)):
                self._bar(reference, statement.at, "a subscript of it lives on the device")
            elif not self._is_evaluated(statement, reference):
                reason = "the statement may end without it, and which object that is may mean none"
                self._bar(reference, statement.at, reason)

    def _subscripts(self, reference: Reference) -> list[Reference]:
        """Arrays that choose the object: to be on the host before an update can name it."""
        found = (each for index in reference.indices for each in references(self._scope, index))
        return [each for each in found if each.is_array]

    def _is_evaluated(self, statement: Statement, reference: Reference) -> bool:
        """Is the object named wherever the statement is executed, so that it is there?

        A loop is taken to run at least once, unless its bounds ask for what chooses the object.
        """
        if not reference.varying and not _may_be_absent(reference):
            return True
        return not any(bodies(statement)) or self._is_surely_named([statement], reference)

    def _is_surely_named(self, body: list[Statement], reference: Reference) -> bool:
        for statement in body:
            if reference in self._set.host.of_statement(self._scope, statement).all:
                return True
            if isinstance(statement, Do) and self._is_surely_named(statement.body, reference):
                return True
            if any(isinstance(inner, Jump) for inner in inside([statement])):
                return False
        return False

    def _check_terminal(self, statement: Do) -> None:
        """Behind the last statement of a labelled DO there is no place inside the loop."""
        if not statement.body or statement.end != statement.body[-1].at:
            return
        last = statement.body[-1]
        found = self._set.host.of_statement(self._scope, last)
        for reference in sorted(found.writes, key=by_name):
            self._bar(reference, last.at, "written by the last statement of a labelled DO")

    def _opaque(self, statement: OpaqueStatement) -> None:
        reason = f"used where the reader stopped: {statement.reason}"
        words = self._scope.words(statement)
        for name in sorted(words):
            found = self._scope.reference(Name(name))
            if found is not None:
                self._bar(found, statement.at, reason)
        for node in sorted(self._scope.component_nodes):
            if node.rpartition("%")[2] in words:
                self._set.bar(node, statement.at, f"'{node.rpartition('%')[2]}': {reason}")


def _may_be_absent(reference: Reference) -> bool:
    """A component of an OPTIONAL object; of an array that is absent, an update does nothing."""
    return bool(reference.path) and "optional" in reference.root.attributes
