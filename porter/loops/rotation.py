"""What the analysis says of a nest that is changed: rotated inward, fused, with another body."""

from collections.abc import Sequence
from dataclasses import replace

from acclimate.analysis.dependence.judging import judge_nest
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
            judged = self._judge(unit, chain[0])
            rotated = _copies(chain)
        finally:
            for loop, header in zip(chain, headers, strict=True):
                _set_header(loop, header)
        return rotated, judged

    def judge_body(
        self, unit: Unit, loop: Do, body: list[Statement], new: Sequence[Symbol] = ()
    ) -> Judged:
        """Facts about a loop of a unit and those in it if it had another body.

        Args:
            new: variables that the body names and the unit does not declare.
        """
        old = loop.body
        try:
            loop.body = body
            unit.symbols |= {symbol.name: symbol for symbol in new}
            return self._judge(unit, loop)
        finally:
            loop.body = old
            for symbol in new:
                del unit.symbols[symbol.name]

    def judge_open_bounds(self, unit: Unit, loop: Do) -> Judged:
        """Facts about a loop of a unit and those in it if nothing were known of its bounds."""
        names = [f"acc_{word}_{loop.index}" for word in ("from", "to")]
        header = _header(loop)
        symbols = {
            name: Symbol(name=name, at=loop.at, type="integer", owner=unit) for name in names
        }
        try:
            loop.first, loop.last, loop.step = Name(names[0]), Name(names[1]), None
            unit.symbols |= symbols
            return self._judge(unit, loop)
        finally:
            _set_header(loop, header)
            for name in names:
                del unit.symbols[name]

    def judge_fused(
        self,
        unit: Unit,
        block: list[Statement],
        statements: Sequence[Statement],
        fused: Do,
        new: Sequence[Symbol],
    ) -> Judged:
        """Facts about a loop and those in it if it stood in place of some statements of a block.

        Args:
            new: variables that the loop names and the unit does not declare.
        """
        first = next(n for n, statement in enumerate(block) if statement is statements[0])
        try:
            unit.symbols |= {symbol.name: symbol for symbol in new}
            block[first : first + len(statements)] = [fused]
            return self._judge(unit, fused)
        finally:
            block[first : first + 1] = statements
            for symbol in new:
                del unit.symbols[symbol.name]

    def _judge(self, unit: Unit, loop: Do) -> Judged:
        if self._summaries is None:
            self._summaries = Summaries(self._project)
        facts = judge_nest(self._summaries, unit, loop)
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
