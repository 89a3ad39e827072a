"""Whether the witness of a serial verdict is seen in a run: two lines meet, the distance apart."""

import struct
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from acclimate.analysis.facts import Verdict, Witness
from acclimate.analysis.source import Lines
from acclimate.verifier.oracle.marks import MarkedLoop, Marks

_RECORD = struct.Struct("<QIIIIIII4x")
# Kind of witness -> whether source and sink write.
_MODES = {"flow": (True, False), "scalar": (True, False), "anti": (False, True)} | {
    "output": (True, True)
}


@dataclass(frozen=True, slots=True)
class Access:
    """An access in one execution of a loop; `iteration` counts from 1."""

    address: int
    process: int
    loop: int
    instance: int
    iteration: int
    code: int
    size: int
    writes: bool


def trace_settings(marks: Marks, trace: Path | None) -> dict[str, str]:
    """The environment that has the accesses of all serial loops with witnesses written down."""
    if trace is None:
        return {}
    numbers = [
        str(number)
        for number, loop in marks.loops.items()
        if loop.facts.verdict is Verdict.SERIAL and witnesses_of(loop)
    ]
    return {"ORACLE_TRACE": ",".join(numbers), "ORACLE_TRACE_FILE": str(trace)}


def read_trace(path: Path) -> Iterator[Access]:
    """The accesses that processes with ORACLE_TRACE wrote down, process after process."""
    data = path.read_bytes()
    for record in _RECORD.iter_unpack(data[: len(data) // _RECORD.size * _RECORD.size]):
        address, process, loop, instance, iteration, code, size, writes = record
        yield Access(address, process, loop, instance, iteration, code, size, bool(writes))


def witnesses_of(loop: MarkedLoop) -> list[Witness]:
    """Those that name two references."""
    found = [w for obstacle in loop.facts.obstacles for w in obstacle.witnesses]
    return [w for w in found if w.kind in _MODES]


def confirmed(witness: Witness, accesses: Iterable[Access], lines: Mapping[int, Lines]) -> bool:
    """Whether the two references touch the same byte as told, with no write in between."""
    source_writes, sink_writes = _MODES[witness.kind]
    sources: dict[tuple[int, int, int], set[int]] = defaultdict(set)
    for access in accesses:
        at = lines.get(access.code)
        if at is None:
            continue
        touched = [
            (access.process, access.instance, byte)
            for byte in range(access.address, access.address + access.size)
        ]
        if access.writes == sink_writes and _covers(witness.sink, at):
            for place in touched:
                distances = {access.iteration - earlier for earlier in sources.get(place, ())}
                if _fits(distances, witness.distance):
                    return True
        if access.writes:  # what was there is gone
            for place in touched:
                sources[place].clear()
        if access.writes == source_writes and _covers(witness.source, at):
            for place in touched:
                sources[place].add(access.iteration)
    return False


def _covers(reference: Lines, at: Lines) -> bool:
    return reference.file == at.file and reference.first <= at.first <= reference.last


def _fits(distances: set[int], told: int | None) -> bool:
    return told in distances if told is not None else any(d > 0 for d in distances)
