"""Facts on loops in units with BLOCK constructs, in the names that the source has."""

import re
from collections.abc import Iterable
from dataclasses import fields, is_dataclass, replace
from typing import TypeVar

from acclimate.analysis.dependence.statements import inside
from acclimate.analysis.facts import LoopFacts
from acclimate.analysis.ir import BlockConstruct, Statement

_MARK = re.compile(r"(?<=\w)@\d+")

T = TypeVar("T")


def in_source_names(facts: Iterable[LoopFacts], body: list[Statement]) -> list[LoopFacts]:
    """`body` is the unit's. A block in a loop gives each iteration its own variables."""
    blocks = [statement for statement in inside(body) if isinstance(statement, BlockConstruct)]
    return [_told(loop, blocks) for loop in facts] if blocks else list(facts)


def _told(loop: LoopFacts, blocks: list[BlockConstruct]) -> LoopFacts:
    own = {
        name
        for block in blocks
        if loop.at.file == block.at.file and loop.at.first <= block.at.first <= loop.end.last
        for name in block.names
    }
    kept = replace(
        loop,
        private=tuple(name for name in loop.private if name not in own),
        firstprivate=tuple(name for name in loop.firstprivate if name not in own),
        last_values=tuple(name for name in loop.last_values if name not in own),
    )
    return _without_marks(kept)


def _without_marks(value: T) -> T:
    if isinstance(value, str):
        return type(value)(_MARK.sub("", value)) if "@" in value else value
    if isinstance(value, tuple):
        return tuple(map(_without_marks, value))  # type: ignore[return-value]
    if is_dataclass(value) and not isinstance(value, type):
        changed = {f.name: _without_marks(getattr(value, f.name)) for f in fields(value)}
        return replace(value, **changed)
    return value
