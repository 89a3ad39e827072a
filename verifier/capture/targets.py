"""Procedures whose calls can be written down and replayed, and the variables that takes."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import cached_property

from acclimate.analysis.dependence.procedures import Summaries
from acclimate.analysis.dependence.records import Access, Trait
from acclimate.analysis.dependence.statements import inside
from acclimate.analysis.ir import Do, Forall, InputOutput, Symbol, Unit, UnitKind, Where
from acclimate.analysis.names.resolution import Variable
from acclimate.analysis.project import Project
from acclimate.verifier.capture.variables import (
    Blocked,
    Leaf,
    Node,
    leaves,
    node,
    state_of,
    structures,
)

RESULT = "(result)"
RANDOM = "(random numbers)"  # the state of their generator
_LOOPING = (Do, Where, Forall, InputOutput)
_WITH_STATEMENTS = (UnitKind.PROGRAM, UnitKind.SUBROUTINE, UnitKind.FUNCTION)
_IN, _BOTH, _OUT = "i", "b", "o"
_OUT_OF_SIGHT = {
    Trait.MPI: "communicates with other processes",
    Trait.EXTERNAL: "calls a procedure that is not in the model",
    Trait.UNRESOLVED: "uses a name that nothing known declares",
    Trait.OPAQUE: "has a statement that is not understood",
    Trait.DUMMY_PROCEDURE: "calls a procedure that it is given",
    Trait.POINTER: "makes pointers point elsewhere",
    Trait.CLOCK: "reads the clock",
    Trait.VOLATILE: "uses VOLATILE variables",
    Trait.ALTERNATE_RETURN: "has alternate returns",
}


@dataclass(frozen=True)
class Target:
    """A procedure to capture and replay.

    `listed` holds the variables of its list with their direction: "i"(n), "o"(ut) or "b"(oth);
    `own` are SAVE variables and COMMON members that only the procedure itself can reach.
    """

    name: str
    unit: Unit
    arguments: tuple[Node, ...]
    own: tuple[Node, ...]
    result: Leaf | None
    listed: dict[str, str] = field(hash=False)


@dataclass(frozen=True)
class Refused:
    """A procedure that cannot be replayed by itself, and why."""

    name: str
    why: str


class Targets:
    """Looks for targets in one project."""

    def __init__(self, project: Project) -> None:
        self.project = project
        self.summaries = Summaries(project)

    def of(self, name: str) -> Target | Refused:
        """The procedure as a target."""
        unit = self.project.units.get(name)
        if unit is None:
            return Refused(name, "there is no such procedure")
        why = _form(self.project, unit) or self._acts(unit)
        return Refused(name, why) if why else self._listed(name, unit)

    @cached_property
    def callers(self) -> dict[str, tuple[str, ...]]:
        """Callers of each procedure."""
        found: dict[str, list[str]] = {}
        for name, unit in self.project.units.items():
            if unit.kind is UnitKind.INTERFACE_BODY:
                continue
            for callee in self.summaries.callees(unit):
                found.setdefault(self.project.name_of(callee), []).append(name)
        return {name: tuple(callers) for name, callers in found.items()}

    def around(self, name: str) -> tuple[tuple[Target, ...], str]:
        """The procedure or, where that is refused, the nearest around it; why, if there is none.

        A procedure without loops on single values is called too often to look at each of its calls.
        """
        first = self.of(name)
        if isinstance(first, Target) and not self._is_small(first):
            return (first,), ""
        found = self._hosts(name)
        if isinstance(first, Target):
            return found or (first,), ""
        return found, first.why

    def _hosts(self, name: str) -> tuple[Target, ...]:
        hosts: dict[str, Target] = {}
        seen, waiting = {name}, [name]
        while waiting:
            current = waiting.pop(0)
            unit = self.project.units.get(current)
            around = list(self.callers.get(current, ()))
            if unit is not None and unit.parent is not None and not around:
                around = [self.project.name_of(unit.parent)]
            for caller in around:
                if caller in seen:
                    continue
                seen.add(caller)
                found = self.of(caller)
                if isinstance(found, Target) and not self._is_small(found):
                    hosts[caller] = found
                else:
                    waiting.append(caller)
        return tuple(hosts.values())

    def is_read(self, name: str) -> bool:
        """Whether any procedure may read a shared or saved variable before it writes it."""
        return any(
            name == key or key.startswith(f"{name}%") or name.startswith(f"{key}%")
            for key in self._read
        )

    @cached_property
    def _read(self) -> frozenset[str]:
        procedures = (u for u in self.project.units.values() if u.kind in _WITH_STATEMENTS)
        return frozenset(
            access.key
            for unit in procedures
            for access in self.summaries.of(unit).accesses
            if not access.write
        )

    def knows(self, name: str) -> bool:
        """Whether the project still has a shared or saved variable of another version."""
        owner, _, path = name.partition("%")[0].rpartition("::")
        unit = self.project.units.get(owner)
        return unit is not None and path in unit.symbols

    def _is_small(self, target: Target) -> bool:
        """Without loops, with single values for arguments, and calling nothing else but such."""
        if not target.arguments or not _is_single(target.arguments):
            return False
        waiting, seen = [target.unit], {target.name}
        while waiting:
            unit = waiting.pop()
            if any(isinstance(statement, _LOOPING) for statement in inside(unit.body)):
                return False
            called = [
                u for u in self.summaries.callees(unit) if self.project.name_of(u) not in seen
            ]
            seen |= {self.project.name_of(each) for each in called}
            waiting += called
        return True

    def _acts(self, unit: Unit) -> str:
        for flag in self.summaries.of(unit).flags:
            if flag.trait in _OUT_OF_SIGHT:
                return f"it {_OUT_OF_SIGHT[flag.trait]}: {flag.detail} ({flag.at})"
        return ""

    def _listed(self, name: str, unit: Unit) -> Target | Refused:
        arguments = tuple(
            node(self.project, unit, _symbol(self.project, unit, arg), arg, arg)
            for arg in unit.args
        )
        own = tuple(_own_state(self.project, unit))
        result = _result(self.project, unit)
        if isinstance(result, Blocked):
            return Refused(name, result.why)
        listed = _Listing(self.project, unit, arguments, own)
        summary = self.summaries.of(unit)
        for access in (*summary.accesses, *summary.asked):
            listed.note(access)
        listed.note_arguments()
        if listed.why:
            return Refused(name, listed.why)
        if result is not None:
            listed.names[RESULT] = _OUT
        if all(way == _IN or name == RANDOM for name, way in listed.names.items()):
            return Refused(name, "it leaves nothing behind but what it writes to files")
        return Target(name, unit, arguments, own, result, dict(sorted(listed.names.items())))


class _Listing:
    """The list of one procedure, grown access by access."""

    def __init__(
        self, project: Project, unit: Unit, arguments: tuple[Node, ...], own: tuple[Node, ...]
    ) -> None:
        self.project, self.unit, self.why = project, unit, ""
        self.names: dict[str, str] = {RANDOM: _BOTH}
        self.arguments, self.own = arguments, own

    def note(self, access: Access) -> None:
        prefix = f"{self.unit.qualified_name}::"
        key = access.key
        nodes: tuple[Node, ...]
        if key.startswith(prefix) and access.symbol.name in self.unit.args:
            key, nodes = key[len(prefix) :], self.arguments
        elif key.startswith("common:"):  # other units may cut the block up in another way
            block = key.partition("#")[0].partition("%")[0]
            self._take(block, self.own, _BOTH)
            return
        elif key.startswith(prefix):
            nodes = self.own
        else:
            owner = self.project.units.get(key.partition("%")[0].rpartition("::")[0])
            if owner is None or owner.kind is not UnitKind.MODULE:
                self._refuse(f"it reaches `{key}`, which no module owns")
                return
            nodes = state_of(self.project, owner)
        self._take(key, nodes, _BOTH if access.write else _IN)

    def note_arguments(self) -> None:
        """All arguments are needed for a call, used or not; of structures, what is used."""
        for argument in self.arguments:
            if isinstance(argument, Blocked):
                self._refuse(argument.why)
            elif isinstance(argument, Leaf):
                self.names.setdefault(argument.name, _IN)
            else:
                for structure in structures(argument):
                    self.names.setdefault(structure.name, _IN)

    def _take(self, key: str, nodes: tuple[Node, ...], direction: str) -> None:
        found = False
        for leaf in (leaf for each in nodes for leaf in leaves(each)):
            if not (leaf.name == key or leaf.name.startswith(f"{key}%")):
                continue
            found = True
            if isinstance(leaf, Blocked):
                self._refuse(leaf.why)
            elif leaf.name not in self.names or direction == _BOTH:
                self.names[leaf.name] = direction
        if not found:
            self._refuse(f"it reaches `{key}`, which cannot be written down")

    def _refuse(self, why: str) -> None:
        self.why = self.why or why


def _is_single(arguments: Iterable[Node]) -> bool:
    return all(isinstance(each, Leaf) and not each.rank for each in arguments)


def _form(project: Project, unit: Unit) -> str:
    """Why the way the procedure is written keeps it from being replayed; "" if it does not."""
    if unit.kind not in (UnitKind.SUBROUTINE, UnitKind.FUNCTION):
        return "it is no procedure"
    if unit.parent is not None and unit.parent.kind is not UnitKind.MODULE:
        return "it is an internal procedure: nothing else can call it"
    if unit.prefixes & {"pure", "elemental"}:
        return "it is pure: nothing may be written down in it"
    if unit.prefixes & {"module"} or unit.entries or unit.statement_functions:
        return "it has another ENTRY, statement functions or a separate interface"
    outermost = unit.parent or unit
    if unit.at.file not in project.manifest.sources or project.file_of(outermost) != unit.at.file:
        return "it stands in an include file"
    if any(not arg.isidentifier() for arg in unit.args):
        return "it has alternate returns"
    local = _kinds_of_its_own(project, unit)
    return f"kind or length of its arguments is a local constant: `{local}`" if local else ""


def _kinds_of_its_own(project: Project, unit: Unit) -> str:
    for arg in (*unit.args, unit.result or unit.name):
        symbol = unit.symbols.get(arg)
        kind = (symbol.kind or "").lower() if symbol else ""
        for name, other in unit.symbols.items():
            if other.is_parameter and name in kind.replace("(", " ").replace(")", " ").split():
                return name
    return ""


def _symbol(project: Project, unit: Unit, name: str) -> Symbol:
    found = project.resolve(unit, name)
    if isinstance(found, Variable):
        return found.symbol
    return Symbol(name=name, at=unit.at)


def _result(project: Project, unit: Unit) -> Leaf | Blocked | None:
    if unit.kind is not UnitKind.FUNCTION:
        return None
    name = unit.result or unit.name
    symbol = unit.symbols.get(name) or _symbol(project, unit, name)
    found = node(project, unit, symbol, RESULT, name)
    plain = isinstance(found, Leaf) and found.code != "c" and not symbol.dims
    if not plain or symbol.attributes & {"pointer", "allocatable"}:
        return Blocked(RESULT, "its result is no number and no flag")
    assert isinstance(found, Leaf)
    return found


def _own_state(project: Project, unit: Unit) -> Iterator[Node]:
    """SAVE variables and COMMON members declared in the procedure, under their storage keys."""
    for name, symbol in sorted(unit.symbols.items()):
        if symbol.is_parameter or name in unit.args:
            continue
        if symbol.common is not None:
            yield node(project, unit, symbol, f"common:{symbol.common}%{name}", name)
        elif "save" in symbol.attributes or symbol.initial is not None:
            yield node(project, unit, symbol, f"{unit.qualified_name}::{name}", name)
