"""Blocks with backward jumps, written with loops and forward jumps only."""

from collections.abc import Iterator
from dataclasses import dataclass

from acclimate.analysis.dependence.statements import labels
from acclimate.analysis.flow.jump_loop import JumpLoop
from acclimate.analysis.flow.region import Region, first
from acclimate.analysis.flow.ways import Ways, goes_on, jumps_back
from acclimate.analysis.ir import Continue, DoKind, Jump, Statement, Unit
from acclimate.analysis.source import Lines


@dataclass(frozen=True, slots=True)
class Refusal:
    """A jump that cannot be written so, in the user's words."""

    at: Lines
    detail: str


@dataclass(frozen=True, slots=True)
class Structured:
    """A block as it may be walked from its first statement to its last.

    The statements are those of the block, in `JumpLoop`s where jumps repeat them. Where one is not
    followed by the one behind it in the source, a GOTO says so; `labels` are those GOTOs bring.
    `refused` says why the block stays as it is, backward jumps and all.
    """

    statements: list[Statement]
    labels: frozenset[str] = frozenset()
    refused: Refusal | None = None


class Structuring:
    """The blocks of one unit. What is made of them lives as long as this object."""

    def __init__(self, unit: Unit) -> None:
        self._jumps_back = jumps_back(unit.body)
        self._has_labels = bool(labels(unit.body))
        self._known: dict[int, tuple[list[Statement], Structured]] = {}  # by id, kept alive

    def labels_in(self, block: list[Statement]) -> frozenset[str]:
        """The labels of statements of the unit, and of those inside them."""
        return labels(block) if self._has_labels else frozenset()

    def of(self, block: list[Statement]) -> Structured:
        if not self._jumps_back or not any(s.label is not None for s in block):
            return Structured(block)
        found = self._known.get(id(block))
        if found is None:
            structured = self._structured(block)
            found = self._known[id(block)] = (block, structured)
        return found[1]

    def _structured(self, block: list[Statement]) -> Structured:
        ways = Ways(block)
        if not any(to <= number for number, next_ones in enumerate(ways.next) for to in next_ones):
            return Structured(block)
        if any(isinstance(s, Jump) and s.keyword == "entry" for s in block):
            return Structured(block, refused=Refusal(block[0].at, "jumps back beside an ENTRY"))
        if ways.entered:
            label, at = ways.entered[0]
            return Structured(block, refused=Refusal(at, f"GOTO {label} jumps into a construct"))
        from acclimate.analysis.flow.natural_loops import IrreducibleError, ordered

        try:
            region = ordered(ways.next)
        except IrreducibleError as irreducible:
            one, other, *_ = (block[node] for node in irreducible.entries)
            detail = f"jumps enter one loop at label {one.label} and at label {other.label}"
            return Structured(block, refused=Refusal(other.at, detail))
        writer = _Writer(ways, region, f"@{len(self._known)}.")
        statements = writer.written()
        for loop in writer.loops:
            self._known[id(loop.body)] = (loop.body, Structured(loop.body))
        return Structured(statements, frozenset(writer.new.values()))


class _Writer:
    """Writes a region of a block as statements."""

    def __init__(self, ways: Ways, region: Region, prefix: str) -> None:
        self._block, self._end, self._region = ways.block, ways.end, region
        self._gone_on = set(self._displaced(region, ways.end))
        self.loops: list[JumpLoop] = []
        self.new: dict[int, str] = {  # labels for statements that have none, by position
            node + 1: f"{prefix}{node + 1}"
            for node in self._gone_on
            if node + 1 == ways.end or ways.block[node + 1].label is None
        }

    def written(self) -> list[Statement]:
        statements = self._sequence(self._region)
        if self._end in self.new:
            at = self._block[-1].at
            statements.append(Continue(at=at, label=self.new[self._end]))
        return statements

    def _displaced(self, region: Region, behind: int | None) -> Iterator[int]:
        """Statements that go on with one that will not stand behind them."""
        following = [*(first(item) for item in region.items[1:]), behind]
        for item, next_one in zip(region.items, following, strict=True):
            if isinstance(item, Region):
                yield from self._displaced(item, None)
            elif goes_on(self._block[item]) and item + 1 != next_one:
                yield item

    def _sequence(self, region: Region) -> list[Statement]:
        statements: list[Statement] = []
        for item in region.items:
            if isinstance(item, Region):
                statements.append(self._loop(item))
                continue
            statement = self._block[item]
            if item in self.new:
                statements.append(Continue(at=statement.at, label=self.new[item]))
            statements.append(statement)
            if item in self._gone_on:
                label = self.new.get(item + 1) or self._block[item + 1].label
                assert label is not None
                statements.append(Jump(at=statement.at, keyword="goto", targets=(label,)))
        return statements

    def _loop(self, region: Region) -> JumpLoop:
        header = self._block[first(region)]
        assert header.label is not None  # jumped to, or its loop would be entered from above only
        loop = JumpLoop(
            at=header.at,
            label=header.label,
            kind=DoKind.FOREVER,
            body=self._sequence(region),
            end=header.at,
            header=header.label,
        )
        self.loops.append(loop)
        return loop
