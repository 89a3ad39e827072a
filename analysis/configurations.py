"""What holds of a model in all the configurations in which it is read.

The same lines are matched: a loop's verdict holds only if it holds wherever the loop stands.
"""

from collections.abc import Callable, Hashable, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import TypeVar

from acclimate.analysis.dependence.obstacles import GRAVITY, by_gravity
from acclimate.analysis.facts import (
    Agreement,
    Claim,
    LoopFacts,
    Obstacle,
    ReadingProblem,
    Reduction,
    Verdict,
)
from acclimate.analysis.keeping.kept_index import ModelFacts

BUILT = "as built"
_AGREEMENT = (Agreement.CONTRADICTED, Agreement.UNDECIDED, Agreement.CONFIRMED)  # gravest first
_REMEDY = "put the directive into the same #ifdef, or let every configuration need the same clauses"

T = TypeVar("T")
Read = Mapping[str, LoopFacts]
"""The facts on one loop by configuration."""


def joined(found: Mapping[str, ModelFacts]) -> ModelFacts:
    """Facts on everything that stands in any configuration; `BUILT` is the first.

    Where the same thing is found in several, the first says what it is.
    """
    models = list(found.values())
    loops: dict[Hashable, dict[str, LoopFacts]] = {}
    for name, facts in found.items():
        for place, loop in _placed(facts.loops):
            loops.setdefault(place, {})[name] = loop
    together = [_loop(read, len(found)) for read in loops.values()]
    return ModelFacts(
        units=_first(models, lambda m: m.units, lambda u: (u.name, u.at)),
        loops=tuple(sorted(together, key=lambda loop: (loop.at, loop.depth))),
        calls=tuple(
            sorted(_all(models, lambda m: m.calls), key=lambda c: (c.at, c.caller, c.callee))
        ),
        uses=tuple(sorted(_all(models, lambda m: m.uses), key=lambda u: (u.at, u.unit, u.module))),
        problems=_problems(found),
        procedures=_first(models, lambda m: m.procedures, lambda p: (p.unit, p.at)),
        findings=tuple(sorted(_all(models, lambda m: m.findings), key=lambda f: (f.at, f.detail))),
    )


def _all(models: Iterable[ModelFacts], part: Callable[[ModelFacts], Iterable[T]]) -> list[T]:
    return list(dict.fromkeys(item for model in models for item in part(model)))


def _first(
    models: Iterable[ModelFacts],
    part: Callable[[ModelFacts], Iterable[T]],
    key: Callable[[T], Hashable],
) -> tuple[T, ...]:
    unique: dict[Hashable, T] = {}
    for model in models:
        for item in part(model):
            unique.setdefault(key(item), item)
    return tuple(unique.values())


def _problems(found: Mapping[str, ModelFacts]) -> tuple[ReadingProblem, ...]:
    where: dict[ReadingProblem, list[str]] = {}
    for name, facts in found.items():
        for problem in facts.problems:
            where.setdefault(problem, []).append(name)
    told = [
        problem if names[0] == BUILT else replace(problem, reason=f"{problem.reason} {_in(names)}")
        for problem, names in where.items()
    ]
    return tuple(sorted(told, key=lambda problem: (problem.at, problem.reason)))


def _placed(loops: Iterable[LoopFacts]) -> Iterable[tuple[Hashable, LoopFacts]]:
    """Loops with their places; several on one line are told apart by their order."""
    seen: dict[Hashable, int] = {}
    for loop in loops:
        place = (loop.unit, loop.at, loop.kind, loop.index)
        seen[place] = seen.get(place, 0) + 1
        yield (place, seen[place]), loop


def _in(names: Iterable[str]) -> str:
    quoted = [name if name == BUILT else f"in configuration '{name}'" for name in names]
    return f"({', '.join(quoted)})"


# --- one loop ------------------------------------------------------------------------------------


def _loop(read: Read, configurations: int) -> LoopFacts:
    first, *others = read.values()
    only_in = tuple(read) if len(read) < configurations else ()
    if all(other == first for other in others):
        return replace(first, only_in=only_in)
    copies = _copies(read)
    obstacles = by_gravity([*_obstacles(read), *copies.clashes])
    verdicts = [loop.verdict for loop in read.values()]
    verdict = min([*verdicts, *(o.verdict for o in copies.clashes)], key=GRAVITY.index)
    return replace(
        first,
        verdict=verdict,
        private=copies.private,
        firstprivate=copies.firstprivate,
        reduction=copies.reduction,
        atomic=tuple(sorted(_union(read, lambda loop: loop.atomic))),
        last_values=tuple(sorted(_union(read, lambda loop: loop.last_values))),
        reason=obstacles[0].detail if obstacles else _reason(read, verdict),
        obstacles=obstacles,
        calls=_union(read, lambda loop: loop.calls),
        notes=_union(read, lambda loop: loop.notes),
        conditions=_union(read, lambda loop: loop.conditions),
        hints=_union(read, lambda loop: loop.hints),
        claims=_claims(read),
        findings=_union(read, lambda loop: loop.findings),
        only_in=only_in,
    )


def _union(read: Read, part: Callable[[LoopFacts], Iterable[T]]) -> tuple[T, ...]:
    return tuple(dict.fromkeys(item for loop in read.values() for item in part(loop)))


def _reason(read: Read, verdict: Verdict) -> str:
    told = [loop.reason for loop in read.values() if loop.verdict is verdict and loop.reason]
    return told[0] if told else ""


def _obstacles(read: Read) -> Iterable[Obstacle]:
    where: dict[Obstacle, list[str]] = {}
    for name, loop in read.items():
        for obstacle in loop.obstacles:
            where.setdefault(obstacle, []).append(name)
    for obstacle, names in where.items():
        if len(names) == len(read):
            yield obstacle
        else:
            yield replace(obstacle, detail=f"{obstacle.detail} {_in(names)}")


def _claims(read: Read) -> tuple[Claim, ...]:
    gravest: dict[Hashable, Claim] = {}
    for loop in read.values():
        for claim in loop.claims:
            place = (claim.at, claim.text)
            known = gravest.setdefault(place, claim)
            if _AGREEMENT.index(claim.agreement) < _AGREEMENT.index(known.agreement):
                gravest[place] = claim
    return tuple(gravest.values())


@dataclass(slots=True)
class _Copies:
    """Clauses that are right in every configuration, and what has none."""

    private: tuple[str, ...] = ()
    firstprivate: tuple[str, ...] = ()
    reduction: tuple[Reduction, ...] = ()
    clashes: tuple[Obstacle, ...] = ()


def _copies(read: Read) -> _Copies:
    """A copy where another configuration may only read the variable begins with its value."""
    needed: dict[str, dict[str, str]] = {}  # clause by variable and configuration
    for name, loop in read.items():
        for variable in loop.private:
            needed.setdefault(variable, {})[name] = "private"
        for variable in loop.firstprivate:
            needed.setdefault(variable, {})[name] = "firstprivate"
        for reduction in loop.reduction:
            needed.setdefault(reduction.var, {})[name] = f"reduction({reduction.op})"
    copies = _Copies()
    first = next(iter(read.values()))
    for variable, clauses in sorted(needed.items()):
        kinds = {clauses.get(name, "none") for name in read}
        if kinds == {"private"} or variable == first.index:
            copies.private += (variable,)
        elif kinds <= {"private", "firstprivate", "none"}:
            copies.firstprivate += (variable,)
        elif len(kinds) == 1:
            copies.reduction += tuple(r for r in first.reduction if r.var == variable)
        else:
            told = ", ".join(f"{clauses.get(name, 'none')} {_in([name])}" for name in read)
            detail = f"`{variable}` needs another clause in each configuration: {told}"
            clash = Obstacle(
                Verdict.UNKNOWN, "configurations-differ", detail, first.at, (), _REMEDY
            )
            copies.clashes += (clash,)
    return copies
