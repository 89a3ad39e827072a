"""Module data under DECLARE: does the device get every new value?"""

from collections.abc import Iterator

from acclimate.analysis.dependence.statements import inside
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
from acclimate.analysis.resolution import Variable
from acclimate.analysis.source import Lines
from acclimate.verifier.checks import check
from acclimate.verifier.evidence import Evidence, Light, Outcome
from acclimate.verifier.subject import Subject

_RESIDENT = ("create", "copyin", "copy", "copyout", "device_resident", "link")


@check(cost=4)
def declared_data(subject: Subject) -> Iterator[Evidence]:
    """A host write to declared data that no UPDATE DEVICE follows in the same procedure.

    The device copy of such data is out of reach of the emulation, where procedures use the host's.
    An update in another procedure leaves the question open; none at all fails.
    """
    declared = _mentioned(subject, "declare", _RESIDENT)
    if not declared:
        return
    resident = {key for key, _, _ in declared}
    updates = _mentioned(subject, "update", ("device",))
    kernels = [(loop.file, loop.line, loop.last) for loop in subject.governed]
    for unit in subject.index.project.units.values():
        if any(_is(d, "routine") for d in unit.directives):
            continue
        for key, name, at in _host_writes(subject, unit, kernels):
            if key not in resident or _follows(updates, key, unit, at):
                continue
            elsewhere = any(found == key for found, _, _ in updates)
            yield _evidence(name, at, elsewhere=elsewhere)


def _evidence(name: str, at: Lines, *, elsewhere: bool) -> Evidence:
    where = "only in another procedure" if elsewhere else "nowhere"
    return Evidence(
        "declared_data",
        Light.DATA,
        Outcome.INCONCLUSIVE if elsewhere else Outcome.FAILS,
        f"the host gives '{name}' a new value; its copy declared on the device is updated {where}",
        file=at.file,
        line=at.first,
        unsettled=elsewhere,
    )


def _mentioned(
    subject: Subject, directive: str, clauses: tuple[str, ...]
) -> list[tuple[str, Unit, Directive]]:
    """(storage key, unit, directive) of every variable in these clauses."""
    found = []
    for unit in subject.index.project.units.values():
        for each in unit.directives:
            if _is(each, directive):
                for arg in parse(each).arguments(*clauses):
                    key = _key(subject, unit, arg.split("(")[0].split("%")[0])
                    found += [(key, unit, each)] if key else []
    return found


def _is(directive: Directive, name: str) -> bool:
    return directive.sentinel == "acc" and parse(directive).name.split()[:1] == [name]


def _host_writes(
    subject: Subject, unit: Unit, kernels: list[tuple[str, int, int]]
) -> Iterator[tuple[str, str, Lines]]:
    for statement in inside(unit.body):
        at = statement.at
        if any(file == at.file and first <= at.first <= last for file, first, last in kernels):
            continue
        for target in _targets(statement):
            name = _base(target)
            key = _key(subject, unit, name) if name else None
            if name and key:
                yield key, name, at


def _targets(statement: Statement) -> tuple[Expr, ...]:
    if isinstance(statement, Assignment):
        return (statement.target,)
    return statement.writes if isinstance(statement, InputOutput) else ()


def _base(target: Expr) -> str | None:
    while isinstance(target, Apply | Component):
        target = target.base
    return target.id if isinstance(target, Name) else None


def _key(subject: Subject, unit: Unit, name: str) -> str | None:
    project = subject.index.project
    meaning = project.resolve(unit, name)
    if not isinstance(meaning, Variable) or name in unit.args:
        return None
    return project.storage_key(unit, meaning.symbol)


def _follows(
    updates: list[tuple[str, Unit, Directive]], key: str, unit: Unit, write: Lines
) -> bool:
    return any(
        found == key and there is unit and directive.at.first > write.first
        for found, there, directive in updates
    )
