"""Asynchronous queues, which run in program order on this bench."""

from collections.abc import Iterator

from acclimate.analysis.directives import parse
from acclimate.analysis.ir import Directive
from acclimate.verifier.checks import check
from acclimate.verifier.evidence import Evidence, Light, Outcome
from acclimate.verifier.subject import Subject
from acclimate.verifier.texts.queues import ANY, queue_of, used_too_early, waited

_API = ("acc_wait", "acc_async_wait", "acc_async_test")


@check(cost=4)
def queue_order(subject: Subject) -> Iterator[Evidence]:
    """Every measurement here runs ASYNC at once: a missing WAIT is left unsettled, never held.

    A failure is work on a queue that nothing in the port ever waits for, and a use of its results
    behind it in the same procedure, with no WAIT between.
    """
    directives = [d for file in subject.port_files.values() for d in file.directives]
    asked = [d for d in directives if queue_of(parse(d)) is not None]
    lost = _never_waited_for(subject, directives, asked)
    for directive in lost:
        queue = queue_of(parse(directive))
        text = f"nothing in the port waits for the work put on queue {queue or 'ASYNC'} here"
        yield _failed(directive, f"{text}: whatever uses its results may come too early")
    early = [each for file in subject.port_files.values() for each in used_too_early(file)]
    for each in early:
        text = f"'{each.variable}' is used at {each.at} before the work that is put on a queue here"
        yield _failed(each.directive, f"{text} is waited for")
    for light in (Light.DATA, Light.RACES) if asked and not lost and not early else ():
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


def _never_waited_for(
    subject: Subject, directives: list[Directive], asked: list[Directive]
) -> list[Directive]:
    queues = {queue for directive in directives for queue in waited(parse(directive))}
    if ANY in queues or _calls_library(subject):
        return []
    return [d for d in asked if queue_of(parse(d)) not in (ANY, *queues)]


def _failed(directive: Directive, text: str) -> Evidence:
    at = directive.at
    return Evidence("queue_order", Light.DATA, Outcome.FAILS, text, file=at.file, line=at.first)


def _calls_library(subject: Subject) -> bool:
    return any(
        word.startswith(_API)
        for file in subject.port_files.values()
        for statement in file.statements
        for word in statement.tokens
    )
