"""The measurements: one a file, registered by `@check`, run in the order of their cost."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from importlib import import_module
from pkgutil import iter_modules

from acclimate.verifier.evidence import Evidence
from acclimate.verifier.subject import Subject

Measure = Callable[[Subject], Iterator[Evidence]]
_CHECKS: dict[str, "Check"] = {}


@dataclass(frozen=True, slots=True)
class Check:
    """A measurement; `cost` orders the ladder (static: below 10, builds: 10s, runs: above)."""

    name: str
    cost: int
    needs_original: bool
    measure: Measure


def check(*, cost: int, needs_original: bool = False) -> Callable[[Measure], Measure]:
    """Register a function as the check that carries its name."""

    def register(measure: Measure) -> Measure:
        name = measure.__name__
        if name in _CHECKS:
            raise ValueError(f"two checks are called '{name}'")
        _CHECKS[name] = Check(name, cost, needs_original, measure)
        return measure

    return register


def all_checks() -> tuple[Check, ...]:
    """Every check of this folder, the cheapest first."""
    for module in iter_modules(__path__):
        import_module(f"{__name__}.{module.name}")
    return tuple(sorted(_CHECKS.values(), key=lambda c: (c.cost, c.name)))


def check_names() -> tuple[str, ...]:
    """The names of all checks, sorted, without reading any: a file is called as its check."""
    return tuple(sorted(module.name for module in iter_modules(__path__)))
