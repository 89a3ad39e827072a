"""A rewrite is a set of edits with its reasons; a refusal is an answer, not an error."""

from dataclasses import dataclass

from acclimate.analysis.source import Edit, Lines


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why a loop or a unit stays as it is, and what a person could do."""

    at: Lines
    reason: str
    next_step: str = ""


@dataclass(frozen=True, slots=True)
class Rewrite:
    """The proposed change of one unit: edits to original lines, and what was refused on the way."""

    unit: str  # qualified name
    author: str  # "rules", or a provider's model name
    edits: tuple[Edit, ...]
    refusals: tuple[Refusal, ...] = ()
    offloaded: tuple[Lines, ...] = ()  # DO statements that became kernels, outermost each


@dataclass(frozen=True, slots=True)
class Feedback:
    """What failed about the previous attempt at a unit: concrete, minimal, with original lines."""

    unit: str
    attempt: int
    findings: tuple[str, ...]
