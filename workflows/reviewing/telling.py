"""A review in plain lines: for screen readers, scripts, exports and panels."""

from collections.abc import Iterable

from acclimate.verifier.evidence import Evidence
from acclimate.workflows.reporting import wording
from acclimate.workflows.reviewing import events
from acclimate.workflows.reviewing.diff import CONTEXT, Row, rows
from acclimate.workflows.reviewing.events import Event
from acclimate.workflows.reviewing.modules import UNCHANGED, Module
from acclimate.workflows.reviewing.session import Session, Standing
from acclimate.workflows.reviewing.states import State

LIGHTS = ("data", "races", "numerics", "device")


def light_words(module: Module) -> str:
    """The four lights in words, as a screen reader says them."""
    if set(module.lights.values()) == {UNCHANGED}:
        return "not changed"
    return ", ".join(f"{name} {module.lights[name]}" for name in LIGHTS)


def light_signs(module: Module) -> str:
    """The same for a narrow place: a name and a sign for each."""
    if set(module.lights.values()) == {UNCHANGED}:
        return "not changed"
    return " ".join(f"{name} {wording.sign(module.lights[name])}" for name in LIGHTS)


def listed(standings: Iterable[Standing]) -> list[str]:
    """One line for each module: state, name, decisions, lights."""
    return [
        f"{s.state}: {s.module.file} ({s.module.title}); {decided(s)}; {light_words(s.module)}"
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
    """The line above each hunk: number, what stands on it, unit, name, and if it breaks a proof."""
    breakers = session.decisions.breakers
    return [
        f"hunk {number} of {len(standing.module.hunks)}: {standing.marks[hunk.name]}"
        f" [{hunk.unit or 'outside of units'}] {hunk.name}"
        + (": its removal breaks the proof" if hunk.name in breakers else "")
        for number, hunk in enumerate(standing.module.hunks, 1)
    ]


def shown(session: Session, standing: Standing, context: int | None = CONTEXT) -> list[str]:
    """A module's diff in plain lines."""
    original = session.outcome.original(standing.module.file)
    found = rows(original, standing.module.hunks, heads(session, standing), context)
    return [_line(row) for row in found]


def _line(row: Row) -> str:
    if row.sign == "@":
        return f"@@ {row.text}"
    if row.sign == "~":
        return f"   ... {row.text}"
    return f"{row.sign}{row.new or row.old:>5} {row.text}"


def evidence_lines(session: Session, items: Iterable[Evidence]) -> list[str]:
    """One line for each measurement: outcome first, figure against limit, place, waiver."""
    lines = []
    for item in items:
        figure = ""
        if item.figure is not None:
            limit = wording.measured(item.limit, item.unit)
            figure = f" {wording.measured(item.figure, item.unit)} against {limit}"
        place = f" at {item.file}:{item.line}" if item.file and item.line else ""
        seed = f", seed {item.seed}" if item.seed is not None else ""
        waiver = session.decisions.waiver(item.check, item.file or "", session.today)
        waived = f" [waived until {waiver.until} by {waiver.by}: {waiver.reason}]" if waiver else ""
        lines.append(
            f"{item.outcome.value}: {item.check} ({item.light.value}){figure}{place}{seed}:"
            f" {item.message}{waived}"
        )
    return lines


def told(event: Event) -> str:
    """An event as one clause."""
    match event:
        case events.Decided():
            word = {"accept": "accepted", "reject": "rejected", "open": "reopened"}[event.verdict]
            reason = f": {event.reason}" if event.reason else ""
            return f"{word} {event.scope} ({wording.counted(len(event.hunks), 'hunk')}){reason}"
        case events.Noted():
            return f"note on {event.unit or event.file}: {event.text}"
        case events.Edited():
            return f"edited {event.file} ({event.how})"
        case events.TurnedBack():
            return f"asked to turn {event.unit} back: {event.reason}"
        case events.Waived():
            where = event.file or "the whole port"
            return f"waived {event.check} in {where} until {event.until}: {event.reason}"
        case events.Undone():
            return "undid an action"
        case events.Redone():
            return "did an action again"
        case events.Verified():
            what = ", ".join(event.only) or "all checks"
            return f"verified with {what}: {event.verdict}"
        case events.Landed():
            return f"landed {wording.counted(len(event.files), 'module')} to {event.place}"
        case events.Approved():
            return "let the migration land" if event.reviewed else "asked for another attempt"


def file_of(event: Event) -> str:
    """The file an event is about, "" where it is about all of them."""
    match event:
        case events.Decided() | events.Noted() | events.Edited() | events.TurnedBack():
            return event.file
        case events.Waived():
            return event.file
        case _:
            return ""
