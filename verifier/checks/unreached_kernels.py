"""Which kernels has no run launched?"""

from collections.abc import Iterator
from itertools import pairwise

from acclimate.verifier.checks import check
from acclimate.verifier.evidence import Evidence, Light, Outcome
from acclimate.verifier.subject import Subject
from acclimate.verifier.texts.governed import compute_constructs

_NAME = "unreached_kernels"


@check(cost=37)
def unreached_kernels(subject: Subject) -> Iterator[Evidence]:
    """Each construct that neither the model's own run nor a further one launched, at its line."""
    reached = subject.figures.reached
    if reached is None:
        return
    for file in subject.port_files.values():
        constructs = [directive.at.first for directive in compute_constructs(file)]
        lines = sorted(line for name, line in reached if name == file.name)
        for first, end in pairwise([*constructs, 1 << 30]):
            if not any(first <= line < end for line in lines):
                text = "no run reached this kernel: never validated"
                yield Evidence(
                    _NAME, Light.DATA, Outcome.INCONCLUSIVE, text, file=file.name, line=first
                )
