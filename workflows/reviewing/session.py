"""A review at work: what is shown, and every action of a reviewer, each on disk at once."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime
from functools import cached_property
from pathlib import Path
from secrets import token_hex
from typing import Any, TypeVar

from acclimate.analysis.problems import Problem
from acclimate.porter.agent.artefacts import Reviewed
from acclimate.porter.agent.outcome import Outcome
from acclimate.porter.agent.standing import is_running, written_at
from acclimate.verifier.ladder import Examination
from acclimate.workflows.reviewing import events
from acclimate.workflows.reviewing.decisions import Decisions, Mark, decisions, to_redo, to_undo
from acclimate.workflows.reviewing.events import Event
from acclimate.workflows.reviewing.hunks import Hunk
from acclimate.workflows.reviewing.journal import FOLDER, Journal
from acclimate.workflows.reviewing.material import gathered
from acclimate.workflows.reviewing.modules import Module, Modules
from acclimate.workflows.reviewing.selection import Made, Selection, digest_of, select
from acclimate.workflows.reviewing.states import State, state_of

E = TypeVar("E", bound=Event)


@dataclass(frozen=True, slots=True)
class Standing:
    """A module with what stands on it now."""

    module: Module
    state: State
    marks: Mapping[str, Mark]  # by hunk name

    @property
    def decided(self) -> int:
        return sum(mark in (Mark.ACCEPTED, Mark.REJECTED) for mark in self.marks.values())


class Session:
    """One reviewer's view of one model's last migration."""

    def __init__(
        self, model: Path, work: Path, reviewer: str, now: Callable[[], datetime] | None = None
    ) -> None:
        self.model, self.reviewer = model, reviewer
        self._stamp = written_at(work)
        self.material = gathered(model, work)
        self.journal = Journal(work / FOLDER, reviewer)
        self._now = now or (lambda: datetime.now(UTC))
        self._makers = Modules(self.material.outcome)
        self._modules: dict[tuple[str, str], Module] = {}
        self._made: Made = {}
        self._events: tuple[Event, ...] = self.journal.events()
        self.decisions: Decisions = decisions(self._events)

    @property
    def outcome(self) -> Outcome:
        """What the authors proposed, and the evidence on it."""
        return self.material.outcome

    @property
    def is_waiting(self) -> bool:
        """Whether the migration waits for a decision and nobody works on it."""
        standing = self.material.standing
        return standing.stage == "review" and not self.is_running

    @property
    def is_running(self) -> bool:
        """Whether a process works on the migration now."""
        return is_running(self.material.work)

    @property
    def is_answered(self) -> bool:
        """Whether somebody has decided what the migration as it stands is to do."""
        standing = self.material.standing
        return any(
            event.key == standing.key and event.tree == standing.state.get("tree", "")
            for event in self.decisions.approved
        )

    @property
    def history(self) -> tuple[Event, ...]:
        """What everybody has done, in order."""
        return self._events

    @property
    def today(self) -> date:
        return self._now().date()

    # --- reading ------------------------------------------------------------------------------

    def reload(self) -> bool:
        """Look at the journal and the migration again; whether anything has changed."""
        before = self._events
        self._events = self.journal.events()
        stamp = written_at(self.material.work)
        moved = stamp != self._stamp
        if moved:
            self.material, self._stamp = gathered(self.model, self.material.work), stamp
            self._makers = Modules(self.material.outcome)
            self._modules.clear()
            self._made.clear()
        changed = moved or before != self._events
        if changed:
            self.decisions = decisions(self._events)
            self.__dict__.pop("standings", None)
        return changed

    @cached_property
    def standings(self) -> tuple[Standing, ...]:
        """Every module with its state, by path."""
        texts = {file: e for file in self.decisions.texts if (e := self.decisions.text(file))}
        files = sorted({*self._makers.files, *texts})
        keys = [texts[file].text if file in texts else "" for file in files]
        modules = [self._module(file, key) for file, key in zip(files, keys, strict=True)]
        today = self.today
        return tuple(self._standing(module, today) for module in modules)

    def standing(self, file: str) -> Standing:
        """One module.

        Raises:
            KeyError: there is no such file.
        """
        found = next((s for s in self.standings if s.module.file == file), None)
        if found is None:
            raise KeyError(file)
        return found

    def _module(self, file: str, text: str) -> Module:
        key = (file, text)
        if key not in self._modules:
            edited = self.outcome.store.get_bytes(text) if text else None
            self._modules[key] = self._makers.module(file, edited)
        return self._modules[key]

    def _standing(self, module: Module, today: date) -> Standing:
        marks = {hunk.name: self.decisions.mark(hunk.name) for hunk in module.hunks}
        return Standing(module, state_of(module, marks, self.decisions, today), marks)

    def selection(self, *, with_open: bool) -> Selection:
        """The port with all accepted hunks; with those that are open as well if asked."""
        wanted = {Mark.ACCEPTED, Mark.OPEN} if with_open else {Mark.ACCEPTED}
        modules = [standing.module for standing in self.standings]
        mark = self.decisions.mark
        return select(modules, self.outcome.original, lambda h: mark(h.name) in wanted, self._made)

    @property
    def is_as_proposed(self) -> bool:
        """Whether nothing was rejected, disputed or edited so far."""
        good = (Mark.OPEN, Mark.ACCEPTED)
        marks = (mark for standing in self.standings for mark in standing.marks.values())
        return not self.decisions.texts and all(mark in good for mark in marks)

    def text(self, file: str) -> bytes:
        """A file with all hunks but the rejected ones: what an editor is opened on."""
        found = self.selection(with_open=True).files.get(file)
        return found if found is not None else self.outcome.original(file)

    def examination_of(self, selection: Selection) -> tuple[str, str, tuple[str, ...]] | None:
        """Verdict, key of the examination and broken invariants of a selection, if examined."""
        own = digest_of(self.outcome.tree.changed)
        if selection.digest == own and self.material.examined:
            key = self.material.standing.state["examination"]
            return self.outcome.examination.assessment.verdict, key, ()
        known = self.decisions.examined(selection.digest)
        return None if known is None else (known.verdict, known.examination, known.broken)

    def examination(self, key: str) -> Examination:
        return self.outcome.store.get(key, Examination)

    # --- acting -------------------------------------------------------------------------------

    def decide(
        self, hunks: Iterable[Hunk], verdict: str, scope: str, reason: str = ""
    ) -> events.Decided:
        """Accept, reject or reopen hunks of one file together.

        Raises:
            Problem: there is nothing to decide on.
        """
        chosen = tuple(hunks)
        if not chosen:
            raise Problem(f"{scope} has no hunks to decide on", hint="choose one with changes")
        names = tuple(hunk.name for hunk in chosen)
        return self._add(
            events.Decided,
            file=chosen[0].file,
            scope=scope,
            hunks=names,
            verdict=verdict,
            reason=reason,
            replaces=self.decisions.replaced_by_deciding(names),
        )

    def note(self, file: str, unit: str, text: str, hunk: str = "") -> events.Noted:
        """Tell the author of a unit something for the next attempt."""
        return self._add(events.Noted, file=file, unit=unit, text=_said(text, "note"), hunk=hunk)

    def edit(self, file: str, text: bytes, how: str) -> events.Edited | None:
        """Put a text of the reviewer's own in place of a file's; None where nothing changed."""
        if text == self.text(file):
            return None
        key = self.outcome.store.put_bytes(text)
        standing = tuple(sorted(edited.name for edited in self.decisions.texts.get(file, ())))
        return self._add(events.Edited, file=file, text=key, how=how, replaces=standing)

    def turn_back(self, file: str, unit: str, reason: str) -> events.TurnedBack:
        """Ask for a port in which the unit stays on the host."""
        return self._add(events.TurnedBack, file=file, unit=unit, reason=_said(reason, "reason"))

    def waive(self, check: str, file: str, reason: str, until: str) -> events.Waived:
        """Accept what a check found until a day.

        Raises:
            Problem: no reason, or no day that lies ahead.
        """
        _said(reason, "reason")
        try:
            day = date.fromisoformat(until)
        except ValueError:
            raise Problem(f"'{until}' is not a date", hint="write it as 2027-03-31") from None
        if day < self.today:
            raise Problem(f"a waiver until {until} would have ended", hint="name a day to come")
        return self._add(events.Waived, check=check, file=file, reason=reason, until=until)

    def undo(self) -> Event | None:
        """Take back this reviewer's last action; returns it, None where there is none."""
        event = to_undo(self._events, self.reviewer)
        if event is not None:
            self._add(events.Undone, event=event.name)
        return event

    def redo(self) -> Event | None:
        """Do again what was undone last; returns it, None where there is none."""
        event = to_redo(self._events, self.reviewer)
        if event is not None:
            self._add(events.Redone, event=event.name)
        return event

    def record(self, kind: type[E], **content: Any) -> E:
        """Note what a verification or a landing came to."""
        return self._add(kind, **content)

    def keep(self, reviewed: Reviewed) -> str:
        return self.outcome.store.put(reviewed, Reviewed)

    def _add(self, kind: type[E], **content: Any) -> E:
        event = kind(
            name=token_hex(8),
            by=self.reviewer,
            clock=self.decisions.clock + 1,
            at=self._now().isoformat(timespec="seconds"),
            **content,
        )
        self.journal.add(event)
        self.reload()
        return event


def _said(text: str, what: str) -> str:
    if not text.strip():
        raise Problem(f"there is no {what}", hint=f"say it in a few words: the {what} is kept")
    return text.strip()
