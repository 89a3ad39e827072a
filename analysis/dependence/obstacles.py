"""Obstacles from what a loop does besides reading and writing data, in the user's words."""

from dataclasses import dataclass

from acclimate.analysis.dependence.effort import MOST_STEPS
from acclimate.analysis.dependence.records import Flag, Trait
from acclimate.analysis.facts import Obstacle, Verdict, Witness
from acclimate.analysis.source import Lines

GRAVITY = (
    Verdict.HOST,
    Verdict.SERIAL,
    Verdict.UNKNOWN,
    Verdict.REWRITE,
    Verdict.ATOMIC,
    Verdict.REDUCTION,
    Verdict.PARALLEL,
)


@dataclass(frozen=True, slots=True)
class _Meaning:
    verdict: Verdict
    because: str
    remedy: str


_MEANINGS = {
    Trait.IO: _Meaning(
        Verdict.HOST,
        "input and output are done on the host",
        "move the output out of the loop, or collect what it prints in an array",
    ),
    Trait.STOP: _Meaning(
        Verdict.HOST,
        "a kernel cannot end the program",
        "set an error flag in the loop and stop after it",
    ),
    Trait.MPI: _Meaning(
        Verdict.HOST,
        "message passing is done on the host",
        "keep this loop on the host and offload the loops inside it",
    ),
    Trait.DISPATCH: _Meaning(
        Verdict.HOST,
        "which procedure runs is only known at run time",
        "call the specific procedure, or choose it before the loop",
    ),
    Trait.RECURSION: _Meaning(
        Verdict.HOST,
        "a recursive procedure needs a stack that a kernel does not have",
        "write the recursion as a loop",
    ),
    Trait.DUMMY_PROCEDURE: _Meaning(
        Verdict.HOST,
        "any procedure may hide behind it",
        "call the procedure by its own name",
    ),
    Trait.RANDOM: _Meaning(
        Verdict.SERIAL,
        "the order of the calls decides the numbers",
        "fill an array with random numbers before the loop",
    ),
    Trait.CLOCK: _Meaning(
        Verdict.HOST, "the clock is read on the host", "read the clock outside the loop"
    ),
    Trait.ALLOCATION: _Meaning(
        Verdict.HOST,
        "memory is managed on the host",
        "allocate before the loop, with one more dimension if each iteration needs its own",
    ),
    Trait.CHARACTER: _Meaning(
        Verdict.HOST,
        "character work is done on the host",
        "use integer codes instead of names inside the loop",
    ),
    Trait.EXTERNAL: _Meaning(
        Verdict.UNKNOWN,
        "it may read and write anything",
        "add its source to the sources of the model",
    ),
    Trait.UNRESOLVED: _Meaning(
        Verdict.UNKNOWN,
        "it cannot be told whether it is a variable or a function",
        "add the module that declares it to the model's sources",
    ),
    Trait.OPAQUE: _Meaning(
        Verdict.UNKNOWN,
        "the statement is not understood",
        "write it with plain assignments, IF and DO",
    ),
    Trait.POINTER: _Meaning(
        Verdict.UNKNOWN,
        "what it points to changes inside",
        "associate the pointer before the loop, or use an allocatable",
    ),
    Trait.JUMP: _Meaning(
        Verdict.UNKNOWN,
        "the order of execution cannot be followed",
        "write the jump as a loop, CYCLE or IF construct",
    ),
    Trait.ALTERNATE_RETURN: _Meaning(
        Verdict.HOST,
        "alternate returns are host control flow",
        "return a status and branch on it",
    ),
    Trait.SAVE: _Meaning(
        Verdict.SERIAL,
        "its value is kept between calls",
        "pass the value as an argument",
    ),
    Trait.VOLATILE: _Meaning(
        Verdict.HOST,
        "something outside the program may change it or wait for it",
        "take a copy of it before the loop",
    ),
    Trait.EXIT: _Meaning(
        Verdict.SERIAL,
        "later iterations must not run",
        "search for the first such iteration with a reduction, then loop up to it",
    ),
    Trait.RETURN: _Meaning(
        Verdict.SERIAL,
        "later iterations must not run",
        "set a flag in the loop and return after it",
    ),
}


def of_flag(flag: Flag) -> Obstacle:
    meaning = _MEANINGS[flag.trait]
    witness = Witness("", "control", flag.at, flag.at)
    return Obstacle(
        meaning.verdict,
        flag.trait.value,
        f"{flag.detail} (line {flag.at.first}): {meaning.because}",
        flag.at,
        (witness,) if flag.trait in (Trait.EXIT, Trait.RETURN) else (),
        meaning.remedy,
    )


def too_large(at: Lines) -> Obstacle:
    return Obstacle(
        Verdict.UNKNOWN,
        "too-large",
        f"too large to decide (more than {MOST_STEPS} steps for the loops of one unit)",
        at,
        (),
        "move parts of it to procedures of their own",
    )


def by_gravity(obstacles: list[Obstacle]) -> tuple[Obstacle, ...]:
    """Gravest first, then by place; each reason at each line once."""
    unique = {(o.verdict, o.reason, o.detail, o.at): o for o in obstacles}
    return tuple(
        sorted(
            unique.values(),
            key=lambda o: (GRAVITY.index(o.verdict), o.at, o.reason, o.detail),
        )
    )
