"""What was measured, what it was held against, and what follows."""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum


class Outcome(StrEnum):
    HOLDS = "holds"
    FAILS = "fails"
    INCONCLUSIVE = "inconclusive"


class Light(StrEnum):
    """The four questions; a verdict never mixes them."""

    DATA = "data"  # is every value where it is used?
    RACES = "races"  # races and bounds
    NUMERICS = "numerics"
    DEVICE = "device"  # a real device ran it


AGAIN = "; again: "
"""What stands in a message before the command that shows it again."""


@dataclass(frozen=True, slots=True)
class Evidence:
    """One measurement held against one limit.

    `file` and `line` point into the port unless `message` says otherwise; `unit` is the unit of
    `figure` and `limit` ("1" for relative numbers, "values", "B", ...). A measurement that is
    not `decisive` can fail a light but not light it: a build that links says nothing of numbers.
    An `unsettled` one keeps the light from holding: a question that no measurement answered.
    """

    check: str
    light: Light
    outcome: Outcome
    message: str
    figure: float | None = None
    limit: float | None = None
    unit: str = ""
    file: str | None = None
    line: int | None = None
    seed: int | None = None
    decisive: bool = True
    unsettled: bool = False

    @property
    def seen(self) -> str:
        """The message without the command that shows it again: for those who cannot run one."""
        return self.message.split(AGAIN)[0]


@dataclass(frozen=True, slots=True)
class Assessment:
    """The verdict on a port: `accept` needs data, races and numerics; device may be grey."""

    verdict: str  # "accept" | "reject" | "inconclusive"
    lights: dict[str, str]
    evidence: tuple[Evidence, ...]


def light(evidence: Iterable[Evidence], which: Light) -> Outcome:
    """Fails if anything failed, holds if something decisive held and nothing is unsettled."""
    found = [e for e in evidence if e.light is which]
    if any(e.outcome is Outcome.FAILS for e in found):
        return Outcome.FAILS
    held = any(e.outcome is Outcome.HOLDS and e.decisive for e in found)
    unsettled = any(e.unsettled for e in found)
    return Outcome.HOLDS if held and not unsettled else Outcome.INCONCLUSIVE


def assess(evidence: Iterable[Evidence]) -> Assessment:
    """Weigh all evidence; no evidence at all is inconclusive, never acceptance."""
    found = tuple(evidence)
    lights = {which: light(found, which) for which in Light}
    needed = [lights[which] for which in (Light.DATA, Light.RACES, Light.NUMERICS)]
    if Outcome.FAILS in lights.values():
        verdict = "reject"
    elif all(outcome is Outcome.HOLDS for outcome in needed):
        verdict = "accept"
    else:
        verdict = "inconclusive"
    return Assessment(verdict, {k.value: v.value for k, v in lights.items()}, found)
