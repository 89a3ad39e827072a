"""What was tried, kept line by line on disk: a killed search goes on where it was."""

import json
import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from acclimate.verifier.bisection.search import Answer


class OutOfBudget(Exception):
    """No more trials are allowed; what was tried is kept."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One trial: what it answered, and in words what was seen."""

    answer: Answer
    told: str


class Journal:
    """Trials by what was in them; `made` counts those made now, `known` those read from disk."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.made = 0
        self._entries: dict[frozenset[str], Entry] = {}
        path.parent.mkdir(parents=True, exist_ok=True)
        whole = path.read_text() if path.is_file() else ""
        lines = whole.splitlines(keepends=True)
        for line in lines:
            if line.endswith("\n"):
                told = json.loads(line)
                entry = Entry(Answer(told["answer"]), told["told"])
                self._entries[frozenset(told["units"])] = entry
        if lines and not lines[-1].endswith("\n"):  # killed while it was written
            path.write_text("".join(lines[:-1]))
        self.known = len(self._entries)

    def __len__(self) -> int:
        return len(self._entries)

    def told(self, units: frozenset[str]) -> str:
        return self._entries[units].told if units in self._entries else ""

    def ask(self, units: frozenset[str], trial: Callable[[], Entry], most: int | None) -> Answer:
        """The answer for these units: from the journal, else by `trial`, which is then written.

        Raises:
            OutOfBudget: `most` trials were made, in this run or before.
        """
        if units in self._entries:
            return self._entries[units].answer
        if most is not None and len(self._entries) >= most:
            raise OutOfBudget
        entry = trial()
        with self.path.open("a") as stream:
            told = {"units": sorted(units), "answer": entry.answer, "told": entry.told}
            stream.write(json.dumps(told) + "\n")
            stream.flush()
            os.fsync(stream.fileno())
        self._entries[units] = entry
        self.made += 1
        return entry.answer
