"""The state of a module in a review, in one word."""

from collections.abc import Iterable, Mapping
from datetime import date
from enum import StrEnum

from acclimate.verifier.evidence import Evidence, Light, Outcome
from acclimate.workflows.reviewing.decisions import Decisions, Mark
from acclimate.workflows.reviewing.modules import Module


class State(StrEnum):
    """In the order in which a reviewer wants to see them; later ones need less attention."""

    DISPUTED = "disputed"  # two reviewers decided differently
    FAILED = "failed"  # evidence against it, or a unit turned back for that
    PORTED = "ported"  # changed, and something about it is open
    WAIVED = "waived"  # only what a waiver covers stands against it
    VERIFIED = "verified"  # data, races and numerics hold
    REVIEWED = "reviewed"  # every hunk is decided
    LANDED = "landed"
    PLANNED = "planned"  # the migration has not come to it yet
    REFUSED = "refused"  # nothing was changed, and there are reasons
    HOST = "host"  # nothing to offload, or left out on request


def state_of(module: Module, marks: Mapping[str, Mark], decided: Decisions, today: date) -> State:
    """What a module's state is, given the marks on its hunks and all decisions so far."""
    given = set(marks.values())
    if Mark.DISPUTED in given or decided.is_disputed_text(module.file):
        return State.DISPUTED
    if not module.hunks:
        return _unchanged(module, marks_text=decided.text(module.file) is not None)
    if is_landed(module, marks, decided):
        return State.LANDED
    if Mark.OPEN not in given:
        return State.REVIEWED
    judged = _judged(module, decided, today)
    # What was verified is what the authors made: a rejected or edited part was not in it.
    altered = Mark.REJECTED in given or decided.text(module.file) is not None
    return State.PORTED if judged is State.VERIFIED and altered else judged


def is_landed(module: Module, marks: Mapping[str, Mark], decided: Decisions) -> bool:
    """Whether exactly the hunks that stand accepted now have landed."""
    last = next((e for e in reversed(decided.landed) if module.file in e.files), None)
    if last is None:
        return False
    accepted = {name for name, mark in marks.items() if mark is Mark.ACCEPTED}
    return bool(accepted) and accepted == marks.keys() & set(last.hunks)


def open_failures(
    evidence: Iterable[Evidence], decided: Decisions, today: date
) -> tuple[Evidence, ...]:
    """Failing evidence that no waiver covers today."""
    return tuple(
        item
        for item in evidence
        if item.outcome is Outcome.FAILS
        and decided.waiver(item.check, item.file or "", today) is None
    )


def _unchanged(module: Module, *, marks_text: bool) -> State:
    states = {unit.state for unit in module.units}
    if marks_text:
        return State.REVIEWED  # a reviewer took every change back
    if "turned-back" in states:
        return State.FAILED
    if module.planned:
        return State.PLANNED
    return State.REFUSED if "refused" in states else State.HOST


def _judged(module: Module, decided: Decisions, today: date) -> State:
    if open_failures(module.evidence, decided, today):
        return State.FAILED
    asked = [module.lights[light.value] for light in (Light.DATA, Light.RACES, Light.NUMERICS)]
    if all(light == Outcome.HOLDS for light in asked):
        return State.VERIFIED
    against = [e for e in module.evidence if e.outcome is not Outcome.HOLDS]
    covered = [e for e in against if decided.waiver(e.check, e.file or "", today)]
    if any(unit.state == "turned-back" for unit in module.units):
        return State.FAILED
    return State.WAIVED if covered and len(covered) == len(against) else State.PORTED
