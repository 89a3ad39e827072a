"""HDF5, through h5py: every dataset by its path, with its dimensions reversed into Fortran's order.

A first dimension without a limit counts output times, and comes last.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from acclimate.verifier.outputs import BadOutput, Field

EXTENSIONS = (".h5", ".hdf5", ".he5", ".hdf")


def read(path: Path) -> dict[str, Field]:
    fields: dict[str, Field] = {}
    with _opened(path, "r") as file:
        for name, dataset in _datasets(file).items():
            fields[name] = _field(name, dataset)
    if not fields:
        raise BadOutput("the file holds no dataset")
    return fields


def replace_values(path: Path, changed: Mapping[str, NDArray[Any]]) -> None:
    """Write new values over the datasets named in `changed`; type and shape stay."""
    with _opened(path, "r+") as file:
        for name, values in changed.items():
            file[name][...] = values.T


def _opened(path: Path, mode: str) -> Any:
    try:
        import h5py
    except ImportError:
        raise BadOutput("the package h5py is missing: install acclimate[hdf5]") from None
    try:
        return h5py.File(path, mode)
    except OSError as error:
        raise BadOutput(f"truncated, or no HDF5 file: {error}") from error


def _datasets(file: Any) -> dict[str, Any]:
    found: dict[str, Any] = {}

    def keep(name: str, item: Any) -> None:
        if hasattr(item, "dtype") and item.shape is not None:
            found[name] = item

    file.visititems(keep)
    return found


def _field(name: str, dataset: Any) -> Field:
    try:
        values = np.asarray(dataset[()])
    except OSError as error:
        raise BadOutput(f"'{name}' cannot be read: {error}") from error
    if values.dtype.kind in "SO":
        values = values.astype(np.str_)
    if values.dtype.kind not in "fiubU":
        raise BadOutput(f"'{name}' is of type {values.dtype}, which cannot be compared")
    unlimited = bool(dataset.maxshape) and dataset.maxshape[0] is None
    records = tuple(range(1, values.shape[0] + 1)) if unlimited else None
    return Field(np.asarray(values.astype(values.dtype.newbyteorder("="))).T, records=records)
