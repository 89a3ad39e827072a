"""Do the clauses of nested loops fit each other, and the loops they stand before?"""

from collections.abc import Iterator
from itertools import pairwise

from acclimate.verifier.checks import check
from acclimate.verifier.evidence import Evidence, Light, Outcome
from acclimate.verifier.subject import Subject
from acclimate.verifier.texts.governed import (
    DoLoop,
    GovernedLoop,
    do_loop,
    end_label,
    end_line,
    is_directive,
)
from acclimate.verifier.texts.statements import Statement, tokens

_EXTREMES = ("max", "min")


@check(cost=2)
def nested_clauses(subject: Subject) -> Iterator[Evidence]:
    """Questions of the directives' text alone, each with a certain answer but the last.

    A copy of an outer index that no iteration fills, COLLAPSE over more loops than stand nested
    without anything between them, before or behind, or over loops whose length changes, one
    variable in two clauses of one directive; a maximum or minimum that begins with a number of
    the port's own.
    """
    inherited = {(g.unit, g.directive.text) for g in subject.original_governed}
    for loop in subject.governed:
        if (loop.unit, loop.directive.text) in inherited:
            continue
        yield from _outer_index(subject, loop)
        yield from _collapse(loop)
        yield from _between_ends(subject, loop)
        yield from _twice(loop)
        yield from _start(subject, loop)


def _outer_index(subject: Subject, loop: GovernedLoop) -> Iterator[Evidence]:
    """A private copy of the index of a loop outside has no value inside."""
    copies = loop.construct.arguments("private")
    inside = _inside(subject, loop)
    for outer in _around(subject, loop):
        if outer.index in copies:
            read = any(outer.index in statement.tokens for statement in inside)
            where = f"the loop at line {outer.statement.at.first}"
            text = f"'{outer.index}' is private here and the index of {where}"
            if read:
                yield _failed(Light.RACES, loop, f"{text}: its value is lost inside")
            else:
                yield _open(loop, f"{text}, which nothing inside reads")


def _around(subject: Subject, loop: GovernedLoop) -> list[DoLoop]:
    """The counted loops that the directive stands in, the outermost first."""
    found: list[tuple[DoLoop | None, str]] = []  # with the label that ends it
    first = loop.directive.at.first
    for statement in subject.port_files[loop.file].statements:
        if statement.at.first >= first:
            break
        if statement.unit != loop.unit or is_directive(statement):
            continue
        words = statement.tokens
        if words[:2] == ("end", "do") or words[:1] == ("enddo",):
            found = found[:-1]
        elif "do" in words[:3] and "=" not in words[:2]:
            found.append((do_loop(statement), end_label(statement)))
        while found and statement.label is not None and found[-1][1] == statement.label:
            found.pop()
    return [outer for outer, _ in found if outer is not None]


def _inside(subject: Subject, loop: GovernedLoop) -> list[Statement]:
    statements = subject.port_files[loop.file].statements
    return [s for s in statements if loop.contains(s.at.first)]


def _collapse(loop: GovernedLoop) -> Iterator[Evidence]:
    (asked,) = loop.construct.arguments("collapse")[:1] or ("1",)
    number = asked.removeprefix("force:")
    if number.isdigit() and int(number) > len(loop.loops):
        text = f"collapse({number}) needs {number} loops with nothing between them"
        yield _failed(Light.DEVICE, loop, f"{text}; {len(loop.loops)} stand here")
    indices: set[str] = set()
    for each in loop.loops:
        used = indices & {*tokens(each.first), *tokens(each.last), *tokens(each.step)}
        if used:
            text = f"the bounds of the loop over '{each.index}' use '{used.pop()}'"
            yield _failed(Light.DEVICE, loop, f"{text}, which is collapsed with it")
        indices.add(each.index)


def _between_ends(subject: Subject, loop: GovernedLoop) -> Iterator[Evidence]:
    """What stands behind an inner loop belongs to no iteration of the collapsed one."""
    statements = subject.port_files[loop.file].statements
    ends = [end_line(statements, each.statement) for each in loop.loops]
    for outer, inner in pairwise(ends):
        for statement in statements:
            behind = inner < statement.at.first < outer
            if behind and not (_ends_loop(statement) or is_directive(statement)):
                text = f"'{statement.text}' at line {statement.at.first} stands between the loops"
                yield _failed(Light.DEVICE, loop, f"{text} that are collapsed")
                return


def _ends_loop(statement: Statement) -> bool:
    words = statement.tokens
    return words[:2] == ("end", "do") or words[:1] in (("enddo",), ("continue",))


def _twice(loop: GovernedLoop) -> Iterator[Evidence]:
    named = ("private", "firstprivate", "reduction")
    seen: dict[str, str] = {}
    for clause in loop.construct.clauses:
        for name in clause.args if clause.name in named else ():
            if name in seen and (seen[name], clause.name) != ("private", "private"):
                text = f"'{name}' is in {seen[name]} and in {clause.name}"
                yield _failed(Light.RACES, loop, text)
            seen[name] = clause.name


def _start(subject: Subject, loop: GovernedLoop) -> Iterator[Evidence]:
    """`m = 0` before a maximum: values below are lost. The original may begin so as well."""
    wanted = {name: op for op, name in loop.reductions if op in _EXTREMES}
    if not wanted:
        return
    before: dict[str, Statement] = {}
    for statement in subject.port_files[loop.file].statements:
        if statement.at.first >= loop.directive.at.first:
            break
        if statement.unit == loop.unit and statement.tokens[1:2] == ("=",):
            before[statement.tokens[0]] = statement
    originals = (s for file in subject.original_files.values() for s in file.statements)
    known = {s.tokens for s in originals if s.unit == loop.unit}
    for name, op in wanted.items():
        start = before.get(name)
        if start is None or start.tokens in known or "huge" in start.tokens:
            continue
        if all(not word.isidentifier() for word in start.tokens[2:]):
            lost = "below" if op == "max" else "above"
            text = f"'{name}' begins with {' '.join(start.tokens[2:])} ({start.at})"
            yield _open(loop, f"{text}: in reduction({op}:{name}), values {lost} it are lost")


def _failed(light: Light, loop: GovernedLoop, text: str) -> Evidence:
    return _evidence(light, Outcome.FAILS, loop, text)


def _open(loop: GovernedLoop, text: str) -> Evidence:
    return _evidence(Light.RACES, Outcome.INCONCLUSIVE, loop, text)


def _evidence(light: Light, outcome: Outcome, loop: GovernedLoop, text: str) -> Evidence:
    line = loop.directive.at.first
    return Evidence("nested_clauses", light, outcome, text, file=loop.file, line=line)
