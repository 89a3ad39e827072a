"""Contracts of a kernel as formulas whose models are violations."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from acclimate.verifier.contracts.kernels import Kernel
from acclimate.verifier.contracts.places import Access
from acclimate.verifier.contracts.terms import conjunction, disjunction, of_iteration


@dataclass(frozen=True, slots=True)
class Claim:
    """One way to break a contract: satisfiable if it may happen."""

    text: str
    one: Access
    other: Access | None = None
    dimension: int | None = None


@dataclass(frozen=True, slots=True)
class Question:
    """All ways in which a contract of one array may be broken; none of them must be possible."""

    contract: str
    array: str
    claims: tuple[Claim, ...]
    given: tuple[str, ...]  # what holds in any case
    ranges: tuple[str, ...]  # of the kernel's own loops and those around


def apart(kernel: Kernel) -> Iterator[Question]:
    """Two iterations never touch one element, unless both only read it."""
    by_array: dict[str, list[Access]] = defaultdict(list)
    for access in kernel.iteration.record.accesses:
        if not access.array.is_private and access.array.key not in kernel.atomic:
            by_array[access.array.key].append(access)
    given = (*_two_iterations(kernel), *_axioms(kernel))
    ranges = kernel.iteration.ranges
    for accesses in by_array.values():
        writes = _distinct(a for a in accesses if a.write)
        reads = _distinct(a for a in accesses if not a.write)
        name = accesses[0].array.name
        pairs = [(a, b) for n, a in enumerate(writes) for b in writes[n:]]
        if pairs:
            claims = tuple(_meeting(a, b) for a, b in pairs)
            yield Question("writes are disjoint", name, claims, given, ranges)
        crossing = tuple(_meeting(a, b) for a in writes for b in reads)
        if crossing:
            yield Question(
                "reads meet no write of another iteration", name, crossing, given, ranges
            )


def within(kernel: Kernel) -> Iterator[Question]:
    """Subscripts keep the bounds that the array has."""
    by_array: dict[str, list[Claim]] = defaultdict(list)
    names: dict[str, str] = {}
    for access in _distinct(kernel.iteration.record.accesses):
        array = access.array
        if access.subscripts is None:
            continue
        dims = len(array.symbol.dims)
        own = access.subscripts[len(access.subscripts) - dims :] if dims else ()
        conditions = [of_iteration(c, "x") for c in access.conditions]
        for dimension, subscript in enumerate(own):
            low, high = kernel.naming.bounds(array, dimension)
            text = of_iteration(subscript.text, "x")
            outside = f"(or (< {text} {low.text}) (> {text} {high.text}))"
            claim = conjunction([*conditions, outside])
            by_array[array.key].append(Claim(claim, access, dimension=dimension))
            names[array.key] = array.name
    axioms = _axioms(kernel)
    for key, claims in by_array.items():
        yield Question(
            "indices are in bounds", names[key], tuple(claims), axioms, kernel.iteration.ranges
        )


def _distinct(accesses: Iterable[Access]) -> list[Access]:
    """One of each that say the same."""
    found: dict[object, Access] = {}
    for access in accesses:
        key = (access.array.key, access.subscripts, access.write, frozenset(access.conditions))
        found.setdefault(key, access)
    return list(found.values())


def _two_iterations(kernel: Kernel) -> tuple[str, ...]:
    different = [
        f"(not (= {of_iteration(i.text, 'x')} {of_iteration(i.text, 'y')}))"
        for i in kernel.iteration.indices
    ]
    ranges = [of_iteration(r, copy) for r in kernel.iteration.ranges for copy in "xy"]
    return (disjunction(different), *ranges)


def _meeting(one: Access, other: Access) -> Claim:
    """The first in iteration x and the second in y touch the same element."""
    parts = [of_iteration(c, "x") for c in one.conditions]
    parts += [of_iteration(c, "y") for c in other.conditions]
    if one.subscripts is not None and other.subscripts is not None:
        parts += [
            f"(= {of_iteration(a.text, 'x')} {of_iteration(b.text, 'y')})"
            for a, b in zip(one.subscripts, other.subscripts, strict=False)
        ]
    return Claim(conjunction(parts), one, other)


def _axioms(kernel: Kernel) -> tuple[str, ...]:
    return tuple(dict.fromkeys(kernel.naming.axioms.values()))


def applications(kernel: Kernel, function: str, copies: Sequence[str]) -> list[tuple[str, str]]:
    """Argument and value of every use of an index table, in each iteration."""
    found = []
    for texts in kernel.symbols.applications.get(function, ()):
        name = kernel.symbols.function_name(function, len(texts))
        if len(texts) == 1 and name is not None:
            for copy in copies:
                argument = of_iteration(texts[0], copy)
                found.append((argument, f"({name} {argument})"))
    return list(dict.fromkeys(found))
