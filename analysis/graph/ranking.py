"""Where a port pays: procedures, modules or files by what they would gain from a device.

For a procedure p that runs `n` times in a run of the model, of them `m` inside loops of its
callers that may run in parallel,

    work(p)    = n * w            w: executed statements of one call, callees left out
    share(p)   = work(p) / sum of work           or seconds(p) / sum of seconds, where profiled
    open(p)    = (m * (w - d) + (n - m) * o) / work(p)
                                  o: the part of w in loops that may run in parallel and stand
                                  on no device yet; d: the part that is on a device
    clarity(p) = s / (s + 10 * q)                s: statements as written, q: doubts
    score(p)   = share(p) * clarity(p) * open(p)

so that a score is a share of the model's time. Doubts are 4 for a statement that could not be
read, 2 for a loop without a verdict or under a condition that nothing proves, and 1 for each
GOTO, input or output statement, name that may be an alias (POINTER, TARGET, EQUIVALENCE) and call
of a procedure outside the model. Without a profile, n and w are static: products of trip counts,
those of `procedure_facts.TRIPS` and its neighbours where no constant gives one, and branches
counted as taken; calls inside a recursive group count once.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from acclimate.analysis.facts import ProcedureFacts
from acclimate.analysis.graph.call_frequency import Frequency, frequencies
from acclimate.analysis.graph.profile import Profile

CLEAR_STATEMENTS = 10  # that one doubt costs


@dataclass(frozen=True, slots=True)
class Rank:
    """One procedure, module or file; `share`, `open`, `clarity` and `score` are within 0..1."""

    name: str
    file: str
    line: int
    procedures: int
    statements: int
    loops: int
    calls: float  # in a run of the model; 0: never called
    work: float  # executed statements, or seconds where there is a profile
    share: float
    open: float
    device: float  # the part of the work that is on a device already
    clarity: float
    score: float
    doubts: tuple[tuple[str, int], ...]  # (what, how many), only those there are


def rank_procedures(
    procedures: Iterable[ProcedureFacts], profile: Profile | None = None
) -> tuple[Rank, ...]:
    """All procedures, the best first; ties by name."""
    facts = tuple(procedures)
    often = frequencies(facts)
    work = {p.unit: _work(p, often[p.unit], profile) for p in facts}
    total = sum(work.values()) or 1.0
    return _sorted(_rank(p, often[p.unit], work[p.unit], total) for p in facts)


def rank_groups(ranks: Iterable[Rank], group_of: Callable[[Rank], str]) -> tuple[Rank, ...]:
    """Modules or files: sums, with averages weighted by work."""
    members: dict[str, list[Rank]] = defaultdict(list)
    for rank in ranks:
        members[group_of(rank)].append(rank)
    return _sorted(_joined(name, found) for name, found in members.items())


def module_of(rank: Rank) -> str:
    """The module of a procedure; a procedure outside all modules is its own."""
    return rank.name.partition("::")[0]


def file_of(rank: Rank) -> str:
    return rank.file


def _work(facts: ProcedureFacts, often: Frequency, profile: Profile | None) -> float:
    if profile is not None:
        return profile.seconds.get(facts.unit, 0.0)
    return facts.work * often.calls


def _rank(facts: ProcedureFacts, often: Frequency, work: float, total: float) -> Rank:
    doubts = _doubts(facts)
    clarity = _clarity(facts.statements, doubts)
    inside = often.open_calls / often.calls if often.calls else 0.0
    own = facts.open_work / facts.work if facts.work else 0.0
    device = facts.device_work / facts.work if facts.work else 0.0
    opened = inside * (1 - device) + (1 - inside) * own
    share = work / total
    return Rank(
        name=facts.unit,
        file=facts.at.file,
        line=facts.at.first,
        procedures=1,
        statements=facts.statements,
        loops=facts.loops,
        calls=often.calls,
        work=work,
        share=share,
        open=opened,
        device=device,
        clarity=clarity,
        score=share * clarity * opened,
        doubts=tuple((name, number) for name, number in doubts.items() if number),
    )


def _doubts(facts: ProcedureFacts) -> dict[str, int]:
    return {
        "unread": facts.opaque,
        "undecided": facts.unknown_loops,
        "jumps": facts.jumps,
        "I/O": facts.io,
        "aliases": facts.aliases,
        "external calls": facts.externals,
    }


_WEIGHTS = {"unread": 4, "undecided": 2}


def _clarity(statements: int, doubts: Mapping[str, int]) -> float:
    weight = sum(number * _WEIGHTS.get(name, 1) for name, number in doubts.items())
    return statements / (statements + CLEAR_STATEMENTS * weight) if statements else 1.0


def _joined(name: str, members: list[Rank]) -> Rank:
    first = min(members, key=lambda rank: (rank.file, rank.line))
    work = sum(rank.work for rank in members)
    doubts: dict[str, int] = defaultdict(int)
    for rank in members:
        for what, number in rank.doubts:
            doubts[what] += number
    statements = sum(rank.statements for rank in members)

    def average(value: Callable[[Rank], float]) -> float:
        return sum(value(rank) * rank.work for rank in members) / work if work else 0.0

    return Rank(
        name=name,
        file=first.file,
        line=first.line,
        procedures=len(members),
        statements=statements,
        loops=sum(rank.loops for rank in members),
        calls=sum(rank.calls for rank in members),
        work=work,
        share=sum(rank.share for rank in members),
        open=average(lambda rank: rank.open),
        device=average(lambda rank: rank.device),
        clarity=_clarity(statements, doubts),
        score=sum(rank.score for rank in members),
        doubts=tuple(doubts.items()),
    )


def _sorted(ranks: Iterable[Rank]) -> tuple[Rank, ...]:
    return tuple(sorted(ranks, key=lambda rank: (-rank.score, -rank.share, rank.name)))
