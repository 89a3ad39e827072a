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


class ConditionKind(StrEnum):
    """What a verdict may rest on besides the source."""

    NO_ALIAS = "no-alias"  # two designators share no storage
    INJECTIVE = "injective"  # an index table holds no value twice
    INDEPENDENT = "independent"  # no two iterations use one element of the array
    PRIVATE = "private"  # no iteration needs the value another one, or what precedes, has left
    CONFIGURED = "configured"  # an expression is true that is the same in all iterations


_MEANING = {
    ConditionKind.NO_ALIAS: "{} do not share storage",
    ConditionKind.INJECTIVE: "{} holds no value twice",
    ConditionKind.INDEPENDENT: "no two iterations use one element of {}",
    ConditionKind.PRIVATE: "no iteration needs a value of {} from outside it",
}


@dataclass(frozen=True, slots=True)
class Condition:
    """Something the verdict needs that the source neither proves nor disproves.

    `names` are designators as a user writes them; `no-alias` has two, equal ones for pointer
    components of different elements; `configured` has an expression and the variable that needs
    it. `references` are the references that would clash, in the order of `names` where there are
    two: what a check at run time has to compare.
    """

    kind: ConditionKind
    names: tuple[str, ...]
    references: tuple[Lines, ...]
    promise: Lines | None = None  # the hint that promises it

    @property
    def detail(self) -> str:
        """The condition in words, to be read after "if"."""
        first = self.names[0]
        if self.kind is ConditionKind.NO_ALIAS and len(set(self.names)) == 1:
            return f"`{first}` of different elements do not share storage"
        if self.kind is ConditionKind.CONFIGURED:
            return f"`{first}`"
        return _MEANING[self.kind].format(" and ".join(f"`{name}`" for name in self.names))

    @property
    def hint(self) -> str:
        """The hint comment that promises it."""
        word = {ConditionKind.NO_ALIAS: "noalias", ConditionKind.INDEPENDENT: "parallel"}
        names = ", ".join(dict.fromkeys(self.names))
        if self.kind is ConditionKind.INDEPENDENT:
            return "!$acclimate parallel"
        if self.kind is ConditionKind.CONFIGURED:
            return f"!$acclimate private({self.names[1]})"
        return f"!$acclimate {word.get(self.kind, self.kind.value)}({names})"


@dataclass(frozen=True, slots=True)
class Hint:
    """One word of a `!$acclimate` comment before a loop, and the names in its parentheses."""

    at: Lines
    word: str  # "parallel" | "private" | "skip" | "injective" | "noalias"
    names: tuple[str, ...] = ()

    @property
    def text(self) -> str:
        return f"{self.word}({', '.join(self.names)})" if self.names else self.word


class Agreement(StrEnum):
    """What the analysis says to a directive."""

    CONFIRMED = "confirmed"
    CONTRADICTED = "contradicted"
    UNDECIDED = "undecided"


@dataclass(frozen=True, slots=True)
class Claim:
    """A directive that says the iterations of a loop are independent."""

    at: Lines
    text: str  # with its sentinel: "omp do schedule(runtime)"
    agreement: Agreement


@dataclass(frozen=True, slots=True)
class Finding:
    """Something that stands in the source and is contradicted by it."""

    at: Lines  # the directive, hint or declaration
    unit: str
    kind: str  # "race" | "possible-race" | "missing-private" | "missing-reduction" | "hint" |
    # "intent"
    claim: str
    detail: str
    witnesses: tuple[Witness, ...] = ()


@dataclass(frozen=True, slots=True)
class LoopFacts:
    """A DO loop (or an array statement acting as one) and its verdict.

    `private`, `firstprivate` and `reduction` name what an `acc parallel loop` on this very loop
    needs; the loop's own index and the indices of inner loops are in `private`.
    `obstacles` holds ALL reasons, the gravest first; `reason` is the first one's detail.
    The verdict holds if all `conditions` do: a loop is plainly parallel without any.
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
    conditions: tuple[Condition, ...] = ()
    hints: tuple[Hint, ...] = ()  # before this loop, then those before loops around it
    claims: tuple[Claim, ...] = ()
    findings: tuple[Finding, ...] = ()
    only_in: tuple[str, ...] = ()  # configurations it stands in, where that is not all of them

    @property
    def unproved(self) -> tuple[Condition, ...]:
        """Conditions that no hint promises."""
        return tuple(c for c in self.conditions if c.promise is None)

    @property
    def is_skipped(self) -> bool:
        """A hint asks to leave the loop alone, or one around it."""
        return any(hint.word == "skip" for hint in self.hints)


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
