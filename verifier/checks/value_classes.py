"""Would other values, or other shapes, tell the port from the original?"""

from collections.abc import Iterator
from dataclasses import replace

from acclimate.analysis.ir import UnitKind
from acclimate.analysis.source import Lines
from acclimate.verifier.checks import check
from acclimate.verifier.evidence import Evidence, Light, Outcome
from acclimate.verifier.structure.changes import ONE_SIDED, Answer
from acclimate.verifier.subject import Subject
from acclimate.verifier.trials.bench import MOST, SHAPES, Bench, Tried


@check(cost=32, needs_original=True)
def value_classes(subject: Subject) -> Iterator[Evidence]:
    """Procedures that were changed, and that reading does not prove, on other values and shapes.

    A difference keeps the light from holding but is no failure: the original may rely on something
    that its inputs have and these have not. A class in which the original itself fails is left out.
    What gives the same in all classes, of which some tell, and for several shapes is tested; so is
    a main program that takes nothing in, by its run. All else is left unsettled, what cannot be
    tried too, unless a migration holds it to rules of its own. Procedures of one version only are
    left to `changed_lines`.
    """
    doubted = [
        name
        for name, found in subject.differences.items()
        if name
        and name not in subject.proved_units
        and any(d.answer is Answer.ASKED for d in found)
        and not any(d.kind in ONE_SIDED for d in found)
    ]
    if not doubted:
        return
    bench = Bench(subject, doubted[:MOST])
    for name in doubted:
        unit = bench.port.units.get(name)
        at = unit.at if unit else None
        strict = name not in subject.gated
        if unit is None or unit.kind is not UnitKind.PROGRAM:
            found = _judged(bench.tried(name), name, at, strict=strict)
        elif bench.is_closed:
            text = f"'{name}' takes nothing in: its one run is all there is"
            found = _evidence(Outcome.HOLDS, text, at)
        else:
            text = f"'{name}' was not tried on other inputs than those of the runs"
            found = _open(text, at, unsettled=strict)
        if found.outcome is Outcome.HOLDS:
            subject.tested[name] = found.message
        yield found


def _judged(tried: Tried | None, name: str, at: Lines | None, *, strict: bool) -> Evidence:
    if tried is None:
        text = (
            f"'{name}' was not tried on other values: nothing in it can be changed at its start,"
            f" it does not build so, or more than {MOST} procedures are to be tried"
        )
        return _open(text, at, unsettled=strict)
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
