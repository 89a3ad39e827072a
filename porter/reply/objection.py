"""Why a reply is not taken: reasons with a stable keyword, raised together as one problem."""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from acclimate.analysis.problems import Problem
from acclimate.analysis.source import Lines, Span


class Reason(StrEnum):
    """The keyword of an objection; journals and tests know it by this name."""

    UNREADABLE = "unreadable"
    EMPTY = "empty"
    OUTSIDE = "outside-unit"
    OTHER_FILE = "other-file"
    MISMATCH = "old-text"
    AMBIGUOUS = "ambiguous"
    OVERLAP = "overlap"
    ELISION = "elision"
    LINE_LENGTH = "line-length"
    CHARACTER = "character"
    PREPROCESSOR = "preprocessor"
    DIRECTIVE = "directive"
    DATA_DIRECTIVE = "data-directive"
    INCLUDE = "include"
    USE = "use"
    SYSTEM = "system-call"
    INPUT_OUTPUT = "input-output"
    STOP = "stop"
    CALL = "unknown-call"
    INTERFACE = "interface"
    DECLARATION = "declaration"
    PRECISION = "precision"
    LOST = "lost-statement"
    CONSTANT = "constant"
    UNBOUNDED = "unbounded-loop"
    STORAGE = "storage"
    SYNTAX = "syntax"
    CLAIM = "claim"
    PLAN = "plan"
    CONTRACT = "contract"


@dataclass(frozen=True, slots=True)
class Objection:
    """One reason against a reply; `at` is a place in the original, or in the text proposed."""

    reason: Reason
    text: str
    at: Lines | None = None

    def __str__(self) -> str:
        where = f"{self.at}: " if self.at else ""
        return f"{where}{self.text} [{self.reason}]"


class UnsafeReply(Problem):
    """A reply that is not taken, with everything that speaks against it."""

    def __init__(self, unit: str, objections: Iterable[Objection]) -> None:
        self.objections = tuple(objections)
        first = next((o.at for o in self.objections if o.at), None)
        super().__init__(
            f"the proposed change of '{unit}' is not taken: {self.objections[0].text}",
            where=Span(Path(first.file), first.first) if first else None,
            notes=tuple(str(objection) for objection in self.objections),
            hint="ask again with these reasons, or leave the unit to the rules",
        )
