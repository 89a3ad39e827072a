"""Arrays as numpy stores them: one in a `.npy`, several by name in a `.npz`."""

import zipfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from acclimate.verifier.outputs import BadOutput, Field

EXTENSIONS = (".npy", ".npz")


def read(path: Path) -> dict[str, Field]:
    try:
        loaded = np.load(path, allow_pickle=False)
        arrays = {"values": loaded} if path.suffix == ".npy" else {n: loaded[n] for n in loaded}
    except (ValueError, EOFError, zipfile.BadZipFile) as error:
        raise BadOutput(f"truncated, or no numpy file: {error}") from error
    if not arrays:
        raise BadOutput("the file is empty")
    return {name: _field(name, values) for name, values in arrays.items()}


def replace_values(path: Path, changed: Mapping[str, NDArray[Any]]) -> None:
    """Write new values over the arrays named in `changed`; the others stay as they are."""
    if path.suffix == ".npy":
        np.save(path, changed["values"])
        return
    with np.load(path, allow_pickle=False) as loaded:
        arrays = {name: loaded[name] for name in loaded}
    np.savez(path, **{**arrays, **changed})


def _field(name: str, values: NDArray[Any]) -> Field:
    if values.dtype.kind not in "fiubU":
        raise BadOutput(f"'{name}' is of type {values.dtype}, which cannot be compared")
    return Field(values.astype(values.dtype.newbyteorder("=")))
