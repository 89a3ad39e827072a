"""Actual arguments that share storage although the callee changes one of them.

Fortran forbids it (Fortran 2018, 15.5.2.13), compilers and this analysis rely on it inside the
callee, and legacy code does it all the same.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

from acclimate.analysis.dependence.aliasing import Designator, root
from acclimate.analysis.dependence.arrays import DependenceTest, LoopRange
from acclimate.analysis.dependence.context import Context
from acclimate.analysis.dependence.records import Overlap
from acclimate.analysis.dependence.regions import Subscript
from acclimate.analysis.dependence.summary import Summary
from acclimate.analysis.ir import Section
from acclimate.analysis.source import Lines


@dataclass(frozen=True, slots=True)
class Passed:
    dummy: str
    designator: Designator
    subscripts: tuple[Subscript, ...]
    is_array: bool  # the dummy is one: it reaches beyond an element passed


def overlaps(
    summary: Summary, passed: Sequence[Passed], context: Context, at: Lines
) -> list[Overlap]:
    name, used = summary.unit.qualified_name, summary.own_names
    passed = [one for one in passed if one.dummy in used]
    storage = context.storage
    areas: dict[str, list[int]] = {}
    for number, one in enumerate(passed):
        areas.setdefault(root(one.designator.key), []).append(number)
    pairs = sorted(pair for numbers in areas.values() for pair in combinations(numbers, 2))
    test = DependenceTest(context.values, LoopRange(None, None, None), context.effort)
    found = [
        Overlap(name, (passed[one].dummy, passed[other].dummy), at)
        for one, other in pairs
        if (used[passed[one].dummy] or used[passed[other].dummy])
        and storage.overlapping(passed[one].designator.key, passed[other].designator.key)
        and not _apart(passed[one], passed[other], test)
    ]
    found += [
        Overlap(name, (one.dummy, access.symbol.name), at)
        for access in summary.shared
        for one in map(passed.__getitem__, areas.get(root(access.key), ()))
        if (access.write or used[one.dummy]) and storage.overlapping(one.designator.key, access.key)
    ]
    return list(dict.fromkeys(found))


def _apart(one: Passed, other: Passed, test: DependenceTest) -> bool:
    """Is one subscript different in both, where neither reaches beyond what is passed?"""
    if one.designator.key != other.designator.key:
        return False
    for passed in (one, other):
        sections = any(isinstance(s, Section) for s in passed.designator.subscripts)
        if passed.is_array and passed.subscripts and not sections:
            return False
    return any(
        not isinstance(a, str) and not isinstance(b, str) and test.never_equal(a, b)
        for a, b in zip(one.subscripts, other.subscripts, strict=True)
    )
