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
from acclimate.porter.keeping.store import Missing
from acclimate.verifier.ladder import Examination
from acclimate.workflows.reviewing import events, judging
from acclimate.workflows.reviewing.decisions import Decisions, Mark, decisions, to_redo, to_undo
from acclimate.workflows.reviewing.events import Event
from acclimate.workflows.reviewing.hunks import Hunk
from acclimate.workflows.reviewing.journal import FOLDER, Journal
from acclimate.workflows.reviewing.judging import Judged
from acclimate.workflows.reviewing.material import gathered
from acclimate.workflows.reviewing.modules import Findings, Module, Modules
from acclimate.workflows.reviewing.selection import Made, Selection, digest_of, select
from acclimate.workflows.reviewing.states import State, state_of

E = TypeVar("E", bound=Event)
_KEPT = frozenset((Mark.ACCEPTED, Mark.OPEN))  # what is in the port as it is decided


@dataclass(frozen=True, slots=True)
class Standing:
    """A module with what stands on it now; `found` is of the port as it is decided."""

    module: Module
    state: State
    marks: Mapping[str, Mark]  # by hunk name
    found: Findings

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
        self._modules: dict[tuple[str, ...], Module] = {}
        self._made: Made = {}
        self._judged: dict[tuple[str, ...], Judged] = {}
        self._examinations: dict[str, Examination] = {}
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
    def elsewhere(self) -> Path | None:
        """The model that was migrated, where this one is a copy of it, or it has been moved."""
        words = self.material.standing.command[1:2]
        return next((Path(w) for w in words if Path(w).resolve() != self.model.resolve()), None)

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
    def moment(self) -> datetime:
        return self._now()

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
            self._judged.clear()
        changed = moved or before != self._events
        if changed:
            self.decisions = decisions(self._events)
            for name in ("modules", "marks", "judged", "standings"):
                self.__dict__.pop(name, None)
        return changed

    @cached_property
    def modules(self) -> tuple[Module, ...]:
        """Every module, by path."""
        edited = [file for file, texts in self.decisions.texts.items() if texts]
        return tuple(map(self._module, sorted({*self._makers.files, *edited})))

    @cached_property
    def marks(self) -> Mapping[str, Mark]:
        """What stands on each hunk, by its name."""
        return {h.name: self.decisions.mark(h.name) for m in self.modules for h in m.hunks}

    @cached_property
    def standings(self) -> tuple[Standing, ...]:
        """Every module with its state, by path."""
        today = self.today
        return tuple(self._standing(module, today) for module in self.modules)

    def standing(self, file: str) -> Standing:
        """One module.

        Raises:
            KeyError: there is no such file.
        """
        found = next((s for s in self.standings if s.module.file == file), None)
        if found is None:
            raise KeyError(file)
        return found

    def _module(self, file: str) -> Module:
        edits = self.decisions.edits(file)
        key = (file, *(edited.name for edited in edits))
        if key not in self._modules:
            self._modules[key] = self._makers.module(file, edits)
        return self._modules[key]

    def _standing(self, module: Module, today: date) -> Standing:
        marks = {hunk.name: self.marks[hunk.name] for hunk in module.hunks}
        found = self.judged.of(module)
        return Standing(module, state_of(module, found, marks, self.decisions, today), marks, found)

    def selection(self, *, with_open: bool) -> Selection:
        """The port with all accepted hunks; with those that are open as well if asked."""
        wanted = _KEPT if with_open else {Mark.ACCEPTED}
        marks, original = self.marks, self.outcome.original
        return select(self.modules, original, lambda h: marks[h.name] in wanted, self._made)

    def text(self, file: str) -> bytes:
        """A file with all hunks but the rejected ones: what an editor is opened on."""
        found = self.selection(with_open=True).files.get(file)
        return found if found is not None else self.outcome.original(file)

    def verification_of(self, selection: Selection) -> events.Verified | None:
        """What is known of exactly this selection, None where nobody has examined it here."""
        key = self.material.standing.key
        known = self.decisions.examined(selection.digest, key)
        if known is not None and (known.broken or self._examined(known.examination)):
            return known
        if not self._is_proposed(selection) or not self.material.examined:
            return None
        return events.Verified(
            name="", by="", clock=0, at="", selection=selection.digest, key=key,
            verdict=self.outcome.examination.assessment.verdict,
            examination=self.material.standing.state["examination"],
        )  # fmt: skip

    def examination(self, key: str) -> Examination:
        """An examination by its key in the store.

        Raises:
            Missing: it was made elsewhere, or is damaged.
        """
        if key not in self._examinations:
            self._examinations[key] = self.outcome.store.get(key, Examination)
        return self._examinations[key]

    def outcome_of(self, selection: Selection, examination: Examination) -> Outcome:
        """The migration's outcome with exactly the selected hunks, and what was found of them."""
        return judging.outcome_of(self.outcome, selection, examination, self.reviewer)

    @cached_property
    def judged(self) -> Judged:
        """What is known of the port with all hunks that are not rejected."""
        return self.judge(self.selection(with_open=True))

    def judge(self, selection: Selection) -> Judged:
        """What is known of the port with exactly the selected hunks."""
        known = self.verification_of(selection)
        since = self.decisions.rejected_since(selection.digest, self.material.standing.key)
        key = (selection.digest, *(event.name for event in (known, *since) if event))
        if key not in self._judged:
            partial = [e for event in since if (e := self._examined(event.examination))]
            self._judged[key] = self._judge(selection, known, partial)
        return self._judged[key]

    def _judge(
        self, selection: Selection, known: events.Verified | None, partial: list[Examination]
    ) -> Judged:
        if known is not None and known.broken:
            return judging.as_broken(selection, known.broken)
        if self._is_proposed(selection) and (known is None or not known.name):
            return judging.as_proposed(self.outcome, partial)
        if known is None:
            return judging.as_unknown(selection, partial)
        outcome = self.outcome_of(selection, self.examination(known.examination))
        return judging.as_examined(outcome, selection, partial)

    def _is_proposed(self, selection: Selection) -> bool:
        return selection.digest == digest_of(self.outcome.tree.changed)

    def _examined(self, key: str) -> Examination | None:
        """An examination if it lies here: another reviewer's file names ones that do not."""
        try:
            return self.examination(key) if key else None
        except Missing:
            return None

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
        """Tell the author of a unit, "" for all of the file's, something for the next attempt."""
        return self._add(events.Noted, file=file, unit=unit, text=_said(text, "note"), hunk=hunk)

    def edit(self, file: str, text: bytes, how: str) -> events.Edited | None:
        """Put a text of the reviewer's own in place of a file's; None where nothing changed."""
        if text == self.text(file):
            return None
        key = self.outcome.store.put_bytes(text)
        marks = self.standing(file).marks
        return self._add(
            events.Edited,
            file=file,
            text=key,
            how=how,
            left=tuple(name for name, mark in marks.items() if mark not in _KEPT),
            replaces=tuple(sorted(edited.name for edited in self.decisions.texts.get(file, ()))),
        )

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
