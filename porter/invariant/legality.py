"""The invariant of residency, checked on the ported text itself.

Outside a bracket the device copy of resident data is the valid one. The check reads the port again
and follows each procedure statement by statement: what the host reads must have been brought to it
since the last launch, what it writes must go to the device before the next. It shares with the
planner what statements access, but none of its grouping.
"""

from collections.abc import Iterable

from acclimate.analysis.dependence.statements import inside
from acclimate.analysis.directives import parse
from acclimate.analysis.index import ProjectIndex
from acclimate.analysis.ir import Directive, If, Jump, Unit, UnitKind
from acclimate.analysis.names.namelists import visible_name
from acclimate.analysis.project import Project
from acclimate.analysis.tree.manifest import Manifest
from acclimate.porter.device.routines import Routines
from acclimate.porter.invariant.host_walk import HostWalk, Violation
from acclimate.porter.invariant.reread import read_ported
from acclimate.porter.kernels.selection import standing_kernels
from acclimate.porter.names.call_sites import CallSites
from acclimate.porter.names.scope import Scope, Scopes
from acclimate.porter.planning.draft import Draft, Ground, needs_entry
from acclimate.porter.residency.allocations import Allocations
from acclimate.porter.residency.roots import Roots
from acclimate.porter.residency.storage import is_static
from acclimate.porter.text.margins import Margins


class BrokenInvariant(ValueError):
    """The assembled port breaks the invariant; the units named must not land."""

    def __init__(self, violations: tuple[Violation, ...]) -> None:
        self.violations = violations
        self.units = tuple(sorted({violation.unit for violation in violations}))
        first = violations[0]
        super().__init__(f"{first.at}: {first.message} (and {len(violations) - 1} more)")


def violations(index: ProjectIndex, ported: dict[str, bytes]) -> tuple[Violation, ...]:
    """Every place of a port where the invariant is broken, by file and line of the PORTED text.

    Args:
        index: the original model.
        ported: the files that differ from the original.
    """
    return broken(reread(index.project.manifest, ported))


def reread(manifest: Manifest, ported: dict[str, bytes]) -> Draft:
    """A port read again, its own kernels in place of planned ones."""
    ground = _ground(read_ported(manifest, ported))
    scopes = [ground.scopes.of(unit) for unit in ground.scopes.executable()]
    return Draft(ground, [kernel for scope in scopes for kernel in standing_kernels(scope)])


def broken(draft: Draft, units: Iterable[Unit] | None = None) -> tuple[Violation, ...]:
    """Every place where the directives of some units (None: of all) break the invariant."""
    scopes = draft.ground.scopes
    found: list[Violation] = []
    for unit in scopes.executable() if units is None else units:
        if not draft.host.holds(unit):
            found += HostWalk(draft, scopes.of(unit), _directives(unit)).violations()
            found += _storage(draft, scopes.of(unit))
    found += _statics(draft)
    return tuple(sorted(found, key=lambda violation: (violation.at, violation.message)))


def _ground(project: Project) -> Ground:
    scopes = Scopes(project)
    return Ground(
        scopes=scopes,
        calls=CallSites(scopes),
        roots=Roots(scopes),
        allocations=Allocations(scopes),
        margins=Margins(project.texts, project.form),
        routines=Routines(scopes, frozenset()),
    )


def _directives(unit: Unit) -> list[Directive]:
    return sorted((d for d in unit.directives if d.sentinel == "acc"), key=lambda d: d.at)


def _storage(draft: Draft, scope: Scope) -> list[Violation]:
    """Resident variables that get storage without being entered, or lose it without leaving."""
    unit = scope.unit
    name = scope.project.name_of(unit)
    entered = _named(unit, "enter data", "create", "copyin")
    left = _named(unit, "exit data", "delete", "copyout")
    updated = _named(unit, "update", "device")
    found: list[Violation] = []
    births = draft.ground.allocations.births(scope)
    for birth in births:
        if draft.is_on_device(birth.found.node):
            at, designator = birth.place.statement.at, birth.found.designator
            again = [b.place.statement.at.first for b in births if b.found.designator == designator]
            end = _next_on_the_way(unit, at.last, again)
            objects = [designator.rsplit("%", n)[0] for n in range(len(birth.found.path) + 1)]
            if draft.containers.is_deep(birth.found.node.rpartition("%")[0]):
                lines = [n for part in objects[1:] for n in updated.get(part, ()) if at.last < n]
                known = min(lines, default=None)
                entry = min((n for n in entered.get(designator, ()) if at.last < n), default=0)
                if known is None or not _some_on_the_way(unit, at.last, lines, entry):
                    message = f"'{designator}' gets storage, of which its object is not told"
                    found.append(Violation(name, at, message))
                objects = [designator]
            for part in objects:
                lines = [line for line in entered.get(part, ()) if at.last < line]
                if not _some_on_the_way(unit, at.last, lines, end if part == designator else None):
                    message = f"'{designator}' gets storage, but '{part}' never enters the device"
                    found.append(Violation(name, at, message))
    for death in draft.ground.allocations.deaths(scope):
        if draft.is_on_device(death.found.node):
            at = death.place.statement.at
            if not any(line < at.first for line in left.get(death.found.designator, ())):
                message = f"'{death.found.designator}' loses its storage while on the device"
                found.append(Violation(name, at, message))
    exits = 0 if unit.kind is UnitKind.PROGRAM else _exits(unit)
    for variable in draft.own_variables(unit):
        if not entered.get(variable):
            found.append(Violation(name, unit.at, f"local '{variable}' never enters the device"))
        elif len(left.get(variable, ())) < exits and not is_static(unit, unit.symbols[variable]):
            message = f"the procedure is left while local '{variable}' is on the device"
            found.append(Violation(name, unit.end, message))
    return found


def _some_on_the_way(unit: Unit, start: int, lines: Iterable[int], end: int | None) -> bool:
    """Some of the lines is passed whenever `start` is, before the line `end` is reached."""
    before = [line for line in lines if end is None or line <= end]
    return _next_on_the_way(unit, start, before) is not None


def _next_on_the_way(unit: Unit, start: int, lines: Iterable[int]) -> int | None:
    """The first of the lines behind `start` that is in no branch `start` is not in."""
    here = _branches_around(unit, start)
    return min((n for n in lines if n > start and _branches_around(unit, n) <= here), default=None)


def _branches_around(unit: Unit, line: int) -> frozenset[tuple[int, int]]:
    """The branches of IF constructs that a line stands in, as first and last line."""
    found: set[tuple[int, int]] = set()
    for statement in inside(unit.body):
        if isinstance(statement, If) and statement.at.first <= line <= statement.end.last:
            starts = [branch.at.first for branch in statement.branches]
            ends = [*(start - 1 for start in starts[1:]), statement.end.last]
            found |= {(a, b) for a, b in zip(starts, ends, strict=True) if a < line <= b}
    return frozenset(found)


def _exits(unit: Unit) -> int:
    """How many ways lead out of a procedure: each RETURN, and its END if it can be reached."""
    returns = sum(isinstance(s, Jump) and s.keyword == "return" for s in inside(unit.body))
    last = unit.body[-1] if unit.body else None
    return returns + (not (isinstance(last, Jump) and last.keyword == "return"))


def _statics(draft: Draft) -> list[Violation]:
    """Static module data that neither the main program enters nor its module declares."""
    ground = draft.ground
    programs = [u for u in ground.scopes.executable() if u.kind is UnitKind.PROGRAM]
    found: list[Violation] = []
    for node in ground.roots.nodes():
        for root in ground.roots.of(node):
            if not draft.is_on_device(node) or not needs_entry(root):
                continue
            declared = _named(root.owner, "declare", "create", "copyin").get(root.symbol.name)
            names = {visible_name(ground.scopes.project, unit, root.symbol) for unit in programs}
            entered = [_named(unit, "enter data", "create", "copyin") for unit in programs]
            if not declared and not any(names & set(lines) for lines in entered):
                module = ground.scopes.project.name_of(root.owner)
                message = f"static '{root.symbol.name}' never enters the device"
                found.append(Violation(module, root.symbol.at, message))
    return found


def _named(unit: Unit, construct: str, *clauses: str) -> dict[str, list[int]]:
    """Lines of the directives of one kind that name an object, by object."""
    found: dict[str, list[int]] = {}
    for directive in unit.directives:
        if directive.sentinel == "acc" and parse(directive).name == construct:
            for argument in parse(directive).arguments(*clauses):
                found.setdefault(argument, []).append(directive.at.first)
    return found
