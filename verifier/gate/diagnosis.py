"""Bug or chaos? Whether a port differs as rounding does, or otherwise, and the evidence for it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from acclimate.analysis.problems import Kind, Problem
from acclimate.verifier.gate.bench import Bench
from acclimate.verifier.gate.gating import Gated, Reference, gate
from acclimate.verifier.gate.judging import Finding, Row
from acclimate.verifier.gate.tolerances import Check, Mode, Tolerances


class Cause(StrEnum):
    SAME = "same"  # not one bit differs
    ROUNDING = "rounding"  # differs as members and builds of the ensemble do: chaos, if it grows
    BUG = "bug"  # leaves the ensemble where rounding cannot
    UNDECIDED = "undecided"  # nothing that was compared has power


@dataclass(frozen=True)
class Diagnosis:
    """A verdict, the first row that leaves the ensemble (None: none does), and the evidence.

    `apart` and `members` are distances from the baseline by step, in a field's own variability.
    """

    cause: Cause
    first: Row | None
    evidence: tuple[str, ...]
    apart: Mapping[int, float]
    members: tuple[Mapping[int, float], ...]
    gated: Gated


def diagnose(
    bench: Bench,
    reference: Reference,
    tolerances: Tolerances,
    members: Sequence[Mapping[int, float]],
) -> Diagnosis:
    """Hold a port against the ensemble, one step from each saved state first.

    Raises:
        Problem: there are no estimated tolerances, or as `gate`.
    """
    if not tolerances.entries:
        raise Problem(
            "there is no ensemble to hold the port against.",
            kind=Kind.ENVIRONMENT,
            hint="acclimate gate tolerance estimate ORIGINAL",
        )
    found = gate(bench, reference, tolerances, Mode.TOLERANCE)
    cause = _cause(found)
    first = found.failures[0] if found.failures else None
    evidence = tuple(_evidence(found, cause, members))
    return Diagnosis(cause, first, evidence, found.apart, tuple(members), found)


def _cause(found: Gated) -> Cause:
    if found.verdict is Finding.FAILS:
        return Cause.BUG
    if all(row.check == "bits" for row in found.rows):
        return Cause.SAME
    return Cause.ROUNDING if found.verdict is Finding.HOLDS else Cause.UNDECIDED


def _evidence(found: Gated, cause: Cause, members: Sequence[Mapping[int, float]]) -> list[str]:
    if cause is Cause.SAME:
        return [f"{found.compared} values have the same bits"]
    told = []
    steps = [row for row in found.rows if row.check == Check.STEP]
    failing = [row for row in steps if row.finding is Finding.FAILS]
    structural = [row for row in found.failures if row.limit is None and row.check != Check.STEP]
    told += [f"'{row.variable}' {row.message}, which rounding cannot do" for row in structural[:3]]
    if failing:
        worst = max(failing, key=lambda row: row.excess)
        told.append(
            f"one step from a saved state, '{worst.variable}' is {worst.excess:.3g} times further"
            f" off than rounding explains; {len(failing)} of {len(steps)} variables are"
        )
    elif steps:
        nearest = max(steps, key=lambda row: row.excess)
        told.append(
            f"one step from each of {found.replays} saved states, no variable is further off than"
            f" rounding explains; the nearest to its limit is '{nearest.variable}', with"
            f" {nearest.excess:.2g} of it"
        )
    flips = sum(row.flips for row in steps if row.finding is Finding.HOLDS)
    if flips:
        told.append(f"{flips} points took a branch otherwise, no more than in the ensemble")
    runs = [row for row in found.rows if row.check == Check.RUN]
    left = [row for row in runs if row.finding is Finding.FAILS]
    if runs:
        named = f"{len(left)} of {len(runs)} variables leave the ensemble"
        told.append(f"in the whole run {named if left else 'no variable leaves the ensemble'}")
    return told + _growth(found, members)


def _growth(found: Gated, members: Sequence[Mapping[int, float]]) -> list[str]:
    """The run's distance beside the members', at the last step that both have and that counts."""
    shared = [
        step
        for step in found.apart
        if all(step in member for member in members)
        and (found.horizon is None or step < found.horizon)
    ]
    if not members or not shared:
        return []
    last = max(shared)
    mine, theirs = found.apart[last], [member[last] for member in members]
    return [
        f"at step {last} the run is {mine:.2g} of the field's variability from the baseline,"
        f" members are {min(theirs):.2g} to {max(theirs):.2g}"
    ]
