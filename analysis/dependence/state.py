"""What is known at one point of the walk, and how knowledge from two paths is merged."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Protocol, TypeVar

from acclimate.analysis.dependence.affine import Affine
from acclimate.analysis.dependence.conditions import Literal
from acclimate.analysis.dependence.regions import Definition


@dataclass(slots=True)
class State:
    """`values` of scalars and versions of arrays, `definitions` so far, path conditions.

    A key missing from `values` has what it had at the entry, unless a whole it is part of or a
    part of it is there.
    """

    values: dict[str, Affine] = field(default_factory=dict)
    definitions: dict[str, tuple[Definition, ...]] = field(default_factory=dict)
    conditions: tuple[Literal, ...] = ()
    alive: bool = True

    def copy(self) -> "State":
        return State(
            dict(self.values),
            dict(self.definitions),
            self.conditions,
            self.alive,
        )

    def definitions_of(self, key: str, rank: int) -> tuple[Definition, ...]:
        """Definitions of the place, and of whatever it is a component of."""
        found = self.definitions.get(key, ())
        whole, percent, _ = key.rpartition("%")
        while percent:
            found += tuple(
                d._replace(region=d.region + (None,) * (rank - len(d.region)))
                for d in self.definitions.get(whole, ())
                if len(d.region) <= rank
            )
            whole, percent, _ = whole.rpartition("%")
        return found

    def define(self, key: str, definition: Definition) -> None:
        """Note a definition, unless one of the same region holds under fewer conditions."""
        known = self.definitions.get(key, ())
        region, _, each = definition
        same = [d for d in known if d.region == region and d.each == each]
        if not same:
            self.definitions[key] = (*known, definition)
            return
        given = set(definition.conditions)
        if any(given.issuperset(d.conditions) for d in same):
            return
        weaker = [d for d in same if given.issubset(d.conditions)]
        self.definitions[key] = (*(d for d in known if d not in weaker), definition)
        for other in same:
            if len(rest := given.symmetric_difference(other.conditions)) == 2:
                one, two = rest
                if one == two.negated():  # written in either case
                    shared = tuple(c for c in definition.conditions if c not in rest)
                    self.define(key, definition._replace(conditions=shared))
                    return


def common_prefix(one: tuple[Literal, ...], other: tuple[Literal, ...]) -> tuple[Literal, ...]:
    length = 0
    for left, right in zip(one, other, strict=False):
        if left != right:
            break
        length += 1
    return one[:length]


def everywhere(
    paths: list[State], conditions: tuple[Literal, ...]
) -> dict[str, tuple[Definition, ...]]:
    """Definitions made on every one of the paths that meet, under the `conditions` they share."""
    found: dict[str, tuple[Definition, ...]] = {}
    given = [frozenset(path.conditions) for path in paths]
    for key, definitions in paths[0].definitions.items():
        made = [
            {
                d.region
                for d in path.definitions.get(key, ())
                if not d.each and known.issuperset(d.conditions)
            }
            for path, known in zip(paths, given, strict=True)
        ]
        common = frozenset.intersection(*map(frozenset, made))
        if common:
            regions = dict.fromkeys(d.region for d in definitions if d.region in common)
            found[key] = tuple(Definition(region, conditions) for region in regions)
    return found


_Known = TypeVar("_Known")


class Origin(Protocol):
    """Knows the values at the entry, and makes new ones."""

    def initial_value(self, key: str) -> Affine: ...

    def fresh(self) -> Affine: ...


def merged(origin: Origin, paths: list[State], conditions: tuple[Literal, ...]) -> State:
    """The state where live paths meet under the `conditions` they share."""
    if len(paths) == 1:
        only = paths[0].copy()
        only.conditions = conditions
        return only
    state = State(conditions=conditions)
    state.values = _same_or_new(origin, [p.values for p in paths], origin.initial_value)
    state.definitions = dict(paths[0].definitions)
    parted = [_since_parting(paths), *paths[1:]]
    for path in paths[1:]:
        for key, definitions in path.definitions.items():
            if state.definitions.get(key) is not definitions:
                known = dict.fromkeys(state.definitions.get(key, ()))
                state.definitions[key] = tuple({**known, **dict.fromkeys(definitions)})
    for key, definitions in everywhere(parted, conditions).items():
        for definition in definitions:
            state.define(key, definition)
    return state


def _since_parting(paths: list[State]) -> State:
    """The first path with those definitions only that are not the same on all paths anyway."""
    first, *others = paths
    parted = _differing(first.definitions, [other.definitions for other in others])
    own = {key: first.definitions[key] for key in parted}
    return State(definitions=own, conditions=first.conditions)


def _differing(first: dict[str, _Known], others: list[dict[str, _Known]]) -> list[str]:
    """Keys under which the others do not all hold the very object that the first does."""
    if len(others) == 1:
        get = others[0].get
        return [key for key, known in first.items() if get(key) is not known]
    return [
        key
        for key, known in first.items()
        if any([other.get(key) is not known for other in others])
    ]


def _same_or_new(
    origin: Origin, known: list[dict[str, Affine]], initial: Callable[[str], Affine]
) -> dict[str, Affine]:
    first, *others = known
    result = dict(first)  # most of it is the same on all paths
    new = dict.fromkeys(key for values in others for key in values if key not in first)
    for key in (*_differing(first, others), *new):
        found = [values.get(key) for values in known]
        if None not in found and found.count(found[0]) == len(found):
            continue
        forms = {initial(key) if form is None else form for form in found}
        result[key] = forms.pop() if len(forms) == 1 else origin.fresh()
    return result
