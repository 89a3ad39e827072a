"""Would other values, or other shapes, tell the port from the original?"""

from collections.abc import Iterator
from dataclasses import replace

from acclimate.analysis.ir import UnitKind
from acclimate.analysis.source import Lines
from acclimate.verifier.checks import check
from acclimate.verifier.evidence import Evidence, Light, Outcome
from acclimate.verifier.structure.changes import OBLIGATIONS, ONE_SIDED, Answer, Difference
from acclimate.verifier.subject import Length, Subject
from acclimate.verifier.trials.bench import SHAPES, Bench, Tried

_LEAST = 600.0  # s of the processor, for trials
_RUNS = 50  # of the model's short run, where that is more


@check(cost=32, needs_original=True)
def value_classes(subject: Subject) -> Iterator[Evidence]:
    """Procedures that were changed, and that reading does not prove, on other values and shapes.

    A difference keeps the light from holding but is no failure: the original may rely on something
    that its inputs have and these have not. A class in which the original itself fails is left out.
    What gives the same in all classes, of which some tell, and for several shapes is tested; so is
    a main program that takes nothing in, by its run. All else is left unsettled, what cannot be
    tried too, unless a migration holds it to rules of its own. Procedures of one version only are
    left to `changed_lines`. Those with most that reading leaves open come first: trying ends with
    the budget of processor seconds.
    """
    doubted = _doubted(subject)
    if not doubted:
        return
    bench = Bench(subject, doubted)
    budget = _budget(subject) if any(map(bench.can_try, doubted)) else 0.0
    spent = 0.0
    for number, name in enumerate(doubted, start=1):
        unit = bench.port.units.get(name)
        at = unit.at if unit else None
        strict = name not in subject.gated
        if unit is not None and unit.kind is UnitKind.PROGRAM:
            found = _program(bench, name, at, strict=strict)
        elif not bench.can_try(name):
            text = "nothing in it can be changed at its start, or it does not build so"
            found = _open(f"'{name}' was not tried on other values: {text}", at, unsettled=strict)
        elif spent + bench.seconds(name) > budget:
            found = _beyond(name, at, budget, unsettled=strict)
        else:
            subject.say(f"trying {name} on other values ({number} of {len(doubted)})")
            tried = bench.tried(name)
            spent += tried.seconds
            found = _judged(tried, name, at, strict=strict)
        if found.outcome is Outcome.HOLDS:
            subject.tested[name] = found.message
        yield found


def _doubted(subject: Subject) -> list[str]:
    """The procedures to try, those first of which reading leaves most open."""
    asked = {
        name: [d for d in found if d.answer is Answer.ASKED]
        for name, found in subject.differences.items()
        if name and name not in subject.proved_units and not any(d.kind in ONE_SIDED for d in found)
    }
    return sorted((name for name in asked if asked[name]), key=lambda n: (*_risk(asked[n]), n))


def _risk(asked: list[Difference]) -> tuple[int, int]:
    """Equal bits of a run answer for arithmetic and order; for conditions and values, less."""
    told = sum(d.kind in OBLIGATIONS for d in asked)
    return told - len(asked), -told


def _budget(subject: Subject) -> float:
    """Processor seconds for trials: the manifest's, or by what a run of the model takes."""
    return subject.inputs.budget or max(_LEAST, _RUNS * subject.baseline(Length.SHORT).finished.cpu)


def _program(bench: Bench, name: str, at: Lines | None, *, strict: bool) -> Evidence:
    if bench.is_closed:
        text = f"'{name}' takes nothing in: its one run is all there is"
        return _evidence(Outcome.HOLDS, text, at)
    text = f"'{name}' was not tried on other inputs than those of the runs"
    return _open(text, at, unsettled=strict)


def _beyond(name: str, at: Lines | None, budget: float, *, unsettled: bool) -> Evidence:
    text = f"'{name}' not tried on other values: budget of {budget:.0f} s of processor time"
    next_step = "next: raise it with --budget, or [verify] budget in acclimate.toml"
    found = _evidence(Outcome.INCONCLUSIVE, f"{text}; {next_step}", at)
    return replace(found, unsettled=unsettled)


def _judged(tried: Tried, name: str, at: Lines | None, *, strict: bool) -> Evidence:
    if tried.differs:
        return _open(f"'{name}' {tried.differs}", at, unsettled=True)
    if not tried.told:
        text = f"'{name}': no class of values changes what the model puts out"
        return _open(f"{text} ({tried.values} tried)", at, unsettled=strict)
    shapes = "the only shape it can have" if tried.fixed else f"{tried.shapes} shapes"
    same = f"gives the same on values of {tried.values} classes, {tried.told} of which tell"
    if tried.shapes < SHAPES and not tried.fixed:
        text = f"'{name}' {same}, but for {shapes} only: {SHAPES} are wanted"
        return _open(text, at, unsettled=strict)
    return _evidence(Outcome.HOLDS, f"'{name}' {same}, and for {shapes}", at, tried.told)


def _open(text: str, at: Lines | None, *, unsettled: bool) -> Evidence:
    """What no test has settled, and what is left to do about it."""
    next_step = "next: have it read, or write it so that reading proves it"
    found = _evidence(Outcome.INCONCLUSIVE, f"{text}; {next_step}", at)
    return replace(found, unsettled=unsettled)


def _evidence(
    outcome: Outcome, message: str, at: Lines | None, figure: int | None = None
) -> Evidence:
    return Evidence(
        "value_classes",
        Light.NUMERICS,
        outcome,
        message,
        figure=figure,
        unit="classes" if figure is not None else "",
        file=at.file if at else None,
        line=at.first if at else None,
        decisive=False,
    )
