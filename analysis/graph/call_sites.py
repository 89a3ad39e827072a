"""Who calls and who uses whom: the edges of the graphs over a model."""

from collections.abc import Iterator

from acclimate.analysis.dependence.statements import inside, own_expressions, parts
from acclimate.analysis.facts import CallSite, UseEdge
from acclimate.analysis.ir import Apply, Call, Component, Expr, Jump, Name, Statement, Unit
from acclimate.analysis.names.resolution import DummyProcedure, External, Procedures, Unresolved
from acclimate.analysis.project import Project


def call_sites(project: Project, caller: str, unit: Unit) -> Iterator[CallSite]:
    """CALL statements and function references of one unit, those of contained units left out."""
    for statement in inside(unit.body):
        if isinstance(statement, Call):
            for callee, external in _reached(project, unit, statement.procedure, statement.args):
                yield CallSite(caller, callee, statement.at, external)
        for expr in _expressions(statement):
            if isinstance(expr, Apply):
                for callee, external in _function_called(project, unit, expr):
                    yield CallSite(caller, callee, statement.at, external)


def use_edges(project: Project, name: str, unit: Unit) -> Iterator[UseEdge]:
    """The USE statements of one unit."""
    for use in unit.uses:
        yield UseEdge(name, use.module, use.at, use.module not in project.modules)


def _expressions(statement: Statement) -> Iterator[Expr]:
    skip = statement.procedure if isinstance(statement, Call) else None
    if isinstance(statement, Jump) and statement.keyword == "entry":
        return
    for expr in own_expressions(statement):
        if expr is not skip:
            yield from parts(expr)


def _function_called(project: Project, unit: Unit, expr: Apply) -> list[tuple[str, bool]]:
    if isinstance(expr.base, Name):
        meaning = project.resolve(unit, expr.base.id)
        if not isinstance(meaning, Procedures | External | DummyProcedure):
            return []
    elif not isinstance(expr.base, Component) or project.component(unit, expr.base) is not None:
        return []
    return _reached(project, unit, expr.base, expr.args)


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
