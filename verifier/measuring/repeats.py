"""Two runs held against each other, but for what the original gives anew each time.

Two runs of the original tell clocks and dates apart from results, unless a clock happened to show
the same in both. So the original is asked again before a value that differs counts against a port.
"""

from dataclasses import replace

from acclimate.verifier.building.build import BuildFailure
from acclimate.verifier.comparing.baseline import repeated
from acclimate.verifier.comparing.comparison import Comparison, compare
from acclimate.verifier.evidence import Evidence
from acclimate.verifier.running.runs import Run
from acclimate.verifier.subject import Length, Side, Subject
from acclimate.verifier.toolchains import Build

_MOST = 4  # further runs of the original, of each length
_LONGEST = 20.0  # s; a run that takes longer is not repeated


def compared(
    subject: Subject, reference: Run, run: Run, length: Length = Length.SHORT
) -> Comparison:
    """`run` against `reference`, both of `length`; each length has clocks of its own."""
    found = compare(reference.outputs, run.outputs, subject.masks_of(length))
    while not found.identical and not found.structural and _ran_again(subject, length):
        found = compare(reference.outputs, run.outputs, subject.masks_of(length))
    return found


def is_doubtful(subject: Subject, length: Length) -> bool:
    """Whether a difference may be a clock's: the model has some, and none is known of this run."""
    known = length is Length.SHORT or not subject.has_short_run or subject.repeats[length] > 0
    return bool(subject.masks) and not known


def in_doubt(subject: Subject, found: Comparison, evidence: Evidence) -> Evidence:
    """What is said of a difference that may be a clock's.

    It keeps its light from holding unless every variable that differs shows one in the short run.
    """
    why = "the model shows clocks, and its full run takes too long to know them there"
    unexplained = any(finding.variable not in subject.masks for finding in found.findings)
    return replace(evidence, message=f"{evidence.message}; {why}", unsettled=unexplained)


def anew_each_time(subject: Subject, length: Length) -> int:
    """How many values of such a run the original gives anew each time."""
    return sum(int(mask.sum()) for mask in subject.masks_of(length).values())


def _ran_again(subject: Subject, length: Length) -> bool:
    """Run the original once more, and leave out what it gives differently; False: enough."""
    if subject.original is None or subject.repeats[length] == _MOST:
        return False
    first, made = subject.baseline(length), subject.built(Side.ORIGINAL, Build.PLAIN)
    if isinstance(made, BuildFailure):
        return False
    if first.finished.wall > _LONGEST:  # its short run may tell whether it shows a clock at all
        return length is Length.FULL and not subject.masks and _ran_again(subject, Length.SHORT)
    subject.repeats[length] += 1
    name = f"original-{length}-again-{subject.repeats[length]}"
    again = subject.run(made.executable, name, length, slower=1.0)
    if not again.ok or again.outputs.unreadable:  # what it did not write is no clock
        return False
    if length is Length.SHORT or not subject.has_short_run:
        subject.noise = repeated(subject.noise, first.outputs, again.outputs)
    else:
        subject.full_noise = repeated(subject.full_noise, first.outputs, again.outputs)
    return True
