"""What a compute construct reads and writes of variables that outlive it."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

from acclimate.analysis.dependence.statements import bodies, inside
from acclimate.analysis.directives import Construct
from acclimate.analysis.ir import (
    Do,
    DoKind,
    Forall,
    If,
    Jump,
    Literal,
    Statement,
    Unary,
    Unit,
    Where,
)
from acclimate.analysis.names.resolution import Procedures
from acclimate.analysis.source import Lines
from acclimate.verifier.copies.accesses import accesses
from acclimate.verifier.copies.frames import Frame, Reference
from acclimate.verifier.copies.regions import Loops, Range, Region
from acclimate.verifier.copies.state import Place

_OWN = ("private", "firstprivate", "reduction")


@dataclass(frozen=True, slots=True)
class Access:
    """One reference in a kernel, `exact` if it is known to what.

    `surely`: some iteration makes it, whatever the conditions. Under a condition the loops around
    it say nothing of which elements it touches.
    """

    place: Place
    region: Region
    at: Lines
    is_array: bool
    exact: bool
    surely: bool
    is_write: bool
    is_read: bool


def do_range(frame: Frame, loop: Do, loops: Loops) -> Range | None:
    """What the index of a counted DO loop with a step of one runs through."""
    if loop.kind is not DoKind.COUNTED or loop.first is None or loop.last is None:
        return None
    ends = [frame.bound(loop.first, loops), frame.bound(loop.last, loops)]
    step = loop.step
    if isinstance(step, Unary) and step.op == "-":
        step = step.operand
        ends.reverse()
    if step is not None and not (isinstance(step, Literal) and step.text == "1"):
        return None
    first, last = ends
    return Range(first, last) if first is not None and last is not None else None


class KernelAccesses:
    """Gathers the accesses of the statements of one construct."""

    def __init__(self, frame: Frame, construct: Construct, inner: tuple[Construct, ...]) -> None:
        own = {n.split("(")[0] for each in (construct, *inner) for n in each.arguments(*_OWN)}
        self.frame = replace(frame, named={**frame.named, **dict.fromkeys(own)})

    def of(self, statements: list[Statement]) -> Iterator[Access]:
        yield from self._walk(statements, {}, True)

    def _walk(self, statements: list[Statement], loops: Loops, surely: bool) -> Iterator[Access]:
        for statement in statements:
            yield from self._own(statement, loops, surely)
            if isinstance(statement, Do):
                ranges = {**loops, **self._index(statement, loops)}
                counted = statement.kind is DoKind.COUNTED
                ranges = ranges if counted else {}
                yield from self._walk(statement.body, ranges, surely and counted)
            else:
                branched = isinstance(statement, If | Where | Forall)
                for body in bodies(statement):
                    yield from self._walk(body, {} if branched else loops, surely and not branched)
            if jumps(statement):
                loops, surely = {}, False

    def _index(self, loop: Do, loops: Loops) -> dict[str, Range | None]:
        return {loop.index: do_range(self.frame, loop, loops)} if loop.index else {}

    def _own(self, statement: Statement, loops: Loops, surely: bool) -> Iterator[Access]:
        found = accesses(self.frame, statement)
        for reference in found.reads:
            yield from self._access(reference, statement.at, loops, surely, (False, True))
        for reference in found.writes:
            yield from self._access(reference, statement.at, loops, surely, (True, False))
        for reference in found.touched:
            yield from self._access(reference, statement.at, loops, False, (True, True))
        for call in found.calls:
            for reference in call.passed:
                yield from self._access(reference, statement.at, loops, False, (True, True))
            resolution = self.frame.project.procedures(self.frame.unit, call.callee, call.args)
            if isinstance(resolution, Procedures):
                for unit in resolution.candidates:
                    yield from self._inside(unit, statement.at, {id(self.frame.unit)})

    def _access(
        self,
        reference: Reference,
        at: Lines,
        loops: Loops,
        surely: bool,
        kind: tuple[bool, bool],
    ) -> Iterator[Access]:
        place = reference.place
        region = self.frame.region(reference, loops)
        is_array = reference.is_array or reference.is_component
        exact = reference.exact
        yield Access(place, region, at, is_array, exact, surely and exact, *kind)

    def _inside(self, unit: Unit, at: Lines, seen: set[int]) -> Iterator[Access]:
        """What a device routine may write besides its arguments."""
        if id(unit) in seen:
            return
        seen.add(id(unit))
        frame = Frame(self.frame.project, unit, (("", 0),), dict.fromkeys(unit.args))
        for statement in inside(unit.body):
            found = accesses(frame, statement)
            passed = (reference for call in found.calls for reference in call.passed)
            for reference in (*found.writes, *found.touched, *passed):
                yield Access(reference.place, (), at, True, False, False, True, True)
            for call in found.calls:
                resolution = frame.project.procedures(unit, call.callee, call.args)
                if isinstance(resolution, Procedures):
                    for other in resolution.candidates:
                        yield from self._inside(other, at, seen)


def jumps(statement: Statement) -> bool:
    """Whether control may leave the block in which a statement stands, other than at its end."""
    return any(isinstance(each, Jump) for each in inside([statement]))
