"""Deciding on a module, a unit or a hunk, and taking it back: each with what came of it, in words.

What stands rejected is only accepted by pointing at the very hunk: to accept all of a module, or of
a unit, is to accept the rest of it.
"""

from collections.abc import Iterable, Sequence
from pathlib import Path

from acclimate.workflows.reporting import wording
from acclimate.workflows.reviewing.decisions import Mark
from acclimate.workflows.reviewing.events import Event, Landed
from acclimate.workflows.reviewing.hunks import Hunk
from acclimate.workflows.reviewing.session import Session, Standing
from acclimate.workflows.reviewing.targets import Target
from acclimate.workflows.reviewing.telling import told

_NAMED = 4  # hunks, in one sentence
_AGAINST = (Mark.REJECTED, Mark.DISPUTED)


def decide(session: Session, target: Target, verdict: str, reason: str = "") -> str:
    """Accept, reject or reopen what is pointed at; says what was decided, and what was kept.

    Raises:
        Problem: there is nothing to decide on.
    """
    kept = _kept(target, verdict)
    hunks = tuple(hunk for hunk in target.hunks if hunk not in kept)
    standing = target.standing
    if not hunks and kept:
        return f"nothing was {_DONE[verdict]}: {_stands(session, standing, kept, verdict)}"
    before = _before(target.standing, hunks, verdict)
    scope = f"{target.scope} without {_numbers(standing, kept)}" if kept else target.scope
    words = told(session, session.decide(hunks, verdict, scope, reason)) + before
    return f"{words}; {_stands(session, standing, kept, verdict)}" if kept else words


_DONE = {"accept": "accepted", "reject": "rejected", "open": "reopened"}


def _kept(target: Target, verdict: str) -> tuple[Hunk, ...]:
    """The hunks on which a decision stands that one on all of a module does not replace."""
    if target.is_hunk or verdict == "open":
        return ()
    marks = target.standing.marks
    against = _AGAINST if verdict == "accept" else (Mark.REJECTED,)
    return tuple(hunk for hunk in target.hunks if marks[hunk.name] in against)


def _before(standing: Standing, hunks: Iterable[Hunk], verdict: str) -> str:
    """What stood on hunks that are decided on anew."""
    other = {"accept": _AGAINST, "reject": (Mark.ACCEPTED,), "open": _AGAINST}[verdict]
    marks = [standing.marks[hunk.name] for hunk in hunks]
    given = [mark for mark in marks if mark in other]
    if len(marks) == 1:
        return f"; it stood {given[0]} before" if given else ""
    words = [f"{given.count(mark)} {mark}" for mark in dict.fromkeys(given)]
    return f"; of them stood before: {', '.join(words)}" if words else ""


def _stands(session: Session, standing: Standing, kept: Sequence[Hunk], verdict: str) -> str:
    """That hunks stay as they were, why, and what to do about it."""
    marks = dict.fromkeys(standing.marks[hunk.name] for hunk in kept)
    decisions = session.decisions.standing
    reasons = dict.fromkeys(d.reason for h in kept for d in decisions[h.name] if d.reason)
    why = f" ({'; '.join(list(reasons)[:_NAMED])})" if reasons else ""
    one = len(kept) == 1
    step = f"; to accept {'it' if one else 'one'}, point at it" if verdict == "accept" else ""
    stay = "stays" if one else "stay"
    return f"{_numbers(standing, kept)} {stay} {' or '.join(marks)}{why}{step}"


def _numbers(standing: Standing, hunks: Sequence[Hunk]) -> str:
    every = standing.module.hunks
    if len(hunks) > _NAMED:
        return wording.counted(len(hunks), "hunk")
    return ", ".join(f"#{every.index(hunk) + 1}" for hunk in hunks)


def undo(session: Session) -> str:
    """Take back this reviewer's last action; says which, and what stays as it is."""
    event = session.undo()
    if event is None:
        return "there is nothing of yours to undo"
    return f"undid: {told(session, event)}{_still_landed(session.decisions.landed_since(event))}"


def redo(session: Session) -> str:
    event: Event | None = session.redo()
    return f"did again: {told(session, event)}" if event else "there is nothing to do again"


def merge(session: Session, path: Path) -> str:
    """Take over another reviewer's events; says of which hunks the two now disagree.

    Raises:
        Problem: the file cannot be read, is damaged, or contradicts what is known.
    """
    before = {name for name, mark in session.marks.items() if mark is Mark.DISPUTED}
    number = session.journal.merge(path)
    session.reload()
    words = f"took over {wording.counted(number, 'event')}"
    parts = []
    for standing in session.standings:
        fresh = [
            hunk
            for hunk in standing.module.hunks
            if standing.marks[hunk.name] is Mark.DISPUTED and hunk.name not in before
        ]
        if fresh:
            parts.append(f"{standing.module.file} {_numbers(standing, fresh)}")
    return (
        f"{words}; disputed now: {', '.join(parts)}: point at each and decide" if parts else words
    )


def _still_landed(landed: Landed | None) -> str:
    if landed is None:
        return ""
    return f"; {landed.place} stays as it landed: undo does not take it back, land again does"
