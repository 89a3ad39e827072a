"""Array assignments, WHERE and FORALL as loops over their elements.

The statement evaluates its whole right side before it stores anything. Written as a loop it
means the same only if no iteration reads an element that another one stores: otherwise a
temporary is needed. Elements are paired by position in the section, not by subscript.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from acclimate.analysis.dependence.affine import Affine, Range, Values
from acclimate.analysis.dependence.aliasing import shown
from acclimate.analysis.dependence.arrays import DependenceTest, LoopRange
from acclimate.analysis.dependence.context import Context
from acclimate.analysis.dependence.effort import Effort, TooLarge
from acclimate.analysis.dependence.grounds import Grounds, broken_promises, resting
from acclimate.analysis.dependence.intrinsics import REDUCING, TRANSFORMING
from acclimate.analysis.dependence.obstacles import GRAVITY, by_gravity, of_flag, too_large
from acclimate.analysis.dependence.pointers import aliasing
from acclimate.analysis.dependence.records import Access, is_one_pointer
from acclimate.analysis.dependence.regions import Extent, Subscript
from acclimate.analysis.dependence.statements import bodies, inside, own_expressions, parts
from acclimate.analysis.dependence.substitution import replaced
from acclimate.analysis.dependence.walking import UnitWalks
from acclimate.analysis.facts import (
    Condition,
    ConditionKind,
    LoopFacts,
    Obstacle,
    Verdict,
    Witness,
)
from acclimate.analysis.ir import (
    Apply,
    ArrayConstructor,
    Assignment,
    Do,
    Expr,
    Forall,
    Name,
    Statement,
    Where,
)
from acclimate.analysis.names.operations import ASSIGNMENT
from acclimate.analysis.names.resolution import Intrinsic, Procedures


def judge_array_statements(grounds: Grounds) -> list[LoopFacts]:
    """Facts on every statement of the unit that assigns to whole arrays or sections."""
    walks = grounds.walks
    found = []
    for statement, depth in _array_statements(walks, walks.unit.body, 0):
        judged = _ArrayStatement(grounds, walks, statement)
        try:
            with walks.effort.share():
                found.append(judged.facts(depth))
        except TooLarge:
            found.append(judged.given_up(depth))
    return found


def _array_statements(
    walks: UnitWalks, statements: Iterable[Statement], depth: int
) -> Iterator[tuple[Statement, int]]:
    for statement in statements:
        if isinstance(statement, Where | Forall):
            yield statement, depth
            continue
        if isinstance(statement, Assignment) and _is_array(walks, statement):
            yield statement, depth
        for body in bodies(statement):
            yield from _array_statements(walks, body, depth + isinstance(statement, Do))


def _is_array(walks: UnitWalks, statement: Assignment) -> bool:
    target = replaced(statement.target, walks.modification.associations.at(statement))
    return bool(walks.places.project.rank(walks.unit, target))


@dataclass(slots=True)
class _ArrayStatement:
    grounds: Grounds
    walks: UnitWalks
    statement: Statement

    def facts(self, depth: int) -> LoopFacts:
        walks, statement = self.walks, self.statement
        hints = self.grounds.hints.of(statement)
        context = walks.context_for(statement)
        walks.iteration(context, statement).walk([statement])
        record = context.record
        obstacles = [of_flag(flag) for flag in record.flags]
        promises = self.grounds.promises(statement)
        compare = _Positions(context.values, context.effort)
        pointers = aliasing(
            record, self.grounds.pointing, promises, self.grounds.overlaps, compare.meet
        )
        obstacles += pointers.obstacles
        obstacles += self._overlaps(context, compare, pointers.conditions)
        ordered = by_gravity(obstacles)
        verdict = min((o.verdict for o in ordered), key=GRAVITY.index, default=Verdict.PARALLEL)
        return LoopFacts(
            unit=walks.unit.qualified_name,
            at=statement.at,
            end=getattr(statement, "end", statement.at),
            index="",
            depth=depth,
            verdict=verdict,
            kind="array",
            reason=ordered[0].detail if ordered else resting(verdict, pointers.conditions),
            obstacles=ordered,
            calls=tuple(sorted(record.calls)),
            notes=tuple(self._notes()),
            conditions=tuple(pointers.conditions),
            hints=self.grounds.hints.in_force(statement),
            findings=tuple(broken_promises(walks.unit, hints, ordered, pointers.broken)),
        )

    def given_up(self, depth: int) -> LoopFacts:
        statement, obstacle = self.statement, too_large(self.statement.at)
        return LoopFacts(
            unit=self.walks.unit.qualified_name,
            at=statement.at,
            end=getattr(statement, "end", statement.at),
            index="",
            depth=depth,
            verdict=obstacle.verdict,
            kind="array",
            reason=obstacle.detail,
            obstacles=(obstacle,),
            calls=self.walks.calls_of(statement),
            hints=self.grounds.hints.in_force(statement),
        )

    def _notes(self) -> list[str]:
        names = sorted({name for name, _ in self._transformations() if name in REDUCING})
        return [f"reduces whole arrays with {', '.join(names)}"] if names else []

    def _transformations(self) -> Iterator[tuple[str, Expr]]:
        """Intrinsics that work on whole arrays, and constructors, which move elements."""
        resolve = self.walks.places.project.resolve
        for statement in inside([self.statement]):
            for expr in own_expressions(statement):
                for part in parts(expr):
                    if isinstance(part, ArrayConstructor):
                        yield "[...]", part
                    if not isinstance(part, Apply) or not isinstance(part.base, Name):
                        continue
                    name = part.base.id
                    if name in TRANSFORMING and isinstance(
                        resolve(self.walks.unit, name), Intrinsic
                    ):
                        yield name, part

    def _overlaps(
        self, context: Context, compare: "_Positions", conditions: list[Condition]
    ) -> list[Obstacle]:
        """What stands against the statement as a loop; what keeps references apart is noted."""
        accesses = context.record.accesses
        found = self._reduced_targets(context)
        for write in (access for access in accesses if access.write):
            if write.call is not None and not self._is_stored(write):
                found.append(_side_effect(write))
            context.effort.spend(len(accesses))
            for read in accesses:
                if read.write or not context.storage.overlapping(read.key, write.key):
                    continue
                if not read.subscripts:
                    continue
                if compare.may_overlap(write, read):
                    found.append(_needs_temporary(write, read))
                elif not is_one_pointer(
                    write, read, context.values
                ) and not self.grounds.pointing.are_of_one_owner(write):
                    conditions.append(self._apart(context, write, read))
        return found

    def _apart(self, context: Context, write: Access, read: Access) -> Condition:
        name = context.record.names.get(write.key, shown(write.key))
        promises = self.grounds.promises(self.statement)
        promise = promises.no_alias(name, name) or promises.independent()
        return Condition(ConditionKind.NO_ALIAS, (name, name), (write.at, read.at), promise)

    def _is_stored(self, write: Access) -> bool:
        """Is it to the target, by an elemental procedure that stands for the assignment?"""
        project, unit, statement = self.walks.places.project, self.walks.unit, self.statement
        aliases = self.walks.modification.associations.at(statement)
        if not isinstance(statement, Assignment):
            return False
        target, value = (replaced(e, aliases) for e in (statement.target, statement.value))
        found = project.procedures(unit, Name(ASSIGNMENT), (target, value))
        stored = self.walks.places.designator(target)
        return (
            isinstance(found, Procedures)
            and stored is not None
            and write.key.partition("%")[0] == stored.key.partition("%")[0]
            and all("elemental" in candidate.prefixes for candidate in found.candidates)
        )

    def _reduced_targets(self, context: Context) -> list[Obstacle]:
        written = {access.key: access for access in context.record.accesses if access.write}
        found = []
        for name, reference in self._transformations():
            for part in parts(reference):
                designator = self.walks.places.designator(part)
                if designator is None or designator.key not in written:
                    continue
                write = written[designator.key]
                found.append(
                    Obstacle(
                        Verdict.REWRITE,
                        "reduction-of-target",
                        f"`{name}` needs all of `{designator.root.name}` (line {write.at.first}) "
                        "before the first element of it is stored",
                        write.at,
                        (),
                        f"evaluate `{name}` into a variable before the statement",
                    )
                )
        return found


class _Positions:
    """Compares sections element by element."""

    def __init__(self, values: Values, effort: Effort) -> None:
        self._values = values
        self._test = DependenceTest(values, LoopRange(None, None, None), effort)

    def meet(self, one: Access, other: Access) -> bool:
        """The same of two references that have another name for one array."""
        write, read = (one, other) if one.write else (other, one)
        return read.write or self.may_overlap(write, read._replace(key=write.key))

    def may_overlap(self, write: Access, read: Access) -> bool:
        """May the read touch an element that is stored at another position?"""
        if read.call is None and self._same(write, read):
            return False
        if write.key != read.key:
            return True
        pairs = zip(write.subscripts, read.subscripts, strict=True)
        return not any(self._disjoint(a, b) for a, b in pairs)

    def _same(self, write: Access, read: Access) -> bool:
        if write.key != read.key or len(write.subscripts) != len(read.subscripts):
            return False
        pairs = zip(write.subscripts, read.subscripts, strict=True)
        return all(self._same_place(a, b) or self._are_single(a, b) for a, b in pairs)

    def _are_single(self, one: Subscript, other: Subscript) -> bool:
        """Is each the same for all elements? If they differ, the sections share no element."""
        return not any(isinstance(s, Extent) or self._values.varies(s) for s in (one, other))

    def _same_place(self, one: Subscript, other: Subscript) -> bool:
        if Extent.UNKNOWN in (one, other):
            return False
        if isinstance(one, Extent) or isinstance(other, Extent):
            return one is other
        if one == other:
            return True
        first, second = self._section(one), self._section(other)
        if first is None or second is None:
            return False
        return (
            first.step is not None
            and first.first is not None
            and (first.first, first.step) == (second.first, second.step)
        )

    def _section(self, form: Affine) -> Range | None:
        if form.constant or len(form.terms) != 1 or form.terms[0][1] != 1:
            return None
        atom = form.terms[0][0]
        return None if atom in self._values.named else self._values.ranges.get(atom)

    def _disjoint(self, one: Subscript, other: Subscript) -> bool:
        if isinstance(one, Extent) or isinstance(other, Extent):
            return False
        if self._test.never_equal(one, other):
            return True
        first, second = self._section(one), self._section(other)
        if first is None or second is None or first.first is None or second.first is None:
            return False
        gap = first.first - second.first
        same_stride = first.step is not None and first.step == second.step
        return same_stride and gap.is_constant and bool(gap.constant % (first.step or 1))


def _side_effect(write: Access) -> Obstacle:
    name = shown(write.key)
    return Obstacle(
        Verdict.SERIAL,
        "side-effect",
        f"`{write.call}` (line {write.at.first}) changes `{name}` for every element",
        write.at,
        (Witness(name, "call", write.at, write.at),),
        "make the function pure",
    )


def _needs_temporary(write: Access, read: Access) -> Obstacle:
    name = write.symbol.name
    return Obstacle(
        Verdict.REWRITE,
        "needs-temporary",
        f"`{name}` (line {write.at.first}) is read at other places than it is stored to, and the "
        "statement means the old values: as a loop it needs a temporary",
        write.at,
        (Witness(name, "anti", read.at, write.at),),
        f"store to a temporary array first, then copy it to `{name}`",
    )
