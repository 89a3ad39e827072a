"""NetCDF of any version, through netCDF4: variables as stored, neither scaled nor masked.

The dimensions are reversed, into Fortran's order; an unlimited dimension comes last then, and
counts output times. Variables of groups are called `group/name`.
"""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from acclimate.verifier.outputs import BadOutput, Field

EXTENSIONS = (".nc", ".nc4", ".cdf", ".netcdf")


def read(path: Path) -> dict[str, Field]:
    with _opened(path, "r") as dataset:
        fields = {name: _field(name, variable) for name, variable in _variables(dataset, "")}
    if not fields:
        raise BadOutput("the file holds no variable")
    return fields


def replace_values(path: Path, changed: Mapping[str, NDArray[Any]]) -> None:
    """Write new values over the variables named in `changed`; type and shape stay."""
    with _opened(path, "r+") as dataset:
        variables = dict(_variables(dataset, ""))
        for name, values in changed.items():
            variables[name][...] = values.T


def _opened(path: Path, mode: Literal["r", "r+"]) -> Any:
    try:
        import netCDF4
    except ImportError:
        raise BadOutput("the package netCDF4 is missing: install acclimate[netcdf]") from None
    try:
        dataset = netCDF4.Dataset(path, mode)
    except OSError as error:
        raise BadOutput(f"truncated, or no NetCDF file: {error.strerror}") from error
    dataset.set_auto_maskandscale(False)
    return dataset


def _variables(group: Any, prefix: str) -> Iterator[tuple[str, Any]]:
    for name, variable in group.variables.items():
        yield prefix + name, variable
    for name, inner in group.groups.items():
        yield from _variables(inner, f"{prefix}{name}/")


def _field(name: str, variable: Any) -> Field:
    try:
        values = np.asarray(variable[...])
    except (RuntimeError, OSError) as error:
        raise BadOutput(f"'{name}' cannot be read: {error}") from error
    if values.dtype.kind in "SO":
        values = values.astype(np.str_)
    if values.dtype.kind not in "fiubU":
        raise BadOutput(f"'{name}' is of type {values.dtype}, which cannot be compared")
    unlimited = bool(variable.dimensions) and _is_unlimited(variable, variable.dimensions[0])
    records = tuple(range(1, values.shape[0] + 1)) if unlimited else None
    return Field(np.asarray(values.astype(values.dtype.newbyteorder("="))).T, records=records)


def _is_unlimited(variable: Any, dimension: str) -> bool:
    group = variable.group()
    while group is not None:
        if dimension in group.dimensions:
            return bool(group.dimensions[dimension].isunlimited())
        group = group.parent
    return False
