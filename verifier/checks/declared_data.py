"""Module data under DECLARE: does each side get every new value of the other?"""

from collections.abc import Iterator
from dataclasses import dataclass

from acclimate.analysis.dependence.statements import inside, own_expressions, parts
from acclimate.analysis.directives import parse
from acclimate.analysis.ir import (
    Apply,
    Assignment,
    Component,
    Directive,
    Expr,
    InputOutput,
    Name,
    Statement,
    Unit,
)
from acclimate.analysis.names.resolution import Variable
from acclimate.analysis.source import Lines
from acclimate.analysis.switches import while_off
from acclimate.verifier.checks import check
from acclimate.verifier.evidence import Evidence, Light, Outcome
from acclimate.verifier.subject import Subject
from acclimate.verifier.texts.governed import GovernedLoop

_RESIDENT = ("create", "copyin", "copy", "copyout", "device_resident", "link")

_Kernels = dict[tuple[str, int], GovernedLoop]
"""The loops of compute constructs by file and line of all that stands in them."""


@check(cost=4)
def declared_data(subject: Subject) -> Iterator[Evidence]:
    """Declared data that one side writes and no UPDATE in the same procedure brings to the other.

    The device copy of such data is out of reach of the emulation, where procedures use the host's.
    An update in another procedure leaves the question open; none at all fails. What kernels write
    must come back only if code that runs on the host reads it.
    """
    declared = _mentioned(subject, "declare", _RESIDENT)
    if not declared:
        return
    resident = {key for key, _, _ in declared}
    to_device = _mentioned(subject, "update", ("device",))
    to_host = _mentioned(subject, "update", ("self", "host"))
    kernels = _kernels(subject)
    host_units = _host_units(subject, kernels)
    read = _host_reads(subject, kernels, host_units, resident)
    for name, unit in subject.index.project.units.items():
        for write in _writes(subject, kernels, unit):
            if write.key not in resident:
                continue
            if write.in_kernel and write.key in read:
                yield from _unless_updated(to_host, unit, write, read[write.key])
            elif not write.in_kernel and name in host_units:
                yield from _unless_updated(to_device, unit, write, None)


@dataclass(frozen=True, slots=True)
class _Write:
    key: str  # of the storage
    name: str
    at: Lines
    in_kernel: bool


def _unless_updated(
    updates: list[tuple[str, Unit, Directive]], unit: Unit, write: _Write, reader: Lines | None
) -> Iterator[Evidence]:
    """Evidence against a write that no update follows; `reader` is where the host reads it."""
    of_it = [(there, directive.at.first) for key, there, directive in updates if key == write.key]
    if any(there is unit and line > write.at.first for there, line in of_it):
        return
    where = "only in another procedure" if of_it else "nowhere"
    writer, copy = "the host", "its copy declared on the device"
    if reader is not None:
        writer, copy = "a kernel", f"the host's copy, read at {reader},"
    yield Evidence(
        "declared_data",
        Light.DATA,
        Outcome.INCONCLUSIVE if of_it else Outcome.FAILS,
        f"{writer} gives '{write.name}' a new value; {copy} is updated {where}",
        file=write.at.file,
        line=write.at.first,
        unsettled=bool(of_it),
    )


def _host_units(subject: Subject, kernels: _Kernels) -> frozenset[str]:
    """Procedures that run on the host: all but device routines that only kernels call."""
    units = subject.index.project.units
    routines = {n for n, u in units.items() if any(_is(d, "routine") for d in u.directives)}
    called: dict[str, list[str]] = {}
    for call in subject.index.calls:
        if call.callee in units and _place(call.at) not in kernels:
            called.setdefault(call.caller, []).append(call.callee)
    found: set[str] = set()
    waiting = [name for name in units if name not in routines]
    while waiting:
        name = waiting.pop()
        if name not in found:
            found.add(name)
            waiting += called.get(name, [])
    return frozenset(found)


def _host_reads(
    subject: Subject, kernels: _Kernels, host_units: frozenset[str], resident: set[str]
) -> dict[str | None, Lines]:
    """Where the host first reads each of these variables, if it does."""
    found: dict[str | None, Lines] = {}
    for name in sorted(host_units):
        unit = subject.index.project.units[name]
        for statement in inside(unit.body):
            if _place(statement.at) in kernels:
                continue
            stored = {id(_base(target)) for target in _targets(statement)}
            for part in (p for expr in own_expressions(statement) for p in parts(expr)):
                if isinstance(part, Name) and id(part) not in stored:
                    key = _key(subject, unit, part.id)
                    if key in resident:
                        found.setdefault(key, statement.at)
    return found


def _mentioned(
    subject: Subject, directive: str, clauses: tuple[str, ...]
) -> list[tuple[str, Unit, Directive]]:
    """(storage key, unit, directive) of every variable in these clauses.

    What is done for a unit that is switched off is no update of what others write.
    """
    found = []
    for unit in subject.index.project.units.values():
        for each in unit.directives:
            if _is(each, directive) and while_off(parse(each)) is None:
                for arg in parse(each).arguments(*clauses):
                    key = _key(subject, unit, arg.split("(")[0].split("%")[0])
                    found += [(key, unit, each)] if key else []
    return found


def _is(directive: Directive, name: str) -> bool:
    return directive.sentinel == "acc" and parse(directive).name.split()[:1] == [name]


def _kernels(subject: Subject) -> _Kernels:
    return {
        (loop.file, line): loop
        for loop in subject.governed
        if loop.region != "routine"
        for line in range(loop.line, loop.last + 1)
    }


def _place(at: Lines) -> tuple[str, int]:
    return at.file, at.first


def _writes(subject: Subject, kernels: _Kernels, unit: Unit) -> Iterator[_Write]:
    for statement in inside(unit.body):
        loop = kernels.get(_place(statement.at))
        own = loop.named("private", "firstprivate") if loop is not None else frozenset()
        for target in _targets(statement):
            base = _base(target)
            key = _key(subject, unit, base.id) if base is not None else None
            if base is not None and key is not None and base.id not in own:
                yield _Write(key, base.id, statement.at, in_kernel=loop is not None)


def _targets(statement: Statement) -> tuple[Expr, ...]:
    if isinstance(statement, Assignment):
        return (statement.target,)
    return statement.writes if isinstance(statement, InputOutput) else ()


def _base(target: Expr) -> Name | None:
    while isinstance(target, Apply | Component):
        target = target.base
    return target if isinstance(target, Name) else None


def _key(subject: Subject, unit: Unit, name: str) -> str | None:
    project = subject.index.project
    meaning = project.resolve(unit, name)
    if not isinstance(meaning, Variable) or name in unit.args:
        return None
    return project.storage_key(unit, meaning.symbol)
