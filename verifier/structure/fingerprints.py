"""Expressions as numbers: two that are equal as rational functions have the same fingerprint.

Every name, element and function reference is an atom with a value in the integers modulo a large
prime, drawn from a hash of what it is; sums, products and quotients are computed in that field
(Schwartz 1980, Zippel 1979). `a + b` and `b + a` meet, `2*a` and `a` do not, but for a chance of
about 1e-35. `exact` tells apart what rounds differently: it fixes the association of operations
and leaves only the order of the two operands of one `+` or `*` open.
"""

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass, replace

PRIME = (1 << 127) - 1
_NEAR = 1 << 20  # differences of integers below this are taken for constants


@dataclass(frozen=True, slots=True)
class Subscript:
    """One subscript of a reference: its fingerprint and the loop counters in it.

    `unit` is the one counter it depends on, with factor 1, the rest being the same in all
    iterations: then equal subscripts mean equal counters.
    """

    number: int
    counters: frozenset[int] = frozenset()
    unit: int | None = None
    proof: int = 0  # see `Value.proof`

    def distance(self, other: "Subscript") -> int | None:
        """`self - other` where that is a constant, else None."""
        return _near((self.number - other.number) % PRIME)


@dataclass(frozen=True, slots=True)
class Reference:
    """A read of a variable; `subscripts` None: of any of its elements, () for a scalar."""

    name: str
    subscripts: tuple[Subscript, ...] | None = ()


@dataclass(frozen=True, slots=True, eq=False)
class Function:
    """A part of an expression of which only its name and its arguments are known."""

    number: int
    name: str
    arguments: "tuple[Value, ...]"

    def __hash__(self) -> int:
        return self.number

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Function) and self.number == other.number


@dataclass(frozen=True, slots=True)
class Value:
    """An expression: its fingerprints, what it reads, and the counters of loops in it.

    `stale` names variables whose value of earlier is meant, not the one they have now; `via` the
    local scalars through which the expression was put together.
    """

    number: int
    exact: int
    reads: frozenset[Reference] = frozenset()
    counters: frozenset[int] = frozenset()
    unit: int | None = None
    stale: frozenset[str] = frozenset()
    via: frozenset[str] = frozenset()
    functions: frozenset[Function] = frozenset()

    @property
    def names(self) -> frozenset[str]:
        return frozenset(reference.name for reference in self.reads)

    @property
    def constant(self) -> int | None:
        """The value of an integer constant, else None."""
        return None if self.reads or self.counters else _near(self.number)

    def subscript(self) -> Subscript:
        return Subscript(self.number, self.counters, self.unit, self.proof)

    @property
    def proof(self) -> int:
        """Equal where two integers are: by whatever way put together of what rounds equally."""
        parts = sorted(atom(f.name, *(a.exact for a in f.arguments)) for f in self.functions)
        return atom("proof", self.number, *parts)


def _near(difference: int) -> int | None:
    if difference < _NEAR:
        return difference
    return difference - PRIME if PRIME - difference < _NEAR else None


def atom(*key: object) -> int:
    digest = hashlib.sha256(repr(key).encode()).digest()
    return int.from_bytes(digest[:16], "big") % PRIME


def opaque(what: str, parts: Iterable[Value]) -> Value:
    """A function of its parts of which nothing else is known."""
    parts = tuple(parts)
    number = atom(what, *(p.number for p in parts))
    exact = atom(what, "exact", *(p.exact for p in parts))
    found = joined(number, exact, parts)
    return replace(found, functions=found.functions | {Function(number, what, parts)})


CALLED = "call "  # before the name of a function that is no intrinsic one


def calls(value: Value) -> bool:
    """Whether a function of the model has a part in it, which may do more than return a value."""
    return any(function.name.startswith((CALLED, "%")) for function in value.functions)


def integer(value: int) -> Value:
    return Value(value % PRIME, value % PRIME)


def literal(text: str) -> Value:
    """A real literal: `number` is its decimal value, its kind only tells in `exact`."""
    digits = text.lower().split("_")[0].replace("d", "e")
    mantissa, _, exponent = digits.partition("e")
    whole, _, fraction = mantissa.partition(".")
    scale = int(exponent or 0) - len(fraction)
    value = int((whole + fraction) or "0") * pow(10, scale, PRIME) % PRIME
    return Value(value, atom("literal", text.lower()))


def joined(number: int, exact: int, parts: Iterable[Value]) -> Value:
    """A value with these fingerprints that depends on all that its parts depend on."""
    none: frozenset[str] = frozenset()
    parts = tuple(parts)
    return Value(
        number % PRIME,
        exact,
        frozenset[Reference]().union(*(p.reads for p in parts)),
        frozenset[int]().union(*(p.counters for p in parts)),
        stale=none.union(*(p.stale for p in parts)),
        via=none.union(*(p.via for p in parts)),
        functions=frozenset[Function]().union(*(p.functions for p in parts)),
    )


def arithmetic(op: str, left: Value, right: Value) -> Value:
    """`+ - * /` in the field; integers that are constants fold."""
    number = {
        "+": left.number + right.number,
        "-": left.number - right.number,
        "*": left.number * right.number,
        "/": left.number * pow(right.number, PRIME - 2, PRIME),
    }[op]
    if op != "/" and _is_integer(left) and _is_integer(right):
        return integer(number)
    order = sorted((left.exact, right.exact)) if op in "+*" else [left.exact, right.exact]
    found = joined(number, atom(op, *order), (left, right))
    return replace(found, unit=_unit(op, left, right))


def _unit(op: str, left: Value, right: Value) -> int | None:
    if op in "+-" and left.unit is not None and not right.counters:
        return left.unit
    return right.unit if op == "+" and not left.counters else None


def _is_integer(value: Value) -> bool:
    return value.constant is not None and value.exact == value.number


def power(base: Value, exponent: Value) -> Value:
    """Small integer powers are products; others are functions of both."""
    times = exponent.constant
    if times is not None and 0 < times <= 8:
        number = pow(base.number, times, PRIME)
        return joined(number, atom("**", base.exact, exponent.exact), (base,))
    return opaque("**", (base, exponent))


def negated(value: Value) -> Value:
    if _is_integer(value):
        return integer(-value.number)
    found = replace(value, number=-value.number % PRIME, exact=atom("neg", value.exact))
    return replace(found, unit=None)
