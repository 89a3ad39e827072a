"""The value a DO index has behind its loop, as statements that give it to it.

A kernel's indices are private, so what is read behind it has to be set (Fortran 2018, 11.1.7.4.3:
the index ends at the first value that was not run, and keeps its initial value in zero trips).
"""

from collections.abc import Iterator, Sequence

from acclimate.analysis.dependence.statements import bodies, inside
from acclimate.analysis.ir import Assignment, Do, DoKind, Expr, Jump, Statement
from acclimate.porter.names.constants import integer_value
from acclimate.porter.names.invocations import invocations_in
from acclimate.porter.names.scope import Scope
from acclimate.porter.names.traversal import names_in
from acclimate.porter.text.fortran_text import fortran


def index_statements(scope: Scope, nest: Do, index: str) -> tuple[str, ...] | None:
    """Statements that set `index` as the nest leaves it; None if that cannot be told.

    The loop over the index has to run once in every iteration of those around it, with bounds
    that nothing in the nest changes.
    """
    chain = _loops_around(nest, index)
    if not chain or _changed(scope, nest, chain) or not _only_local_jumps(nest, chain[-1]):
        return None
    final = _final(scope, chain[-1])
    if final is None:
        return None
    runs = [_runs(scope, loop) for loop in chain[:-1]]
    if any(condition is None for condition in runs):
        return None
    needed = [condition for condition in runs if condition]
    if not needed:
        return final
    if not all({*map(id, chain[:-1])} <= around for around in _around_each(nest, index)):
        return None  # another loop over it may run where this one does not
    inner = (f"  {line}" for line in final)
    return (f"if ({' .and. '.join(needed)}) then", *inner, "end if")


def _loops_around(nest: Do, index: str) -> list[Do]:
    """The last loop over `index` and those around it, outermost first."""
    if nest.index == index:
        return [nest]
    for statement in reversed(nest.body):
        if isinstance(statement, Do):
            inner = _loops_around(statement, index)
            if inner:
                return [nest, *inner]
        elif any(isinstance(s, Do) and s.index == index for s in inside([statement])):
            return []
    return []


def _around_each(nest: Do, index: str, around: frozenset[int] = frozenset()) -> Iterator[set[int]]:
    """For each loop over `index` in the nest, by their identities, those around it."""
    if nest.index == index:
        yield {*around}
    for statement in nest.body:
        for inner in _outermost_loops(statement):
            yield from _around_each(inner, index, around | {id(nest)})


def _outermost_loops(statement: Statement) -> Iterator[Do]:
    if isinstance(statement, Do):
        yield statement
        return
    for body in bodies(statement):
        for inner in body:
            yield from _outermost_loops(inner)


def _changed(scope: Scope, nest: Do, chain: Sequence[Do]) -> bool:
    """Something in the nest gives a name in the bounds another value, or might."""
    written = {loop.index or "" for loop in inside([nest]) if isinstance(loop, Do)}
    for statement in inside([nest]):
        target = scope.reference(statement.target) if isinstance(statement, Assignment) else None
        if target is not None:
            written.add(target.root.name)
    bounds = [bound for loop in chain for bound in (loop.first, loop.last, loop.step) if bound]
    return any(
        names_in(bound) & written
        or any(not call.is_intrinsic for call in invocations_in(scope, bound))
        or scope.project.type_of(scope.unit, bound) != "integer"
        for bound in bounds
    )


def _only_local_jumps(nest: Do, loop: Do) -> bool:
    """No jump passes over an iteration of the loops around `loop`, or leaves it early."""
    local = {id(s) for s in _jumps_of_one_iteration(loop.body)}
    return all(id(s) in local for s in inside([nest]) if isinstance(s, Jump))


def _jumps_of_one_iteration(body: list[Statement]) -> list[Statement]:
    labels = {s.label for s in inside(body) if s.label}
    deeper = {
        id(jump)
        for inner in inside(body)
        if isinstance(inner, Do)
        for jump in inside(inner.body)
        if isinstance(jump, Jump)
    }
    return [
        s
        for s in inside(body)
        if isinstance(s, Jump)
        and s.construct is None
        and (
            s.keyword == "cycle"
            or (s.keyword == "exit" and id(s) in deeper)
            or (s.keyword in ("goto", "arithmetic-if") and set(s.targets) <= labels)
        )
    ]


def _final(scope: Scope, loop: Do) -> tuple[str, ...] | None:
    if loop.kind is not DoKind.COUNTED or loop.first is None or loop.last is None:
        return None
    name = loop.index
    bounds = [integer_value(scope, bound) for bound in (loop.first, loop.last)]
    step = 1 if loop.step is None else integer_value(scope, loop.step)
    if None not in (*bounds, step) and step:
        first, last = (bound for bound in bounds if bound is not None)
        return (f"{name} = {first + max(0, (last - first + step) // step) * step}",)
    empty = _comparison(loop, step, empty=True)
    if step in (1, -1):
        final = f"{_part(loop.last)} {'+' if step == 1 else '-'} 1"
    else:
        final = f"{_part(loop.first)} + {trip_count(loop)}*{_part(loop.step)}"
    return (f"{name} = {final}", f"if ({empty}) {name} = {fortran(loop.first)}")


def trip_count(loop: Do) -> str:
    """How often a loop runs, as text; zero or less where it does not."""
    by = _part(loop.step)
    return f"(({_part(loop.last)} - {_part(loop.first)} + {by})/{by})"


def _runs(scope: Scope, loop: Do) -> str | None:
    """The condition under which a loop runs at all; "" if it surely does."""
    if loop.kind is not DoKind.COUNTED or loop.first is None or loop.last is None:
        return None
    first, last = integer_value(scope, loop.first), integer_value(scope, loop.last)
    step = 1 if loop.step is None else integer_value(scope, loop.step)
    if first is not None and last is not None and step:
        return "" if (last - first) * step >= 0 else None
    return _comparison(loop, step, empty=False)


def _comparison(loop: Do, step: int | None, *, empty: bool) -> str:
    first, last = _part(loop.first), _part(loop.last)
    if step is None:
        by = _part(loop.step)
        return f"({last} - {first} + {by})/{by} {'<=' if empty else '>'} 0"
    left, right = (last, first) if (step > 0) is empty else (first, last)
    return f"{left} {'<' if empty else '<='} {right}"


def _part(expr: Expr | None) -> str:
    text = fortran(expr) if expr is not None else "1"
    return text if text.isidentifier() or text.isdigit() else f"({text})"
