"""The state of a module in a review, in one word."""

from collections.abc import Iterable, Mapping
from datetime import date
from enum import StrEnum

from acclimate.verifier.evidence import Evidence, Light, Outcome
from acclimate.workflows.reviewing.decisions import Decisions, Mark
from acclimate.workflows.reviewing.modules import Findings, Module


class State(StrEnum):
    """In the order in which a reviewer wants to see them; later ones need less attention.

    `MEANINGS` tells what each is.
    """

    DISPUTED = "disputed"
    FAILED = "failed"
    PORTED = "ported"
    WAIVED = "waived"
    VERIFIED = "verified"
    REVIEWED = "reviewed"
    LANDED = "landed"
    PLANNED = "planned"
    REFUSED = "refused"
    HOST = "host"


MEANINGS = {
    State.PLANNED: "the migration has not come to it yet",
    State.PORTED: "changed, and something about it is open",
    State.VERIFIED: "data, races and numerics hold",
    State.WAIVED: "only what a waiver covers is against it",
    State.FAILED: "evidence is against it, or a unit was turned back",
    State.REFUSED: "cannot be ported, with reasons",
    State.HOST: "nothing to offload",
    State.DISPUTED: "two reviewers decided differently",
    State.REVIEWED: "every hunk is decided on",
    State.LANDED: "what is accepted is on a branch or in patches",
}
"""What each state means to a reviewer, from the beginning of a port to its end."""


def state_of(
    module: Module, found: Findings, marks: Mapping[str, Mark], decided: Decisions, today: date
) -> State:
    """What a module's state is; `found` is of the port as it is decided."""
    given = set(marks.values())
    if Mark.DISPUTED in given or decided.is_disputed_text(module.file):
        return State.DISPUTED
    if not module.hunks:
        return _unchanged(module, marks_text=decided.text(module.file) is not None)
    if is_landed(module, marks, decided):
        return State.LANDED
    if Mark.OPEN not in given:
        return State.REVIEWED
    return _judged(found, decided, today)


def is_landed(module: Module, marks: Mapping[str, Mark], decided: Decisions) -> bool:
    """Whether exactly the hunks that stand accepted now have landed."""
    last = decided.landing_of(module.file)
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


def _judged(found: Findings, decided: Decisions, today: date) -> State:
    if open_failures(found.evidence, decided, today):
        return State.FAILED
    asked = [found.lights[light.value] for light in (Light.DATA, Light.RACES, Light.NUMERICS)]
    if all(light == Outcome.HOLDS for light in asked):
        return State.VERIFIED
    against = [e for e in found.evidence if e.outcome is not Outcome.HOLDS]
    covered = [e for e in against if decided.waiver(e.check, e.file or "", today)]
    if any(unit.state == "turned-back" for unit in found.units):
        return State.FAILED
    return State.WAIVED if covered and len(covered) == len(against) else State.PORTED
