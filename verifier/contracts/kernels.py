"""The kernels of a port: loops that a directive makes parallel, each walked once."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from acclimate.analysis.dependence.statements import bodies, inside
from acclimate.analysis.ir import (
    Apply,
    Assignment,
    Associate,
    Call,
    Component,
    Do,
    Expr,
    Keyword,
    Name,
    Statement,
    Unit,
)
from acclimate.analysis.names.resolution import Procedures
from acclimate.analysis.project import Project
from acclimate.verifier.contracts.kernel_walk import Iteration, KernelWalk
from acclimate.verifier.contracts.naming import Naming
from acclimate.verifier.contracts.places import Access, Array, Frame, Place, Scalar
from acclimate.verifier.contracts.shapes import Shapes
from acclimate.verifier.contracts.terms import Symbols
from acclimate.verifier.texts.atomics import atomic_targets
from acclimate.verifier.texts.governed import GovernedLoop
from acclimate.verifier.texts.source_file import SourceFile

_DEEPEST = 8


@dataclass(frozen=True, slots=True)
class Kernel:
    """A parallel loop nest of the port, and one iteration of it."""

    loop: GovernedLoop
    unit: Unit
    loops: tuple[Do, ...]
    iteration: Iteration
    symbols: Symbols
    naming: Naming
    atomic: frozenset[str]
    copies: frozenset[str]  # keys of scalars that each iteration has for itself
    reduced: frozenset[str]  # keys of reduction variables


def kernel_of(
    project: Project,
    shapes: Shapes,
    loop: GovernedLoop,
    file: SourceFile,
    others: Sequence[GovernedLoop],
) -> Kernel | None:
    """The kernel under one directive; None where its loops are not among the units read.

    What a loop of `others` inside has copies of is no business of this one.
    """
    inner = [o for o in others if o.file == loop.file and o is not loop and loop.contains(o.line)]
    private = loop.named("private", "firstprivate")
    private = private.union(*(o.named("private", "firstprivate", "reduction") for o in inner))
    for unit in project.units.values():
        if unit.at.file == loop.file or any(s.at.file == loop.file for s in unit.body):
            path = _path(unit.body, loop)
            if path is not None:
                return _kernel(project, shapes, loop, file, unit, path, private)
    return None


def _path(body: Sequence[Statement], loop: GovernedLoop) -> list[Statement] | None:
    """The statements around the loop, and the loop."""
    for statement in body:
        here = (statement.at.file, statement.at.first) == (loop.file, loop.line)
        if here and isinstance(statement, Do):
            return [statement]
        for inner in bodies(statement):
            found = _path(inner, loop)
            if found is not None:
                return [statement, *found]
    return None


def _kernel(
    project: Project,
    shapes: Shapes,
    loop: GovernedLoop,
    file: SourceFile,
    unit: Unit,
    path: list[Statement],
    private: frozenset[str],
) -> Kernel | None:
    outer = path[-1]
    assert isinstance(outer, Do)
    nest = _nest(outer, len(loop.loops))
    if nest is None:
        return None
    symbols = Symbols()
    naming = Naming(project, shapes, symbols, private)
    frame = Frame(unit, "")
    bound: dict[str, Place] = {}
    for statement in path:
        if isinstance(statement, Associate):
            bound |= _associated(project, symbols, naming, Frame(unit, "", bound), statement)
    frame = Frame(unit, "", bound)
    indices = {do.index for do in (*nest, *_dos(nest[-1])) if do.index is not None}
    written = _keys(naming, frame, _assigned(project, unit, nest[-1].body) | indices)
    reduced = _keys(naming, frame, {name for _, name in loop.reductions})
    copies = _keys(naming, frame, {*private, *indices})
    started = reduced | _keys(naming, frame, loop.named("firstprivate"))
    shared = written - copies - reduced
    walk = KernelWalk(project, symbols, naming, frozenset(written))
    around = [s for s in path[:-1] if isinstance(s, Do) and s.index is not None]
    iteration = walk.iteration(frame, around, nest, frozenset(started | shared))
    for access in iteration.record.accesses:
        _check_tables(symbols, iteration, access)
    _check_pointers(iteration)
    atomic = _keys(naming, frame, atomic_targets(file, loop))
    return Kernel(
        loop,
        unit,
        tuple(nest),
        iteration,
        symbols,
        naming,
        frozenset(atomic),
        frozenset(copies),
        frozenset(reduced),
    )


def _check_tables(symbols: Symbols, iteration: Iteration, access: Access) -> None:
    """An index table that a called procedure writes is no function of its index."""
    if access.write and access.array.key in symbols.applications:
        text = f"'{access.array.name}' is used as a subscript and written"
        iteration.record.gap(text, access.at)


def _check_pointers(iteration: Iteration) -> None:
    """Two names may be one object where pointers, EQUIVALENCE or COMMON are about."""
    arrays = {a.array.key: a for a in iteration.record.accesses if a.array.is_shifting}
    written = {a.array.key for a in iteration.record.accesses if a.write and a.array.is_shifting}
    for key in written:
        for other, access in arrays.items():
            if other != key and not _are_targets(arrays[key].array, access.array):
                text = f"'{arrays[key].array.name}' and '{access.array.name}' may share storage"
                iteration.record.gap(text, access.at)


def _are_targets(one: Array, other: Array) -> bool:
    """Two variables that pointers may point to, neither of them a pointer: two objects."""
    each = (one.symbol.attributes, other.symbol.attributes)
    return all("target" in found and "pointer" not in found for found in each)


def _nest(outer: Do, depth: int) -> list[Do] | None:
    found = [outer]
    while len(found) < depth:
        inner = [s for s in found[-1].body if isinstance(s, Do)]
        if len(inner) != 1:
            return None
        found.append(inner[0])
    return found


def _dos(loop: Do) -> Iterator[Do]:
    return (s for s in inside(loop.body) if isinstance(s, Do))


def _assigned(project: Project, unit: Unit, body: Sequence[Statement], depth: int = 0) -> set[str]:
    """Names that statements may assign, in calls as well."""
    found: set[str] = set()
    for statement in inside(body):
        if isinstance(statement, Assignment):
            found.add(_base(statement.target))
        elif isinstance(statement, Call):
            found |= _assigned_by(project, unit, statement, depth)
    return found - {""}


def _assigned_by(project: Project, unit: Unit, call: Call, depth: int) -> set[str]:
    """Actual arguments whose dummies the called procedure assigns; all where that is unknown."""
    reached = project.procedures(unit, call.procedure, call.args)
    known = isinstance(reached, Procedures) and len(reached.candidates) == 1
    callee = reached.candidates[0] if known and isinstance(reached, Procedures) else None
    changed: set[str] | None = None
    if callee is not None and depth < _DEEPEST:
        changed = _assigned(project, callee, callee.body, depth + 1)
    found = set()
    for position, arg in enumerate(call.args):
        value = arg.value if isinstance(arg, Keyword) else arg
        dummy = arg.name if isinstance(arg, Keyword) else ""
        if not dummy and callee is not None and position < len(callee.args):
            dummy = callee.args[position]
        if changed is None or dummy in changed:
            found.add(_base(value))
    return found


def _base(expr: Expr) -> str:
    while isinstance(expr, Apply | Component):
        expr = expr.base
    return expr.id if isinstance(expr, Name) else ""


def _keys(naming: Naming, frame: Frame, names: set[str] | frozenset[str]) -> set[str]:
    places = (naming.place(frame, name.split("(")[0]) for name in names)
    return {place.key for place in places if isinstance(place, Array | Scalar)}


def _associated(
    project: Project, symbols: Symbols, naming: Naming, frame: Frame, statement: Associate
) -> dict[str, Place]:
    """Names of an ASSOCIATE around the kernel that stand for whole variables."""
    walk = KernelWalk(project, symbols, naming, frozenset())
    found: dict[str, Place] = {}
    for name, selector in statement.associations:
        if isinstance(selector, Name | Component):
            place = walk.evaluation.place(frame, selector, statement.at)
            if place is not None:
                found[name] = place
    return found
