"""Hold one run's outputs against another's: bits first, then norms, and nothing passes unseen.

A NaN on either side, a variable on one side only, a change of type or shape, a file that could
not be read, and zero values compared are each a difference of its own kind.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

import numpy as np
from numpy.typing import NDArray

from acclimate.verifier.outputs import Field

Array = NDArray[Any]


class Difference(StrEnum):
    VALUES = "values"
    NAN = "nan"
    MISSING = "missing"
    EXTRA = "extra"
    SHAPE = "shape"
    TYPE = "type"
    UNREADABLE = "unreadable"
    NOTHING = "nothing compared"


@dataclass(frozen=True, slots=True)
class Norms:
    """`worst` is max |a-b|, `relative` max |a-b| / max|a|, `rms` the root mean square of a-b."""

    worst: float
    relative: float
    rms: float


@dataclass(frozen=True, slots=True)
class Finding:
    """One way in which two sets of outputs differ."""

    kind: Difference
    variable: str
    message: str
    norms: Norms | None = None


@dataclass(frozen=True, slots=True)
class Outputs:
    """The fields of one run, and the files that could not be read, with reasons."""

    fields: Mapping[str, Field]
    unreadable: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Comparison:
    """`compared` counts values; `identical` means the same bits everywhere."""

    compared: int
    variables: int
    findings: tuple[Finding, ...]

    @property
    def identical(self) -> bool:
        return not self.findings

    @property
    def structural(self) -> tuple[Finding, ...]:
        """The findings that no tolerance can excuse: all but numbers that differ."""
        return tuple(f for f in self.findings if f.norms is None)

    @property
    def relative(self) -> float:
        """The largest relative difference of any variable whose values differ."""
        return max((f.norms.relative for f in self.findings if f.norms), default=0.0)


def compare(
    reference: Outputs, candidate: Outputs, ignore: Mapping[str, Array] | None = None
) -> Comparison:
    """Compare all variables; `ignore` masks elements (True) known not to be reproducible."""
    ignore = ignore or {}
    findings = [
        Finding(Difference.UNREADABLE, text.split(":", 1)[0], f"{who}: {text}")
        for who, outputs in (("reference", reference), ("candidate", candidate))
        for text in outputs.unreadable
    ]
    broken = {finding.variable for finding in findings}
    mine, theirs = reference.fields, candidate.fields
    for name in sorted(mine.keys() ^ theirs.keys()):
        if name.split(":", 1)[0] not in broken:
            findings.append(_one_sided(name, in_reference=name in mine))
    both = sorted(mine.keys() & theirs.keys())
    compared = 0
    for name in both:
        mask = ignore.get(name)
        changed = _changed_form(name, mine[name], theirs[name])
        if changed:
            findings.append(changed)
            continue
        compared += mine[name].values.size - (0 if mask is None else int(mask.sum()))
        findings += _compare_values(name, mine[name], theirs[name], mask)
    if compared == 0 and not findings:
        findings.append(Finding(Difference.NOTHING, "", "not one value was compared"))
    return Comparison(compared, len(both), tuple(findings))


def unstable(reference: Outputs, candidate: Outputs) -> dict[str, Array]:
    """The elements that differ between two runs of one program, as masks."""
    masks = {}
    for name in reference.fields.keys() & candidate.fields.keys():
        a, b = reference.fields[name].values, candidate.fields[name].values
        if a.shape == b.shape and a.dtype.kind == b.dtype.kind:
            differs = _differs(a, b)
            if differs.any():
                masks[name] = differs
    return masks


def _one_sided(name: str, *, in_reference: bool) -> Finding:
    if in_reference:
        return Finding(Difference.MISSING, name, f"'{name}' is missing from the candidate")
    return Finding(Difference.EXTRA, name, f"'{name}' is only in the candidate")


def _changed_form(name: str, mine: Field, theirs: Field) -> Finding | None:
    a, b = mine.values, theirs.values
    if a.dtype.kind != b.dtype.kind or (a.dtype != b.dtype and a.dtype.kind != "U"):
        return Finding(Difference.TYPE, name, f"'{name}' changed from {a.dtype} to {b.dtype}")
    if a.shape != b.shape or mine.lower != theirs.lower:
        return Finding(Difference.SHAPE, name, _shapes(name, mine, theirs))
    return None


def _compare_values(name: str, mine: Field, theirs: Field, mask: Array | None) -> list[Finding]:
    a, b = mine.values, theirs.values
    if mask is not None:
        a = np.where(mask, b, a)
    nan = _nan(name, mine, a, b, mask)
    if nan:
        return [nan]
    differs = _differs(a, b)
    return [_values(name, mine, a, b, differs)] if differs.any() else []


def _shapes(name: str, mine: Field, theirs: Field) -> str:
    def show(field: Field) -> str:
        lower = field.lower or (1,) * field.values.ndim
        pairs = zip(lower, field.values.shape, strict=True)
        return "(" + ",".join(f"{low}:{low + length - 1}" for low, length in pairs) + ")"

    return f"'{name}' changed its shape from {show(mine)} to {show(theirs)}"


def _nan(name: str, field: Field, a: Array, b: Array, mask: Array | None) -> Finding | None:
    if a.dtype.kind != "f":
        return None
    here, there = np.isnan(a), np.isnan(b)
    either = here | there if mask is None else (here | there) & ~mask
    if not either.any():
        return None
    index = _first(either)
    one_side = "the reference" if here[index] else "the candidate"
    sides = "both runs" if here[index] and there[index] else one_side
    count = int(either.sum())
    return Finding(
        Difference.NAN,
        name,
        f"'{name}' holds {count} NaN, first in {sides} at {field.place(index)}",
    )


def _differs(a: Array, b: Array) -> Array:
    """Where the bits differ; text by characters."""
    if a.dtype.kind == "U":
        return np.asarray(a != b)
    width = a.dtype.itemsize
    left = np.ascontiguousarray(a).view(np.uint8).reshape(*a.shape, width)
    right = np.ascontiguousarray(b).view(np.uint8).reshape(*b.shape, width)
    return np.asarray((left != right).any(axis=-1))


def _first(mask: Array) -> tuple[int, ...]:
    """The first True in Fortran element order."""
    flat = int(np.flatnonzero(mask.ravel(order="F"))[0])
    return tuple(int(i) for i in np.unravel_index(flat, mask.shape, order="F"))


def _values(name: str, field: Field, a: Array, b: Array, differs: Array) -> Finding:
    index = _first(differs)
    head = f"'{name}' differs in {int(differs.sum())} of {a.size} values"
    where = f"first at {field.place(index)}: {a[index]} became {b[index]}"
    if a.dtype.kind not in "fi":  # text, and bytes of unknown meaning: no size of a difference
        return Finding(Difference.VALUES, name, f"{head}, {where}")
    norms = _norms(a, b)
    size = f"max abs {norms.worst:.3g}, max rel {norms.relative:.3g}, rms {norms.rms:.3g}"
    return Finding(Difference.VALUES, name, f"{head}, {size}, {where}", norms)


def _norms(a: Array, b: Array) -> Norms:
    left, right = a.astype(np.longdouble), b.astype(np.longdouble)
    with np.errstate(invalid="ignore", over="ignore"):
        gap = np.abs(left - right)
        gap = np.where(left == right, np.longdouble(0), gap)  # equal infinities
        scale = np.max(np.abs(left))
        worst = float(np.max(gap))
        rms = float(np.sqrt(np.mean(gap * gap)))
    return Norms(worst, worst / float(scale) if scale > 0 else float("inf") if worst else 0.0, rms)
