"""Asynchronous queues, which run in program order on this bench."""

from collections.abc import Iterator

from acclimate.analysis.directives import parse
from acclimate.analysis.ir import Directive
from acclimate.verifier.checks import check
from acclimate.verifier.evidence import Evidence, Light, Outcome
from acclimate.verifier.subject import Subject

_ANY = "*"  # all queues, or one that only a run knows
_API = ("acc_wait", "acc_async_wait", "acc_async_test")


@check(cost=4)
def queue_order(subject: Subject) -> Iterator[Evidence]:
    """Every measurement here runs ASYNC at once: a missing WAIT is left unsettled, never held.

    Work on a queue that nothing in the port ever waits for is a failure: no statement that uses
    its results can be sure of them.
    """
    directives = [d for file in subject.port_files.values() for d in file.directives]
    asked = [d for d in directives if any(c.name == "async" for c in parse(d).clauses)]
    waited = {queue for d in directives for queue in _waited(d)}
    if _ANY in waited or _calls_library(subject):
        lost = []
    else:
        lost = [d for d in asked if (queue := _queue(d)) != _ANY and queue not in waited]
    for directive in lost:
        yield Evidence(
            "queue_order",
            Light.DATA,
            Outcome.FAILS,
            f"nothing in the port waits for the work put on queue {_queue(directive) or 'ASYNC'}"
            " here: whatever uses its results may come too early",
            file=directive.at.file,
            line=directive.at.first,
        )
    for light in (Light.DATA, Light.RACES) if len(asked) > len(lost) else ():
        yield Evidence(
            "queue_order",
            light,
            Outcome.INCONCLUSIVE,
            f"{len(asked)} directives are ASYNC and run in program order here: whether every WAIT"
            " that is needed is there has not been checked",
            figure=len(asked),
            limit=0,
            unit="directives",
            file=asked[0].at.file,
            line=asked[0].at.first,
            unsettled=True,
        )


def _queue(directive: Directive) -> str:
    """The number in ASYNC, empty without one; any queue where it is no number."""
    (number, *_) = parse(directive).arguments("async") or ("",)
    return number if number.isdigit() or not number else _ANY


def _waited(directive: Directive) -> Iterator[str]:
    """The queues that a WAIT directive or clause waits for."""
    construct = parse(directive)
    named = [clause for clause in construct.clauses if clause.name == "wait"]
    if construct.name == "wait" and not named or any(not clause.args for clause in named):
        yield _ANY
    for clause in named:
        for queue in clause.args:
            yield queue if queue.isdigit() else _ANY


def _calls_library(subject: Subject) -> bool:
    return any(
        word.startswith(_API)
        for file in subject.port_files.values()
        for statement in file.statements
        for word in statement.tokens
    )
