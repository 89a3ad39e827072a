"""What is known of a procedure's variables at one point of the walk."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from acclimate.verifier.structure.fingerprints import Reference, Value, atom, opaque


@dataclass
class State:
    """Values of local scalars, read as they are then and by version, and those versions."""

    known: dict[str, Value] = field(default_factory=dict)
    versioned: dict[str, Value] = field(default_factory=dict)
    version: dict[str, int] = field(default_factory=dict)

    def written(self, name: str, version: int) -> None:
        """From here on, values computed from the old content are of something older."""
        self.version[name] = atom("version", self.version.get(name), version)
        for local, value in self.known.items():
            if any(overlap(name, read) for read in value.names) and local != name:
                number, exact = atom("old", value.number), atom("old", value.exact)
                stale = value.stale | {name}
                self.known[local] = replace(value, number=number, exact=exact, stale=stale)

    def copy(self) -> "State":
        return State(dict(self.known), dict(self.versioned), dict(self.version))


ANY = "*"  # the version of all that a call may write


def overlap(one: str, other: str) -> bool:
    """Whether one is the other or a part of it."""
    return one == other or one.startswith(f"{other}%") or other.startswith(f"{one}%")


PHI = "if"  # the function that chooses among what the branches of an IF leave


def joined(
    ends: Sequence[tuple[int, State]], plain: Sequence[Value], versioned: Sequence[Value]
) -> State:
    """What holds behind an IF: of each variable, one of the values its branches leave."""
    if len(ends) == 1:
        return ends[0][1]
    result = State()
    states = [state for _, state in ends]
    taken = [number for number, _ in ends]
    for name in set[str]().union(*(s.known for s in states)):
        known = [s.known.get(name) for s in states]
        result.known[name] = _choice(plain, taken, known, name)
        values = [s.versioned.get(name) for s in states]
        result.versioned[name] = _choice(versioned, taken, values, name)
    for name in set[str]().union(*(s.version for s in states)):
        found = [s.version.get(name, 0) for s in states]
        conditions = [condition.number for condition in versioned]
        same = len(set(found)) == 1
        result.version[name] = found[0] if same else atom(PHI, conditions, taken, found)
    return result


def _choice(
    conditions: Sequence[Value], taken: Sequence[int], values: Sequence[Value | None], name: str
) -> Value:
    own = atom("read", name, (), None)
    found = [Value(own, own, frozenset({Reference(name)})) if v is None else v for v in values]
    if len({v.number for v in found}) == 1 and len({v.exact for v in found}) == 1:
        return found[0]
    return opaque(f"{PHI} {taken}", (*conditions, *found))
