"""Statements that every gang of a parallel construct executes, because no loop divides them."""

import re
from collections.abc import Iterator

from acclimate.analysis.directives import Construct, parse
from acclimate.verifier.checks import check
from acclimate.verifier.evidence import Evidence, Light, Outcome
from acclimate.verifier.subject import Subject
from acclimate.verifier.texts.governed import GovernedLoop
from acclimate.verifier.texts.source_file import SourceFile
from acclimate.verifier.texts.statements import Statement

_LEVELS = {"gang", "worker", "vector", "seq"}
_SHARED = ("copy", "copyin", "copyout", "create", "present", "no_create", "deviceptr")
_TARGET = re.compile(r"[a-z]\w*")


@check(cost=4)
def redundant_statements(subject: Subject) -> Iterator[Evidence]:
    """An update `x = x + ...` of shared data outside every gang loop, done by each gang.

    OpenACC 3.3, 2.5.1 and 2.6: a parallel construct begins in gang-redundant mode.
    """
    for file in subject.port_files.values():
        for construct, first, last in _regions(file):
            loops = [g for g in subject.governed if g.file == file.name and first < g.line < last]
            gangs = [loop for loop in loops if _divides_gangs(loop)]
            if _one_gang(construct) or not (gangs or _asks_for_gangs(construct)):
                continue
            for statement in file.statements:
                inside = first < statement.at.first < last
                if inside and not any(loop.contains(statement.at.first) for loop in gangs):
                    yield from _judge(construct, statement)


def _regions(file: SourceFile) -> Iterator[tuple[Construct, int, int]]:
    """The parallel constructs that are no combined loop, with the lines of both directives."""
    opened: tuple[Construct, int] | None = None
    for directive in file.directives:
        construct = parse(directive)
        if construct.name == "parallel":
            opened = construct, directive.at.last
        elif construct.name == "end parallel" and opened:
            yield (*opened, directive.at.first)
            opened = None


def _divides_gangs(loop: GovernedLoop) -> bool:
    """By GANG, or where the compiler chooses the level."""
    levels = {clause.name for clause in loop.construct.clauses} & _LEVELS
    return "gang" in levels or not levels


def _one_gang(construct: Construct) -> bool:
    return "1" in construct.arguments("num_gangs")


def _asks_for_gangs(construct: Construct) -> bool:
    return bool(construct.arguments("num_gangs"))


def _judge(construct: Construct, statement: Statement) -> Iterator[Evidence]:
    """An assignment whose own old value goes into the new one, to data all gangs share."""
    words = statement.tokens
    if not words or "=" not in words or not _TARGET.fullmatch(words[0]) or words[0] == "do":
        return
    name = words[0]
    own = {arg.split("(")[0] for arg in construct.arguments("private", "firstprivate", "reduction")}
    shared = {arg.split("(")[0].split("%")[0] for arg in construct.arguments(*_SHARED)}
    value = words[words.index("=") + 1 :]
    is_element = words[1] in ("(", "%")
    if name in own or name not in value or not (is_element or name in shared):
        return
    yield Evidence(
        "redundant_statements",
        Light.RACES,
        Outcome.FAILS,
        f"every gang executes '{statement.text}', which changes '{name}' that all of them share",
        file=statement.at.file,
        line=statement.at.first,
    )
