"""Files of captured calls, as `runtime/acclimate_records.f90` writes them.

A file begins with "ACCLCAPT" and the version of the format, then holds blocks: one for every entry
of a captured call and one for its exit. Integers are in the machine's own order. A block is the
mark 1, the side (1 entry, 2 exit), the number of the call, the procedure's name with its length,
then variables, then the mark 3, or 4 where a limit cut it short. A variable is the mark 2, its
name with its length, a code (i r z l c, or t for a structure), the bytes of an element, the rank,
whether it was there, whether it was contiguous, its address (8 bytes); of what was there the lower
bounds and the extents (8 bytes each) and the values.
"""

import struct
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from acclimate.analysis.problems import Kind, Problem

_MAGIC = b"ACCLCAPT"
_VERSION = 1
_BLOCK, _VARIABLE, _LAST, _CUT = 1, 2, 3, 4
ENTRY, EXIT = 1, 2
_TYPES = {
    ("i", 1): "i1", ("i", 2): "i2", ("i", 4): "i4", ("i", 8): "i8",
    ("r", 4): "f4", ("r", 8): "f8", ("z", 8): "c8", ("z", 16): "c16",
    ("l", 1): "i1", ("l", 2): "i2", ("l", 4): "i4", ("l", 8): "i8",
}  # fmt: skip


@dataclass(frozen=True)
class Value:
    """A variable: elements in Fortran order, None where it was not there."""

    code: str
    lower: tuple[int, ...]
    values: NDArray[Any] | None


@dataclass(frozen=True)
class Block:
    """One side of one call; `position` is that of its first variable, counted from 1."""

    unit: str
    call: int
    side: int
    position: int
    whole: bool
    variables: Mapping[str, Value]


def read_blocks(path: Path) -> Iterator[Block]:
    """The blocks of a file in order; what a killed run has left unfinished is left out.

    Raises:
        Problem: the file is none of this format.
    """
    data = path.read_bytes()
    if data[:8] != _MAGIC or len(data) < 12 or _integer(data, 8) != _VERSION:
        raise Problem(
            f"{path} holds no captured calls of this version.",
            kind=Kind.ENVIRONMENT,
            hint="capture again",
        )
    at = 12
    while at < len(data):
        try:
            block, at = _block(data, at)
        except (struct.error, ValueError):  # the rest was never written
            return
        yield block


def _integer(data: bytes, at: int) -> int:
    return int(struct.unpack_from("=i", data, at)[0])


def _block(data: bytes, at: int) -> tuple[Block, int]:
    mark, side, call, length = struct.unpack_from("=4i", data, at)
    if mark != _BLOCK:
        raise ValueError("no block begins here")
    unit = data[at + 16 : at + 16 + length].decode()
    at += 16 + length
    begin, variables = at + 1, {}
    while (mark := _integer(data, at)) == _VARIABLE:
        name, value, at = _variable(data, at)
        variables[name] = value
    if mark not in (_LAST, _CUT):
        raise ValueError("no variable and no end")
    return Block(unit, call, side, begin, mark == _LAST, variables), at + 4


def _variable(data: bytes, at: int) -> tuple[str, Value, int]:
    length = _integer(data, at + 4)
    at += 8
    name = data[at : at + length].decode()
    at += length
    code = data[at : at + 1].decode()
    width, rank, there, _, _ = struct.unpack_from("=4iq", data, at + 1)
    at += 25
    if not there or code == "t":
        return name, Value(code, (), np.zeros((), "i1") if there else None), at
    lower = struct.unpack_from(f"={rank}q", data, at)
    shape = struct.unpack_from(f"={rank}q", data, at + 8 * rank)
    at += 16 * rank
    kind = np.dtype(_TYPES.get((code, width), f"V{width}")) if width else np.dtype("V1")
    count = int(np.prod(shape)) if width else 0
    values = np.frombuffer(data, kind, count, at).reshape(shape if width else (0,), order="F")
    return name, Value(code, lower, values), at + count * width
