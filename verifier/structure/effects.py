"""What a procedure does, statement by statement: the effects that two versions of it must share.

An effect is an assignment to something that outlives its statement, a call, or a jump, with the
loops it stands in and the guards under which it happens. How loops are nested, what temporaries
are called and whether an array statement is written out leave no trace in it.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from acclimate.analysis.source import Lines
from acclimate.verifier.structure.fingerprints import Reference, Subscript, Value

Around = frozenset[object]  # counters of loops, and guards by proof and sign


class Kind(StrEnum):
    ASSIGNMENT = "assignment"
    CALL = "call"
    INPUT_OUTPUT = "input or output"
    ALLOCATION = "allocation"
    JUMP = "jump"
    OTHER = "statement"


@dataclass(frozen=True, slots=True)
class Loop:
    """One loop around an effect; `node` tells the loops of one procedure apart.

    `counter` runs from 0 in the direction of growing index; `forward` tells the real direction.
    """

    node: int
    counter: int
    index: str
    low: Value
    trips: Value
    forward: bool
    at: Lines
    kind: str = ""  # what may change with it: DO CONCURRENT has no order
    is_element: bool = False  # of an array statement or FORALL that is written out
    around: int = 0  # the loops and guards around it, where its bounds may fail


@dataclass(frozen=True, slots=True)
class Guard:
    """A condition that must be so; `node` and `branch` are those of its IF."""

    condition: int
    positive: bool
    node: int
    branch: int
    at: Lines
    reads: frozenset[Reference] = frozenset()
    proof: int = 0  # equal where the condition is, for what is in its variables then; with
    # the loops and guards around it, where it may fail
    acts: bool = False  # a function of the model is called in it

    @property
    def names(self) -> frozenset[str]:
        return frozenset(reference.name for reference in self.reads)

    @property
    def key(self) -> tuple[int, bool]:
        return self.condition, self.positive


@dataclass(frozen=True, slots=True)
class Effect:
    """`value` names variables as they are then; `versioned` is the same from what is in them.

    `is_array` marks an array statement: all of it is read before any of it is written.
    """

    kind: Kind
    at: Lines
    target: str
    subscripts: tuple[Subscript, ...] | None
    value: Value
    versioned: Value
    loops: tuple[Loop, ...]
    guards: tuple[Guard, ...]
    order: int
    is_local: bool = False
    is_array: bool = False
    acts: bool = False  # functions of the model are called in it, its guards or its loops

    @property
    def place(self) -> tuple[int, ...] | None:
        return None if self.subscripts is None else tuple(s.number for s in self.subscripts)

    @property
    def conditions(self) -> frozenset[tuple[int, bool]]:
        return frozenset(guard.key for guard in self.guards)

    @property
    def counters(self) -> frozenset[tuple[int, int]]:
        """The loops by what they count, in no order."""
        return frozenset((loop.counter, loop.trips.number) for loop in self.loops)

    @property
    def reads(self) -> frozenset[Reference]:
        """What has to be read before it: in its value, its subscripts and its guards."""
        bounds = [value.reads for loop in self.loops for value in (loop.low, loop.trips)]
        return self.value.reads.union(*(guard.reads for guard in self.guards), *bounds)

    @property
    def proof(self) -> tuple[object, ...]:
        """Where it happens, exactly: subscripts, guards and loops, rounding and kinds with them."""
        return (
            None if self.subscripts is None else tuple(s.proof for s in self.subscripts),
            frozenset((guard.proof, guard.positive) for guard in self.guards),
            frozenset(
                (loop.counter, loop.trips.proof, loop.kind, loop.around) for loop in self.loops
            ),
        )

    def excludes(self, other: "Effect") -> bool:
        """Whether the two stand in different branches of one IF."""
        mine = {guard.node: guard.branch for guard in self.guards}
        return any(mine.get(g.node, g.branch) != g.branch for g in other.guards)


@dataclass(frozen=True, slots=True)
class Behaviour:
    """All effects of one procedure in order.

    `is_plain` is False where jumps or unread statements let nothing be said for certain. `own`
    are the variables that end with it; `scalars` are the assignments to local scalars, whose
    values are in the effects that use them.
    """

    unit: str
    at: Lines
    effects: tuple[Effect, ...]
    is_plain: bool
    names: frozenset[str]
    own: frozenset[str]
    scalars: tuple[Effect, ...]
    reallocated: tuple[str, ...] = ()  # allocatable variables assigned as a whole
    pointing: frozenset[str] = frozenset()  # variables that may share their storage with others
    evaluated: frozenset[tuple[int, Around]] = frozenset()  # what may fail, and where
    unending: Mapping[tuple[object, Around], int] = field(default_factory=dict)  # loops that may
