"""The facts of a model, and their form in the cache."""

from dataclasses import dataclass

import msgspec

from acclimate.analysis.facts import (
    CallSite,
    Finding,
    LoopFacts,
    ProcedureFacts,
    ReadingProblem,
    UnitFacts,
    UseEdge,
)


@dataclass(frozen=True, slots=True)
class ModelFacts:
    """What `ProjectIndex` says of a model; see there."""

    units: tuple[UnitFacts, ...]
    loops: tuple[LoopFacts, ...]
    calls: tuple[CallSite, ...]
    uses: tuple[UseEdge, ...]
    problems: tuple[ReadingProblem, ...]
    procedures: tuple[ProcedureFacts, ...]
    findings: tuple[Finding, ...]


def encoded(facts: ModelFacts) -> bytes:
    return msgspec.msgpack.encode(facts)


def decoded(data: bytes) -> ModelFacts | None:
    """None: these are no facts."""
    try:
        return msgspec.msgpack.decode(data, type=ModelFacts)
    except msgspec.DecodeError:
        return None
