"""Which mutants are tried: all of the port's, or some of each operator, chosen by a seed."""

from collections.abc import Collection, Mapping
from random import Random

from acclimate.analysis.problems import Problem
from acclimate.verifier.mutants.material import Material
from acclimate.verifier.mutants.mutant import Mutant
from acclimate.verifier.mutants.operators import Operator, all_operators


def chosen_operators(names: Collection[str]) -> tuple[Operator, ...]:
    """The operators of these names, all without any.

    Raises:
        Problem: there is no operator of a name.
    """
    known = all_operators()
    unknown = sorted(set(names) - {each.name for each in known})
    if unknown:
        raise Problem(
            f"there is no operator called '{unknown[0]}'",
            hint=f"choose of: {', '.join(each.name for each in known)}",
        )
    return tuple(each for each in known if not names or each.name in names)


def every_mutant(
    material: Material, operators: tuple[Operator, ...]
) -> Mapping[str, tuple[Mutant, ...]]:
    """All mutants by operator, each once, without those that leave the port as it is."""
    found: dict[str, tuple[Mutant, ...]] = {}
    for each in operators:
        unique = {m.id: m for m in each.generate(material) if m.before != m.after}
        found[each.name] = tuple(unique.values())
    return found


def sample(found: Mapping[str, tuple[Mutant, ...]], count: int, seed: int) -> tuple[Mutant, ...]:
    """At most `count` mutants, in turn from each operator, in an order drawn from the seed.

    A larger count adds to what a smaller one takes.
    """
    waiting = []
    for name, mutants in sorted(found.items()):
        order = list(mutants)
        Random(f"{seed} {name}").shuffle(order)
        waiting.append(order)
    taken: list[Mutant] = []
    while len(taken) < count and any(waiting):
        for order in waiting:
            if order and len(taken) < count:
                taken.append(order.pop(0))
    return tuple(taken)
