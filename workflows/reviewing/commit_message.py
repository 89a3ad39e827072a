"""The message of a commit or a patch: it tells what a person decided, and on which evidence."""

from collections.abc import Iterable, Iterator

from acclimate.porter.agent.outcome import Outcome
from acclimate.verifier.evidence import Evidence
from acclimate.verifier.evidence import Outcome as Held
from acclimate.workflows.reporting.wording import counted
from acclimate.workflows.reviewing.decisions import Mark
from acclimate.workflows.reviewing.hunks import Hunk
from acclimate.workflows.reviewing.modules import Module, Modules
from acclimate.workflows.reviewing.selection import Selection
from acclimate.workflows.reviewing.session import Session, Standing
from acclimate.workflows.reviewing.telling import LIGHTS, idle_kernels, placed


def message(session: Session, standing: Standing, selection: Selection, outcome: Outcome) -> str:
    """What was changed, by whom, the evidence, and who decided; `outcome` is the selection's."""
    module = standing.module
    accepted = [h for h in selection.taken if h.file == module.file]
    rejected = [h for h in module.hunks if standing.marks[h.name] is Mark.REJECTED]
    number = counted(len(module.hunks), "hunk")
    assessed = outcome.examination.assessment.lights
    lights = ", ".join(f"{light} {assessed[light]}" for light in LIGHTS)
    lines = [
        f"{module.title}: port to OpenACC",
        "",
        f"{len(accepted)} of {number} accepted, {len(rejected)} rejected.",
        *_by_hand(session, module, accepted),
        *(f"Rejected: {_place(hunk)}{_why(session, hunk)}." for hunk in rejected),
        f"Evidence on the whole port: {lights}.",
        *_remarks(session, module.file, outcome),
        "",
        *(f"Reviewed-by: {reviewer}" for reviewer in reviewers_of(session, module.hunks)),
    ]
    return "\n".join(lines)


def _by_hand(session: Session, module: Module, accepted: Iterable[Hunk]) -> Iterator[str]:
    """What reviewers have written themselves, by the original's lines."""
    places = [_place(hunk) for hunk in accepted if hunk.name in module.by_hand]
    if places:
        authors = sorted({_name(e.by) for e in session.decisions.edits(module.file)})
        yield f"Edited by hand, by {', '.join(authors)}: {', '.join(places)}."


def _place(hunk: Hunk) -> str:
    return f"{hunk.file}:{hunk.first}" + (f"-{hunk.last}" if hunk.last > hunk.first else "")


def _why(session: Session, hunk: Hunk) -> str:
    said = [" ".join(d.reason.split()) for d in session.decisions.standing[hunk.name] if d.reason]
    return f" ({'; '.join(said)})" if said else ""


def _remarks(session: Session, file: str, outcome: Outcome) -> Iterable[str]:
    evidence = outcome.examination.assessment.evidence
    named = [item for item in evidence if item.outcome is not Held.HOLDS and item.file == file]
    for item, at in placed(outcome, named):
        yield _told(session, item, at)
    if idle := idle_kernels(Modules(outcome).findings(file, changed=True)):
        yield f"Never validated, by the original's lines: {', '.join(idle)}."


def _told(session: Session, item: Evidence, at: str) -> str:
    waiver = session.decisions.waiver(item.check, item.file or "", session.today)
    waived = f" (waived until {waiver.until} by {waiver.by}: {waiver.reason})" if waiver else ""
    place = f"{at}: " if at else ""
    return " ".join(f"{item.outcome.value}: {place}{item.check}: {item.seen}{waived}".split())


def reviewers_of(session: Session, hunks: Iterable[Hunk]) -> tuple[str, ...]:
    """Who has decided on any of these hunks, each name one line."""
    standing = session.decisions.standing
    return tuple(sorted({_name(d.by) for hunk in hunks for d in standing.get(hunk.name, ())}))


def _name(by: str) -> str:
    """On one line: what another's review file holds may not end the message."""
    return " ".join(by.split())
