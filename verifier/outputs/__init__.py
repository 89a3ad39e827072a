"""What a run left behind, as arrays: one reader a file, chosen by the file's extension.

A reader module defines `EXTENSIONS` and `read(path) -> dict[str, Field]`; bytes are the fallback.
One that can also write defines `replace_values(path, changed)`: a saved state may be perturbed.
"""

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules
from types import ModuleType
from typing import Any

import numpy as np
from numpy.typing import NDArray

_FALLBACK = "*"
_UNNAMED = re.compile(r"fort\.\d+")


@dataclass(frozen=True, slots=True, eq=False)
class Field:
    """One named output.

    `values` has any rank, in Fortran element order; `lower` are its lower bounds. `places`
    names the elements of a flat output ("line 3, number 2") where an index would say little.
    `records` numbers the output times, where the last axis counts them. `last_digit` is what
    one in the last printed digit is worth, element by element, where numbers were read as text.
    """

    values: NDArray[Any]
    lower: tuple[int, ...] = ()
    places: tuple[str, ...] | None = None
    records: tuple[int, ...] | None = None
    last_digit: NDArray[np.float64] | None = None

    def place(self, index: tuple[int, ...]) -> str:
        """How a person names the element at a zero-based `index`."""
        if self.places is not None:
            return self.places[index[0]]
        lower = self.lower or (1,) * len(index)
        at = ",".join(str(i + low) for i, low in zip(index, lower, strict=True))
        return f"({at})" if at else "the value"


class BadOutput(Exception):
    """An output file that cannot be read as what its extension says, with the reason."""


Reader = Callable[[Path], dict[str, Field]]


@cache
def _modules() -> dict[str, ModuleType]:
    found: dict[str, ModuleType] = {}
    for module in iter_modules(__path__):
        reader = import_module(f"{__name__}.{module.name}")
        for extension in reader.EXTENSIONS:
            assert extension not in found, f"two readers for {extension}"
            found[extension] = reader
    return found


def _module(name: str) -> ModuleType:
    """The reader of a file; `fort.11` is what a unit without a name is written to."""
    if _UNNAMED.fullmatch(Path(name).name):
        return _modules()[".bin"]
    return _modules().get(Path(name).suffix.lower(), _modules()[_FALLBACK])


def replace_values(path: Path, changed: Mapping[str, NDArray[Any]]) -> None:
    """Write new values over variables of a file, which keep their type and shape.

    Raises:
        BadOutput: files of this kind cannot be written, or the file is damaged.
    """
    module = _module(path.name)
    if not hasattr(module, "replace_values"):
        raise BadOutput(f"values of '{path.suffix}' files cannot be replaced")
    write: Callable[[Path, Mapping[str, NDArray[Any]]], None] = module.replace_values
    write(path, changed)


def read_outputs(folder: Path, names: Iterable[str]) -> tuple[dict[str, Field], tuple[str, ...]]:
    """Read the files `names` of a run in `folder`: fields as `file:name`, and what was unreadable.

    A broken file costs its own fields only, and its reason says so.
    """
    fields: dict[str, Field] = {}
    broken: list[str] = []
    for name in names:
        try:
            fields |= _read(folder, name)
        except (BadOutput, OSError) as error:
            broken.append(f"{name}: {error}")
    return fields, tuple(broken)


def read_written(folder: Path, names: Iterable[str]) -> dict[str, Field]:
    """Read files that nobody described: where their extension misleads, they are their bytes."""
    fields: dict[str, Field] = {}
    for name in names:
        try:
            fields |= _read(folder, name)
        except BadOutput:
            data = np.frombuffer((folder / name).read_bytes(), np.uint8)
            fields[f"{name}:bytes"] = Field(data, (0,))
    return fields


def _read(folder: Path, name: str) -> dict[str, Field]:
    reader: Reader = _module(name).read
    return {f"{name}:{variable}": field for variable, field in reader(folder / name).items()}
