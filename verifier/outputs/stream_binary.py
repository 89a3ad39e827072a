"""Binary files without any structure, as stream or direct access writes them: one array.

A file that is made of whole records between length markers is read as an unformatted sequential
one. What the bytes are is guessed, as for the records of such a file.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from acclimate.verifier.outputs import BadOutput, Field, fortran_sequential, raw

EXTENSIONS = (".bin", ".stream", ".grd", ".raw")


def read(path: Path) -> dict[str, Field]:
    data = path.read_bytes()
    if not data:
        raise BadOutput("the file is empty")
    records = fortran_sequential.find_records(data)
    if records is not None:
        return fortran_sequential.fields_of(data, records)
    kind = fortran_sequential.element_type(data)
    if kind == np.uint8:
        return raw.read(path)
    return {"values": Field(np.frombuffer(data, kind).copy(), (1,))}


def replace_values(path: Path, changed: Mapping[str, NDArray[Any]]) -> None:
    """Write new values over the file, or over its records; type and shape stay."""
    if "values" in changed:
        path.write_bytes(changed["values"].tobytes())
    else:
        fortran_sequential.replace_values(path, changed)
