"""What the analysis concludes: verdicts on loops, calls, uses, and things it could not read.

These are the frozen values that cross into the other rooms and into JSON
(`analysis/schemas/index.schema.json`). The IR they came from stays behind `ProjectIndex`.
"""

from dataclasses import dataclass
from enum import StrEnum

from acclimate.analysis.source import Lines


class Verdict(StrEnum):
    """What may be done with a loop as it stands."""

    PARALLEL = "parallel"
    REDUCTION = "reduction"
    ATOMIC = "atomic"
    REWRITE = "rewrite"  # parallel only after a stated rewrite
    SERIAL = "serial"  # a dependence is carried
    HOST = "host"  # contains what must stay on the host
    UNKNOWN = "unknown"  # could not be decided


@dataclass(frozen=True, slots=True)
class Reduction:
    op: str  # + * max min .and. .or. .eqv. .neqv. iand ior ieor
    var: str


@dataclass(frozen=True, slots=True)
class Witness:
    """Two references that clash, and the distance in iterations (None: not constant)."""

    variable: str
    kind: str  # "flow" | "anti" | "output" | "scalar" | "call" | "control"
    source: Lines
    sink: Lines
    distance: int | None = None


@dataclass(frozen=True, slots=True)
class Obstacle:
    """One reason why a loop is not plainly parallel."""

    verdict: Verdict
    reason: str  # a stable keyword: "array-dependence", "scalar-carried", "io", ...
    detail: str  # in the user's words, quoting the code
    at: Lines
    witnesses: tuple[Witness, ...] = ()
    remedy: str = ""  # what change or promise would remove it


@dataclass(frozen=True, slots=True)
class LoopFacts:
    """A DO loop (or an array statement acting as one) and its verdict.

    `private`, `firstprivate` and `reduction` name what an `acc parallel loop` on this very loop
    needs; the loop's own index and the indices of inner loops are in `private`.
    `obstacles` holds ALL reasons, the gravest first; `reason` is the first one's detail.
    """

    unit: str  # qualified name
    at: Lines  # the DO statement
    end: Lines
    index: str
    depth: int  # 0: outermost in its unit
    verdict: Verdict
    kind: str = "do"  # "do" | "array"
    private: tuple[str, ...] = ()
    firstprivate: tuple[str, ...] = ()
    reduction: tuple[Reduction, ...] = ()
    atomic: tuple[str, ...] = ()
    last_values: tuple[str, ...] = ()  # scalars and indices read after the loop
    reason: str = ""
    obstacles: tuple[Obstacle, ...] = ()
    calls: tuple[str, ...] = ()  # qualified names of procedures reached from the body
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class UnitFacts:
    """A program unit or procedure; `name` is its key in `Project.units`."""

    name: str
    kind: str  # of ir.UnitKind
    at: Lines  # its first statement
    end: Lines
    arguments: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class CallSite:
    caller: str
    callee: str  # qualified name, or the bare name when external
    at: Lines
    external: bool


@dataclass(frozen=True, slots=True)
class UseEdge:
    unit: str
    module: str
    at: Lines
    external: bool


@dataclass(frozen=True, slots=True)
class ReadingProblem:
    """Something the reader could not understand; the rest of the file is used."""

    at: Lines
    reason: str
    text: str = ""


@dataclass(frozen=True, slots=True)
class Touch:
    """A reference that a procedure makes itself to a variable it shares with others.

    `place` is the storage key with the component path: `physics::state%t`, `common:grid#2`. A
    variable handed on as an argument is touched by the caller, as the callee touches its dummy.
    """

    place: str
    name: str  # the procedure's own for it, with the component path
    write: bool
    at: Lines  # the first such reference
    declared: Lines


@dataclass(frozen=True, slots=True)
class CallWeight:
    callee: str
    times: float  # calls in one run of the caller, by its static trip counts
    open_times: float  # of them in loops that may run in parallel and are not on a device yet


@dataclass(frozen=True, slots=True)
class ProcedureFacts:
    """What a procedure or program is made of, contained ones left out.

    Work is counted in executed statements of one call, callees left out; see
    `procedure_facts.TRIPS` for loops whose length is not known.
    """

    unit: str  # qualified name
    kind: str  # "program" | "subroutine" | "function"
    at: Lines
    end: Lines
    statements: int
    loops: int
    work: float
    open_work: float  # of it in loops that may run in parallel and are not on a device yet
    device_work: float  # of it under device directives
    unknown_loops: int
    opaque: int  # statements that could not be read
    jumps: int  # GOTO, arithmetic IF
    io: int  # input and output statements
    aliases: int  # POINTER, TARGET and EQUIVALENCE names it mentions
    externals: int  # call sites of procedures outside the model
    bound: bool  # to a type or an operator: references to it may not show as calls
    calls: tuple[CallWeight, ...] = ()
    refers: tuple[str, ...] = ()  # procedures it names without calling them: actual arguments, ...
    touches: tuple[Touch, ...] = ()
