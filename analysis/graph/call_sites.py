"""Who calls and who uses whom: the edges of the graphs over a model."""

from collections.abc import Iterator

from acclimate.analysis.dependence.invocations import Invocations
from acclimate.analysis.dependence.statements import inside
from acclimate.analysis.facts import CallSite, UseEdge
from acclimate.analysis.ir import Call, Component, Expr, Name, Unit
from acclimate.analysis.names.operations import is_operation
from acclimate.analysis.names.resolution import DummyProcedure, External, Procedures, Unresolved
from acclimate.analysis.project import Project


def call_sites(
    project: Project, caller: str, unit: Unit, invocations: Invocations
) -> Iterator[CallSite]:
    """CALL statements and function references of one unit, those of contained units left out.

    Defined operators and assignments that the types of the operands select are references.
    """
    for statement in inside(unit.body):
        found = invocations.of(statement)
        if isinstance(statement, Call):
            for callee, external in _reached(project, unit, *found[0]):
                yield CallSite(caller, callee, statement.at, external)
            found = found[1:]
        for reference, args in found:
            for callee, external in _function_called(project, unit, reference, args):
                yield CallSite(caller, callee, statement.at, external)


def use_edges(project: Project, name: str, unit: Unit) -> Iterator[UseEdge]:
    """The USE statements of one unit."""
    for use in unit.uses:
        yield UseEdge(name, use.module, use.at, use.module not in project.modules)


def _function_called(
    project: Project, unit: Unit, callee: Expr, args: tuple[Expr, ...]
) -> list[tuple[str, bool]]:
    if isinstance(callee, Name):
        if is_operation(callee.id):
            found = project.procedures(unit, callee, args)
            named = found.candidates if isinstance(found, Procedures) else ()
            return [(project.name_of(candidate), False) for candidate in named]
        meaning = project.resolve(unit, callee.id)
        if not isinstance(meaning, Procedures | External | DummyProcedure):
            return []
    elif not isinstance(callee, Component) or project.component(unit, callee) is not None:
        return []
    return _reached(project, unit, callee, args)


def _reached(
    project: Project, unit: Unit, callee: Expr, args: tuple[Expr, ...]
) -> list[tuple[str, bool]]:
    """(name, is external) of what a callee may be; intrinsics are no edges."""
    found = project.procedures(unit, callee, args)
    match found:
        case Procedures(candidates):
            return [(project.name_of(candidate), False) for candidate in candidates]
        case External(name) | DummyProcedure(name) | Unresolved(name):
            return [(name, True)]
        case _:
            return []
