"""Has any run executed what was changed? A change that no run reached has not been compared."""

from collections.abc import Iterator
from dataclasses import replace

from acclimate.verifier.build import BuildFailure
from acclimate.verifier.checks import check
from acclimate.verifier.evidence import Evidence, Light, Outcome
from acclimate.verifier.executed_lines import execution_counts
from acclimate.verifier.source_equality import ChangedStatement
from acclimate.verifier.statement_change import CHANGED_MEANING, TELLING
from acclimate.verifier.subject import Side, Subject
from acclimate.verifier.toolchains import Build, Capability

_SHOWN = 50


@check(cost=34)
def changed_lines(subject: Subject) -> Iterator[Evidence]:
    """Count executed lines; a change of meaning that was never executed fails.

    One that was executed, or that this configuration does not compile, and that no run tells from
    the original is left unsettled: other inputs may tell. What reading has proved to do the same
    needs no run.

    Raises:
        Problem: the coverage tool is missing.
    """
    if Capability.COVERAGE not in subject.toolchain.capabilities:
        return
    made = subject.built(Side.PORT, Build.COVERAGE)
    counts = None if isinstance(made, BuildFailure) else execution_counts(subject, made)
    if counts is None:
        yield _evidence(Outcome.INCONCLUSIVE, "executed lines could not be counted")
        return
    executed = {
        file: tuple(sorted(n for n, count in lines.items() if count))
        for file, lines in counts.items()
    }
    subject.figures = replace(subject.figures, executed_lines=executed)
    changes = subject.changes if subject.original is not None else ()
    open_ = [change for change in changes if change.unit not in subject.proved_units]
    for change in open_[:_SHOWN]:
        lines = counts.get(change.at.file, {})
        found = [lines[n] for n in range(change.at.first, change.at.last + 1) if n in lines]
        if found and not any(found):
            yield _never_executed(change)
        elif change.kind in CHANGED_MEANING:
            yield _untold(change, compiled=bool(found))


def _never_executed(change: ChangedStatement) -> Evidence:
    outcome = Outcome.FAILS if change.kind in TELLING else Outcome.INCONCLUSIVE
    text = f"never validated, no run executes it: {change.message}"
    return replace(_evidence(outcome, text), file=change.at.file, line=change.at.first)


def _untold(change: ChangedStatement, *, compiled: bool) -> Evidence:
    why = (
        "no run tells it from the original"
        if compiled
        else "not compiled in this configuration, or without code of its own"
    )
    found = _evidence(Outcome.INCONCLUSIVE, f"{why}: {change.message}")
    return replace(found, file=change.at.file, line=change.at.first, unsettled=True)


def _evidence(outcome: Outcome, message: str) -> Evidence:
    return Evidence("changed_lines", Light.NUMERICS, outcome, message, decisive=False)
