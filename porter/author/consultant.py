"""Ask a model about one unit: prompts out, replies in, edits or reasons back."""

from collections.abc import Sequence
from dataclasses import dataclass

from acclimate.analysis.problems import Problem
from acclimate.analysis.source import Edit, Lines
from acclimate.porter.asking.asker import Asker
from acclimate.porter.asking.question import Finish, Question, Said
from acclimate.porter.author.merging import merged
from acclimate.porter.author.prompt import Desk, Prompt, TooLarge, prompts
from acclimate.porter.author.settings import Settings
from acclimate.porter.author.task import Task, ground
from acclimate.porter.reply.objection import Objection, Reason, UnsafeReply
from acclimate.porter.reply.proposal import Declined, Proposal, propose_from


@dataclass(frozen=True, slots=True)
class Heard:
    """What one attempt at a unit gave: candidates, the best first, or why there is none.

    `hopeless`: another attempt cannot help (the unit is too large, or the author declines).
    """

    candidates: tuple[tuple[Edit, ...], ...] = ()
    objections: tuple[str, ...] = ()
    contracts: tuple[str, ...] = ()
    previous: str = ""
    hopeless: bool = False


@dataclass(slots=True)
class Consultant:
    """A model behind an asker, and how it is asked."""

    asker: Asker
    settings: Settings

    def ask(
        self, task: Task, desk: Desk, attempt: int, feedback: Sequence[str], previous: str
    ) -> Heard:
        """One attempt at a unit, `best_of` samples of it.

        Raises:
            Problem: a call gave no reply, or a cap of the budget is reached.
        """
        made = prompts(task, desk, tuple(feedback), previous)
        large = [p for p in made if isinstance(p, TooLarge)]
        asked = [p for p in made if isinstance(p, Prompt)]
        if not asked:
            return Heard(objections=(_too_large(large, desk),), hopeless=True)
        self._note_prompts(asked, large, attempt)
        labels = [
            [
                _label(task, attempt, part if len(asked) > 1 else None, n)
                for part in range(len(asked))
            ]
            for n in range(self.settings.best_of)
        ]
        replies = self._all(asked, labels)
        heard = [
            self._sample(asked, said, task, desk, names)
            for said, names in zip(replies, labels, strict=True)
        ]
        return _together(heard)

    def _all(self, asked: Sequence[Prompt], labels: Sequence[Sequence[str]]) -> list[list[Said]]:
        """The replies to all prompts, for each sample.

        All are asked before the first problem is raised: a batch wants every request at once.
        """
        problems: list[Problem] = []
        replies: list[list[Said]] = []
        for sample, names in enumerate(labels):
            replies.append([])
            for prompt, name in zip(asked, names, strict=True):
                try:
                    replies[-1].append(self.asker.ask(self.question(prompt, sample), name))
                except Problem as problem:
                    problems.append(problem)
        if problems:
            raise problems[-1]
        return replies

    def question(self, prompt: Prompt, sample: int = 0) -> Question:
        chosen = self.settings
        return Question(
            system=prompt.system,
            user=prompt.user,
            model=chosen.model,
            max_output=chosen.output,
            temperature=chosen.temperature,
            seed=chosen.seed,
            sample=sample,
        )

    def _sample(
        self,
        asked: Sequence[Prompt],
        replies: Sequence[Said],
        task: Task,
        desk: Desk,
        labels: Sequence[str],
    ) -> Heard:
        """One reply to each prompt, put together."""
        parts = [
            self._judged(said, prompt, desk, label)
            for said, prompt, label in zip(replies, asked, labels, strict=True)
        ]
        edits = [part.candidates[0] for part in parts if part.candidates]
        lines = desk.index.project.texts[task.at.file].decode("latin-1").split("\n")
        whole = merged(edits, lines)
        objections = tuple(text for part in parts for text in part.objections)
        if whole is None:
            clash = "the edits of declarations in your replies do not go together"
            return Heard(objections=(*objections, clash), previous=parts[-1].previous)
        return Heard(
            candidates=(whole,) if whole else (),
            objections=objections,
            contracts=tuple(text for part in parts for text in part.contracts),
            previous="\n".join(part.previous for part in parts),
            hopeless=not whole and all(part.hopeless for part in parts),
        )

    def _judged(self, said: Said, prompt: Prompt, desk: Desk, label: str) -> Heard:
        found = _judged(said, prompt, desk)
        self.asker.journal.note(
            "reply",
            label=label,
            accepted=bool(found.candidates),
            objections=found.objections,
            contracts=found.contracts,
        )
        return found

    def _note_prompts(
        self, asked: Sequence[Prompt], large: Sequence[TooLarge], attempt: int
    ) -> None:
        for prompt in asked:
            self.asker.journal.note(
                "prompt",
                unit=prompt.unit,
                attempt=attempt,
                lines=[prompt.may_edit.first, prompt.may_edit.last],
                dropped=prompt.dropped,
                cards=prompt.cards,
            )
        for part in large:
            self.asker.journal.note("too-large", at=str(part.at), needed=part.needed)


def _label(task: Task, attempt: int, part: int | None, sample: int) -> str:
    words = [task.unit, str(attempt)]
    words += [f"part{part + 1}"] if part is not None else []
    words += [f"sample{sample + 1}"] if sample else []
    return ".".join(words)


def _too_large(large: Sequence[TooLarge], desk: Desk) -> str:
    needed = max(part.needed for part in large)
    return (
        f"the unit needs a window of {needed} tokens, the endpoint has {desk.window.size}:"
        f" use a larger one, or split the unit"
    )


def _judged(said: Said, prompt: Prompt, desk: Desk) -> Heard:
    """Edits of one reply, or what speaks against it."""
    if said.finish is not Finish.STOP:
        text = {
            Finish.LENGTH: "the reply was cut off: write edits only, and shorter ones",
            Finish.TOO_LONG: "the reply was far too long: write edits only",
        }.get(said.finish, "the reply ended for another reason than its end")
        return Heard(objections=(str(Objection(Reason.UNREADABLE, text)),))
    try:
        found = propose_from(said.text, ground(desk.index, prompt.unit, prompt.may_edit))
    except UnsafeReply as unsafe:
        return Heard(objections=unsafe.notes, previous=said.text)
    if isinstance(found, Declined):
        return Heard(objections=(f"the author declines: {found.reason}",), hopeless=True)
    return Heard((found.edits,), (), _contracts(found, prompt.may_edit), said.text)


def _contracts(found: Proposal, at: Lines) -> tuple[str, ...]:
    return tuple(f"{at.file}:{c.line}: {c.word}({', '.join(c.names)})" for c in found.contracts)


def _together(heard: Sequence[Heard]) -> Heard:
    """The candidates of all samples, equal ones once."""
    candidates = tuple(dict.fromkeys(c for one in heard for c in one.candidates))
    first = next((one for one in heard if one.candidates), heard[0])
    return Heard(
        candidates,
        () if candidates else heard[0].objections,
        first.contracts,
        first.previous,
        not candidates and all(one.hopeless for one in heard),
    )
