"""What the four lights say of one unit, from evidence on the whole port."""

from collections.abc import Iterable, Mapping

from acclimate.verifier.evidence import Evidence, Light, Outcome


def unit_lights(
    own: Iterable[Evidence], overall: Mapping[str, str], *, executed: bool, further: bool = False
) -> dict[str, str]:
    """The lights of a changed unit.

    `own` is the evidence that names a line of the unit. A failure that names it fails it. What
    holds for the whole port holds for the unit only if a run executed it; where something fails
    elsewhere, the unit's own light stays open, since no run was right. What only further runs
    executed (`further`) was held to the original's numbers there, and not asked about races.
    """
    compared = {Light.DATA, Light.NUMERICS} if further else set()
    failed = {item.light for item in own if item.outcome is Outcome.FAILS}
    lights = {}
    for light in Light:
        if light in failed:
            outcome = Outcome.FAILS
        elif (executed or light in compared) and overall[light.value] == Outcome.HOLDS:
            outcome = Outcome.HOLDS
        else:
            outcome = Outcome.INCONCLUSIVE
        lights[light.value] = outcome.value
    return lights
