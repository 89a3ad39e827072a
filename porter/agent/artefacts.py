"""The values that a migration keeps between its stages, beside the shared shapes of the rooms."""

from dataclasses import dataclass, field

from acclimate.analysis.facts import LoopFacts, ReadingProblem
from acclimate.analysis.source import Edit, Lines
from acclimate.porter.plan import KernelPlan, ResidentClass, UnitSwitch
from acclimate.porter.residency.updates import UpdateSite
from acclimate.porter.rewrite import Refusal, Rewrite


@dataclass(frozen=True, slots=True)
class ModelFile:
    """One file of the model's tree: the sha256 of its bytes, or where a symbolic link points."""

    sha256: str = ""
    executable: bool = False
    link: str = ""


@dataclass(frozen=True, slots=True)
class SurveyedUnit:
    """A program unit or procedure; `at` and `end` are its first and last statement."""

    name: str  # qualified
    kind: str
    at: Lines
    end: Lines


@dataclass(frozen=True, slots=True)
class Survey:
    """What was found before anything was changed.

    `files` holds every file of the model by its path relative to the root; the bytes of those in
    `sources` are in the store under their sha256. `scores` is the portability rank of each unit.
    """

    name: str
    files: dict[str, ModelFile]
    sources: tuple[str, ...]
    units: tuple[SurveyedUnit, ...]
    loops: tuple[LoopFacts, ...]
    problems: tuple[ReadingProblem, ...]
    compiler: str  # with its version
    flags: tuple[str, ...]
    guessed: tuple[str, ...]
    scores: dict[str, float] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Planned:
    """What a plan decides, as far as later stages ask.

    `units` change, and stand in the order in which they are drafted; `left_out` are those the
    user left out. `refusals` are the plan's own, by unit; `loops` counts the loops of the model by
    what becomes of them. `kernels`, `residency` and `brackets` say where data is, and when;
    `switches` which units can be turned off at run time, if that is wanted.
    """

    units: tuple[str, ...]
    left_out: tuple[str, ...]
    routines: tuple[str, ...]
    refusals: dict[str, tuple[Refusal, ...]]
    loops: dict[str, int]
    kernels: tuple[KernelPlan, ...] = ()
    residency: tuple[ResidentClass, ...] = ()
    brackets: tuple[UpdateSite, ...] = ()
    switches: tuple[UnitSwitch, ...] = ()


@dataclass(frozen=True, slots=True)
class Tree:
    """The files that differ from the original's, each the key of its new bytes."""

    changed: dict[str, str]


@dataclass(frozen=True, slots=True)
class Answer:
    """What an author answered for a unit; one of the two is there."""

    rewrite: Rewrite | None = None
    refusal: Refusal | None = None


@dataclass(frozen=True, slots=True)
class Landed:
    """Where the port went, and the sha256 of every file put there by the migration.

    `moved` is where an edited port that stood there before is now, "" where there was none.
    """

    place: str
    files: dict[str, str] = field(default_factory=dict)
    moved: str = ""


@dataclass(frozen=True, slots=True)
class Decided:
    """What one reviewer decided: "accept" or "reject" `hunks` of a file, "edit" its text, or
    "waive" a check (named by `scope`; file "": everywhere). `at` is ISO 8601, UTC."""

    by: str
    at: str
    what: str
    file: str
    scope: str
    hunks: int = 0
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Reviewed:
    """What a person lets land: keys of a `Tree`, its `Examination`, and an `Answer` for each unit.

    `reviewers` have decided on it, and `decided` what stands; `accepted` and `rejected` count the
    hunks.
    """

    tree: str
    examination: str
    answers: dict[str, str]
    reviewers: tuple[str, ...]
    accepted: int
    rejected: int
    decided: tuple[Decided, ...] = ()


@dataclass(frozen=True, slots=True)
class Consultation:
    """What a model made of one unit: `edits` to the original, () where it stays as it was.

    `spare` are other candidates of the same attempt, `asked` counts attempts, `turn` grows with
    every change of this record. `history` tells why earlier replies were not taken; `closed` says
    that the model is not asked again.
    """

    unit: str
    model: str
    turn: int
    asked: int
    edits: tuple[Edit, ...] = ()
    spare: tuple[tuple[Edit, ...], ...] = ()
    history: tuple[str, ...] = ()
    contracts: tuple[str, ...] = ()
    previous: str = ""
    closed: bool = False
