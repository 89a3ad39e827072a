"""The operators: one function each, a few of a kind in one file, registered by `@operator`."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from importlib import import_module
from pkgutil import iter_modules

from acclimate.verifier.mutants.material import Material
from acclimate.verifier.mutants.mutant import Family, Mutant

Generate = Callable[[Material], Iterator[Mutant]]
_OPERATORS: dict[str, "Operator"] = {}


@dataclass(frozen=True, slots=True)
class Operator:
    """A way to change a port; `generate` yields every place where it applies, in order."""

    name: str
    family: Family
    generate: Generate


def operator(family: Family) -> Callable[[Generate], Generate]:
    """Register a function as the operator that carries its name."""

    def register(generate: Generate) -> Generate:
        name = generate.__name__
        if name in _OPERATORS:
            raise ValueError(f"two operators are called '{name}'")
        _OPERATORS[name] = Operator(name, family, generate)
        return generate

    return register


def all_operators() -> tuple[Operator, ...]:
    """Every operator of this folder, those of directives first."""
    for module in iter_modules(__path__):
        import_module(f"{__name__}.{module.name}")
    return tuple(sorted(_OPERATORS.values(), key=lambda o: (o.family, o.name)))
