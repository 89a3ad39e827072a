"""Loop interchange: what the analysis says of a nest whose outermost loop is rotated inward."""

from collections.abc import Sequence
from dataclasses import replace

from acclimate.analysis.dependence.judging import judge_unit
from acclimate.analysis.dependence.procedures import Summaries
from acclimate.analysis.facts import LoopFacts
from acclimate.analysis.ir import Do, Unit
from acclimate.analysis.project import Project

Judged = dict[tuple[str, int, str], LoopFacts]


class Rotations:
    """Judges rotated nests of one project."""

    def __init__(self, project: Project) -> None:
        self._project = project
        self._summaries: Summaries | None = None

    def judge(self, unit: Unit, chain: Sequence[Do]) -> tuple[tuple[Do, ...], Judged]:
        """The rotated nest, outermost loop first, and the facts about its loops.

        `chain[0]` becomes the innermost loop, every other loop moves one place outward; the
        places (lines) stay. The unit is the same afterwards.
        """
        if self._summaries is None:
            self._summaries = Summaries(self._project)
        headers = [_header(loop) for loop in chain]
        try:
            for loop, header in zip(chain, [*headers[1:], headers[0]], strict=True):
                _set_header(loop, header)
            facts = judge_unit(self._summaries, unit)
            rotated = _copies(chain)
        finally:
            for loop, header in zip(chain, headers, strict=True):
                _set_header(loop, header)
        return rotated, {(f.at.file, f.at.first, f.index): f for f in facts if f.kind == "do"}


_Header = tuple[object, object, object, object]


def _header(loop: Do) -> _Header:
    return loop.index, loop.first, loop.last, loop.step


def _set_header(loop: Do, header: _Header) -> None:
    loop.index, loop.first, loop.last, loop.step = header  # type: ignore[assignment]


def _copies(chain: Sequence[Do]) -> tuple[Do, ...]:
    copies: list[Do] = []
    for loop in reversed(chain):
        copies.insert(0, replace(loop, body=[copies[0]] if copies else loop.body))
    return tuple(copies)
