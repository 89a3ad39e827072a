"""Which kernels a change can tell on: those it stands in, and those that reach it by calls."""

from collections.abc import Iterable

from acclimate.analysis.index import ProjectIndex
from acclimate.analysis.source import Lines
from acclimate.verifier.texts.governed import GovernedLoop


def told_on(
    index: ProjectIndex, loops: Iterable[GovernedLoop], lines: Lines
) -> tuple[GovernedLoop, ...]:
    """The loops that hold these lines, or call, at any depth, what holds them.

    What the analysis does not know is among them.
    """
    reached = _callers(index, lines)
    calls = {(f.at.file, f.at.first): f.calls for f in index.loops if f.kind == "do"}
    return tuple(
        loop
        for loop in loops
        if loop.spans(lines)
        or (loop.file, loop.line) not in calls
        or reached.intersection(calls[loop.file, loop.line])
    )


def _callers(index: ProjectIndex, lines: Lines) -> frozenset[str]:
    """The units that hold these lines, and everything that calls them, at any depth."""
    found = {
        unit.name
        for unit in index.units
        if unit.at.file == lines.file
        and unit.at.first <= lines.last
        and lines.first <= unit.end.last
        and unit.kind not in ("module", "submodule")
    }
    waiting = list(found)
    while waiting:
        callee = waiting.pop()
        for call in index.calls:
            if call.callee == callee and call.caller not in found:
                found.add(call.caller)
                waiting.append(call.caller)
    return frozenset(found)
