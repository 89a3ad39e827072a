"""Two runs held against each other, but for what the original gives anew each time.

Two runs of the original tell clocks and dates apart from results, unless a clock happened to show
the same in both. So the original is asked again before a value that differs counts against a port.
"""

from acclimate.verifier.building.build import BuildFailure
from acclimate.verifier.comparing.baseline import repeated
from acclimate.verifier.comparing.comparison import Comparison, compare
from acclimate.verifier.running.runs import Run
from acclimate.verifier.subject import Length, Side, Subject
from acclimate.verifier.toolchains import Build

_MOST = 4  # further runs of the original
_LONGEST = 20.0  # s; a run that takes longer is not repeated


def compared(
    subject: Subject, reference: Run, run: Run, length: Length = Length.SHORT
) -> Comparison:
    """`run` against `reference`, both of `length`.

    What is learned is known of short runs only, if the model has any: to a full run it says
    nothing but that it cannot be compared (`Subject.masks`).
    """
    fits = length is Length.SHORT or not subject.has_short_run
    found = compare(reference.outputs, run.outputs, subject.masks if fits else None)
    while not found.identical and not found.structural and _ran_again(subject):
        if fits:
            found = compare(reference.outputs, run.outputs, subject.masks)
    return found


def _ran_again(subject: Subject) -> bool:
    """Run the original once more, and leave out what it gives differently; False: enough."""
    if subject.original is None or subject.repeats == _MOST:
        return False
    first, made = subject.baseline(Length.SHORT), subject.built(Side.ORIGINAL, Build.PLAIN)
    if isinstance(made, BuildFailure) or first.finished.wall > _LONGEST:
        return False
    subject.repeats += 1
    again = subject.run(
        made.executable, f"original-again-{subject.repeats}", Length.SHORT, slower=1.0
    )
    if not again.ok or again.outputs.unreadable:  # what it did not write is no clock
        return False
    subject.noise = repeated(subject.noise, first.outputs, again.outputs)
    return True
