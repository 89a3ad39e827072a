"""The port on the host, kernels in order in one memory: the original's numbers, bit for bit?"""

from collections.abc import Iterator

from acclimate.analysis.source import Lines
from acclimate.verifier.building.build import BuildFailure
from acclimate.verifier.checks import check
from acclimate.verifier.comparing.baseline import SAFETY, Noise
from acclimate.verifier.comparing.comparison import Comparison, compare
from acclimate.verifier.evidence import Evidence, Light, Outcome
from acclimate.verifier.measuring.repeats import compared, in_doubt, is_doubtful
from acclimate.verifier.running.runs import Run
from acclimate.verifier.subject import Length, Side, Subject
from acclimate.verifier.texts.statement_change import TELLING
from acclimate.verifier.toolchains import Build
from acclimate.verifier.trials.attribution import blamed, culprits

_SHOWN = 8
_FILES = 4  # named in a message


@check(cost=22, needs_original=True)
def host_run(subject: Subject) -> Iterator[Evidence]:
    """Bit identity; where the original is not reproducible itself, its own noise is the limit.

    Raises:
        Problem: the original does not build or run.
    """
    identical: list[Comparison] = []
    for length in _lengths(subject, subject.noise):
        reference = subject.baseline(length)
        run = subject.ran(Side.PORT, Build.HOST, length)
        if isinstance(run, BuildFailure):
            yield _evidence(Outcome.INCONCLUSIVE, "the port does not build")
            return
        if not run.ok:
            yield from _blame(subject, f"the port {run.ended}", None)
            return
        found = compared(subject, reference, run, length)
        if found.identical:
            identical.append(found)
        elif is_doubtful(subject, length):
            text = f"in the full run {_difference(found)}"
            yield in_doubt(subject, found, _evidence(Outcome.INCONCLUSIVE, text))
        elif subject.noise.excuses(found):
            yield _tolerated(found, subject.noise)
        else:
            yield from _blame(subject, _difference(found), found.relative)
            return
    if identical:
        values = sum(found.compared for found in identical)
        variables = max(found.variables for found in identical)
        runs = "in the full and the short run " if len(identical) > 1 else ""
        text = f"{runs}{values} values of {variables} variables are bit-identical"
        yield _evidence(Outcome.HOLDS, text + _judged_on(reference), values)


def _lengths(subject: Subject, noise: Noise) -> tuple[Length, ...]:
    """Both runs, so that what only the short one reaches is compared as well.

    Masks fit the short run alone, on which they were made.
    """
    if noise.masks:
        return (Length.SHORT,)
    return (Length.FULL, Length.SHORT) if subject.has_short_run else (Length.FULL,)


def _judged_on(run: Run) -> str:
    """What was compared, where the manifest names no outputs."""
    if not run.written:
        return ""
    files = ", ".join(run.written[:_FILES]) + (", …" if len(run.written) > _FILES else "")
    return (
        f" ([run] outputs names none: standard output and {len(run.written)} files that the run"
        f" wrote: {files})"
    )


def _tolerated(found: Comparison, noise: Noise) -> Evidence:
    worst = max(found.findings, key=lambda f: f.norms.relative if f.norms else 0.0)
    return Evidence(
        "host_run",
        Light.NUMERICS,
        Outcome.HOLDS,
        f"{worst.message}; within {SAFETY:g} times what optimisation alone changes in the original",
        figure=found.relative,
        limit=SAFETY * noise.by_variable.get(worst.variable, 0.0),
        unit="1",
    )


def _difference(found: Comparison) -> str:
    """The first variable that differs, and how many more do."""
    first, *more = found.findings
    also = f"; {len(more)} more variables differ" if more else ""
    return first.message + also


def _blame(subject: Subject, message: str, figure: float | None) -> Iterator[Evidence]:
    """The failure, at the changed statements or directives that make it by themselves."""
    if subject.suspect is not None:
        yield _evidence(Outcome.FAILS, message, figure, subject.suspect)
        return
    subject.say("looking for what makes the numbers differ")
    length = Length.SHORT if _short_run_differs(subject) else Length.FULL
    found = culprits(subject, length)
    changes = blamed(found, subject.changes) if found else list(subject.changes)
    changes.sort(key=lambda change: change.kind not in TELLING)
    for change in changes[:_SHOWN]:
        text = f"{message}; {change.message}"
        yield _evidence(Outcome.FAILS, text, figure, change.at)
    if not changes:
        for hunk in found[:_SHOWN]:
            text = f"{message}; every statement is the original's: a directive makes it"
            yield _evidence(Outcome.FAILS, text, figure, hunk.port)
    if not changes and not found:
        yield _evidence(Outcome.FAILS, message, figure)


def _short_run_differs(subject: Subject) -> bool:
    """Whether the cheaper run shows a difference too."""
    if not subject.has_short_run:
        return True
    run = subject.ran(Side.PORT, Build.HOST, Length.SHORT)
    if isinstance(run, BuildFailure) or not run.ok:
        return True
    reference = subject.baseline(Length.SHORT)
    return not compare(reference.outputs, run.outputs, subject.masks).identical


def _evidence(
    outcome: Outcome, message: str, figure: float | None = None, at: Lines | None = None
) -> Evidence:
    file, line = (at.file, at.first) if at else (None, None)
    return Evidence(
        "host_run",
        Light.NUMERICS,
        outcome,
        message,
        figure=figure,
        unit="values" if outcome is Outcome.HOLDS else "1",
        file=file,
        line=line,
    )
