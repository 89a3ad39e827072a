"""Do changed procedures leave the same after calls of a real run, given again one by one?"""

from collections.abc import Iterator
from dataclasses import replace

from acclimate.analysis.ir import UnitKind
from acclimate.analysis.project import Project, read_project
from acclimate.analysis.source import Lines
from acclimate.verifier.checks import check
from acclimate.verifier.evidence import AGAIN, Evidence, Light, Outcome
from acclimate.verifier.replay.replaying import UnitReplay, replay_units
from acclimate.verifier.subject import Side, Subject
from acclimate.verifier.toolchains import Capability

_PROCEDURES = (UnitKind.SUBROUTINE, UnitKind.FUNCTION)


@check(cost=35, needs_original=True)
def replay(subject: Subject) -> Iterator[Evidence]:
    """Replay every changed procedure that reading does not prove equal; all, where asked for.

    Raises:
        Problem: there is no C compiler, or the original does not run.
    """
    if Capability.COVERAGE not in subject.toolchain.capabilities:
        return
    if not subject.replay_all and not subject.changes:
        return
    original = read_project(subject.manifest(Side.ORIGINAL))
    names = replayed_names(subject, original)
    for found in replay_units(subject, names) if names else ():
        yield from _evidence(subject, found)


def replayed_names(subject: Subject, original: Project) -> tuple[str, ...]:
    """The procedures of the original that are to be replayed."""
    changed = {change.unit for change in subject.changes}
    wanted = None if subject.replay_all else changed - subject.proved_units
    return tuple(
        name
        for name, unit in original.units.items()
        if unit.kind in _PROCEDURES and (wanted is None or name in wanted)
    )


def _evidence(subject: Subject, found: UnitReplay) -> Iterator[Evidence]:
    blank = Evidence("replay", Light.NUMERICS, Outcome.INCONCLUSIVE, "", decisive=False)
    at = _place(subject, found)
    place = replace(blank, file=at.file, line=at.first) if at else blank
    if found.failures:
        yield replace(
            place,
            outcome=Outcome.FAILS,
            message=_failed(subject, found),
            figure=len(found.failures),
            limit=0,
            unit="calls",
        )
    elif not found.calls:
        text = f"'{found.unit}' was not replayed: {found.why}; only whole runs compare it"
        yield replace(place, message=text)
    elif not found.values:
        text = f"'{found.unit}': not one value was compared in {found.calls} replayed calls"
        yield replace(place, outcome=Outcome.FAILS, message=text, figure=0, unit="values")
    else:
        yield replace(
            place, outcome=Outcome.HOLDS, message=told(found), figure=found.values, unit="values"
        )


def _place(subject: Subject, found: UnitReplay) -> Lines | None:
    """The first statement of the procedure that was changed, or where the port has it."""
    changed = (change.at for change in subject.changes if change.unit == found.unit)
    return next(changed, found.at)


def _failed(subject: Subject, found: UnitReplay) -> str:
    first = found.failures[0]
    inside = "" if first.unit == found.unit else f", which calls '{found.unit}',"
    calls = ", ".join(str(failure.call) for failure in found.failures[:8])
    roots = f"{subject.manifest(Side.ORIGINAL).root} {subject.port.root}"
    again = f"acclimate replay {roots} --unit {first.unit} --call {first.call}"
    return (
        f"'{first.unit}'{inside} leaves something else after {len(found.failures)} of"
        f" {found.calls} replayed calls ({calls}): {first.message}{AGAIN}{again}"
    )


def told(found: UnitReplay) -> str:
    """What a replay without differences has shown, and what it has not."""
    inside = "" if found.around == (found.unit,) else f" inside {', '.join(found.around)}"
    text = f"'{found.unit}'{inside} leaves the same bits after {found.calls} replayed calls"
    covered = found.coverage
    if covered is None or not covered.lines:
        return f"{text}; which lines they executed is not known"
    text += f", {covered.taken} of {covered.branches} branches taken"
    return f"{text}; never validated: {covered.regions or 'no line'}"
