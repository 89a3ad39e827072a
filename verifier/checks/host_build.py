"""Does the port compile and link with its directives obeyed on the host?"""

from collections.abc import Iterator

from acclimate.verifier.building.build import BuildFailure
from acclimate.verifier.checks import check
from acclimate.verifier.evidence import Evidence, Light, Outcome
from acclimate.verifier.subject import Side, Subject, original_does_not_build
from acclimate.verifier.toolchains import Build

_SHOWN = 10


@check(cost=10)
def host_build(subject: Subject) -> Iterator[Evidence]:
    """Errors of the compiler, each at its place; building is needed and proves nothing.

    Raises:
        Problem: the original does not build.
    """
    if subject.original is not None:
        original = subject.built(Side.ORIGINAL, Build.PLAIN)
        if isinstance(original, BuildFailure):
            raise original_does_not_build(subject.original, original)
    made = subject.built(Side.PORT, Build.HOST)
    if not isinstance(made, BuildFailure):
        yield Evidence(
            "host_build",
            Light.NUMERICS,
            Outcome.HOLDS,
            f"{len(made.objects)} files compile and link for the host",
            decisive=False,
        )
        return
    for error in made.errors[:_SHOWN]:
        yield Evidence(
            "host_build",
            Light.NUMERICS,
            Outcome.FAILS,
            f"the port does not {made.stage}: {error.text}",
            file=error.file,
            line=error.line,
        )
