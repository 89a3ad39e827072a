"""What the waiting migration is told: land what was approved, or try again with what was said."""

from collections import defaultdict
from collections.abc import Mapping

from acclimate.analysis.problems import Problem
from acclimate.porter.rewrite import Feedback
from acclimate.workflows.reviewing import events
from acclimate.workflows.reviewing.decisions import Mark
from acclimate.workflows.reviewing.session import Session


def ask_again(session: Session) -> events.Approved:
    """Ask for another attempt at what was noted, rejected with a reason, or turned back.

    Raises:
        Problem: nothing was said that another attempt could do differently.
    """
    notes, back = said(session)
    if not notes and not back:
        raise Problem(
            "nothing was said that another attempt could do better",
            hint="leave a note, reject a hunk with a reason, or turn a unit back",
        )
    standing = session.material.standing
    return session.record(events.Approved, key=standing.key, tree=standing.state.get("tree", ""))


def decision(session: Session, answered: str) -> Mapping[str, object] | None:
    """What the last approval of the migration as it stands means; None where it has none.

    `answered` names the approval that it has heard already.
    """
    standing = session.material.standing
    last = next(
        (
            event
            for event in reversed(session.decisions.approved)
            if event.key == standing.key and event.tree == standing.state.get("tree")
        ),
        None,
    )
    if last is None or last.name == answered:
        return None
    if last.reviewed:
        return {"what": "land", "name": last.name, "reviewed": last.reviewed}
    notes, back = said(session)
    put, attempt = session.outcome.store.put, session.outcome.attempts
    return {
        "what": "again",
        "name": last.name,
        "feedback": {u: put(Feedback(u, attempt, t), Feedback) for u, t in notes.items()},
        "turned_back": {u: put(Feedback(u, attempt, t), Feedback) for u, t in back.items()},
    }


def said(session: Session) -> tuple[dict[str, tuple[str, ...]], dict[str, tuple[str, ...]]]:
    """What reviewers said to the author of each unit, and of which units they want none."""
    notes: dict[str, list[str]] = defaultdict(list)
    back: dict[str, list[str]] = defaultdict(list)
    known = session.outcome.answers.keys() | session.outcome.consulted.keys()
    units = {s.module.file: [u.name for u in s.module.units] for s in session.standings}
    for note in session.decisions.notes:
        for unit in [note.unit] if note.unit else units.get(note.file, ()):
            if unit in known:
                notes[unit].append(f"{note.by}: {note.text}")
    for standing in session.standings:
        for hunk in standing.module.hunks:
            if standing.marks[hunk.name] is Mark.REJECTED and hunk.unit in known:
                reasons = [d for d in session.decisions.standing[hunk.name] if d.reason]
                notes[hunk.unit] += [f"{d.by}, line {hunk.first}: {d.reason}" for d in reasons]
    for event in session.decisions.turned_back:
        if event.unit not in session.outcome.turned_back:
            back[event.unit].append(f"{event.by}: {event.reason}")
    wanted = {unit: tuple(texts) for unit, texts in notes.items() if texts and unit not in back}
    return wanted, {unit: tuple(texts) for unit, texts in back.items()}
