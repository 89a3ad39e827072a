"""What stands beside a diff: evidence, attempts, measured cost, and the record of the review."""

from acclimate.verifier.evidence import Outcome
from acclimate.workflows.reporting import wording
from acclimate.workflows.reviewing.attempts import attempt_lines, attempts, total
from acclimate.workflows.reviewing.session import Session, Standing
from acclimate.workflows.reviewing.telling import (
    LIGHTS,
    evidence_lines,
    file_of,
    light_words,
    told,
)

_ORDER = (Outcome.FAILS, Outcome.INCONCLUSIVE, Outcome.HOLDS)


def evidence_panel(session: Session, standing: Standing) -> list[str]:
    """What speaks for and against a module: its lights, its findings, then the whole port's."""
    module, assessment = standing.module, session.outcome.examination.assessment
    if not session.material.examined:
        return ["not examined yet", f"the migration is at: {session.material.progress}"]
    lines = [f"this module: {light_words(module)}"]
    whole = ", ".join(f"{name} {assessment.lights[name]}" for name in LIGHTS)
    lines += [f"the whole port: {assessment.verdict} ({whole})"]
    lines += _selection(session)
    never = [f"line {k.line}" for u in module.units for k in u.kernels if not k.executed]
    if never:
        lines += [f"never validated, since no run came there: kernels at {', '.join(never)}"]
    own = sorted(module.evidence, key=lambda item: _ORDER.index(item.outcome))
    lines += ["", "of this module:", *(evidence_lines(session, own) or ["nothing names it"])]
    general = sorted(
        (item for item in assessment.evidence if item.file is None),
        key=lambda item: _ORDER.index(item.outcome),
    )
    lines += ["", "of the whole port:", *evidence_lines(session, general)]
    timings = session.outcome.examination.timings
    lines += ["", "rungs climbed: " + (", ".join(timings) or "none")]
    waivers = session.decisions.waivers
    return [*lines, *(f"waiver: {told(waiver)} (by {waiver.by})" for waiver in waivers)]


def _selection(session: Session) -> list[str]:
    """What is known of the hunks as they stand, where that is not what the authors made."""
    if session.is_as_proposed:
        return []
    selection = session.selection(with_open=True)
    known = session.examination_of(selection)
    if known is None:
        return ["as decided: NOT VERIFIED since hunks were rejected or edited (v verifies)"]
    verdict, _, broken = known
    return [f"as decided: {verdict}", *(f"  breaks the proof: {text}" for text in broken)]


def attempts_panel(session: Session, standing: Standing) -> list[str]:
    """Who wrote what, what failed before, and what reviewers told the authors."""
    outcome, lines = session.outcome, [f"attempts at the whole port: {session.outcome.attempts}"]
    for unit in standing.module.units:
        answer, feedback = outcome.answers.get(unit.name), outcome.turned_back.get(unit.name)
        if answer and answer.rewrite and answer.rewrite.edits:
            edits = wording.counted(len(answer.rewrite.edits), "edit")
            lines.append(f"{unit.name}: {edits} by {answer.rewrite.author}")
        if feedback is not None:
            lines.append(f"{unit.name}: turned back after attempt {feedback.attempt}")
            lines += [f"  {finding}" for finding in feedback.findings]
        lines += [f"{unit.name}, line {r.line}: {r.reason}" for r in unit.refusals]
    asked = attempts(session, standing)
    if asked:
        lines += [f"a model was asked: {total(asked)} (y opens prompt and reply)"]
        lines += attempt_lines(asked)
    else:
        lines.append("no model was asked: no prompts, no replies, no tokens, no cost")
    said = session.decisions.messages(standing.module.file)
    return [*lines, *(f"{event.by}: {told(event)}" for event in said)]


def profile_panel(session: Session, standing: Standing) -> list[str]:
    """Time, launches and bytes, as the host emulation measured them."""
    module, examination = standing.module, session.outcome.examination
    lines = ["measured on the host emulation of a discrete device; occupancy: no device run"]
    lines.append(f"run time in this module's kernels: {wording.share(module.share)}")
    for unit in module.units:
        for kernel in unit.kernels:
            part = wording.share(kernel.share)
            ran = f"{kernel.launches} launches, {part}" if kernel.executed else "never executed"
            lines.append(f"{unit.name}, line {kernel.line}: {ran}")
    moved = [t for t in examination.transfers if t.file == module.file and t.count]
    lines += ["", "moved:" if moved else "nothing is moved by directives of this module"]
    lines += [
        f"port line {t.line}: {t.direction} {wording.size(t.bytes)} in {t.count} ({t.reason})"
        for t in sorted(moved, key=lambda t: -t.bytes)
    ]
    return lines


def record_panel(session: Session, standing: Standing) -> list[str]:
    """Everything that was done to a module, the last first."""
    file = standing.module.file
    lines = [
        f"{event.at} {event.by}: {told(event)}"
        for event in reversed(session.history)
        if file_of(event) in ("", file)
    ]
    return lines or ["nothing has been decided yet"]
