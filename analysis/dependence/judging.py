"""Verdicts on the loops and array statements of a project."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence

from acclimate.analysis.dependence.aliasing import root
from acclimate.analysis.dependence.array_statements import judge_array_statements
from acclimate.analysis.dependence.blocks import in_source_names
from acclimate.analysis.dependence.claims import (
    Judged,
    claiming,
    collapsed,
    held_against,
    undecided,
)
from acclimate.analysis.dependence.collection import without_collecting
from acclimate.analysis.dependence.conflicts import ArrayJudge
from acclimate.analysis.dependence.effort import TooLarge
from acclimate.analysis.dependence.grounds import Grounds, broken_promises, resting
from acclimate.analysis.dependence.liveness import Liveness
from acclimate.analysis.dependence.obstacles import GRAVITY, by_gravity, of_flag, too_large
from acclimate.analysis.dependence.pointers import aliasing
from acclimate.analysis.dependence.procedures import Summaries
from acclimate.analysis.dependence.records import Access, Overlap, Trait
from acclimate.analysis.dependence.scalars import Clauses, ScalarJudge
from acclimate.analysis.dependence.statements import bodies, inside
from acclimate.analysis.dependence.walking import UnitWalks, WalkedLoop
from acclimate.analysis.facts import LoopFacts, Obstacle, Verdict
from acclimate.analysis.hints import Hints
from acclimate.analysis.ir import Directive, Do, DoKind, Statement, Symbol, Unit
from acclimate.analysis.project import Project
from acclimate.analysis.source import Lines


def judge_loops(project: Project, summaries: Summaries | None = None) -> tuple[LoopFacts, ...]:
    """Every DO loop and array statement with its verdict, by file and line.

    `summaries` are those of `project`, for who needs them as well.


    Raises:
        Problem: a hint is none.
    """
    with without_collecting():
        found = _judge_units(project, summaries or Summaries(project))
    return tuple(sorted(found, key=lambda loop: (loop.at, loop.depth, loop.unit, loop.kind)))


def _judge_units(project: Project, summaries: Summaries) -> list[LoopFacts]:
    overlaps: dict[str, list[Overlap]] = {}
    for unit in project.units.values():
        for overlap in summaries.of(unit).overlaps:
            overlaps.setdefault(overlap.callee, []).append(overlap)
    return [
        facts
        for unit in project.units.values()
        for facts in judge_unit(summaries, unit, overlaps.get(unit.qualified_name, []))
    ]


def judge_unit(
    summaries: Summaries, unit: Unit, overlaps: Sequence[Overlap] = ()
) -> list[LoopFacts]:
    """Facts on one unit's loops; `overlaps`: calls of it with arguments that share storage."""
    grounds = _grounds(summaries, unit, overlaps)
    loops = _judge_loops(grounds, summaries, _nested(unit.body, 0))
    return in_source_names(loops + judge_array_statements(grounds), unit.body)


def judge_nest(summaries: Summaries, unit: Unit, loop: Do) -> list[LoopFacts]:
    """Facts on one loop of a unit and on those in it: what `judge_unit` says of them alone."""
    nested = list(_nested(unit.body, 0))
    inner = {id(statement) for statement in inside([loop])}
    within = [(each, depth) for each, depth in nested if id(each) in inner]
    found = _judge_loops(_grounds(summaries, unit, ()), summaries, within)
    return in_source_names(found, unit.body)


def _grounds(summaries: Summaries, unit: Unit, overlaps: Sequence[Overlap]) -> Grounds:
    walks, hints = UnitWalks(summaries, unit), Hints(summaries.project, unit)
    return Grounds(walks, hints, summaries.pointing, tuple(overlaps))


def _judge_loops(
    grounds: Grounds, summaries: Summaries, nested: Iterable[tuple[Do, int]]
) -> list[LoopFacts]:
    """`nested`: loops of the unit with their depth."""
    walks = grounds.walks
    liveness = Liveness(
        walks.places, summaries.invocations_of(walks.unit), summaries.of, walks.exposed_names
    )
    claimed = collapsed(walks.unit.body)
    loops = []
    for loop, depth in nested:
        directives = (*claiming(loop.directives), *claimed.get(id(loop), ()))
        try:
            walks.walk(loop)
            with walks.effort.share():
                judge = _LoopJudge(grounds, liveness, loop, depth)
                loops.append(judge.facts(directives, summaries.threadprivate))
        except TooLarge:
            loops.append(_given_up(grounds, loop, depth, directives))
    return loops


def _given_up(grounds: Grounds, loop: Do, depth: int, directives: Sequence[Directive]) -> LoopFacts:
    obstacle = too_large(loop.at)
    return LoopFacts(
        unit=grounds.walks.unit.qualified_name,
        at=loop.at,
        end=loop.end,
        index=loop.index or "",
        depth=depth,
        verdict=obstacle.verdict,
        reason=obstacle.detail,
        obstacles=(obstacle,),
        calls=grounds.walks.calls_of(loop),
        hints=grounds.hints.in_force(loop),
        claims=tuple(undecided(directives)),
    )


def _nested(statements: Iterable[Statement], depth: int) -> Iterable[tuple[Do, int]]:
    for statement in statements:
        inner = depth
        if isinstance(statement, Do):
            yield statement, depth
            inner += 1
        for body in bodies(statement):
            yield from _nested(body, inner)


class _LoopJudge:
    def __init__(self, grounds: Grounds, liveness: Liveness, loop: Do, depth: int) -> None:
        self._grounds, self._liveness = grounds, liveness
        self._walks = grounds.walks
        self._loop, self._depth = loop, depth
        self._promises = grounds.promises(loop)
        self._walked: WalkedLoop = self._walks.walk(loop)
        self._record = self._walked.context.record
        self._clauses = Clauses()

    def facts(self, directives: Sequence[Directive], threadprivate: frozenset[str]) -> LoopFacts:
        """`directives` say that the iterations are independent."""
        self._judge_control()
        self._judge_data()
        broken = self._judge_pointers()
        clauses = self._clauses
        obstacles = by_gravity(clauses.obstacles)
        unit, loop = self._walks.unit, self._loop
        test = self._walked.privacy.test
        judged = Judged(unit, loop, self._record, clauses, obstacles, threadprivate, test)
        claims, findings = held_against(judged, directives)
        findings += broken_promises(unit, self._grounds.hints.of(loop), obstacles, broken)
        blocked = {o.verdict for o in obstacles} - {Verdict.ATOMIC}
        verdict = _verdict(obstacles, clauses)
        return LoopFacts(
            unit=self._walks.unit.qualified_name,
            at=self._loop.at,
            end=self._loop.end,
            index=self._loop.index or "",
            depth=self._depth,
            verdict=verdict,
            private=tuple(sorted(clauses.private - {v for _, v in clauses.reduction})),
            firstprivate=tuple(sorted(clauses.firstprivate)),
            reduction=clauses.reductions(),
            atomic=tuple(sorted(clauses.atomic)) if not blocked else (),
            last_values=tuple(sorted(clauses.last_values)),
            reason=obstacles[0].detail if obstacles else resting(verdict, clauses.conditions),
            obstacles=obstacles,
            calls=tuple(sorted(self._record.calls)),
            notes=tuple(sorted({*clauses.notes, *self._overlap_notes()})),
            conditions=tuple(clauses.conditions),
            hints=self._grounds.hints.in_force(loop),
            claims=tuple(claims),
            findings=tuple(findings),
        )

    def _judge_pointers(self) -> list[tuple[Lines, Obstacle]]:
        """Promises that the project breaks, with what breaks them."""
        grounds = self._grounds
        found = aliasing(
            self._record, grounds.pointing, self._promises, grounds.overlaps, self._meet
        )
        self._clauses.conditions.extend(found.conditions)
        self._clauses.obstacles.extend(found.obstacles)
        return found.broken

    def _meet(self, one: Access, other: Access) -> bool:
        test = self._walked.privacy.test
        return test.between(one, other) is not None or test.between(other, one) is not None

    def _overlap_notes(self) -> Iterator[str]:
        used = {access.symbol.name for access in self._record.accesses}
        for overlap in self._grounds.overlaps:
            if set(overlap.names) <= used:
                one, other = (f"`{name}`" for name in overlap.names)
                yield (
                    f"the call at {overlap.at} may pass one object as {one} and {other}, "
                    "which Fortran forbids; the verdict rests on it"
                )

    def _live_after(self, symbol: Symbol) -> bool:
        return self._liveness.after(self._loop, symbol)

    def _judge_control(self) -> None:
        loop, clauses = self._loop, self._clauses
        if loop.kind in (DoKind.WHILE, DoKind.FOREVER):
            clauses.obstacles.append(
                Obstacle(
                    Verdict.SERIAL,
                    "not-counted",
                    "how often the loop runs is decided while it runs",
                    loop.at,
                    (),
                    "write it as a counted DO loop if the number of iterations is known",
                )
            )
        clauses.obstacles.extend(of_flag(flag) for flag in self._record.flags)
        for directive in loop.directives:
            clauses.notes.append(f"directive: {directive.sentinel} {directive.text}")
        if any(flag.trait is Trait.JUMP for flag in self._record.flags):
            clauses.notes.append("references after a backward jump are not ordered")

    def _judge_data(self) -> None:
        scalars: dict[str, list[Access]] = defaultdict(list)
        areas: dict[str, list[Access]] = defaultdict(list)
        written: set[str] = set()
        for access in self._record.accesses:
            areas[root(access.key)].append(access)
            if access.write:
                written.add(root(access.key))
        pointing = self._grounds.pointing
        arrays = ArrayJudge(self._walked, self._promises, self._live_after, self._clauses, pointing)
        scalar = ScalarJudge(self._walked, self._promises, self._live_after, self._clauses)
        self._judge_indices()
        for name in sorted(written):
            accesses = areas[name]
            if all(not access.subscripts for access in accesses):
                for access in accesses:
                    scalars[access.key].append(access)
            else:
                arrays.judge(accesses)
        scalar.index_in_callee(
            self._walked.index_key,
            [a for a in self._record.accesses if a.key == self._walked.index_key],
        )
        for key, accesses in sorted(scalars.items()):
            self._judge_scalar(scalar, key, accesses, scalars)

    def _judge_scalar(
        self,
        judge: ScalarJudge,
        key: str,
        accesses: list[Access],
        scalars: dict[str, list[Access]],
    ) -> None:
        overlapping = self._walked.context.storage.overlapping
        others = [
            access
            for other, found in scalars.items()
            if other != key and root(other) == root(key) and overlapping(other, key)
            for access in found
        ]
        everything = [*accesses, *others]
        if not any(access.write for access in everything):
            return
        if key == self._walked.index_key and any(access.write for access in accesses):
            self._clauses.obstacles.append(
                Obstacle(
                    Verdict.SERIAL,
                    "index-written",
                    f"the loop index `{self._loop.index}` is changed inside",
                    accesses[0].at,
                    (),
                    "use another variable",
                )
            )
            return
        if (
            key != self._walked.index_key
            and any(access.write for access in accesses)
            or others
            and any(access.exposed for access in accesses)
        ):
            judge.judge(key, everything)

    def _judge_indices(self) -> None:
        """Indices are private; one that is read behind the loop needs its value restored."""
        own = self._walked.index_key
        for key in {*self._record.inner_indices, *([own] if own is not None else [])}:
            symbol = self._record.symbols.get(key)
            if symbol is None:
                continue
            name = self._record.names.get(key, symbol.name)
            self._clauses.private.add(name)
            concurrent = self._loop.kind is DoKind.CONCURRENT and key == self._walked.index_key
            if not concurrent and self._live_after(symbol):  # that index ends with its construct
                self._clauses.last_values.add(name)


def _verdict(obstacles: tuple[Obstacle, ...], clauses: Clauses) -> Verdict:
    if obstacles:
        return min((o.verdict for o in obstacles), key=GRAVITY.index)
    return Verdict.REDUCTION if clauses.reduction else Verdict.PARALLEL
