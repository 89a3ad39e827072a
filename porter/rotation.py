"""What the analysis says of a nest that is changed: rotated inward, or with another body."""

from collections.abc import Sequence
from dataclasses import replace

from acclimate.analysis.dependence.judging import judge_unit
from acclimate.analysis.dependence.procedures import Summaries
from acclimate.analysis.facts import LoopFacts
from acclimate.analysis.ir import Do, Name, Statement, Symbol, Unit
from acclimate.analysis.project import Project

Judged = dict[tuple[str, int, str], LoopFacts]


class Rotations:
    """Judges changed nests of one project; the project is the same afterwards."""

    def __init__(self, project: Project) -> None:
        self._project = project
        self._summaries: Summaries | None = None

    def judge(self, unit: Unit, chain: Sequence[Do]) -> tuple[tuple[Do, ...], Judged]:
        """The rotated nest, outermost loop first, and the facts about its loops.

        `chain[0]` becomes the innermost loop, every other loop moves one place outward; the
        places (lines) stay. The unit is the same afterwards.
        """
        headers = [_header(loop) for loop in chain]
        try:
            for loop, header in zip(chain, [*headers[1:], headers[0]], strict=True):
                _set_header(loop, header)
            judged = self._judge(unit)
            rotated = _copies(chain)
        finally:
            for loop, header in zip(chain, headers, strict=True):
                _set_header(loop, header)
        return rotated, judged

    def judge_body(
        self, unit: Unit, loop: Do, body: list[Statement], new: Sequence[Symbol] = ()
    ) -> Judged:
        """Facts about the loops of a unit if one of them had another body.

        Args:
            new: variables that the body names and the unit does not declare.
        """
        old = loop.body
        try:
            loop.body = body
            unit.symbols |= {symbol.name: symbol for symbol in new}
            return self._judge(unit)
        finally:
            loop.body = old
            for symbol in new:
                del unit.symbols[symbol.name]

    def judge_open_bounds(self, unit: Unit, loop: Do) -> Judged:
        """Facts about the loops of a unit if nothing were known of the bounds of one of them."""
        names = [f"acc_{word}_{loop.index}" for word in ("from", "to")]
        header = _header(loop)
        symbols = {
            name: Symbol(name=name, at=loop.at, type="integer", owner=unit) for name in names
        }
        try:
            loop.first, loop.last, loop.step = Name(names[0]), Name(names[1]), None
            unit.symbols |= symbols
            return self._judge(unit)
        finally:
            _set_header(loop, header)
            for name in names:
                del unit.symbols[name]

    def _judge(self, unit: Unit) -> Judged:
        if self._summaries is None:
            self._summaries = Summaries(self._project)
        facts = judge_unit(self._summaries, unit)
        return {(f.at.file, f.at.first, f.index): f for f in facts if f.kind == "do"}


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
