"""One mutant held to the ladder, the cheapest rungs first, until something fails."""

import resource
from collections.abc import Iterator
from dataclasses import dataclass, replace
from enum import StrEnum

from acclimate.analysis.problems import Kind, Problem
from acclimate.analysis.source import Lines, apply_edits
from acclimate.verifier.building.variant import variant_tree
from acclimate.verifier.checks import Check, all_checks
from acclimate.verifier.evidence import Evidence, Light, Outcome, assess
from acclimate.verifier.measuring.emulated_run import findings_as_evidence
from acclimate.verifier.mutants.left_out import LoggedPort, Role
from acclimate.verifier.mutants.mutant import Family, Mutant
from acclimate.verifier.mutants.same_value import has_same_value
from acclimate.verifier.running.emulation import POISONS
from acclimate.verifier.subject import Subject

_BUILDS, _RUNS, _EMULATION, _DEVICE = 10, 20, 30, 60  # where the rungs begin, by cost
_NEVER_FAIL = ("original_repeatability", "value_classes")  # so they kill nothing
_OF_STATEMENTS = ("source_equality", "structure", "changed_lines", "replay")
# A fault of a directive leaves the host's numbers alone: the device memory finds it.
_FIRST_OF_DIRECTIVES = ("access_log", "discrete_memory")


class Rungs(StrEnum):
    """The part of the ladder that is climbed: what reads, or everything."""

    STATIC = "static"
    ALL = "all"


class Fate(StrEnum):
    KILLED = "killed"  # a check fails
    SURVIVED = "survived"  # no check fails; the verdict may still be short of acceptance
    NOT_BUILT = "not-built"  # no Fortran, or nothing the compiler takes: no port at all


class Excuse(StrEnum):
    """Why a survivor is as right as the port in the runs that were made, by measurement."""

    NONE = ""
    UNREACHED = "no run makes this update"
    EQUAL_COPIES = "whenever a run makes this update both copies hold the same bytes"
    SAME_VALUE = "wherever a run comes to it, it has the value that it has in the port"
    UNUSED = "nothing in the runs depends on what this update brings: poison changes nothing"


@dataclass(frozen=True, slots=True)
class Trial:
    """What became of one mutant.

    `rung`, `check`, `light`, `message`, `file` and `line` tell what killed it; `verdict` is that
    on all that was measured, and `seconds` the processor time of all processes.
    """

    fate: Fate
    verdict: str
    seconds: float
    unsettled: bool = False  # a question was left that keeps a light from holding
    rung: str = ""
    check: str = ""
    light: str = ""
    message: str = ""
    file: str | None = None
    line: int | None = None
    excuse: Excuse = Excuse.NONE


def rung(check: Check) -> str:
    """The part of the ladder a check belongs to."""
    if check.cost < _BUILDS:
        return "static"
    if check.cost < _RUNS:
        return "build"
    return "host run" if check.cost < _EMULATION else "emulation"


def trial(
    base: Subject,
    mutant: Mutant,
    rungs: Rungs,
    read: Trial | None = None,
    logged: LoggedPort | None = None,
) -> Trial:
    """Climb until a check fails; `base` is the accepted port, whose original's runs are used.

    `read` is how the mutant fared on the static rungs, where it has climbed them before. With
    `logged` a mutant that only leaves updates out is not built: they are left out of its runs.

    Raises:
        Problem: the bench itself does not work.
    """
    began = _processor_time()
    before = read.seconds if read is not None else 0.0
    evidence: list[Evidence] = []
    for part, found in _climb(base, mutant, rungs, read is not None, logged):
        evidence.append(found)
        if found.outcome is Outcome.FAILS:
            return _killed(found, part, before + _processor_time() - began)
    unsettled = any(e.unsettled for e in evidence) or read is not None and read.unsettled
    verdict = "inconclusive" if unsettled else assess(evidence).verdict
    excuse = _excuse(base, mutant, logged) if rungs is Rungs.ALL else Excuse.NONE
    seconds = before + _processor_time() - began
    return Trial(Fate.SURVIVED, verdict, seconds, unsettled, excuse=excuse)


def _climb(
    base: Subject, mutant: Mutant, rungs: Rungs, was_read: bool, logged: LoggedPort | None
) -> Iterator[tuple[str, Evidence]]:
    """What is found, with the part of the ladder it is found on."""
    subject = _subject(base, mutant)
    without = logged is not None and mutant.omission
    for check in _checks(subject, mutant, rungs, was_read):
        part = rung(check)
        if part != "static":
            if without:
                break
            subject.focus = None  # what runs is the whole port
        for found in _measured(check, subject):
            yield part, found
    if logged is not None and without and rungs is Rungs.ALL:
        for found in _without_updates(logged, mutant):
            yield "emulation", found


def _without_updates(logged: LoggedPort, mutant: Mutant) -> Iterator[Evidence]:
    """What `access_log` and `discrete_memory` find in runs of the port without these updates."""
    if all(logged.copies[each].role is not Role.BRINGS for each in mutant.updates):
        return
    for poison in POISONS:
        ran = logged.without(mutant.updates, poison)
        yield from findings_as_evidence("access_log", ran.findings)
        if ran.difference:
            text = f"with device memory poisoned with {poison:#x} bytes {ran.difference}"
            file, line = mutant.at.file, mutant.at.first
            yield Evidence("discrete_memory", Light.DATA, Outcome.FAILS, text, file=file, line=line)


def _excuse(base: Subject, mutant: Mutant, logged: LoggedPort | None) -> Excuse:
    """What the updates that it does not make, or its statement, have done in runs of the port."""
    if mutant.family is Family.STATEMENT and not mutant.equivalent:
        return Excuse.SAME_VALUE if has_same_value(base, mutant) else Excuse.NONE
    if logged is None or not mutant.updates:
        return Excuse.NONE
    roles = {logged.copies[each].role for each in mutant.updates}
    if roles == {Role.NONE}:
        return Excuse.UNREACHED
    if Role.BRINGS not in roles:
        return Excuse.EQUAL_COPIES
    unused = mutant.omission and logged.brings_unused(mutant.updates)
    return Excuse.UNUSED if unused else Excuse.NONE


def _checks(subject: Subject, mutant: Mutant, rungs: Rungs, was_read: bool) -> Iterator[Check]:
    """The checks in the order in which a mutant of this sort is likely to meet its end.

    An equivalent one has none: it is read, and run once for each of two questions.
    """
    found = [
        check
        for check in all_checks()
        if (subject.original is not None or not check.needs_original)
        and check.name not in _NEVER_FAIL
        and check.cost < _DEVICE
    ]
    if mutant.family is Family.DIRECTIVE:
        # Statements are the accepted port's where only a directive was changed.
        found = [check for check in found if check.name not in _OF_STATEMENTS]
    found.sort(key=lambda check: _order(check, mutant.family))
    for check in found:
        if rung(check) == "static":
            if not was_read:
                yield check
        elif rungs is Rungs.ALL and (not mutant.equivalent or check.name in _FIRST_OF_DIRECTIVES):
            yield check


def _order(check: Check, family: Family) -> tuple[bool, bool, bool]:
    """By cost, but for two: what most often finds a directive's fault, and what is too dear.

    Device code takes as long as all other builds of a mutant, and is seldom what finds it.
    """
    moved = family is Family.DIRECTIVE and rung(check) != "static"
    first = check.name in _FIRST_OF_DIRECTIVES
    return moved, moved and not first, check.name == "offload_build"


def _subject(base: Subject, mutant: Mutant) -> Subject:
    file = base.port_files[mutant.at.file]
    changed = {file.name: apply_edits(file.data, [mutant.edit])}
    tree = variant_tree(base.port, changed, base.work / "mutant")
    focus = Lines(file.name, mutant.at.first, mutant.last_changed)
    return base.beside(tree, replace(file, data=changed[file.name]), focus)


def _measured(check: Check, subject: Subject) -> Iterator[Evidence]:
    """The check's evidence; a port that cannot be put together is a failure as well."""
    try:
        yield from check.measure(subject)
    except Problem as problem:
        if problem.kind is Kind.ENVIRONMENT:
            raise
        yield Evidence(check.name, Light.NUMERICS, Outcome.FAILS, problem.what)


def _killed(found: Evidence, part: str, seconds: float) -> Trial:
    fate = Fate.NOT_BUILT if found.check == "host_build" else Fate.KILLED
    return replace(
        Trial(fate, "reject", seconds),
        rung=part,
        check=found.check,
        light=found.light.value,
        message=found.message,
        file=found.file,
        line=found.line,
    )


def _processor_time() -> float:
    """Seconds of this process and of all it has waited for."""
    own, others = (
        resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)
    )
    return own.ru_utime + own.ru_stime + others.ru_utime + others.ru_stime
