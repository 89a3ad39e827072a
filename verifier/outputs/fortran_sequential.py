"""Unformatted sequential files: records between length markers, as most Fortran compilers write.

A record says its length and nothing else. What its bytes are is guessed by `element_type`; both
sides of a comparison are guessed alike, and a guess that differs is a change of type.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from acclimate.verifier.outputs import BadOutput, Field

EXTENSIONS = (".seq", ".unf", ".unformatted", ".ufmt")
_LARGEST = 2147483639  # B; gfortran splits longer records, with a negative first marker
_ZEROS = re.compile(rb"\0*")
_PLAUSIBLE = 1e100  # no physical quantity is larger; nor smaller than its reciprocal, but for zero


@dataclass(frozen=True, slots=True)
class Record:
    """One record: where its bytes are (in parts where it was split), and their byte order."""

    parts: tuple[tuple[int, int], ...]
    big_endian: bool

    def data(self, whole: bytes) -> bytes:
        return b"".join(whole[begin:end] for begin, end in self.parts)


def read(path: Path) -> dict[str, Field]:
    data = path.read_bytes()
    records = find_records(data)
    if records is None:
        raise BadOutput(
            f"truncated, or no unformatted sequential file: its {len(data)} bytes are not whole"
            " records between length markers"
        )
    return fields_of(data, records)


def replace_values(path: Path, changed: Mapping[str, NDArray[Any]]) -> None:
    """Write new values over the records named in `changed`, which keep type and shape."""
    data = bytearray(path.read_bytes())
    records = find_records(bytes(data)) or ()
    for name, values in changed.items():
        record = records[int(name.removeprefix("record ")) - 1]
        kind = values.dtype.newbyteorder(">" if record.big_endian else "<")
        content, at = values.astype(kind).tobytes(), 0
        for begin, end in record.parts:
            data[begin:end] = content[at : at + end - begin]
            at += end - begin
    path.write_bytes(bytes(data))


def fields_of(data: bytes, records: tuple[Record, ...]) -> dict[str, Field]:
    """`record N`, counted from 1, each with its guessed type."""
    fields = {}
    for number, record in enumerate(records, 1):
        content = record.data(data)
        kind = element_type(content, big_endian=record.big_endian)
        values = np.frombuffer(content, kind)
        fields[f"record {number}"] = Field(values.astype(kind.newbyteorder("=")), (1,))
    return fields


def find_records(data: bytes) -> tuple[Record, ...] | None:
    """The records of a whole file, in either byte order; None: it is no such file."""
    for big in (False, True):
        if data and _is_whole(data, big):
            return tuple(_records(data, big))
    return None


def _is_whole(data: bytes, big: bool) -> bool:
    """Whether records and nothing else make up the file.

    Nothing is kept of it: a field of zeros reads as one empty record behind the other, for long.
    """
    at, open_ = 0, False
    while at < len(data):
        zeros = _ZEROS.match(data, at)
        empty = (zeros.end() - at) // 8 if zeros else 0
        if empty:
            at, open_ = at + 8 * empty, False
            continue
        first, end = _marker(data, at, big)
        last = _marker(data, end, big)[0]
        if end + 4 > len(data) or abs(last) != abs(first) or abs(first) > _LARGEST:
            return False
        at, open_ = end + 4, first < 0
    return not open_


def _records(data: bytes, big: bool) -> Iterator[Record]:
    parts: list[tuple[int, int]] = []
    at = 0
    while at < len(data):
        first, end = _marker(data, at, big)
        parts.append((at + 4, end))
        at = end + 4
        if first >= 0:  # a negative first marker says that the record goes on
            yield Record(tuple(parts), big)
            parts = []


def _marker(data: bytes, at: int, big: bool) -> tuple[int, int]:
    """The length that stands at `at`, with its sign, and where the record ends."""
    length = int.from_bytes(data[at : at + 4], "big" if big else "little", signed=True)
    return length, at + 4 + abs(length)


def element_type(data: bytes, *, big_endian: bool = False) -> np.dtype[Any]:
    """What bytes of unknown meaning are; a guess, by what the values would be.

    Text is bytes. int32: all below 2**24 in magnitude, not all zero. float64 or float32: all
    magnitudes between 1e-100 and 1e100 (float32: 1e-30 and 1e30), zeros allowed, and NaN or
    infinity in up to half of them; where both are
    possible, float64 for round numbers (every lower half is zero), else the one whose binary
    exponents spread less. Anything else is bytes.
    """
    order = ">" if big_endian else "<"
    plain = np.dtype(np.uint8)
    if not data or all(32 <= byte < 127 for byte in data[:4096]):
        return plain
    whole = np.dtype(f"{order}i4")
    if len(data) % 4 == 0:
        numbers = np.abs(np.frombuffer(data, whole).astype(np.int64))
        if numbers.any() and (numbers < 1 << 24).all():
            return whole
    spreads = {
        name: _spread(data, np.dtype(f"{order}{name}"), largest)
        for name, largest in (("f8", _PLAUSIBLE), ("f4", 1e30))
    }
    possible = [name for name, spread in spreads.items() if spread is not None]
    if not possible:
        return plain
    if spreads["f8"] is not None and not np.frombuffer(data, whole)[int(big_endian) :: 2].any():
        return np.dtype(f"{order}f8")
    return np.dtype(f"{order}{min(possible, key=lambda name: spreads[name] or 0.0)}")


def _spread(data: bytes, kind: np.dtype[Any], largest: float) -> float | None:
    """The standard deviation of the binary exponents of the values that are not zero.

    None: the length does not fit the type, or a value is not plausible.
    """
    if len(data) % kind.itemsize:
        return None
    values = np.frombuffer(data, kind)
    finite = values[np.isfinite(values)]
    sizes = np.abs(finite[finite != 0].astype(np.float64))
    few = 2 * finite.size < values.size  # some NaN must be seen as such, not make bytes of it all
    if few or not ((sizes < largest) & (sizes > 1 / largest)).all():
        return None
    return float(np.std(np.log2(sizes))) if sizes.size else 0.0
