"""What stands beside a diff: evidence, attempts, measured cost, and the record of the review."""

from collections.abc import Iterable

from acclimate.verifier.evidence import Evidence, Outcome
from acclimate.workflows.reporting import wording
from acclimate.workflows.reviewing.attempts import attempt_lines, attempts, total
from acclimate.workflows.reviewing.judging import NOT_VERIFIED, RESIDENCY, Judged
from acclimate.workflows.reviewing.session import Session, Standing
from acclimate.workflows.reviewing.states import State
from acclimate.workflows.reviewing.telling import (
    LIGHTS,
    accepted_words,
    evidence_lines,
    file_of,
    idle_kernels,
    light_words,
    told,
    verdict_words,
)

_ORDER = (Outcome.FAILS, Outcome.INCONCLUSIVE, Outcome.HOLDS)


def evidence_panel(session: Session, standing: Standing) -> list[str]:
    """What speaks for and against a module: its lights, its findings, then the whole port's."""
    if not session.material.examined:
        return ["not examined yet", f"the migration is at: {session.material.progress}"]
    judged, found = session.judged, standing.found
    lines = [f"this module: {light_words(found)}", *_whole(session, judged)]
    outcome = judged.outcome
    if outcome is None:
        found, outcome = standing.module.proposed, session.outcome
        lines += ["", "what follows was found of the port as it was proposed"]
    if idle := idle_kernels(found):
        lines += [f"never validated, since no run came there: kernels at {', '.join(idle)}"]
    lines += _landed(session, standing)
    own = _sorted(found.evidence)
    told_of = [*_kept_open(judged, standing), *evidence_lines(session, outcome, own)]
    lines += ["", "of this module:", *(told_of or ["nothing names it"])]
    general = [item for item in outcome.examination.assessment.evidence if item.file is None]
    lines += ["", "of the whole port:", *evidence_lines(session, outcome, _sorted(general))]
    timings = outcome.examination.timings
    lines += ["", "checks that were run: " + (", ".join(timings) or "none")]
    waivers = session.decisions.waivers
    return [*lines, *(f"waiver: {told(session, waiver)} (by {waiver.by})" for waiver in waivers)]


def _kept_open(judged: Judged, standing: Standing) -> list[str]:
    """What fails in other files, and keeps a light of this module open: no run was right."""
    lights, file = standing.found.lights, standing.module.file
    return [
        f"{light} stays open because {other} fails: {', '.join(checks)}"
        for light in LIGHTS
        if lights[light] == Outcome.INCONCLUSIVE
        for other, checks in judged.failing_elsewhere(light, file).items()
    ]


def _sorted(items: Iterable[Evidence]) -> list[Evidence]:
    return sorted(items, key=lambda item: _ORDER.index(item.outcome))


def _whole(session: Session, judged: Judged) -> list[str]:
    """What is known of the port as it is decided, of what is accepted alone, and as proposed."""
    lines = [f"the whole port: {_with_lights(judged)}"]
    if judged.verdict == NOT_VERIFIED:
        lines = ["the whole port: NOT VERIFIED since hunks were rejected or edited (v verifies)"]
    lines += [f"  {item.message}" for item in judged.against if item.check == RESIDENCY]
    if accepted := accepted_words(session):
        lines.append(f"what is accepted, without the rest: {accepted}")
    if not judged.is_proposed:
        assessment = session.outcome.examination.assessment
        lights = ", ".join(f"{name} {assessment.lights[name]}" for name in LIGHTS)
        lines.append(f"the port as it was proposed: {assessment.verdict} ({lights})")
    return lines


def _with_lights(judged: Judged) -> str:
    words = verdict_words(judged)
    if judged.outcome is None or judged.against:
        return words
    lights = judged.outcome.examination.assessment.lights
    return f"{words} ({', '.join(f'{name} {lights[name]}' for name in LIGHTS)})"


def _landed(session: Session, standing: Standing) -> list[str]:
    """Where the module has landed, and whether it has been decided differently since."""
    landed = session.decisions.landing_of(standing.module.file)
    if landed is None:
        return []
    since = "" if standing.state is State.LANDED else "; decided differently since: land again"
    return [f"landed: {landed.place}, {landed.at}{since}"]


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
    return [*lines, *(f"{event.by}: {told(session, event)}" for event in said)]


def profile_panel(session: Session, standing: Standing) -> list[str]:
    """Time, launches and bytes, as the host emulation measured them."""
    module, decided = standing.module, session.judged.outcome
    outcome, found = decided or session.outcome, standing.found if decided else module.proposed
    lines = ["measured on the host emulation of a discrete device; occupancy: no device run"]
    if decided is None:
        lines.append("of the port as it was proposed: as decided it is not verified")
    lines.append(f"run time in this module's kernels: {wording.share(found.share)}")
    for unit in found.units:
        for kernel in unit.kernels:
            part = wording.share(kernel.share)
            ran = f"{wording.counted(kernel.launches, 'launch', 'launches')}, {part}"
            if not kernel.launches:
                ran = "in further runs only" if kernel.executed else "never executed"
            lines.append(f"{unit.name}, line {kernel.line}: {ran}")
    moved = [t for t in outcome.examination.transfers if t.file == module.file and t.count]
    line_map = outcome.line_map(module.file)
    lines += ["", "moved:" if moved else "nothing is moved by directives of this module"]
    lines += [
        f"line {line_map.original(t.line or 0)}: {t.direction} {wording.size(t.bytes)}"
        f" in {t.count} ({t.reason})"
        for t in sorted(moved, key=lambda t: -t.bytes)
    ]
    return lines


def record_panel(session: Session, standing: Standing) -> list[str]:
    """Everything that was done to a module, the last first."""
    file = standing.module.file
    lines = [
        f"{event.at} {event.by}: {told(session, event)}"
        for event in reversed(session.history)
        if file_of(session, event) in ("", file)
    ]
    return lines or ["nothing has been decided yet"]
