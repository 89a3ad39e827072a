"""Every memory access of the port, by iteration: races in any order, and reads of stale copies."""

from collections.abc import Iterator
from dataclasses import replace

from acclimate.analysis.source import apply_edits
from acclimate.verifier.building.build import BuildFailure, Extra, build
from acclimate.verifier.building.variant import variant_tree
from acclimate.verifier.checks import check
from acclimate.verifier.evidence import Evidence, Light, Outcome
from acclimate.verifier.measuring.emulated_run import (
    EmulatedRun,
    emulate,
    findings_as_evidence,
    is_race,
)
from acclimate.verifier.measuring.iteration_marks import Marks, iteration_marks
from acclimate.verifier.running.emulation import POISONS, Finding, build_runtime
from acclimate.verifier.subject import Subject
from acclimate.verifier.toolchains import Build, Capability

_SLOWER = 100.0


@check(cost=40)
def access_log(subject: Subject) -> Iterator[Evidence]:
    """Findings name the statement, the other access and the loop whose iterations collide.

    Raises:
        Problem: the emulation's runtime cannot be built.
    """
    if subject.constructs == 0:
        return
    if Capability.ACCESS_LOG not in subject.toolchain.capabilities:
        yield _evidence(Light.RACES, Outcome.INCONCLUSIVE, "this compiler cannot log accesses")
        return
    marks = iteration_marks(subject.port_files, subject.governed)
    emulated = _run(subject, marks)
    if emulated is None:
        text = "the port does not build with its accesses logged"
        yield _evidence(Light.RACES, Outcome.INCONCLUSIVE, text)
        return
    found = [_with_loop(finding, marks) for finding in emulated.findings]
    yield from findings_as_evidence("access_log", found)
    yield from _unmarked(marks)
    yield from _summary(emulated)


def _run(subject: Subject, marks: Marks) -> EmulatedRun | None:
    runtime = build_runtime(subject.work)
    changed = {
        name: apply_edits(subject.port_files[name].data, edits)
        for name, edits in marks.edits.items()
    }
    tree = variant_tree(subject.port, changed, subject.work / "variants" / "marked")
    extra = Extra(link_flags=runtime.link_flags)
    made = build(tree, subject.toolchain, Build.ACCESS, subject.work, extra)
    if isinstance(made, BuildFailure):
        return None
    return emulate(subject, runtime, made.executable, "access-log", POISONS[0], slower=_SLOWER)


def _with_loop(finding: Finding, marks: Marks) -> Finding:
    if finding.loop is None or finding.loop not in marks.loops:
        return finding
    detail = f"{finding.detail} (iterations of the loop at {marks.loops[finding.loop]})"
    return replace(finding, detail=detail)


def _unmarked(marks: Marks) -> Iterator[Evidence]:
    for loop in marks.unmarked:
        yield Evidence(
            "access_log",
            Light.RACES,
            Outcome.INCONCLUSIVE,
            "a loop in a pure procedure is not logged by iteration",
            file=loop.file,
            line=loop.line,
        )


def _summary(emulated: EmulatedRun) -> Iterator[Evidence]:
    """Both lights hold when a whole run was logged and nothing was found."""
    if not emulated.run.ok:
        if not any(finding.error for finding in emulated.findings):
            text = f"with its accesses logged the port {emulated.run.finished.outcome}"
            yield _evidence(Light.RACES, Outcome.INCONCLUSIVE, text)
        return
    if emulated.launches == 0 or not all(s.accesses_logged for s in emulated.summaries):
        yield _evidence(Light.RACES, Outcome.INCONCLUSIVE, "no access of a kernel was logged")
        return
    errors = [finding for finding in emulated.findings if finding.error]
    for light, races in ((Light.RACES, True), (Light.DATA, False)):
        if not any(is_race(finding) is races for finding in errors):
            what = "no two iterations collide" if races else "no stale copy is read"
            yield _evidence(light, Outcome.HOLDS, f"{what} in {emulated.launches} launches")


def _evidence(light: Light, outcome: Outcome, message: str) -> Evidence:
    return Evidence("access_log", light, outcome, message)
