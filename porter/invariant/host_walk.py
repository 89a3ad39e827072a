"""Follows one ported procedure and reports host accesses outside their brackets."""

from dataclasses import dataclass, field

from acclimate.analysis.directives import parse
from acclimate.analysis.ir import (
    Allocate,
    Associate,
    Directive,
    Do,
    If,
    Jump,
    PointerAssignment,
    Statement,
)
from acclimate.analysis.source import Lines
from acclimate.porter.invariant.switched_kernels import SwitchedKernels
from acclimate.porter.names.scope import Reference, Scope
from acclimate.porter.names.traversal import last_line
from acclimate.porter.planning.draft import Draft
from acclimate.porter.residency.host_accesses import Accesses
from acclimate.porter.residency.receives import Receives
from acclimate.porter.residency.simple_statements import SimpleStatements, jump_targets
from acclimate.porter.residency.valid_copies import leaves_early
from acclimate.porter.text.fortran_text import fortran


@dataclass(frozen=True, slots=True)
class Violation:
    """A place of the ported text where host and device copies may disagree."""

    unit: str
    at: Lines
    message: str


def _is_update(statement: Statement) -> bool:
    """An ASSOCIATE construct around nothing but directives."""
    return isinstance(statement, Associate) and not statement.body


@dataclass
class _Copies:
    """What is known of both copies at a place.

    `fresh`: host copies that are valid; `pending`: host writes that the device does not have yet;
    `owed`: mirrored data that a kernel has written and the host does not have yet.
    """

    fresh: set[str] = field(default_factory=set)
    pending: dict[str, Lines] = field(default_factory=dict)
    owed: dict[str, Lines] = field(default_factory=dict)

    def branch(self) -> "_Copies":
        return _Copies(set(self.fresh), {})


class HostWalk:
    """One walk over one procedure of the port."""

    def __init__(self, draft: Draft, scope: Scope, directives: list[Directive]) -> None:
        self._draft = draft
        self._scope = scope
        self._name = scope.project.name_of(scope.unit)
        self._directives = directives
        self._simple = SimpleStatements(draft.accesses, draft.launches, draft.inert)
        self._receives = Receives()
        self._targets = jump_targets(scope.unit.body)
        self._written = {id(k.statement): draft.data[id(k)] for k in draft.kernels_of(scope.unit)}
        self._found: list[Violation] = []
        self._switched = SwitchedKernels(draft, scope, directives, self._report)

    def violations(self) -> list[Violation]:
        """Everything that breaks the invariant in this procedure."""
        unit = self._scope.unit
        self._block(unit.body, _Copies(), unit.specification_end.last, unit.end.first)
        self._switched.finish()
        return self._found

    def _report(self, at: Lines, message: str) -> None:
        self._found.append(Violation(self._name, at, message))

    # --- statement lists -------------------------------------------------------------------------

    def _block(self, body: list[Statement], copies: _Copies, start: int, end: int) -> None:
        """Walk a list whose text lies between the lines `start` and `end`."""
        for number, statement in enumerate(body):
            if statement.label in self._targets:
                copies.fresh.clear()
            self._switched.at(body, number, start, end)
            self._updates(copies, start, statement.at.first, {})
            self._nothing_owed(copies)
            if not _is_update(statement):
                self._nothing_pending(copies, "another statement", elements_only=True)
            if isinstance(statement, PointerAssignment):
                copies.fresh.clear()
            self._statement(statement, body, copies)
            copies.fresh -= {name for name in copies.fresh if "(" in name}  # an index may change
            start = max(start, last_line(statement))
        self._updates(copies, start, end, {})
        self._nothing_owed(copies)
        self._nothing_pending(copies, "the end of the block")

    def _statement(self, statement: Statement, body: list[Statement], copies: _Copies) -> None:
        if id(statement) in self._draft.launches:
            self._nothing_pending(copies, "a kernel")
            copies.fresh.clear()
            for written in self._draft.mirrors.written(self._written[id(statement)]):
                copies.owed[written.designator] = statement.at
            return
        found = self._simple.accesses(self._scope, statement)
        if found is not None and isinstance(statement, Associate) and _is_update(statement):
            aliases = {name: fortran(selector) for name, selector in statement.associations}
            self._updates(copies, statement.at.first, statement.end.last, aliases)
        elif found is not None:
            self._access(statement, self._received(statement, body, found), copies)
        else:
            self._construct(statement, copies)

    def _construct(self, statement: Statement, copies: _Copies) -> None:
        host = self._draft.accesses
        match statement:
            case If(is_construct=True):
                self._access(statement, host.of_statement(self._scope, statement), copies)
                if not self._simple.calls_inert(self._scope, statement):
                    self._nothing_pending(copies, "a call that may launch kernels")
                    copies.fresh.clear()
                self._branches(statement, copies)
            case Do():
                self._access(statement, host.of_statement(self._scope, statement), copies)
                self._nothing_pending(copies, "a loop that is entered")
                round_trip = _Copies()
                self._block(statement.body, round_trip, statement.at.last, statement.end.last)
                copies.fresh.clear()  # EXIT may leave it anywhere
            case Associate():
                outer = self._scope
                self._scope = outer.within(statement)
                self._block(statement.body, copies, statement.at.last, statement.end.first)
                self._scope = outer
            case Jump():
                self._access(statement, host.of_statement(self._scope, statement), copies)
                self._nothing_pending(copies, f"{statement.keyword.upper()}")
            case If():
                inner_copies = copies.branch()
                found = host.of_statement(self._scope, statement)
                for inner in statement.branches[0].body:
                    found.add(host.of_statement(self._scope, inner))
                self._called(statement, found, inner_copies, copies)
            case _:
                found = host.of_statement(self._scope, statement)
                self._called(statement, found, copies, copies)
                if isinstance(statement, Allocate):
                    born = filter(None, map(self._scope.reference, statement.objects))
                    copies.fresh |= {reference.designator for reference in born}

    def _branches(self, statement: If, copies: _Copies) -> None:
        starts = [branch.at.last for branch in statement.branches]
        ends = [*(branch.at.first for branch in statement.branches[1:]), statement.end.first]
        kept: set[str] | None = None
        for branch, start, end in zip(statement.branches, starts, ends, strict=True):
            inner = copies.branch()
            self._block(branch.body, inner, start, end)
            kept = inner.fresh if kept is None else kept & inner.fresh
        copies.fresh &= kept or set()
        if leaves_early(statement):
            copies.fresh.clear()

    def _called(
        self, statement: Statement, found: Accesses, before: _Copies, after: _Copies
    ) -> None:
        """A statement that may launch kernels while it runs."""
        self._nothing_pending(after, "a call that may launch kernels")
        self._access(statement, found, before)
        after.fresh.clear()
        after.pending |= before.pending

    # --- accesses and updates --------------------------------------------------------------------

    def _access(self, statement: Statement, found: Accesses, copies: _Copies) -> None:
        for reference in sorted(found.all, key=lambda f: f.designator):
            if self._host_owned(statement, reference):
                continue
            name = reference.designator
            wanted = reference in found.reads or reference not in found.fills
            if wanted and self._draft.is_behind(reference.node) and name not in copies.fresh:
                self._report(
                    statement.at, f"the host uses '{name}' without `update self({name})` before it"
                )
            if reference in found.writes:
                copies.pending[name] = statement.at
                copies.fresh.add(name)

    def _host_owned(self, statement: Statement, reference: Reference) -> bool:
        """The object gets its storage in this procedure and enters the device further down."""
        for birth in self._draft.ground.allocations.births(self._scope):
            if birth.found.designator == reference.designator and birth.found.path:
                return statement.at.first <= self._entry_line(reference.designator)
            if self._draft.containers.is_deep(birth.found.node.rpartition("%")[0]):
                continue  # the object has been there all the time
            owner = birth.found.designator.rpartition("%")[0]
            if owner and reference.designator.startswith(f"{owner}%") and self._once(owner):
                return statement.at.first <= self._entry_line(owner)
        return False

    def _once(self, owner: str) -> bool:
        """The object enters on the way through this procedure, and does not leave in it."""
        deaths = self._draft.ground.allocations.deaths(self._scope)
        births = self._draft.ground.allocations.births(self._scope)
        mine = [b for b in births if b.found.designator.rpartition("%")[0] == owner]
        stays = not any(d.found.designator.rpartition("%")[0] == owner for d in deaths)
        return stays and all(b.place.block is self._scope.unit.body for b in mine)

    def _entry_line(self, designator: str) -> int:
        entries = [
            directive.at.first
            for directive in self._directives
            if parse(directive).name == "enter data"
            and designator in parse(directive).arguments("create", "copyin")
        ]
        return min(entries, default=0)

    def _received(self, statement: Statement, body: list[Statement], found: Accesses) -> Accesses:
        for buffer, _ in self._receives.completed(self._scope, statement, body):
            found.writes.add(buffer)
            found.fills.add(buffer)
        self._receives.start(self._scope, statement, body, found)
        return found

    def _updates(self, copies: _Copies, first: int, last: int, aliases: dict[str, str]) -> None:
        """Apply the update directives between two lines, those without a condition."""
        for directive in self._directives:
            if not first < directive.at.first <= last:
                continue
            construct = parse(directive)
            if construct.name != "update" or any(c.name == "if" for c in construct.clauses):
                continue
            for argument in construct.arguments("self", "host"):
                copies.fresh.add(argument)
                copies.owed.pop(argument, None)
            for argument in construct.arguments("device"):
                copies.pending.pop(aliases.get(argument, argument), None)

    def _nothing_pending(self, copies: _Copies, where: str, *, elements_only: bool = False) -> None:
        """Everything changed is on the device: of objects with subscripts at once, or all."""
        for name, at in sorted(copies.pending.items()):
            if "(" in name or not elements_only:
                message = f"'{name}' is changed on the host; `update device({name})` before {where}"
                self._report(at, f"{message} is missing")
                copies.pending.pop(name)

    def _nothing_owed(self, copies: _Copies) -> None:
        for name, at in sorted(copies.owed.items()):
            message = f"a kernel changes '{name}'; `update self({name})` right behind it is missing"
            self._report(at, message)
        copies.owed.clear()
