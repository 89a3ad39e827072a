"""Has any run executed what was changed? A change that no run reached has not been compared."""

from collections.abc import Iterator
from dataclasses import replace

from acclimate.analysis.project import read_project
from acclimate.verifier.building.build import BuildFailure
from acclimate.verifier.checks import check
from acclimate.verifier.evidence import Evidence, Light, Outcome
from acclimate.verifier.measuring.executed_lines import Counts, execution_counts
from acclimate.verifier.subject import Side, Subject
from acclimate.verifier.texts.source_equality import ChangedStatement
from acclimate.verifier.texts.statement_change import CHANGED_MEANING, TELLING
from acclimate.verifier.toolchains import Build, Capability
from acclimate.verifier.trials.covered_code import first_not_run
from acclimate.verifier.trials.settling import Settling, Version

_SHOWN = 50
_NEXT = "next: give it a run that goes there ([run] namelists), or have it read"


@check(cost=34)
def changed_lines(subject: Subject) -> Iterator[Evidence]:
    """Count executed lines; a change of meaning that was never executed fails.

    A procedure that other values and shapes did not tell from the original is settled where every
    change in it was executed, all ways, and every line and branch of the original's was: tested,
    not proved. All else that reading has not proved to do the same is left unsettled; of what a
    migration holds to rules of its own, only a change of meaning is.

    Raises:
        Problem: the coverage tool is missing.
    """
    changes = subject.changes if subject.original is not None else ()
    open_ = [change for change in changes if change.unit not in subject.proved_units]
    counts = _counts(subject, Side.PORT)
    if counts is None:
        found = _evidence(Outcome.INCONCLUSIVE, "executed lines could not be counted")
        yield replace(found, unsettled=bool(open_))
        return
    executed = {
        file: tuple(sorted(n for n, count in lines.items() if count))
        for file, lines in counts.lines.items()
    }
    subject.figures = replace(subject.figures, executed_lines=executed)
    if not open_:
        return
    settling = _settling(subject, counts)
    told: list[Evidence] = []
    for unit in dict.fromkeys(change.unit for change in open_):
        told += _judged(subject, counts, settling, [c for c in open_ if c.unit == unit])
    told.sort(key=lambda e: (e.outcome is not Outcome.FAILS, not e.unsettled))
    yield from told[:_SHOWN]


def _counts(subject: Subject, side: Side) -> Counts | None:
    if Capability.COVERAGE not in subject.toolchain.capabilities:
        return None
    made = subject.built(side, Build.COVERAGE)
    return None if isinstance(made, BuildFailure) else execution_counts(subject, made, side)


def _settling(subject: Subject, counts: Counts) -> Settling | None:
    """None where nothing was tested, or the original's lines cannot be counted."""
    before = _counts(subject, Side.ORIGINAL) if subject.tested else None
    if before is None:
        return None
    original = read_project(subject.manifest(Side.ORIGINAL))
    return Settling(
        subject,
        Version(original, subject.original_files, before),
        Version(read_project(subject.port), subject.port_files, counts),
    )


def _judged(
    subject: Subject, counts: Counts, settling: Settling | None, changes: list[ChangedStatement]
) -> Iterator[Evidence]:
    """What is to be said of the changes of one unit: tested, or at least one thing unsettled."""
    unit = changes[0].unit
    idle = settling.idle(unit, Side.PORT) if settling is not None else frozenset()
    live = [c for c in changes if not c.now or not idle >= {*range(c.at.first, c.at.last + 1)}]
    never = [c for c in live if (found := _counted(c, counts)) and not any(found)]
    one_way = [c for c in live if c not in never and not _is_executed(subject, c, counts)]
    gated = unit in subject.gated
    missing = "no run tells it from the original"
    if gated and unit in subject.tested:
        missing = ""
    elif settling is not None:
        missing = settling.missing(unit, changes)
    if not (never or one_way or missing):
        how = subject.tested.get(unit, f"'{unit}' by those that call it")
        yield _tested(how, changes, executed=len(live))
        return
    for change in never:
        yield _never_executed(change, unsettled=not gated)
    for change in one_way:
        meant_so = change.kind in CHANGED_MEANING
        yield _never_both_ways(change, unsettled=meant_so or not gated)
    untold = [c for c in changes if c not in never and c not in one_way]
    meant = [c for c in untold if c.kind in CHANGED_MEANING]
    for change in meant or untold[: not gated] if missing else ():
        yield _untold(change, missing, compiled=bool(_counted(change, counts)))


def _counted(change: ChangedStatement, counts: Counts) -> list[int]:
    lines = counts.lines.get(change.at.file, {})
    return [lines[n] for n in range(change.at.first, change.at.last + 1) if n in lines]


def _is_executed(subject: Subject, change: ChangedStatement, counts: Counts) -> bool:
    """Whether a run executed what stands there now, all ways of it, and no other build differs.

    A statement without code of its own, say a declaration, is executed with its procedure.
    """
    files = subject.port_files
    if files[change.at.file].is_conditional(change.at.first):
        return False
    was = change.original
    if was is not None and subject.original_files[was.file].is_conditional(was.first):
        return False
    if change.unit in subject.gated:
        return _line_ran(change, counts)
    return not change.now or first_not_run(counts, files[change.at.file], change.at) is None


def _line_ran(change: ChangedStatement, counts: Counts) -> bool:
    """Whether its lines ran, and an action behind a condition on the same line too."""
    found = _counted(change, counts)
    one_line = change.now.lower().startswith("if") and not change.now.lower().endswith("then")
    if one_line and (change.at.file, change.at.first) in counts.untaken:
        return False
    return any(found) if found else True


def _tested(how: str, changes: list[ChangedStatement], *, executed: int) -> Evidence:
    first, idle = changes[0].at, len(changes) - executed
    text = f"tested, not proved: {how}; all {executed} changes were executed"
    if idle:
        text += f", but for {idle} on ways where both versions do nothing, by reading"
    return replace(_evidence(Outcome.HOLDS, text), file=first.file, line=first.first)


def _never_executed(change: ChangedStatement, *, unsettled: bool) -> Evidence:
    outcome = Outcome.FAILS if change.kind in TELLING else Outcome.INCONCLUSIVE
    text = f"never validated, no run executes it: {change.message}"
    return _open(outcome, f"{text}; {_NEXT}", change, unsettled=unsettled)


def _never_both_ways(change: ChangedStatement, *, unsettled: bool) -> Evidence:
    text = f"never validated, no run takes both ways, or it is not compiled: {change.message}"
    return _open(Outcome.INCONCLUSIVE, f"{text}; {_NEXT}", change, unsettled=unsettled)


def _untold(change: ChangedStatement, missing: str, *, compiled: bool) -> Evidence:
    why = missing if compiled else f"{missing}, not compiled here or without code of its own"
    text = f"{why}: {change.message}; {_NEXT}"
    return _open(Outcome.INCONCLUSIVE, text, change, unsettled=True)


def _open(outcome: Outcome, text: str, change: ChangedStatement, *, unsettled: bool) -> Evidence:
    found = _evidence(outcome, text)
    return replace(found, file=change.at.file, line=change.at.first, unsettled=unsettled)


def _evidence(outcome: Outcome, message: str) -> Evidence:
    return Evidence("changed_lines", Light.NUMERICS, outcome, message, decisive=False)
