"""Everything the analysis says of a model: units, calls, uses, loops with verdicts, problems."""

from collections.abc import Iterator
from dataclasses import dataclass

from acclimate.analysis.dependence.judging import judge_loops
from acclimate.analysis.dependence.statements import inside, own_expressions, parts
from acclimate.analysis.facts import (
    CallSite,
    LoopFacts,
    ReadingProblem,
    UseEdge,
    Witness,
)
from acclimate.analysis.ir import Apply, Call, Component, Expr, Jump, Name, Statement, Unit
from acclimate.analysis.manifest import Manifest
from acclimate.analysis.project import Project, read_project
from acclimate.analysis.resolution import (
    DummyProcedure,
    External,
    Procedures,
    Unresolved,
)
from acclimate.analysis.source import Lines

SCHEMA = "acclimate/index/1"


@dataclass(frozen=True, slots=True)
class ProjectIndex:
    """A model and what is true of it. Everything is sorted by file and line."""

    project: Project
    loops: tuple[LoopFacts, ...]
    calls: tuple[CallSite, ...]
    uses: tuple[UseEdge, ...]
    problems: tuple[ReadingProblem, ...]


def index_project(manifest: Manifest) -> ProjectIndex:
    """Read and analyse a whole model.

    Raises:
        Problem: a file needs the C preprocessor and there is none.
    """
    project = read_project(manifest)
    units = project.units.items()
    calls = {site for name, unit in units for site in _calls(project, name, unit)}
    uses = [
        UseEdge(name, use.module, use.at, use.module not in project.modules)
        for name, unit in units
        for use in unit.uses
    ]
    return ProjectIndex(
        project=project,
        loops=judge_loops(project),
        calls=tuple(sorted(calls, key=lambda c: (c.at, c.caller, c.callee))),
        uses=tuple(sorted(uses, key=lambda u: (u.at, u.module))),
        problems=project.problems,
    )


def _calls(project: Project, caller: str, unit: Unit) -> Iterator[CallSite]:
    """CALL statements and function references of one unit, those of contained units left out."""
    for statement in inside(unit.body):
        if isinstance(statement, Call):
            for callee, external in _reached(project, unit, statement.procedure, statement.args):
                yield CallSite(caller, callee, statement.at, external)
        for expr in _expressions(statement):
            if isinstance(expr, Apply):
                yield from _function_call(project, caller, unit, expr, statement.at)


def _expressions(statement: Statement) -> Iterator[Expr]:
    skip = statement.procedure if isinstance(statement, Call) else None
    if isinstance(statement, Jump) and statement.keyword == "entry":
        return
    for expr in own_expressions(statement):
        if expr is not skip:
            yield from parts(expr)


def _function_call(
    project: Project, caller: str, unit: Unit, expr: Apply, at: Lines
) -> Iterator[CallSite]:
    if isinstance(expr.base, Name):
        meaning = project.resolve(unit, expr.base.id)
        if not isinstance(meaning, Procedures | External | DummyProcedure):
            return
    elif not isinstance(expr.base, Component) or project.component(unit, expr.base) is not None:
        return
    for callee, external in _reached(project, unit, expr.base, expr.args):
        yield CallSite(caller, callee, at, external)


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


# --- JSON ----------------------------------------------------------------------------------------


def to_json(index: ProjectIndex) -> dict[str, object]:
    """The index as plain values, valid against `schemas/index.schema.json`."""
    project = index.project
    return {
        "schema": SCHEMA,
        "name": project.manifest.name,
        "files": [
            {"file": file, "form": project.form(file), "lines": data.count(b"\n")}
            for file, data in sorted(project.texts.items())
        ],
        "units": [_unit(name, unit) for name, unit in project.units.items()],
        "calls": [
            {
                "caller": call.caller,
                "callee": call.callee,
                "file": call.at.file,
                "line": call.at.first,
                "external": call.external,
            }
            for call in index.calls
        ],
        "uses": [
            {
                "unit": use.unit,
                "module": use.module,
                "file": use.at.file,
                "line": use.at.first,
                "external": use.external,
            }
            for use in index.uses
        ],
        "loops": [_loop(loop) for loop in index.loops],
        "problems": [
            {
                "file": problem.at.file,
                "line": problem.at.first,
                "reason": problem.reason,
                "text": problem.text,
            }
            for problem in index.problems
        ],
    }


def _unit(name: str, unit: Unit) -> dict[str, object]:
    return {
        "name": name,
        "kind": unit.kind.value,
        "file": unit.at.file,
        "line": unit.at.first,
        "end": unit.end.last,
        "arguments": list(unit.args),
    }


def _loop(loop: LoopFacts) -> dict[str, object]:
    witnesses = [w for obstacle in loop.obstacles for w in obstacle.witnesses]
    return {
        "file": loop.at.file,
        "line": loop.at.first,
        "end": loop.end.last,
        "unit": loop.unit,
        "kind": loop.kind,
        "index": loop.index,
        "depth": loop.depth,
        "verdict": loop.verdict.value,
        "private": list(loop.private),
        "firstprivate": list(loop.firstprivate),
        "reduction": [{"op": r.op, "var": r.var} for r in loop.reduction],
        "atomic": list(loop.atomic),
        "last_values": list(loop.last_values),
        "reason": loop.reason,
        "obstacles": [
            {
                "verdict": obstacle.verdict.value,
                "reason": obstacle.reason,
                "detail": obstacle.detail,
                "file": obstacle.at.file,
                "line": obstacle.at.first,
                "remedy": obstacle.remedy,
            }
            for obstacle in loop.obstacles
        ],
        "witnesses": [_witness(witness) for witness in witnesses],
        "calls": list(loop.calls),
        "notes": list(loop.notes),
    }


def _witness(witness: Witness) -> dict[str, object]:
    return {
        "variable": witness.variable,
        "kind": witness.kind,
        "source": {"file": witness.source.file, "line": witness.source.first},
        "sink": {"file": witness.sink.file, "line": witness.sink.first},
        "distance": witness.distance,
    }
