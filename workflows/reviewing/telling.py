"""A review in plain lines: for screen readers, scripts, exports and panels."""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import cache

from acclimate.porter.agent.outcome import Outcome
from acclimate.verifier.evidence import Evidence
from acclimate.workflows.reporting import wording
from acclimate.workflows.reviewing import events
from acclimate.workflows.reviewing.decisions import Mark
from acclimate.workflows.reviewing.diff import CONTEXT, Row, rows
from acclimate.workflows.reviewing.events import Edited, Event
from acclimate.workflows.reviewing.hunks import Hunk
from acclimate.workflows.reviewing.judging import NOT_VERIFIED, Judged
from acclimate.workflows.reviewing.modules import UNCHANGED, Findings
from acclimate.workflows.reviewing.session import Session, Standing
from acclimate.workflows.reviewing.states import State

LIGHTS = ("data", "races", "numerics", "device")
UNLIT = "○"  # of a light that nobody has examined as decided
SIGNS = {**wording.SIGNS, NOT_VERIFIED: UNLIT, UNCHANGED: wording.NONE}


def light_words(found: Findings) -> str:
    """The four lights in words, as a screen reader says them."""
    given = set(found.lights.values())
    if given == {UNCHANGED}:
        return "not changed"
    if given == {NOT_VERIFIED}:
        return "not verified as decided"
    return ", ".join(f"{name} {found.lights[name]}" for name in LIGHTS)


def light_signs(judged: Judged, standing: Standing) -> str:
    """The same for a narrow place: a name and a sign for each, and what fails."""
    lights = standing.found.lights
    if len(given := set(lights.values())) == 1 and given <= {UNCHANGED, NOT_VERIFIED}:
        return light_words(standing.found)
    parts = []
    for name in LIGHTS:
        failing = judged.failing(name, standing.module.file)
        elsewhere = judged.failing_elsewhere(name, standing.module.file)
        why = ""
        if failing and lights[name] == "fails":
            why = f" ({', '.join(failing)})"
        elif elsewhere and lights[name] == "inconclusive":
            why = f" ({', '.join(elsewhere)} {'fails' if len(elsewhere) == 1 else 'fail'})"
        parts.append(f"{name} {SIGNS[lights[name]]}{why}")
    return " ".join(parts)


def verdict_words(judged: Judged) -> str:
    """What is known of the port, with the checks that fail."""
    decided = "" if judged.is_proposed else " as decided"
    return f"{judged.verdict}{decided}{_checks(judged)}"


def _checks(judged: Judged) -> str:
    names = ", ".join(dict.fromkeys(item.check for item in judged.against))
    return f" ({names})" if names else ""


def accepted_words(session: Session) -> str:
    """What is known of what is accepted, alone; nothing where that is all, or was not looked at."""
    if not session.decisions.verified:
        return ""
    accepted = session.selection(with_open=False)
    if accepted.digest == session.selection(with_open=True).digest:
        return ""
    judged = session.judge(accepted)
    return "" if judged.verdict == NOT_VERIFIED else f"{judged.verdict}{_checks(judged)}"


def elsewhere_words(session: Session) -> str:
    """That the migration is another model's, "" where it is this one's."""
    if session.elsewhere is None:
        return ""
    return f"this is the migration of {session.elsewhere}: the model here is a copy, or was moved"


def listed(standings: Iterable[Standing]) -> list[str]:
    """One line for each module: state, name, decisions, lights."""
    return [
        f"{s.state}: {s.module.file} ({s.module.title}); {decided(s)}; {light_words(s.found)}"
        for s in standings
    ]


def decided(standing: Standing) -> str:
    count = len(standing.module.hunks)
    if not count:
        return "no hunks"
    return f"{standing.decided} of {wording.counted(count, 'hunk')} decided"


def counts(standings: Iterable[Standing]) -> str:
    """How many modules there are of each state."""
    found = dict.fromkeys(State, 0)
    for standing in standings:
        found[standing.state] += 1
    return ", ".join(f"{number} {state}" for state, number in found.items() if number)


def heads(session: Session, standing: Standing) -> list[str]:
    """The line above each hunk: number, what stands on it and why, unit."""
    found = []
    for number, hunk in enumerate(standing.module.hunks, 1):
        why = "; ".join(_reasons(session, standing, hunk))
        mark = f"{standing.marks[hunk.name]}{f' ({why})' if why else ''}"
        unit = hunk.unit or "outside of units"
        found.append(f"hunk {number} of {len(standing.module.hunks)}: {mark} [{unit}]")
    return found


def _reasons(session: Session, standing: Standing, hunk: Hunk) -> Iterator[str]:
    """Who wrote a hunk, that the port needs it, why it was rejected, what was so in its place."""
    decisions = session.decisions
    if hunk.name in standing.module.by_hand:
        yield "edited by hand"
    if hunk.name in decisions.breakers:
        yield "its removal breaks the proof"
    if standing.marks[hunk.name] is Mark.REJECTED:
        yield from (d.reason for d in decisions.standing[hunk.name] if d.reason)
    for old in standing.module.folded:
        if _overlap(old, hunk):
            said = [d.reason for d in decisions.standing[old.name] if d.reason]
            yield f"where a change was rejected{': ' if said else ''}{', '.join(said)}"


def _overlap(one: Hunk, other: Hunk) -> bool:
    return one.first <= max(other.first, other.last) and other.first <= max(one.first, one.last)


def shown(session: Session, standing: Standing, context: int | None = CONTEXT) -> list[str]:
    """A module's diff in plain lines."""
    original, hunks = session.outcome.original(standing.module.file), standing.module.hunks
    named = [f"{head} {h.name}" for head, h in zip(heads(session, standing), hunks, strict=True)]
    return [_line(row) for row in rows(original, hunks, named, context)]


def _line(row: Row) -> str:
    if row.sign == "@":
        return f"@@ {row.text}"
    if row.sign == "~":
        return f"   ... {row.text}"
    return f"{row.sign}{row.new or row.old:>5} {row.text}"


def evidence_lines(session: Session, outcome: Outcome, items: Iterable[Evidence]) -> list[str]:
    """One line for each measurement: outcome first, figure against limit, places, waiver.

    `outcome` is that of the port that was examined: places are the original's.
    """
    lines = []
    for item, at in placed(outcome, items):
        figure = ""
        if item.figure is not None:
            limit = wording.measured(item.limit, item.unit)
            figure = f" {wording.measured(item.figure, item.unit)} against {limit}"
        place = f" at {at}" if at else ""
        seed = f", seed {item.seed}" if item.seed is not None else ""
        waiver = session.decisions.waiver(item.check, item.file or "", session.today)
        waived = f" [waived until {waiver.until} by {waiver.by}: {waiver.reason}]" if waiver else ""
        lines.append(
            f"{item.outcome.value}: {item.check} ({item.light.value}){figure}{place}{seed}:"
            f" {item.message}{waived}"
        )
    return lines


def placed(outcome: Outcome, items: Iterable[Evidence]) -> list[tuple[Evidence, str]]:
    """What says the same, once, with all its places: "file:line" of the original, more lines."""
    found: dict[Evidence, list[int]] = {}
    line_map = cache(outcome.line_map)
    for item in items:
        lines = found.setdefault(replace(item, line=None), [])
        if item.file and item.line:
            lines.append(line_map(item.file).original(item.line))
    return [
        (item, f"{item.file}:{', '.join(map(str, sorted(set(lines))))}" if lines else "")
        for item, lines in found.items()
    ]


def idle_kernels(found: Findings) -> list[str]:
    """Kernels that no run came to: "file:line" of the original, and the procedure."""
    return [
        f"{unit.file}:{kernel.line} ({unit.name})"
        for unit in found.units
        for kernel in unit.kernels
        if not kernel.executed
    ]


def told(session: Session, event: Event) -> str:
    """An event as one clause."""
    match event:
        case events.Decided():
            word = {"accept": "accepted", "reject": "rejected", "open": "reopened"}[event.verdict]
            reason = f": {event.reason}" if event.reason else ""
            return f"{word} {event.scope} ({wording.counted(len(event.hunks), 'hunk')}){reason}"
        case events.Noted():
            return f"note on {event.unit or event.file}: {event.text}"
        case events.Edited():
            left = wording.counted(len(event.left), "rejected hunk")
            kept = f", {left} left out" if event.left else ""
            return f"edited {event.file} ({event.how}){kept}"
        case events.TurnedBack():
            return f"asked to turn {event.unit} back: {event.reason}"
        case events.Waived():
            where = event.file or "the whole port"
            return f"waived {event.check} in {where} until {event.until}: {event.reason}"
        case events.Undone():
            return f"undid: {told(session, session.decisions.known[event.event])}"
        case events.Redone():
            return f"did again: {told(session, session.decisions.known[event.event])}"
        case events.Verified():
            what = ", ".join(event.only) or "all checks"
            return f"verified with {what}: {event.verdict}"
        case events.Landed():
            return f"landed {wording.counted(len(event.files), 'module')} to {event.place}"
        case events.Approved():
            return "let the migration land" if event.reviewed else "asked for another attempt"


def edited_words(session: Session, event: Edited | None) -> str:
    """What an edit came to; also that something in it stands rejected already."""
    if event is None:
        return "nothing was changed"
    words = told(session, event)
    if session.text(event.file) == session.outcome.store.get_bytes(event.text):
        return words
    return f"{words}; some of it is a hunk that stands rejected: accept that one to have it"


def file_of(session: Session, event: Event) -> str:
    """The file an event is about, "" where it is about all of them."""
    match event:
        case events.Undone() | events.Redone():
            return file_of(session, session.decisions.known[event.event])
        case events.Decided() | events.Noted() | events.Edited() | events.TurnedBack():
            return event.file
        case events.Waived():
            return event.file
        case _:
            return ""
