"""A mutant: one small change to a port that was accepted, most often a fault ports really have."""

import hashlib
from dataclasses import dataclass
from enum import StrEnum

from acclimate.analysis.source import Edit, Lines
from acclimate.verifier.mutants.single_updates import Update


class Family(StrEnum):
    """What a mutant changes: how the port runs on a device, or what the program computes."""

    DIRECTIVE = "directive"
    STATEMENT = "statement"


@dataclass(frozen=True, slots=True)
class Mutant:
    """Lines `at` of the port replaced by `after`.

    `equivalent` is the reason why the changed port is as right as the port itself; empty: it
    behaves differently, as far as can be told without running it. `if_alive` is why a mutant that
    no run tells from the port is as right as it: what the runs that it survived have shown.
    `updates` are those of the port that it does not make; with `omission` that is all it changes.
    """

    operator: str
    family: Family
    at: Lines
    unit: str
    detail: str
    before: tuple[str, ...]
    after: tuple[str, ...]
    equivalent: str = ""
    if_alive: str = ""
    updates: tuple[Update, ...] = ()
    omission: bool = False

    @property
    def id(self) -> str:
        """Unique among the mutants of one port, and the same in every run."""
        text = "\n".join((self.operator, self.detail, *self.before, "", *self.after))
        tag = hashlib.sha256(text.encode()).hexdigest()[:6]
        return f"{self.operator}@{self.at.file}:{self.at.first}-{tag}"

    @property
    def edit(self) -> Edit:
        return Edit(self.at.file, self.at.first, self.at.last, self.after)

    @property
    def last_changed(self) -> int:
        """The last line of the change in the mutant's own file."""
        return self.at.first + max(len(self.after), 1) - 1

    @property
    def diff(self) -> tuple[str, ...]:
        """The lines taken out and the lines put in, marked as in a unified diff."""
        old = (line for line in self.before if line not in self.after)
        new = (line for line in self.after if line not in self.before)
        return (*(f"-{line}" for line in old), *(f"+{line}" for line in new))
