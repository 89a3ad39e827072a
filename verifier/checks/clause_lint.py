"""The clauses of every governed loop against what the analysis finds its iterations share."""

from collections.abc import Iterator, Mapping
from dataclasses import replace

from acclimate.analysis.facts import LoopFacts, Obstacle, Verdict
from acclimate.verifier.checks import check
from acclimate.verifier.evidence import Evidence, Light, Outcome
from acclimate.verifier.subject import Subject
from acclimate.verifier.texts.atomics import atomic_targets
from acclimate.verifier.texts.governed import GovernedLoop, do_loop
from acclimate.verifier.texts.last_values import given_behind

_PRIVATE = ("private", "firstprivate", "reduction")
_OPERATORS = {"&&": ".and.", "||": ".or."}

Facts = Mapping[tuple[str, int], LoopFacts]


@check(cost=3)
def clause_lint(subject: Subject) -> Iterator[Evidence]:
    """Every parallel loop judged; the races light holds when all of them are proved.

    Names missing from `private` or `reduction`, a carried dependence under `loop`, a value that
    is read after the loop and lost in it, calls and I/O that cannot run on a device.
    """
    if subject.directives == 0:
        yield _evidence(Light.RACES, Outcome.HOLDS, "no directive: every loop runs in order")
        return
    facts: Facts = {(f.at.file, f.at.first): f for f in subject.index.loops if f.kind == "do"}
    found: list[Evidence] = []
    judged = 0
    promises: set[str] = set()
    inherited = {loop.signature for loop in subject.original_governed}
    for loop in subject.judged:
        if loop.parallel:
            judged += 1
            said = _judge(subject, loop, facts)
            promises |= _promises(loop, facts)
            found += map(_not_blamed, said) if loop.signature in inherited else said
    yield from found
    undecided = {e.outcome for e in found if e.light is Light.RACES}
    if judged and not undecided:
        text = f"all {judged} parallel loops are proved free of races"
        if promises:
            text += f", some on a promise at {', '.join(sorted(promises))}"
        yield _evidence(Light.RACES, Outcome.HOLDS, text, figure=judged)


def _promises(loop: GovernedLoop, facts: Facts) -> set[str]:
    """Places of the hints that the proof rests on."""
    known = (facts.get((loop.file, each.statement.at.first)) for each in loop.loops)
    conditions = (c for each in known if each is not None for c in each.conditions)
    return {str(condition.promise) for condition in conditions if condition.promise is not None}


def _not_blamed(evidence: Evidence) -> Evidence:
    """A directive that the original has as well is shown to the user, not held against the port."""
    if evidence.outcome is not Outcome.FAILS:
        return evidence
    message = f"the original's own directive: {evidence.message}"
    return replace(evidence, outcome=Outcome.INCONCLUSIVE, message=message, decisive=False)


def _judge(subject: Subject, loop: GovernedLoop, facts: Facts) -> Iterator[Evidence]:
    atomics = atomic_targets(subject.port_files[loop.file], loop)
    for each in loop.loops:
        known = facts.get((loop.file, each.statement.at.first))
        if known is None:
            text = f"the loop over '{each.index}' is not known to the analysis"
            yield _at(loop, Light.RACES, Outcome.INCONCLUSIVE, text)
            continue
        yield from _obstacles(loop, known, atomics)
        yield from _conditions(loop, known)
        yield from _last_values(subject, loop, known)
        yield from _calls(subject, loop, known)
        if each is loop.loops[0]:
            yield from _clauses(subject, loop, known, atomics)
            yield from _reductions(loop, known, atomics)


def _obstacles(loop: GovernedLoop, known: LoopFacts, atomics: frozenset[str]) -> Iterator[Evidence]:
    copies = loop.named("private", "firstprivate")
    for obstacle in known.obstacles:
        if obstacle.verdict in (Verdict.PARALLEL, Verdict.REDUCTION):
            continue
        variables = {witness.variable.split("%")[0] for witness in obstacle.witnesses}
        where = f"the loop over '{known.index}' at line {known.at.first}"
        text = f"{where}: {obstacle.detail} ({obstacle.at})"
        if obstacle.verdict is Verdict.ATOMIC:
            missing = (variables or set(known.atomic)) - atomics
            if missing:
                yield _at(loop, Light.RACES, Outcome.FAILS, f"{text}; no atomic protects it")
        elif obstacle.verdict is Verdict.HOST:
            yield _at(loop, Light.DEVICE, _host(obstacle), text)
        elif _is_possible_only(obstacle) or _is_excused(obstacle, variables, atomics, copies):
            yield _at(loop, Light.RACES, Outcome.INCONCLUSIVE, text)
        else:
            yield _at(loop, Light.RACES, Outcome.FAILS, text)


def _conditions(loop: GovernedLoop, known: LoopFacts) -> Iterator[Evidence]:
    for condition in known.unproved:
        where = f"the loop over '{known.index}' at line {known.at.first}"
        text = f"{where} is free of races only if {condition.detail}, which nothing proves"
        yield _at(loop, Light.RACES, Outcome.INCONCLUSIVE, text)


def _is_excused(
    obstacle: Obstacle, variables: set[str], atomics: frozenset[str], copies: frozenset[str]
) -> bool:
    """Atomic access, or a private array: that copies need no old values is not proved here."""
    if not variables:
        return False
    private = obstacle.reason.startswith("array") and variables <= copies
    return private or variables <= atomics


def _is_possible_only(obstacle: Obstacle) -> bool:
    """Whether a run may show that iterations never meet after all.

    Elements are shared for certain when they lie a constant distance apart; guards and tables
    may keep the others apart.
    """
    if obstacle.verdict is Verdict.UNKNOWN or obstacle.reason == "scatter":
        return True
    distances = {witness.distance for witness in obstacle.witnesses}
    return obstacle.reason.startswith("array") and distances == {None}


def _host(obstacle: Obstacle) -> Outcome:
    """I/O certainly cannot be offloaded; of the rest the offload build knows better."""
    return Outcome.FAILS if obstacle.reason == "io" else Outcome.INCONCLUSIVE


def _last_values(subject: Subject, loop: GovernedLoop, known: LoopFacts) -> Iterator[Evidence]:
    lost = loop.named(*_PRIVATE[:2]) | _indices(subject, loop)
    unit = subject.index.project.units.get(known.unit)
    lost &= set(known.last_values)
    if lost and unit is not None:
        lost -= given_behind(subject.index.project, unit, loop.loops[0].statement.at.first, lost)
    for name in known.last_values:
        if name in lost:
            text = f"'{name}' is private to the iterations, but its value is read after the loop"
            yield _at(loop, Light.RACES, Outcome.FAILS, text)


def _clauses(
    subject: Subject, loop: GovernedLoop, known: LoopFacts, atomics: frozenset[str]
) -> Iterator[Evidence]:
    """Names that need a copy for each iteration and have none."""
    named = loop.named(*_PRIVATE) | _indices(subject, loop) | atomics
    inner = frozenset[str]().union(
        *(g.named(*_PRIVATE) for g in subject.governed if _inside(g, loop))
    )
    for name in known.private:
        if name not in named | inner:
            text = f"'{name}' is assigned by every iteration and is not private"
            yield _at(loop, Light.RACES, Outcome.FAILS, text)
    for name in known.firstprivate:
        if name in loop.named("private"):
            text = f"'{name}' is private, but iterations read its value from before the loop"
            yield _at(loop, Light.RACES, Outcome.FAILS, text)
        elif name not in named | inner:
            text = f"'{name}' needs a copy for each iteration with its value from before the loop"
            yield _at(loop, Light.RACES, Outcome.FAILS, text)


def _reductions(
    loop: GovernedLoop, known: LoopFacts, atomics: frozenset[str]
) -> Iterator[Evidence]:
    declared = {var: _OPERATORS.get(op, op) for op, var in loop.reductions}
    for needed in known.reduction:
        got = declared.get(needed.var)
        if got is None and needed.var not in atomics:
            text = f"'{needed.var}' collects values with '{needed.op}' without a reduction clause"
            yield _at(loop, Light.RACES, Outcome.FAILS, text)
        elif got is not None and got != needed.op:
            text = f"'{needed.var}' collects values with '{needed.op}', the clause says '{got}'"
            yield _at(loop, Light.RACES, Outcome.FAILS, text)


def _calls(subject: Subject, loop: GovernedLoop, known: LoopFacts) -> Iterator[Evidence]:
    for name in known.calls:
        unit = subject.index.project.units.get(name)
        if unit is not None and not any(
            d.sentinel == "acc" and d.text.startswith("routine") for d in unit.directives
        ):
            text = f"'{name}' is called in a kernel and has no acc routine ({unit.at})"
            yield _at(loop, Light.DEVICE, Outcome.FAILS, text)


def _indices(subject: Subject, loop: GovernedLoop) -> frozenset[str]:
    """The indices of all DO loops inside: private by the OpenACC specification."""
    inside = (s for s in subject.port_files[loop.file].statements if loop.contains(s.at.first))
    return frozenset(found.index for found in map(do_loop, inside) if found)


def _inside(inner: GovernedLoop, outer: GovernedLoop) -> bool:
    return inner.file == outer.file and inner is not outer and outer.contains(inner.line)


def _at(loop: GovernedLoop, light: Light, outcome: Outcome, message: str) -> Evidence:
    return Evidence(
        "clause_lint",
        light,
        outcome,
        message,
        file=loop.file,
        line=loop.directive.at.first,
        decisive=light is Light.RACES,
    )


def _evidence(
    light: Light, outcome: Outcome, message: str, figure: float | None = None
) -> Evidence:
    return Evidence("clause_lint", light, outcome, message, figure=figure, unit="loops")
