"""Scalars of a loop: private, reduction, carried from iteration to iteration, or live behind it."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from acclimate.analysis.dependence.aliasing import shown
from acclimate.analysis.dependence.conditions import facts_of
from acclimate.analysis.dependence.configuration import configured
from acclimate.analysis.dependence.lifetimes import is_private_to
from acclimate.analysis.dependence.promises import Promises
from acclimate.analysis.dependence.records import Access
from acclimate.analysis.dependence.walking import WalkedLoop
from acclimate.analysis.facts import (
    Condition,
    ConditionKind,
    Obstacle,
    Reduction,
    Verdict,
    Witness,
)
from acclimate.analysis.ir import Symbol


@dataclass(slots=True)
class Clauses:
    """What an `acc parallel loop` on the judged loop needs, and what stands against it."""

    private: set[str] = field(default_factory=set)
    firstprivate: set[str] = field(default_factory=set)
    reduction: set[tuple[str, str]] = field(default_factory=set)
    atomic: set[str] = field(default_factory=set)
    last_values: set[str] = field(default_factory=set)
    obstacles: list[Obstacle] = field(default_factory=list)
    conditions: list[Condition] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    def reductions(self) -> tuple[Reduction, ...]:
        return tuple(Reduction(op, var) for op, var in sorted(self.reduction))


LiveAfter = Callable[[Symbol], bool]


class ScalarJudge:
    def __init__(
        self, walked: WalkedLoop, promises: Promises, live_after: LiveAfter, clauses: Clauses
    ) -> None:
        self._promises = promises
        self._walked, self._live_after, self._clauses = walked, live_after, clauses
        self._context = walked.context
        self._record = walked.context.record

    def judge(self, key: str, accesses: Sequence[Access]) -> None:
        """`accesses`: all references to one scalar place that is written in the loop."""
        writes = [access for access in accesses if access.write]
        reads = [access for access in accesses if access.exposed]
        name = self._name(key)
        if self._promised_private(key, name, accesses):
            return
        if any(access.is_target or access.through_pointer for access in writes):
            self._pointer(name, writes[0])
        elif self._reduces(accesses):
            self._reduction(key, name, accesses)
        elif reads and not all(self._walked.privacy.is_kept(read, writes) for read in reads):
            if not self._private_in_case(name, accesses):
                self._carried(key, name, writes, reads)
        elif any(access.whole_procedure for access in accesses):
            self._shared_with_callee(name, writes)
        else:
            copies = self._clauses.firstprivate if reads else self._clauses.private
            self._private(key, name, writes, copies)

    def _private_in_case(self, name: str, accesses: Sequence[Access]) -> bool:
        """A copy that is right in the present configuration only, as far as is known."""
        privacy = self._walked.privacy
        if not privacy.can_copy(accesses) or self._live_after(accesses[0].symbol):
            return False
        condition = configured(self._context, privacy.case_for(accesses), name, accesses)
        if condition is None:
            return False
        self._clauses.firstprivate.add(name)
        self._clauses.conditions.append(condition)
        return True

    def _promised_private(self, key: str, name: str, accesses: Sequence[Access]) -> bool:
        """A hint asks for a copy, and nothing proves that a value is carried."""
        promise = self._promises.private(name)
        first = accesses[0]
        if promise is None or "%" in key or any(access.key != key for access in accesses):
            return False
        if any(access.whole_procedure or access.through_pointer for access in accesses):
            return False  # a copy would not be what they refer to
        if first.exposed and not first.conditions:
            return False
        if all(access.write for access in accesses) and self._live_after(first.symbol):
            return False  # a result: a copy would lose it
        self._clauses.private.add(name)
        if self._needs_promise(key, accesses):
            refs = tuple(dict.fromkeys(access.at for access in accesses))
            condition = Condition(ConditionKind.PRIVATE, (name,), refs, promise)
            self._clauses.conditions.append(condition)
        return True

    def _needs_promise(self, key: str, accesses: Sequence[Access]) -> bool:
        symbol = accesses[0].symbol
        return (
            any(access.exposed for access in accesses)
            or self._live_after(symbol)
            or not is_private_to(symbol, self._context.unit)
        )

    def _name(self, key: str) -> str:
        return self._record.names.get(key, shown(key))

    def _reduces(self, accesses: Sequence[Access]) -> bool:
        if all(access.write and access.constant for access in accesses):
            return len({access.constant for access in accesses}) == 1
        operators = {access.operator for access in accesses}
        return len(operators) == 1 and None not in operators

    def _reduction(self, key: str, name: str, accesses: Sequence[Access]) -> None:
        first = accesses[0]
        operator = first.operator or first.constant or ""
        located = [x for x in self._record.locations if x.extremum == key]
        if located:
            self._location(name, operator, [self._name(x.key) for x in located], first)
        elif first.operator is None and self._is_unconditional(key):
            self._private(key, name, accesses, self._clauses.private)
        elif first.operator is None and not self._live_after(first.symbol):
            self._clauses.private.add(name)
        elif "%" in key:
            self._obstacle(
                Verdict.REWRITE,
                "component-reduction",
                f"`{name}` is combined over the iterations, but a reduction clause cannot name "
                "a component",
                first,
                "sum into a local scalar and copy it behind the loop",
            )
        else:
            self._clauses.reduction.add((operator, name))

    def _location(self, name: str, operator: str, others: list[str], first: Access) -> None:
        quoted = ", ".join(f"`{other}`" for other in sorted(set(others)))
        word = "maximum" if operator == "max" else "minimum"
        self._obstacle(
            Verdict.REWRITE,
            "extremum-location",
            f"{quoted} is set where the {word} `{name}` is found; one reduction clause cannot "
            "do both",
            first,
            f"first reduce `{name}` with {operator}, then find the first iteration that has it",
        )

    def _carried(
        self, key: str, name: str, writes: Sequence[Access], reads: Sequence[Access]
    ) -> None:
        read, write = reads[0], writes[0]
        if any(a.key != key for a in (*writes, *reads)):
            reason, verdict = "storage-association", Verdict.UNKNOWN
        else:
            reason, verdict = "scalar-carried", Verdict.SERIAL
        if verdict is Verdict.SERIAL and self._is_only_conditional(read, writes):
            verdict = Verdict.UNKNOWN
        called = f" in `{read.call}`" if read.call else ""
        detail = (
            f"`{name}` is read (line {read.at.first}{called}) before the iteration has surely "
            f"written it (line {write.at.first}), so it may carry a value from the iteration before"
        )
        remedy = f"give `{name}` a value on every path before it is read"
        if self._is_induction(key, writes, reads):
            verdict, reason = Verdict.REWRITE, "induction"
            remedy = f"compute `{name}` from the loop index"
        witness = Witness(name, "scalar", write.at, read.at, 1)
        self._obstacle(verdict, reason, detail, read, remedy, witness)

    def _is_only_conditional(self, read: Access, writes: Sequence[Access]) -> bool:
        """A write stands before the read, under conditions that do not contradict the read's."""
        for write in writes:
            if write.at >= read.at or not write.conditions or write.operator is not None:
                continue
            known = facts_of(read.conditions)
            if not any(known.imply(c.negated()) for c in write.conditions):
                return True
        return False

    def _is_induction(self, key: str, writes: Sequence[Access], reads: Sequence[Access]) -> bool:
        """One unconditional `k = k + step` with a step that is the same in all iterations."""
        if len(writes) != 1 or writes[0].conditions or writes[0].call or "%" in key:
            return False
        values, value = self._context.values, writes[0].value
        if value is None or not reads:
            return False
        return not values.varies(value - values.at_start(key))

    def _pointer(self, name: str, write: Access) -> None:
        self._obstacle(
            Verdict.UNKNOWN,
            "pointer-alias",
            f"`{name}` (line {write.at.first}) is a pointer or target and may share storage with "
            "other variables",
            write,
            f"use a local scalar instead of `{name}`, or promise that nothing else points to it",
        )

    def index_in_callee(self, key: str, accesses: Sequence[Access]) -> None:
        """The loop's own index, read by a procedure that is called."""
        if any(access.whole_procedure for access in accesses):
            self._shared_with_callee(self._name(key), accesses)

    def _shared_with_callee(self, name: str, writes: Sequence[Access]) -> None:
        write = writes[0]
        called = next((a.call for a in writes if a.call), None)
        where = f" by `{called}`" if called else ""
        self._obstacle(
            Verdict.SERIAL,
            "shared-state",
            f"`{name}` is written{where} (line {write.at.first}) and shared with a procedure that "
            "is called, so all iterations use the one variable",
            write,
            f"pass `{name}` as an argument",
            Witness(name, "call", write.at, write.at),
        )

    def _private(self, key: str, name: str, writes: Sequence[Access], copies: set[str]) -> None:
        symbol = writes[0].symbol
        if "%" in key:
            self._obstacle(
                Verdict.REWRITE,
                "component-private",
                f"`{name}` is a scratch value, but a private clause cannot name a component",
                writes[0],
                f"use a local scalar in the place of `{name}`",
            )
            return
        if not self._live_after(symbol):
            copies.add(name)
            return
        if key in self._record.inner_indices or self._is_unconditional(key):
            copies.add(name)
            self._clauses.last_values.add(name)
            if not is_private_to(symbol, self._context.unit):
                self._clauses.notes.append(
                    f"`{name}` outlives this procedure; its last value is taken to be read"
                )
            return
        if any(x.key == key for x in self._record.locations):
            return  # said with the extremum
        last = writes[-1]
        self._obstacle(
            Verdict.REWRITE,
            "conditional-last-value",
            f"`{name}` is set under a condition (line {last.at.first}) and read after the loop: "
            "the last iteration that sets it must win",
            last,
            f"keep the largest index that sets `{name}` with a max reduction and compute the "
            "value from it behind the loop",
            Witness(name, "output", last.at, last.at),
        )

    def _is_unconditional(self, key: str) -> bool:
        state = self._context.state
        known = state.definitions.get(key, ())
        return state.alive and any(not definition.conditions for definition in known)

    def _obstacle(
        self,
        verdict: Verdict,
        reason: str,
        detail: str,
        access: Access,
        remedy: str,
        witness: Witness | None = None,
    ) -> None:
        witnesses = () if witness is None else (witness,)
        self._clauses.obstacles.append(
            Obstacle(verdict, reason, detail, access.at, witnesses, remedy)
        )
