"""Which kernels has no run launched?"""

from collections.abc import Iterable, Iterator
from itertools import pairwise

from acclimate.verifier.checks import check
from acclimate.verifier.evidence import Evidence, Light, Outcome
from acclimate.verifier.subject import Subject
from acclimate.verifier.texts.governed import compute_constructs
from acclimate.verifier.texts.source_file import SourceFile

_NAME = "unreached_kernels"


@check(cost=37)
def unreached_kernels(subject: Subject) -> Iterator[Evidence]:
    """How many constructs the model's own run and further ones launched; each other at its line."""
    reached = subject.figures.reached
    if reached is None or subject.constructs == 0:
        return
    never = [place for file in subject.port_files.values() for place in _never(file, reached)]
    launched = subject.constructs - len(never)
    yield Evidence(
        _NAME,
        Light.DATA,
        Outcome.INCONCLUSIVE if never else Outcome.HOLDS,
        "kernels that a run has launched",
        figure=launched,
        limit=subject.constructs,
        decisive=False,
    )
    for name, line in never:
        text = "no run reached this kernel: never validated"
        yield Evidence(_NAME, Light.DATA, Outcome.INCONCLUSIVE, text, file=name, line=line)


def _never(file: SourceFile, reached: Iterable[tuple[str, int]]) -> Iterator[tuple[str, int]]:
    """Where the constructs of a file begin from which no launch came."""
    lines = [line for name, line in reached if name == file.name]
    constructs = [directive.at.first for directive in compute_constructs(file)]
    for first, end in pairwise([*constructs, 1 << 30]):
        if not any(first <= line < end for line in lines):
            yield file.name, first
