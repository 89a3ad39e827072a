"""What is known of each file and unit, kept so that a changed file costs only what rests on it."""

from dataclasses import dataclass

import msgspec

from acclimate.analysis.exchange.bench import Edges, UnitSummary, UnitVerdicts, World
from acclimate.analysis.exchange.outlines import Outline


@dataclass(frozen=True, slots=True)
class KeptFile:
    digest: str  # of the text and all it includes
    outline: Outline


@dataclass(frozen=True, slots=True)
class KeptUnit:
    home: str  # its source file
    circle: tuple[str, ...]  # units that call each other, this one among them; mostly empty
    edges: Edges
    summary: UnitSummary
    verdicts: UnitVerdicts


@dataclass(frozen=True, slots=True)
class Parts:
    files: dict[str, KeptFile]
    units: dict[str, KeptUnit]
    world: World


def encoded(parts: Parts) -> bytes:
    return msgspec.msgpack.encode(parts)


def decoded(data: bytes) -> Parts | None:
    """None: these are no parts."""
    try:
        return msgspec.msgpack.decode(data, type=Parts)
    except msgspec.DecodeError:
        return None
