"""The classes of difference between two versions of a procedure, and what each has to answer."""

from dataclasses import dataclass
from enum import StrEnum

from acclimate.analysis.source import Lines


class Class(StrEnum):
    SAME = "the same effect"
    TEMPORARY = "temporary introduced or removed"
    REARRANGED = "operations rearranged"
    MOVED = "moved"
    LOOPS = "loops reordered, split or joined"
    ORDER = "order of iterations or statements changed"
    GUARD_ADDED = "guard added"
    GUARD_DROPPED = "guard dropped"
    GUARD_CHANGED = "guard changed"
    TERM_ADDED = "term added"
    TERM_DROPPED = "term dropped"
    OPERATOR = "sign or operator changed"
    CONSTANT = "constant changed"
    INDEX = "index changed"
    VALUE = "value changed"
    OLD_VALUE = "value of before, or of after, its change"
    WRITE_SET = "write set changed"
    UPDATE_DROPPED = "update dropped"
    EFFECT_DROPPED = "statement dropped"
    EFFECT_ADDED = "statement added"
    BOUNDS = "bounds changed"
    KIND = "kind changed"
    DECLARATION = "declaration changed"
    UNREAD = "changed where reading does not settle it"
    PROCEDURE_DROPPED = "procedure dropped"
    PROCEDURE_ADDED = "procedure added"


class Answer(StrEnum):
    """What the comparison alone says."""

    PROVED = "proved"  # the same effect: no run is needed for it
    ASKED = "asked"  # runs have to tell
    WRONG = "wrong"  # another effect for certain


# Which measurements answer for a class that is left open; the ladder climbs on to them.
OBLIGATIONS = {
    Class.REARRANGED: "equal bits, or a rounding bound, from host_run",
    Class.MOVED: "equal bits from host_run, iterations apart from access_log",
    Class.LOOPS: "equal bits from host_run, iterations apart from access_log",
    Class.ORDER: "equal bits from host_run, iterations apart from access_log",
    Class.KIND: "equal bits from host_run",
}
DEFAULT_OBLIGATION = "equal numbers from host_run in runs that execute it (changed_lines)"
# What becomes of a procedure that one version alone has shows in those that call it.
ONE_SIDED = frozenset({Class.PROCEDURE_DROPPED, Class.PROCEDURE_ADDED})


@dataclass(frozen=True, slots=True)
class Difference:
    """One difference; `at` is its place in the port, `original` that in the original."""

    kind: Class
    answer: Answer
    unit: str
    at: Lines
    original: Lines | None
    detail: str

    @property
    def obligation(self) -> str:
        return OBLIGATIONS.get(self.kind, DEFAULT_OBLIGATION)
