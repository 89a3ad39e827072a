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
from acclimate.verifier.mutants.mutant import Family, Mutant
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


def rung(check: Check) -> str:
    """The part of the ladder a check belongs to."""
    if check.cost < _BUILDS:
        return "static"
    if check.cost < _RUNS:
        return "build"
    return "host run" if check.cost < _EMULATION else "emulation"


def trial(base: Subject, mutant: Mutant, rungs: Rungs, read: Trial | None = None) -> Trial:
    """Climb until a check fails; `base` is the accepted port, whose original's runs are used.

    `read` is how the mutant fared on the static rungs, where it has climbed them before.

    Raises:
        Problem: the bench itself does not work.
    """
    began = _processor_time()
    subject = _subject(base, mutant)
    before = read.seconds if read is not None else 0.0
    evidence: list[Evidence] = []
    for check in _climb(subject, mutant, rungs, read is not None):
        if rung(check) != "static":
            subject.focus = None  # what runs is the whole port
        for found in _measured(check, subject):
            evidence.append(found)
            if found.outcome is Outcome.FAILS:
                return _killed(found, check, before + _processor_time() - began)
    unsettled = any(e.unsettled for e in evidence) or read is not None and read.unsettled
    verdict = "inconclusive" if unsettled else assess(evidence).verdict
    return Trial(Fate.SURVIVED, verdict, before + _processor_time() - began, unsettled)


def _climb(subject: Subject, mutant: Mutant, rungs: Rungs, was_read: bool) -> Iterator[Check]:
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


def _killed(found: Evidence, check: Check, seconds: float) -> Trial:
    fate = Fate.NOT_BUILT if check.name == "host_build" else Fate.KILLED
    return replace(
        Trial(fate, "reject", seconds),
        rung=rung(check),
        check=check.name,
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
