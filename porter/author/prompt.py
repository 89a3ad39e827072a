"""The prompt for one unit, or for one of its loop nests, made to fit a window of tokens."""

from dataclasses import dataclass, replace

from acclimate.analysis.index import ProjectIndex
from acclimate.analysis.source import Lines
from acclimate.porter.asking.question import most_tokens
from acclimate.porter.author.cards import Card, matching
from acclimate.porter.author.facts_text import (
    callers_text,
    data_text,
    loops_text,
    refusals_text,
    source_text,
    tags,
)
from acclimate.porter.author.task import Task, pieces
from acclimate.porter.author.templates import filled, template
from acclimate.porter.plan import LoopDecision, PortPlan

CARDS = 4  # at most so many in one prompt
# In this order, cards one by one from the last.
_DROPPED = ("card", "callers", "loops", "data", "previous")
_LONGEST = 400  # lines of the last reply that are shown again


@dataclass(frozen=True, slots=True)
class Prompt:
    """What is asked about lines `may_edit`; `dropped` is what did not fit, in order."""

    unit: str
    may_edit: Lines
    system: str
    user: str
    dropped: tuple[str, ...] = ()
    cards: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class TooLarge:
    """Even the smallest prompt needs `needed` tokens of window."""

    at: Lines
    needed: int


@dataclass(frozen=True, slots=True)
class Window:
    """Tokens of an endpoint's window, and of them for the reply."""

    size: int
    output: int

    @property
    def prompt(self) -> int:
        return self.size - self.output


@dataclass(frozen=True, slots=True)
class Desk:
    """What prompts are made from. `bare` leaves out everything but the source."""

    plan: PortPlan
    index: ProjectIndex
    cards: tuple[Card, ...]
    window: Window
    compiler: str = "gfortran"
    bare: bool = False


@dataclass(frozen=True, slots=True)
class Before:
    """The last reply and what was wrong with it."""

    feedback: tuple[str, ...] = ()
    reply: str = ""


def prompts(
    task: Task, desk: Desk, feedback: tuple[str, ...] = (), reply: str = ""
) -> list[Prompt | TooLarge]:
    """One prompt for the whole unit where it fits, else one for each nest with a refused loop.

    `feedback` says what was wrong with the last `reply`.
    """
    before = Before(feedback, reply if feedback else "")
    whole = _fitted(task, task.at, task.refused, desk, before)
    if isinstance(whole, Prompt):
        return [whole]
    parts = list(pieces(task, desk.index))
    found = [_fitted(task, at, refused, desk, before) for at, refused in parts]
    return list(found) or [whole]


def _fitted(
    task: Task,
    at: Lines,
    refused: tuple[LoopDecision, ...],
    desk: Desk,
    before: Before,
) -> Prompt | TooLarge:
    """Drop what matters least until the prompt fits."""
    values = _values(task, at, refused, desk, before)
    chosen = [] if desk.bare else list(matching(desk.cards, tags(task, desk.index), CARDS))
    text, system = template("bare" if desk.bare else "port_unit"), template("system")
    dropped: list[str] = []
    waiting = [f"card {card.name}" for card in reversed(chosen)]
    waiting += ["previous"] if desk.bare else list(_DROPPED[1:])
    waiting = [what for what in waiting if values.get(what) or what.startswith("card ")]
    while True:
        if not desk.bare:
            values["cards"] = "\n\n".join(card.text for card in chosen)
        user = filled(text, values)
        needed = most_tokens(system) + most_tokens(user)
        if needed <= desk.window.prompt:
            names = tuple(card.name for card in chosen)
            return Prompt(task.unit, at, system, user, tuple(dropped), names)
        if not waiting:
            return TooLarge(at, needed + desk.window.output)
        what = waiting.pop(0)
        dropped.append(what)
        if what.startswith("card "):
            chosen.pop()
        else:
            values[what] = ""


def _values(
    task: Task,
    at: Lines,
    refused: tuple[LoopDecision, ...],
    desk: Desk,
    before: Before,
) -> dict[str, str]:
    index = desk.index
    values = {
        "unit": task.unit,
        "file": at.file,
        "form": index.manifest.form(at.file),
        "lines": _editable(task, at, index),
        "source": _source(task, at, index),
        "feedback": "\n".join(f"- {text}" for text in before.feedback),
        "previous": "\n".join(f"> {line}" for line in before.reply.split("\n")[:_LONGEST])
        if before.reply
        else "",
    }
    if desk.bare:
        return values
    unit = index.project.units[task.unit]
    part = replace(task, refused=refused)
    return values | {
        "refusals": refusals_text(refused, index),
        "loops": loops_text(part, index),
        "data": data_text(unit, desk.plan, index),
        "callers": callers_text(task, index),
        "compiler": template(desk.compiler).strip(),
    }


def declarations(index: ProjectIndex, unit: str) -> Lines:
    """A unit's first statement and its specification part."""
    found = index.project.units[unit]
    return Lines(found.at.file, found.at.first, found.specification_end.last)


def _editable(task: Task, at: Lines, index: ProjectIndex) -> str:
    if at == task.at:
        return f"Lines {at.first} to {at.last}"
    head = declarations(index, task.unit)
    return (
        f"Lines {at.first} to {at.last}, and the declarations in lines {head.first} to {head.last},"
    )


def _source(task: Task, at: Lines, index: ProjectIndex) -> str:
    """The lines that may be edited; for a nest also the unit's declarations."""
    if at == task.at:
        return source_text(index, at)
    head = declarations(index, task.unit)
    return f"{source_text(index, head)}\n(lines in between are not shown)\n{source_text(index, at)}"
