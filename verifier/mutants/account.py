"""What a campaign says of the verifier: kill rates by operator and rung, and every survivor."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum

from acclimate.verifier.mutants.campaign import Tried
from acclimate.verifier.mutants.mutant import Family
from acclimate.verifier.mutants.trial import Excuse, Fate, Rungs


class Standing(StrEnum):
    """What one trial says of the verifier."""

    KILLED = "killed"
    SURVIVED = "survived"  # a fault that no check found
    EQUIVALENT = "equivalent"  # as right as the port, and nothing was held against it
    FALSE_ALARM = "false alarm"  # as right as the port, and rejected
    EQUAL_COPIES = "copies equal"  # an update with nothing to copy in any run, so not missed
    EQUAL_VALUES = "values equal"  # of another expression, in all runs, so nothing could be found
    UNUSED = "value unused"  # not found, and runs with two poisons show that nothing could be
    NEVER_VALIDATED = "never validated"  # not found, at a place that no run executes
    OPEN = "open"  # not found by reading, and nothing was run
    NOT_BUILT = "not built"  # no port at all: left out of every rate


_EXCUSED = {
    Excuse.UNREACHED: Standing.NEVER_VALIDATED,
    Excuse.EQUAL_COPIES: Standing.EQUAL_COPIES,
    Excuse.SAME_VALUE: Standing.EQUAL_VALUES,
    Excuse.UNUSED: Standing.UNUSED,
}


def standing(tried: Tried, rungs: Rungs) -> Standing:
    """Equivalence comes first: a rejected equivalent is no kill."""
    fate = tried.trial.fate
    if fate is Fate.NOT_BUILT:
        return Standing.NOT_BUILT
    if tried.mutant.equivalent:
        return Standing.FALSE_ALARM if fate is Fate.KILLED else Standing.EQUIVALENT
    if fate is Fate.KILLED:
        return Standing.KILLED
    if rungs is Rungs.STATIC:
        return Standing.OPEN
    if not tried.reached:
        return Standing.NEVER_VALIDATED
    if tried.trial.excuse is not Excuse.NONE:
        return _EXCUSED[tried.trial.excuse]
    unused = tried.mutant.if_alive and tried.trial.verdict == "accept"
    return Standing.UNUSED if unused else Standing.SURVIVED


@dataclass(frozen=True, slots=True)
class Row:
    """One operator's mutants; `rate` is killed of those that could be found, None without any."""

    operator: str
    family: Family
    counts: dict[Standing, int]
    seconds: float  # of processor time, of all its trials

    @property
    def tried(self) -> int:
        return sum(self.counts.values())

    @property
    def rate(self) -> float | None:
        return kill_rate(self.counts)


@dataclass(frozen=True, slots=True)
class Account:
    """The whole campaign; `rungs` are kills by rung and check, in the order of their number."""

    rows: tuple[Row, ...]
    rungs: tuple[tuple[str, str, int], ...]
    shown: tuple[tuple[Tried, Standing], ...]  # survivors, false alarms, never validated

    @property
    def counts(self) -> dict[Standing, int]:
        return _added(self.rows)

    @property
    def seconds(self) -> float:
        return sum(row.seconds for row in self.rows)

    def rate(self, family: Family) -> float | None:
        return kill_rate(_added(row for row in self.rows if row.family is family))


def account(found: Sequence[Tried], rungs: Rungs) -> Account:
    """Add up what was tried."""
    judged = [(tried, standing(tried, rungs)) for tried in found]
    names = {(t.mutant.family, t.mutant.operator) for t in found}
    rows = []
    for family, name in sorted(names):
        own = [(t, s) for t, s in judged if t.mutant.operator == name]
        counts = Counter(s for _, s in own)
        rows.append(Row(name, family, dict(counts), sum(t.trial.seconds for t, _ in own)))
    kills = Counter((t.trial.rung, t.trial.check) for t, s in judged if s is Standing.KILLED)
    told = (
        Standing.SURVIVED,
        Standing.FALSE_ALARM,
        Standing.NEVER_VALIDATED,
        Standing.EQUAL_COPIES,
        Standing.EQUAL_VALUES,
        Standing.UNUSED,
    )
    return Account(
        tuple(rows),
        tuple((rung, check, number) for (rung, check), number in kills.most_common()),
        tuple((t, s) for t, s in judged if s in told),
    )


def kill_rate(counts: dict[Standing, int]) -> float | None:
    """Killed of killed and survived, open ones included; None without any."""
    killed = counts.get(Standing.KILLED, 0)
    alive = counts.get(Standing.SURVIVED, 0) + counts.get(Standing.OPEN, 0)
    return killed / (killed + alive) if killed + alive else None


def _added(rows: Iterable[Row]) -> dict[Standing, int]:
    total: Counter[Standing] = Counter()
    for row in rows:
        total.update(row.counts)
    return dict(total)
