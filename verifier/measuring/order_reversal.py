"""Edits that run every governed loop of a port backwards; a right port does not mind.

A DO loop visits first, first+step, ..., which backwards is last, last-step, ... with
last = first + (n-1)*step and n the trip count of the Fortran standard; zero trips stay zero.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from acclimate.analysis.directives import parse
from acclimate.analysis.source import Edit
from acclimate.verifier.texts.governed import DoLoop, GovernedLoop, do_loop, governed_loops
from acclimate.verifier.texts.source_file import SourceFile
from acclimate.verifier.texts.statements import Statement, source_lines

_SUMS = ("+", "*")
_INTEGER = re.compile(r"[+-]?\d+")


@dataclass(frozen=True, slots=True)
class Reversal:
    """A governed loop to be reversed.

    `rounds`: its iterations add to or multiply into something shared (REDUCTION or ATOMIC), so
    that another order rounds otherwise even when the port is right.
    """

    loop: GovernedLoop
    rounds: bool


def reversals(file: SourceFile) -> tuple[Reversal, ...]:
    """The governed loops of a file whose iterations may run in any order."""
    governed = governed_loops(file)
    return tuple(
        Reversal(loop, _rounds(loop, governed, file)) for loop in governed if loop.parallel
    )


def reversal_edits(file: SourceFile, chosen: Sequence[Reversal]) -> tuple[Edit, ...]:
    """Edits of `file` that reverse the chosen loops; line numbers below them may shift."""
    lines = {loop.statement.at.first for r in chosen for loop in r.loop.loops}
    if not lines:
        return ()
    return tuple(_edits(file, {loop.statement for r in chosen for loop in r.loop.loops}))


def _rounds(loop: GovernedLoop, governed: Sequence[GovernedLoop], file: SourceFile) -> bool:
    around = (other for other in governed if other.contains(loop.line))
    if any(op in _SUMS for other in around for op, _ in other.reductions):
        return True
    return any(
        loop.contains(directive.at.first) and parse(directive).name.startswith("atomic")
        for directive in file.directives
    )


def _edits(file: SourceFile, reversed_statements: set[Statement]) -> Iterator[Edit]:
    """One edit for every run of lines; statements that share a line get a line each."""
    wanted = sorted(reversed_statements, key=lambda s: s.at.first)
    done = 0
    for statement in wanted:
        if statement.at.first <= done:
            continue
        first, last = statement.at.first, statement.at.last
        sharing = [s for s in file.statements if s.at.first <= last and s.at.last >= first]
        first = min(s.at.first for s in sharing)
        last = max(s.at.last for s in sharing)
        text = [
            line
            for s in sharing
            for line in source_lines(
                _reverse(s) if s in reversed_statements else s.text, file.form, s.label
            )
        ]
        yield Edit(file.name, first, last, tuple(text))
        done = last


def _reverse(statement: Statement) -> str:
    loop = do_loop(statement)
    assert loop is not None
    first, last, step = _backwards(loop)
    return f"{loop.head}{loop.index} = {first}, {last}, {step}"


def _backwards(loop: DoLoop) -> tuple[str, str, str]:
    step = loop.step or "1"
    if step == "1":
        return loop.last, loop.first, "-1"
    if step == "-1":
        return loop.last, loop.first, "1"
    a, b = f"({loop.first})", f"({loop.last})"
    trips = f"({b}-{a}+({step}))/({step})"
    backwards = step[1:] if step[0] == "-" and _INTEGER.fullmatch(step) else f"-({step})"
    return f"{a}+({trips}-1)*({step})", loop.first, backwards
