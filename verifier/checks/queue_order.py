"""Asynchronous queues, which run in program order on this bench."""

from collections.abc import Iterator

from acclimate.analysis.directives import parse
from acclimate.verifier.checks import check
from acclimate.verifier.evidence import Evidence, Light, Outcome
from acclimate.verifier.subject import Subject


@check(cost=4)
def queue_order(subject: Subject) -> Iterator[Evidence]:
    """Every measurement here runs ASYNC at once: a missing WAIT is left unsettled, never held."""
    places = [
        directive.at
        for file in subject.port_files.values()
        for directive in file.directives
        if directive.sentinel == "acc" and any(c.name == "async" for c in parse(directive).clauses)
    ]
    for light in (Light.DATA, Light.RACES) if places else ():
        yield Evidence(
            "queue_order",
            light,
            Outcome.INCONCLUSIVE,
            f"{len(places)} directives are ASYNC and run in program order here: whether every WAIT"
            " that is needed is there has not been checked",
            figure=len(places),
            limit=0,
            unit="directives",
            file=places[0].file,
            line=places[0].first,
            unsettled=True,
        )
