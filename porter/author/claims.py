"""What the analysis says to the directives of an author: only what it confirms may stand."""

from collections import Counter
from collections.abc import Iterator

from acclimate.analysis.directives import parse
from acclimate.analysis.facts import Agreement, LoopFacts
from acclimate.analysis.index import ProjectIndex
from acclimate.analysis.ir import Directive
from acclimate.porter.reply.objection import Objection, Reason


def claim_objections(before: ProjectIndex, after: ProjectIndex, unit: str) -> Iterator[Objection]:
    """Objections to loops of `unit` that are declared independent and were not before.

    A contradicted claim is a race; one that stays undecided would rest on the author's word.
    """
    known = Counter(c.text for loop in _loops(before, unit) for c in loop.claims)
    for loop in _loops(after, unit):
        for claim in loop.claims:
            if known[claim.text] > 0:
                known[claim.text] -= 1
                continue
            if claim.agreement is not Agreement.CONFIRMED:
                why = loop.reason or "; ".join(c.detail for c in loop.unproved)
                said = f"'!${claim.text}' is {claim.agreement.value}: {why}"
                yield Objection(Reason.CLAIM, said, loop.at)
            yield from _lost_values(loop, claim.text)


def _loops(index: ProjectIndex, unit: str) -> Iterator[LoopFacts]:
    inner = f"{unit}::"
    return (loop for loop in index.loops if loop.unit == unit or loop.unit.startswith(inner))


def _lost_values(loop: LoopFacts, text: str) -> Iterator[Objection]:
    """Values of the loop that are read after it and that its directive keeps in each thread."""
    sentinel, _, rest = text.partition(" ")
    construct = parse(Directive(loop.at, sentinel, rest))
    private = set(construct.arguments("private", "firstprivate"))
    reduced = set(construct.arguments("reduction"))
    for name in sorted(private & set(loop.last_values)):
        yield Objection(Reason.CLAIM, f"`{name}` is private, but read after the loop", loop.at)
    for reduction in loop.reduction:
        if reduction.var not in reduced:
            said = f"`{reduction.var}` needs reduction({reduction.op}:{reduction.var})"
            yield Objection(Reason.CLAIM, said, loop.at)
