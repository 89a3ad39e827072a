"""The port on the host, kernels in order in one memory: the original's numbers, bit for bit?"""

from collections.abc import Iterator

from acclimate.verifier.baseline import SAFETY, Noise
from acclimate.verifier.build import BuildFailure
from acclimate.verifier.checks import check
from acclimate.verifier.comparison import Comparison, compare
from acclimate.verifier.evidence import Evidence, Light, Outcome
from acclimate.verifier.runs import Run
from acclimate.verifier.subject import Length, Side, Subject
from acclimate.verifier.toolchains import Build

_SHOWN = 8


@check(cost=22, needs_original=True)
def host_run(subject: Subject) -> Iterator[Evidence]:
    """Bit identity; where the original is not reproducible itself, its own noise is the limit.

    Raises:
        Problem: the original does not build or run.
    """
    noise = subject.noise
    length = Length.SHORT if noise.masks else Length.FULL  # masks fit the run they were made on
    reference = subject.baseline(length)
    run = subject.ran(Side.PORT, Build.HOST, length)
    if isinstance(run, BuildFailure):
        yield _evidence(Outcome.INCONCLUSIVE, "the port does not build", None)
        return
    if not run.ok:
        yield from _blame(subject, _ended(run), None)
        return
    found = compare(reference.outputs, run.outputs, noise.masks)
    if found.identical:
        text = f"{found.compared} values of {found.variables} variables are bit-identical"
        yield _evidence(Outcome.HOLDS, text, found.compared)
    elif not found.structural and 0 < found.relative <= SAFETY * noise.relative:
        yield _tolerated(found, noise)
    else:
        for finding in found.findings[:_SHOWN]:
            yield from _blame(subject, finding.message, found)


def _ended(run: Run) -> str:
    words = run.finished.last_words
    return f"the port {run.finished.outcome}" + (f": {words}" if words else "")


def _tolerated(found: Comparison, noise: Noise) -> Evidence:
    return Evidence(
        "host_run",
        Light.NUMERICS,
        Outcome.HOLDS,
        f"{found.findings[0].message}; within {SAFETY:g} times what optimisation alone changes in"
        " the original",
        figure=found.relative,
        limit=SAFETY * noise.relative,
        unit="1",
    )


def _blame(subject: Subject, message: str, found: Comparison | None) -> Iterator[Evidence]:
    """The difference, at every changed statement that may have made it."""
    figure = found.relative if found else None
    for change in subject.changes[:_SHOWN]:
        yield Evidence(
            "host_run",
            Light.NUMERICS,
            Outcome.FAILS,
            f"{message}; {change.message}",
            figure=figure,
            limit=0,
            unit="1",
            file=change.at.file,
            line=change.at.first,
        )
    if not subject.changes:
        text = f"{message}; every statement is the original's, so a directive does it"
        yield _evidence(Outcome.FAILS, text, figure)


def _evidence(outcome: Outcome, message: str, figure: float | None) -> Evidence:
    return Evidence("host_run", Light.NUMERICS, outcome, message, figure=figure)
