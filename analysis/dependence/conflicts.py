"""Arrays of a loop: which references clash between iterations, and what would cure it."""

from collections.abc import Sequence

from acclimate.analysis.dependence.aliasing import shown
from acclimate.analysis.dependence.arrays import RUN_TIME, Dependence
from acclimate.analysis.dependence.configuration import configured
from acclimate.analysis.dependence.exact import formula
from acclimate.analysis.dependence.pointing import Pointing
from acclimate.analysis.dependence.privatisation import Copy
from acclimate.analysis.dependence.promises import Promises
from acclimate.analysis.dependence.records import Access, is_one_pointer
from acclimate.analysis.dependence.regions import Extent
from acclimate.analysis.dependence.scalars import Clauses, LiveAfter
from acclimate.analysis.dependence.solver import is_unsatisfiable, solver
from acclimate.analysis.dependence.tables import in_positions
from acclimate.analysis.dependence.walking import WalkedLoop
from acclimate.analysis.facts import Condition, ConditionKind, Obstacle, Verdict, Witness

NO_SOLVER = "z3 is not installed (pip install z3-solver): an exact test was not made"
_PROMISE = "promise that no two iterations use one element: !$acclimate parallel"
_SHOWN = 3  # witnesses per array
_MOST_FORMULAS = 8  # for one array of a loop, given to the solver

Clash = tuple[Access, Access, Dependence]


class ArrayJudge:
    def __init__(
        self,
        walked: WalkedLoop,
        promises: Promises,
        live_after: LiveAfter,
        clauses: Clauses,
        pointing: Pointing,
    ) -> None:
        self._pointing = pointing
        self._privacy, self._live_after, self._clauses = walked.privacy, live_after, clauses
        self._promises = promises
        self._context = walked.context
        self._bounds, self._test = walked.range, walked.privacy.test

    def judge(self, accesses: Sequence[Access]) -> None:
        """`accesses`: all references to one storage area, at least one of them a write."""
        clashes = self._clashes(_distinct(accesses))
        if not clashes:
            return
        name = self._name(clashes[0][0].key)
        if self._privatise(accesses, name) or self._promised_private(accesses, name):
            return
        if self._are_apart(clashes):
            return
        clashes = self._but_for_conditions(name, clashes, promised=True)
        if clashes and self._is_atomic(clashes):
            self._atomic(name, clashes)
            return
        clashes = self._but_for_conditions(name, clashes, promised=False)
        if clashes:
            self._carried(name, clashes)

    def _name(self, key: str) -> str:
        return self._context.record.names.get(key, shown(key))

    def _clashes(self, accesses: list[Access]) -> list[Clash]:
        found = []
        overlapping = self._context.storage.overlapping
        for number, one in enumerate(accesses):
            self._context.effort.spend(len(accesses) - number)
            for other in accesses[number:]:
                if not (one.write or other.write):
                    continue
                if one.key != other.key and not overlapping(one.key, other.key):
                    continue
                dependence = self._between(one, other)
                if dependence is not None:
                    found.append((one, other, dependence))
        return found

    def _between(self, one: Access, other: Access) -> Dependence | None:
        if one.key != other.key and not _nested(one.key, other.key):
            return Dependence(False, None, "two names share the storage")
        dependence = self._test.between(one, other)
        if self._is_one_array(one, other):
            return dependence
        why = "pointer components of different elements may have one target"
        return Dependence(False, dependence.distance if dependence else None, why)

    def _is_one_array(self, one: Access, other: Access) -> bool:
        """Do equal subscripts mean one element, and others another one?"""
        if is_one_pointer(one, other, self._context.values):
            return True
        return one.key == other.key and self._pointing.are_of_one_owner(one)

    def _are_apart(self, clashes: list[Clash]) -> bool:
        """Does an exact test separate all references? Asked only where it can decide the loop."""
        if len(clashes) > _MOST_FORMULAS or self._context.record.flags or self._clauses.obstacles:
            return False
        formulas = [self._formula(clash) for clash in clashes]
        known = [formula for formula in formulas if formula is not None]
        if len(known) < len(clashes):
            return False
        if solver() is None:
            self._clauses.notes.append(NO_SOLVER)
        return all(map(is_unsatisfiable, known))

    def _formula(self, clash: Clash) -> str | None:
        one, other, dependence = clash
        if dependence.why != RUN_TIME or one.key != other.key:
            return None
        if not self._is_one_array(one, other):
            return None
        return formula(self._context.values, self._bounds, one, other)

    # --- conditions ------------------------------------------------------------------------------

    def _but_for_conditions(
        self, name: str, clashes: list[Clash], *, promised: bool
    ) -> list[Clash]:
        """The clashes that remain if conditions hold, which are noted."""
        remaining = []
        for clash in clashes:
            conditions = self._conditions(name, clash)
            if not conditions or promised and any(c.promise is None for c in conditions):
                remaining.append(clash)
                continue
            known = self._clauses.conditions
            known.extend(c for c in conditions if c not in known)
        return remaining

    def _conditions(self, name: str, clash: Clash) -> list[Condition]:
        """What would keep two references apart; nothing where nothing but a rewrite can."""
        one, other, dependence = clash
        refs = (one.at, other.at)
        independent = self._promises.independent()
        apart = one.key == other.key and not self._is_one_array(one, other)
        if apart and self._test.between(one, other) is None:
            promise = self._promises.no_alias(name, name) or independent
            return [Condition(ConditionKind.NO_ALIAS, (name, name), refs, promise)]
        tables = [(table, self._promises.injective(table)) for table in self._tables(one, other)]
        if tables and all(promise for _, promise in tables):
            kind = ConditionKind.INJECTIVE
            return [Condition(kind, (table,), refs, promise) for table, promise in tables]
        if independent and not dependence.certain:
            return [Condition(ConditionKind.INDEPENDENT, (name,), refs, independent)]
        return []

    def _tables(self, one: Access, other: Access) -> list[str]:
        """Index tables that keep the references apart if they hold no value twice."""
        if one.key != other.key or not self._is_one_array(one, other):
            return []
        found = in_positions(one, other, self._context.values)
        if found is None or self._test.between(found.one, found.other) is not None:
            return []
        return [self._name(table) for table in found.tables]

    def _promised_private(self, accesses: Sequence[Access], name: str) -> bool:
        promise = self._promises.private(name)
        if promise is None or len({access.key for access in accesses}) > 1:
            return False
        if any(a.whole_procedure or a.through_pointer for a in accesses):
            return False  # a copy would not be what they refer to
        if self._needs_one_array(accesses):
            return False
        refs = tuple(dict.fromkeys(access.at for access in accesses))
        self._clauses.private.add(name)
        self._clauses.conditions.append(Condition(ConditionKind.PRIVATE, (name,), refs, promise))
        return True

    def _needs_one_array(self, accesses: Sequence[Access]) -> bool:
        """Would copies lose what is read before the iteration writes, or read after the loop?"""
        first, values = accesses[0], self._context.values
        if first.exposed and not first.conditions:
            return True
        if not self._live_after(first.symbol):
            return False
        forms = [s for a in accesses if a.write for s in a.subscripts if not isinstance(s, Extent)]
        placed = any(values.mentions(form, values.loop) for form in forms)  # by the iteration
        return placed or all(access.write for access in accesses)

    # --- cures -----------------------------------------------------------------------------------

    def _privatise(self, accesses: Sequence[Access], name: str) -> bool:
        if len({access.key for access in accesses}) > 1:
            return False
        copy = self._privacy.copy_of(accesses)
        if copy is None:
            return self._privatise_in_case(accesses, name)
        if self._live_after(accesses[0].symbol):
            if all(access.write for access in accesses):
                return False  # a result, not a work array
            if self._promises.private(name):
                return False
            write = next(access for access in accesses if access.write)
            self._clauses.obstacles.append(
                Obstacle(
                    Verdict.REWRITE,
                    "array-live-after",
                    f"the work array `{name}` (line {write.at.first}) could be private, but it is "
                    "read after the loop",
                    write.at,
                    (),
                    f"use a separate array for what is read of `{name}` behind the loop",
                )
            )
            return True
        chosen = self._clauses.private if copy is Copy.PRIVATE else self._clauses.firstprivate
        chosen.add(name)
        return True

    def _privatise_in_case(self, accesses: Sequence[Access], name: str) -> bool:
        """A copy that is right in the present configuration only, as far as is known."""
        if not self._privacy.can_copy(accesses) or self._live_after(accesses[0].symbol):
            return False
        condition = configured(self._context, self._privacy.case_for(accesses), name, accesses)
        if condition is None:
            return False
        self._clauses.firstprivate.add(name)
        self._clauses.conditions.append(condition)
        return True

    def _is_atomic(self, clashes: list[Clash]) -> bool:
        operators = {access.operator for one, other, _ in clashes for access in (one, other)}
        keys = {access.key for one, other, _ in clashes for access in (one, other)}
        return len(operators) == 1 and None not in operators and len(keys) == 1

    def _atomic(self, name: str, clashes: list[Clash]) -> None:
        one = clashes[0][0]
        self._clauses.atomic.add(name)
        declared = set(self._context.record.atomic_lines)
        updates = {access.at for one, other, _ in clashes for access in (one, other)}
        if updates <= declared:
            self._clauses.notes.append(f"every update of `{name}` is declared atomic")
        self._clauses.obstacles.append(
            Obstacle(
                Verdict.ATOMIC,
                "array-reduction",
                f"`{name}` (line {one.at.first}) is updated by several iterations with "
                f"`{one.operator}`",
                one.at,
                _witnesses(name, clashes),
                f"put `atomic update` before each update of `{name}`; the order of the sum is then "
                "free",
            )
        )

    def _carried(self, name: str, clashes: list[Clash]) -> None:
        certain = [clash for clash in clashes if clash[2].certain]
        chosen = certain or clashes
        one, other, dependence = chosen[0]
        later = other if other is not one else one
        lines = f"line {one.at.first}"
        if later.at != one.at:
            lines += f" and line {later.at.first}"
        if certain:
            verdict, reason = Verdict.SERIAL, "array-dependence"
            distance = dependence.distance
            apart = (
                "several iterations" if distance is None else (f"iterations {abs(distance)} apart")
            )
            detail = f"{apart} use the same element of `{name}` ({lines}), and one writes it"
            remedy = self._remedy(name, chosen)
        elif _is_scatter(chosen):
            verdict, reason = Verdict.SERIAL, "scatter"
            detail = (
                f"`{name}` is written at places taken from a table or computed ({lines}): if two "
                "iterations name one place, the last must win"
            )
            remedy = self._injective(chosen) or _PROMISE
        else:
            verdict, reason = Verdict.UNKNOWN, "array-maybe-dependence"
            detail = f"iterations may share elements of `{name}` ({lines}): {dependence.why}"
            remedy = self._injective(chosen)
            plain = f"make the subscripts of `{name}` plain sums of indices and constants"
            remedy = remedy or f"{plain}, or {_PROMISE}"
        if one.call or later.call:
            detail += f"; the reference is made in `{one.call or later.call}`"
        self._clauses.obstacles.append(
            Obstacle(verdict, reason, detail, one.at, _witnesses(name, chosen), remedy)
        )

    def _injective(self, clashes: list[Clash]) -> str:
        """The hint that would remove the clashes."""
        found = [self._tables(one, other) for one, other, _ in clashes]
        if not all(found):
            return ""
        tables = ", ".join(dict.fromkeys(table for tables in found for table in tables))
        return (
            "promise with a hint that the table holds no value twice: "
            f"!$acclimate injective({tables})"
        )

    def _remedy(self, name: str, clashes: list[Clash]) -> str:
        if all(dependence.distance is None for _, _, dependence in clashes):
            return f"give each iteration its own part of `{name}`, or its own copy"
        return (
            "keep this loop serial and offload a loop around or inside it, or read from a copy of "
            f"`{name}` taken before the loop if old values are meant"
        )


def _distinct(accesses: Sequence[Access]) -> list[Access]:
    """One representative for references that no test can tell apart."""
    unique: dict[object, Access] = {}
    for access in accesses:
        place = (access.key, access.subscripts, access.write, access.operator)
        pinned = tuple(c for c in access.conditions if c.relation.value == "zero")
        unique.setdefault((place, pinned, access.pointer_rank), access)
    return list(unique.values())


def _nested(one: str, other: str) -> bool:
    """Is one the whole of which the other is a component?"""
    return one.startswith(other + "%") or other.startswith(one + "%")


def _is_scatter(clashes: list[Clash]) -> bool:
    return all(
        one is other and not one.call and "table" in dependence.why
        for one, other, dependence in clashes
    )


def _witnesses(name: str, clashes: list[Clash]) -> tuple[Witness, ...]:
    found: dict[Witness, None] = {}
    for one, other, dependence in clashes:
        found.setdefault(_witness(name, one, other, dependence))
    return tuple(found)[:_SHOWN]


def _witness(name: str, one: Access, other: Access, dependence: Dependence) -> Witness:
    distance = dependence.distance
    source, sink = one, other
    if distance is not None and distance < 0:
        source, sink, distance = other, one, -distance
    if source.write and sink.write:
        kind = "output"
    elif source.write and distance is not None:
        kind = "flow"
    elif sink.write and distance is not None:
        kind = "anti"
    else:
        kind = "flow"
        if sink.write:
            source, sink = sink, source
    return Witness(name, kind, source.at, sink.at, distance)
