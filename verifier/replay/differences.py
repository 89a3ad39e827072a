"""The variables of one replayed call held against those of the call that was written down."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from acclimate.verifier.capture.file_format import Block, Value
from acclimate.verifier.capture.targets import RANDOM
from acclimate.verifier.comparing.comparison import Outputs, compare
from acclimate.verifier.outputs import Field


@dataclass(frozen=True, slots=True)
class Differing:
    """A variable that a replayed call has left in another way, and in which."""

    name: str
    message: str


@dataclass(frozen=True)
class Held:
    """How many values of a call were compared, and every variable that differs.

    A NaN that the original has left with the same bits is neither compared nor a difference.
    """

    values: int
    variables: int
    differences: tuple[Differing, ...]


def held(reference: Block, candidate: Block, tolerance: float = 0.0) -> Held:
    """Compare all variables of an exit; `tolerance` is relative to the largest value of each."""
    values = variables = 0
    found: list[Differing] = []
    for name in sorted(reference.variables.keys() | candidate.variables.keys()):
        mine, theirs = reference.variables.get(name), candidate.variables.get(name)
        if mine is None or theirs is None:
            side = "original" if mine is None else "replay"
            found.append(Differing(name, f"'{name}' is missing from the {side}"))
            continue
        differences = [Differing(name, d) for d in _differences(name, mine, theirs, tolerance)]
        found += differences
        compared = mine.values is not None and mine.code != "t" and name != RANDOM
        if not differences and compared:
            assert mine.values is not None
            values += mine.values.size - _not_numbers(mine.values)
            variables += 1
    return Held(values, variables, tuple(found))


def _differences(name: str, mine: Value, theirs: Value, tolerance: float) -> Iterator[str]:
    a, b = mine.values, theirs.values
    if a is None or b is None:
        if (a is None) != (b is None):
            yield f"'{name}' is {'not there' if b is None else 'there'} behind the replayed call"
        return
    if a.shape == b.shape and a.dtype == b.dtype and a.tobytes("F") == b.tobytes("F"):
        return
    result = compare(Outputs({name: _field(a, mine)}), Outputs({name: _field(b, mine)}))
    if 0.0 < result.relative <= tolerance and not result.structural:
        return
    yield from (finding.message for finding in result.findings)


def _field(values: NDArray[Any], reference: Value) -> Field:
    """Strings and complex numbers as the bytes and reals they are made of."""
    if values.dtype.kind == "V":
        return Field(np.frombuffer(values.tobytes("F"), np.uint8))
    if values.dtype.kind == "c":
        return Field(np.frombuffer(values.tobytes("F"), values.real.dtype))
    same_rank = len(reference.lower) == values.ndim
    return Field(values, reference.lower if same_rank else ())


def _not_numbers(values: NDArray[Any]) -> int:
    return int(np.isnan(values).sum()) if values.dtype.kind in "fc" else 0
