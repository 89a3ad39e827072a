"""Does the original agree with itself, run twice and built at another optimisation level?"""

from collections.abc import Iterator

from acclimate.verifier.checks import check
from acclimate.verifier.evidence import Evidence, Light, Outcome
from acclimate.verifier.subject import Subject


@check(cost=20, needs_original=True)
def original_repeatability(subject: Subject) -> Iterator[Evidence]:
    """An original that disagrees with itself is said, and is not blamed on the port.

    Raises:
        Problem: the original does not build or run.
    """
    noise = subject.noise
    if not noise.stable:
        yield Evidence(
            "original_repeatability",
            Light.NUMERICS,
            Outcome.INCONCLUSIVE,
            f"the original is not reproducible: {noise.message}",
            figure=noise.relative,
            limit=0,
            unit="1",
            decisive=False,
        )
        return
    yield Evidence(
        "original_repeatability",
        Light.NUMERICS,
        Outcome.HOLDS,
        f"run twice and unoptimised, the original gives the same {noise.compared} values",
        figure=0,
        limit=0,
        unit="1",
        decisive=False,
    )
