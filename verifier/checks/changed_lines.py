"""Has any run executed what was changed? A change that no run reached has not been compared."""

from collections.abc import Iterator
from dataclasses import replace

from acclimate.verifier.build import BuildFailure
from acclimate.verifier.checks import check
from acclimate.verifier.evidence import Evidence, Light, Outcome
from acclimate.verifier.executed_lines import Counts, execution_counts
from acclimate.verifier.source_equality import ChangedStatement
from acclimate.verifier.statement_change import CHANGED_MEANING, TELLING
from acclimate.verifier.subject import Side, Subject
from acclimate.verifier.toolchains import Build, Capability

_SHOWN = 50


@check(cost=34)
def changed_lines(subject: Subject) -> Iterator[Evidence]:
    """Count executed lines; a change of meaning that was never executed fails.

    A procedure that other values and shapes did not tell from the original is settled where every
    change in it was executed: tested, not proved. Else a change of meaning that was executed, or
    that this configuration does not compile, is left unsettled: other inputs may tell. What reading
    has proved to do the same needs no run.

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
        for file, lines in counts.lines.items()
    }
    subject.figures = replace(subject.figures, executed_lines=executed)
    changes = subject.changes if subject.original is not None else ()
    open_ = [change for change in changes if change.unit not in subject.proved_units]
    settled = {
        unit
        for unit in subject.tested
        if all(_is_executed(subject, c, counts) for c in open_ if c.unit == unit)
    }
    for unit in sorted(settled & {change.unit for change in open_}):
        yield _tested(subject.tested[unit], [c for c in open_ if c.unit == unit])
    for change in [c for c in open_ if c.unit not in settled][:_SHOWN]:
        found = _counted(change, counts)
        if found and not any(found):
            yield _never_executed(change)
        elif change.unit in subject.tested:
            if not _is_executed(subject, change, counts):
                yield _never_both_ways(change)
        elif change.kind in CHANGED_MEANING:
            yield _untold(change, compiled=bool(found))


def _counted(change: ChangedStatement, counts: Counts) -> list[int]:
    lines = counts.lines.get(change.at.file, {})
    return [lines[n] for n in range(change.at.first, change.at.last + 1) if n in lines]


def _is_executed(subject: Subject, change: ChangedStatement, counts: Counts) -> bool:
    """Whether a run executed what stands there now, an action behind a condition too.

    A statement without code of its own, say a declaration, is executed with its procedure.
    """
    if subject.port_files[change.at.file].is_conditional(change.at.first):
        return False
    found = _counted(change, counts)
    one_line = change.now.lower().startswith("if") and not change.now.lower().endswith("then")
    if one_line and (change.at.file, change.at.first) in counts.untaken:
        return False
    return any(found) if found else True


def _tested(how: str, changes: list[ChangedStatement]) -> Evidence:
    first = changes[0].at
    text = f"tested, not proved: {how}; all {len(changes)} changes were executed"
    return replace(_evidence(Outcome.HOLDS, text), file=first.file, line=first.first)


def _never_executed(change: ChangedStatement) -> Evidence:
    outcome = Outcome.FAILS if change.kind in TELLING else Outcome.INCONCLUSIVE
    text = f"never validated, no run executes it: {change.message}"
    return replace(_evidence(outcome, text), file=change.at.file, line=change.at.first)


def _never_both_ways(change: ChangedStatement) -> Evidence:
    text = f"never validated, no run takes both ways, or it is not compiled: {change.message}"
    found = _evidence(Outcome.INCONCLUSIVE, text)
    unsettled = change.kind in CHANGED_MEANING
    return replace(found, file=change.at.file, line=change.at.first, unsettled=unsettled)


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
