"""Self-describing field dumps (`.fld`), written by stream access without any library.

Per field: character(8) 'FIELD001', character(32) name, character(8) type, then int32 kind in
bytes, rank, lower(rank), extent(rank), and the data in array element order; native byte order.
Fields follow one another until the end of the file.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from acclimate.verifier.outputs import BadOutput, Field

EXTENSIONS = (".fld",)
_MAGIC = b"FIELD001"
_LETTER = {"real": "f", "integer": "i", "logical": "i"}
_MOST_DIMENSIONS = 15  # Fortran 2008


def read(path: Path) -> dict[str, Field]:
    data = path.read_bytes()
    fields: dict[str, Field] = {}
    at = 0
    while at < len(data):
        name, field, at = _field(data, at)
        if name in fields:
            raise BadOutput(f"the field '{name}' is there twice")
        fields[name] = field
    if not fields:
        raise BadOutput("the file is empty")
    return fields


def replace_values(path: Path, changed: Mapping[str, NDArray[Any]]) -> None:
    """Write new values over the fields named in `changed`; type and shape stay."""
    data, at = bytearray(path.read_bytes()), 0
    whole = bytes(data)
    while at < len(whole):
        name, field, end = _field(whole, at)
        if name in changed:
            values = changed[name].astype(field.values.dtype)
            data[end - field.values.nbytes : end] = values.tobytes(order="F")
        at = end
    path.write_bytes(bytes(data))


def _field(data: bytes, at: int) -> tuple[str, Field, int]:
    head = _take(data, at, 56, "a header")
    if head[:8] != _MAGIC:
        raise BadOutput(f"no field begins at byte {at}")
    name = head[8:40].decode("latin-1").strip()
    letter = _LETTER.get(head[40:48].decode("latin-1").strip().lower())
    size, rank = np.frombuffer(head, np.int32, 2, 48).tolist()
    if letter is None or size not in (1, 2, 4, 8, 16) or not 0 <= rank <= _MOST_DIMENSIONS:
        raise BadOutput(f"the header of '{name}' is damaged")
    bounds = np.frombuffer(_take(data, at + 56, 8 * rank, f"the bounds of '{name}'"), np.int32)
    extent = tuple(bounds[rank:].tolist())
    if any(length < 0 for length in extent):
        raise BadOutput(f"the header of '{name}' is damaged")
    begin = at + 56 + 8 * rank
    count = int(np.prod(extent, dtype=np.int64))
    content = _take(data, begin, size * count, f"the values of '{name}'")
    values = np.frombuffer(content, np.dtype(f"{letter}{size}")).reshape(extent, order="F")
    return name, Field(values, tuple(bounds[:rank].tolist())), begin + size * count


def _take(data: bytes, at: int, length: int, what: str) -> bytes:
    piece = data[at : at + length]
    if len(piece) < length:
        raise BadOutput(
            f"truncated: {what} should be {length} bytes from byte {at}, {len(piece)} are there"
        )
    return piece
