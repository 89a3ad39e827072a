"""What stands after all events: verdicts, texts, notes, waivers, and what can be undone."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from enum import StrEnum

from acclimate.workflows.reviewing.events import (
    Approved,
    Decided,
    Edited,
    Event,
    Landed,
    Noted,
    Redone,
    TurnedBack,
    Undone,
    Verified,
    Waived,
)


class Mark(StrEnum):
    """What stands on a hunk; `DISPUTED`: two people decided differently, unknown to each other."""

    OPEN = "open"
    ACCEPTED = "accepted"
    REJECTED = "rejected"
    DISPUTED = "disputed"


_MARKS = {"accept": Mark.ACCEPTED, "reject": Mark.REJECTED, "open": Mark.OPEN}


@dataclass(frozen=True, slots=True)
class Decisions:
    """The outcome of all events; the order in which files were read plays no part.

    `standing` holds the decisions on each hunk that none has replaced, `texts` the same of edited
    files.
    """

    standing: Mapping[str, tuple[Decided, ...]]
    texts: Mapping[str, tuple[Edited, ...]]
    known: Mapping[str, Event]  # every event by its name, also what was undone
    notes: tuple[Noted, ...]
    turned_back: tuple[TurnedBack, ...]
    waivers: tuple[Waived, ...]
    verified: tuple[Verified, ...]
    landed: tuple[Landed, ...]
    approved: tuple[Approved, ...]
    reviewers: tuple[str, ...]
    clock: int

    def mark(self, hunk: str) -> Mark:
        """What stands on the hunk of this name."""
        found = self.standing.get(hunk)
        if not found:
            return Mark.OPEN
        marks = {_MARKS[decision.verdict] for decision in found}
        if len(marks) > 1:
            return Mark.DISPUTED
        return next(iter(marks), Mark.OPEN)

    def replaced_by_deciding(self, hunks: Iterable[str]) -> tuple[str, ...]:
        """Names of the decisions that one on these hunks takes the place of."""
        return tuple(sorted({d.name for hunk in hunks for d in self.standing.get(hunk, ())}))

    def messages(self, file: str) -> tuple[Noted | TurnedBack, ...]:
        """What was said to the authors of one file's units."""
        said: list[Noted | TurnedBack] = [*self.notes, *self.turned_back]
        return tuple(event for event in said if event.file == file)

    def text(self, file: str) -> Edited | None:
        """The edited text of a file: the last one, where several stand."""
        return max(self.texts.get(file, ()), key=lambda e: (e.clock, e.name), default=None)

    def edits(self, file: str) -> tuple[Edited, ...]:
        """The texts that led to the one that stands, which comes last."""
        found: list[Edited] = []
        text = self.text(file)
        while text is not None:
            found.append(text)
            before = [e for name in text.replaces if isinstance(e := self.known.get(name), Edited)]
            text = max(before, key=lambda e: (e.clock, e.name), default=None)
        return tuple(reversed(found))

    def landing_of(self, file: str) -> Landed | None:
        """The last landing of a file."""
        return next((e for e in reversed(self.landed) if file in e.files), None)

    def landed_since(self, event: Event) -> Landed | None:
        """The last landing of what an event decided on, if it has come after it."""
        file = getattr(event, "file", "")
        later = (e for e in reversed(self.landed) if e.clock > event.clock)
        return next((landed for landed in later if file in ("", *landed.files)), None)

    def is_disputed_text(self, file: str) -> bool:
        return len({edited.text for edited in self.texts.get(file, ())}) > 1

    def waiver(self, check: str, file: str, today: date) -> Waived | None:
        """The waiver that covers a finding of `check` in `file` today."""
        covering = (
            waiver
            for waiver in self.waivers
            if waiver.check == check
            and waiver.file in ("", file)
            and date.fromisoformat(waiver.until) >= today
        )
        return next(covering, None)

    @property
    def breakers(self) -> frozenset[str]:
        """Hunks that the last verification named as needed, and that stand rejected."""
        named = self.verified[-1].breakers if self.verified else ()
        return frozenset(hunk for hunk in named if self.mark(hunk) is Mark.REJECTED)

    def examined(self, selection: str, key: str) -> Verified | None:
        """The last verification of exactly this selection of the migration `key` by all checks."""
        found = [v for v in self._verified(selection, key) if not v.only]
        return found[-1] if found else None

    def rejected_since(self, selection: str, key: str) -> tuple[Verified, ...]:
        """Verifications of it by some checks that reject, made after the last one by all checks."""
        found: list[Verified] = []
        for verified in self._verified(selection, key):
            if not verified.only:
                found.clear()
            elif verified.verdict == "reject":
                found.append(verified)
        return tuple(found)

    def _verified(self, selection: str, key: str) -> Iterator[Verified]:
        return (v for v in self.verified if (v.selection, v.key) == (selection, key))


def decisions(events: Iterable[Event]) -> Decisions:
    """Replay events that are in the order of `Journal.events`."""
    everything = tuple(events)
    undone = _undone(everything)
    live = [event for event in everything if event.name not in undone]
    standing: dict[str, list[Decided]] = defaultdict(list)
    texts: dict[str, list[Edited]] = defaultdict(list)
    for event in live:
        # A decision is replaced hunk by hunk: another on some of its hunks leaves it on the rest.
        if isinstance(event, Decided):
            gone = frozenset(event.replaces)
            for hunk in event.hunks:
                standing[hunk] = [d for d in standing[hunk] if d.name not in gone] + [event]
        elif isinstance(event, Edited):
            gone = frozenset(event.replaces)
            texts[event.file] = [t for t in texts[event.file] if t.name not in gone] + [event]
    return Decisions(
        standing={hunk: tuple(found) for hunk, found in standing.items()},
        texts={file: tuple(found) for file, found in texts.items()},
        known={event.name: event for event in everything},
        notes=tuple(event for event in live if isinstance(event, Noted)),
        turned_back=tuple(event for event in live if isinstance(event, TurnedBack)),
        waivers=tuple(event for event in live if isinstance(event, Waived)),
        verified=tuple(event for event in live if isinstance(event, Verified)),
        landed=tuple(event for event in live if isinstance(event, Landed)),
        approved=tuple(event for event in live if isinstance(event, Approved)),
        reviewers=tuple(sorted({event.by for event in everything})),
        clock=max((event.clock for event in everything), default=0),
    )


def _undone(events: Iterable[Event]) -> set[str]:
    undone: set[str] = set()
    for event in events:
        if isinstance(event, Undone):
            undone.add(event.event)
        elif isinstance(event, Redone):
            undone.discard(event.event)
    return undone


def to_undo(events: Iterable[Event], reviewer: str) -> Event | None:
    """The reviewer's last action that is not undone."""
    return next(reversed(list(_stacks(events, reviewer)[0])), None)


def to_redo(events: Iterable[Event], reviewer: str) -> Event | None:
    """The action that the reviewer has undone last and has done nothing since."""
    return next(reversed(list(_stacks(events, reviewer)[1])), None)


def _stacks(events: Iterable[Event], reviewer: str) -> tuple[list[Event], list[Event]]:
    """What one reviewer could undo and redo, the next one last."""
    done: list[Event] = []
    undone: list[Event] = []
    for event in _own(events, reviewer):
        if isinstance(event, Undone) and done and done[-1].name == event.event:
            undone.append(done.pop())
        elif isinstance(event, Redone) and undone and undone[-1].name == event.event:
            done.append(undone.pop())
        elif event.undoable:
            done.append(event)
            undone.clear()
    return done, undone


def _own(events: Iterable[Event], reviewer: str) -> Iterator[Event]:
    return (event for event in events if event.by == reviewer)
