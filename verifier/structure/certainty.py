"""When a difference is a defect for certain, without any run.

A restructured port is never called wrong: what its author may have made up for elsewhere, by
another statement, another name, a table or a call, is left to the runs. Certain is a difference
in one statement alone, between expressions of the same variables and functions, where no other
statement of the port that differs from the original could make up for it.
"""

from dataclasses import dataclass

from acclimate.verifier.structure.effects import Behaviour, Effect, Kind
from acclimate.verifier.structure.fingerprints import PRIME, Function, Value
from acclimate.verifier.structure.pairing import Pairing
from acclimate.verifier.structure.states import PHI

# Functions that give different results for different arguments, where they vary at all.
_TELLING = frozenset(
    [
        "sqrt",
        "exp",
        "log",
        "log10",
        "tanh",
        "atan",
        "asin",
        "max",
        "min",
        "**",
        "<",
        "<=",
        "==",
        ".and.",
        ".or.",
    ]
)


@dataclass(frozen=True, slots=True)
class Doubt:
    """Two versions of one procedure, and what of their differences is beyond doubt.

    `redeclared` are local variables whose shape or kind is another in the port.
    """

    original: Behaviour
    port: Behaviour
    pairing: Pairing
    redeclared: frozenset[str]

    @property
    def is_plain(self) -> bool:
        """Whether every statement that differs is an assignment that was understood."""
        effects = (*self.pairing.open_port, *self.pairing.open_original)
        kinds = {effect.kind for effect in effects} - {Kind.ASSIGNMENT}
        return self.original.is_plain and self.port.is_plain and not kinds

    def is_value_wrong(self, was: Effect, now: Effect) -> bool:
        """Same variable, element, loops and guards, and another value for certain.

        What an iteration finds of a variable that the loops change has no name that is the same
        in another order of the loops.
        """
        if not self.is_plain or not self._is_isolated(was, now):
            return False
        if [loop.counter for loop in was.loops] != [loop.counter for loop in now.loops]:
            return False
        old, new = was.value, now.value
        if new.names & self.redeclared or not new.names <= old.names | {was.target}:
            return False
        if was.versioned.number == now.versioned.number or _lists(old) or _lists(new):
            return False
        if old.stale != new.stale:
            return self.is_other_age(was, now)
        return differs(old, new)

    def is_other_age(self, was: Effect, now: Effect) -> bool:
        """The value of a variable before it was changed, against the one after: `a = b; b = a`."""
        if not was.value.stale or now.value.stale:
            return False
        return all(self._is_changed_before(name, was, now) for name in was.value.stale)

    def _is_changed_before(self, name: str, was: Effect, now: Effect) -> bool:
        """Whether the port, too, has changed the variable by then, in the same iteration."""
        pairs = {a.order: b for a, b, _ in self.pairing.equal}
        writers = [e for e in self.original.effects if e.target == name and e.order < was.order]
        if not writers or writers[-1].order not in pairs:
            return False
        writer = pairs[writers[-1].order]
        nodes = [loop.node for loop in writer.loops]
        return writer.order < now.order and nodes == [loop.node for loop in now.loops]

    def _is_isolated(self, was: Effect, now: Effect) -> bool:
        others = [e for e in self.pairing.open_port if e.order != now.order]
        replaced = any(e.target == now.target and _may_meet(e, now) for e in others)
        others += [e for e in self.pairing.open_original if e.order != was.order]
        if replaced or any(e.target == was.target and _may_meet(e, was) for e in others):
            return False
        if was.is_local and any(now.target in e.value.names for e in others):
            return False
        return not any(e.target in now.value.names for e in others)

    def is_place_wrong(self, was: Effect, now: Effect) -> bool:
        """Another element of the same array, a constant distance away."""
        if not self.is_plain or not self._is_isolated(was, now):
            return False
        if now.target in self.redeclared or was.subscripts is None or now.subscripts is None:
            return False
        if len(was.subscripts) != len(now.subscripts):
            return False
        pairs = zip(was.subscripts, now.subscripts, strict=True)
        return any(a.distance(b) not in (None, 0) for a, b in pairs)

    def is_guard_wrong(self, was: Effect, now: Effect) -> bool:
        """A guard is gone, and nothing later in the port sets what it kept from being set."""
        if not self.is_plain or not self._is_isolated(was, now):
            return False
        lost = [g for g in was.guards if g.key not in now.conditions]
        if not lost or now.conditions - was.conditions:
            return False
        return not any(
            _may_be_same_place(now, e) and e.order != now.order
            for e in self.port.effects
            if e.target == now.target
        )

    def is_drop_wrong(self, gone: Effect) -> bool:
        """An update is gone that nothing in the port replaces and nothing has overwritten.

        A variable that the port has stopped reading may have been done away with.
        """
        name = gone.target
        if not self.is_plain or gone.is_local or name in self.redeclared:
            return False
        if any(e.target == name and _may_meet(e, gone) for e in self.pairing.open_port):
            return False
        was_read, is_read = _reads(self.original, name), _reads(self.port, name)
        if not is_read and (was_read or name in self.original.own):
            return False
        return not self._is_overwritten(gone)

    def _is_overwritten(self, gone: Effect) -> bool:
        """Whether a later statement of the original may set the element before it is read."""
        for effect in self.original.effects:
            if effect.order <= gone.order or effect.excludes(gone):
                continue
            if any(reference.name == gone.target for reference in effect.reads):
                return False
            if effect.target == gone.target and _may_be_same_place(gone, effect):
                return True
        return False


def _reads(behaviour: Behaviour, name: str) -> bool:
    return any(reference.name == name for e in behaviour.effects for reference in e.reads)


def _may_meet(one: Effect, other: Effect) -> bool:
    """Whether one run of both may set the same element."""
    return not one.excludes(other) and _may_be_same_place(one, other)


def _may_be_same_place(one: Effect, other: Effect) -> bool:
    if one.subscripts is None or other.subscripts is None:
        return True
    if len(one.subscripts) != len(other.subscripts):
        return True
    for a, b in zip(one.subscripts, other.subscripts, strict=True):
        apart = a.number != b.number and not a.counters and not b.counters
        if apart or a.distance(b) not in (None, 0):
            return False
    return True


def _lists(value: Value) -> bool:
    """Whether an array constructor is in it: which of its items an element gets is not known."""
    return any(function.name.startswith("[") for function in value.functions)


def differs(old: Value, new: Value) -> bool:
    """Whether two values differ for certain: other polynomials of the same variables."""
    if old.number == new.number:
        return False
    missing, fresh = old.functions - new.functions, new.functions - old.functions
    if not fresh:
        return True
    return any(_are_counterparts(a, b) for b in fresh for a in missing)


def _are_counterparts(old: Function, new: Function) -> bool:
    """One function of arguments that differ for certain, or a choice among fewer values."""
    if old.name.startswith(PHI) and new.name.startswith(PHI):
        numbers = {argument.number for argument in new.arguments}
        return numbers < {argument.number for argument in old.arguments}
    if old.name != new.name or old.name not in _TELLING:
        return False
    if len(old.arguments) != len(new.arguments):
        return False
    pairs = list(zip(old.arguments, new.arguments, strict=True))
    changed = [(a, b) for a, b in pairs if a.number != b.number]
    return len(changed) == 1 and differs(*changed[0]) and changed[0][1].names <= changed[0][0].names


def is_opposite(one: Value, other: Value) -> bool:
    return (one.number + other.number) % PRIME == 0
