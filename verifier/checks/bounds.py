"""Are all subscripts inside their arrays in a real run? The compiler's own checks answer."""

import re
from collections.abc import Iterator

from acclimate.verifier.building.build import BuildFailure
from acclimate.verifier.checks import check
from acclimate.verifier.evidence import Evidence, Light, Outcome
from acclimate.verifier.subject import Length, Side, Subject
from acclimate.verifier.toolchains import Build

_RUNTIME_ERROR = re.compile(
    r"At line (?P<line>\d+) of file (?P<file>.+)\n(?P<text>Fortran runtime error: .+)"
)


@check(cost=30)
def bounds(subject: Subject) -> Iterator[Evidence]:
    """A run with subscripts checked; what the original does wrong as well is not the port's."""
    run = subject.ran(Side.PORT, Build.BOUNDS, Length.SHORT)
    if isinstance(run, BuildFailure):
        yield _evidence(Outcome.INCONCLUSIVE, "the port does not build with checks")
        return
    error = _RUNTIME_ERROR.search(run.finished.stderr.decode("utf-8", "replace"))
    if error is None:
        outcome = Outcome.HOLDS if run.ok else Outcome.INCONCLUSIVE
        text = "no subscript leaves its array" if run.ok else f"the port {run.ended}"
        yield _evidence(outcome, text)
        return
    file, line = error["file"].removeprefix("./").removeprefix("./"), int(error["line"])
    if _original_too(subject):
        text = f"{error['text']}; the original does so too"
        yield _evidence(Outcome.INCONCLUSIVE, text, file, line)
    else:
        yield _evidence(Outcome.FAILS, error["text"], file, line)


def _original_too(subject: Subject) -> bool:
    if subject.original is None:
        return False
    run = subject.ran(Side.ORIGINAL, Build.BOUNDS, Length.SHORT)
    if isinstance(run, BuildFailure):
        return False
    return _RUNTIME_ERROR.search(run.finished.stderr.decode("utf-8", "replace")) is not None


def _evidence(
    outcome: Outcome, message: str, file: str | None = None, line: int | None = None
) -> Evidence:
    return Evidence("bounds", Light.RACES, outcome, message, file=file, line=line, decisive=False)
