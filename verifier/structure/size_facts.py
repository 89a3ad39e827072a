"""What a condition says of whole numbers, and what follows for sums of them."""

from collections.abc import Mapping
from itertools import product

from acclimate.analysis.ir import Binary, Expr, Literal, Name, Unary

Range = tuple[int | None, int | None]
Facts = Mapping[str, Range]
"""The least and the greatest value of variables, by name; None where there is none."""

_MIRRORED = {"<": ">", "<=": ">=", ">": "<", ">=": "<=", "==": "==", "/=": "/="}
_OPPOSITE = {"<": ">=", "<=": ">", ">": "<=", ">=": "<", "==": "/=", "/=": "=="}
RELATIONS = frozenset(_MIRRORED)
_Linear = tuple[dict[str, int], int]


def ways(condition: Expr, *, wanted: bool) -> list[Facts]:
    """What is known of whole numbers where a condition is as wanted: one of these holds."""
    match condition:
        case Unary(".not.", operand):
            return ways(operand, wanted=not wanted)
        case Binary(".or." | ".and." as op, left, right):
            both = (ways(left, wanted=wanted), ways(right, wanted=wanted))
            if (op == ".or.") is wanted:
                return [*both[0], *both[1]]
            return [{**a, **b} for a, b in product(*both)]
        case Binary(op, left, right) if op in _MIRRORED:
            return [_fact(left, op if wanted else _OPPOSITE[op], right)]
    return [{}]


def _fact(left: Expr, op: str, right: Expr) -> Facts:
    """`name op number`, either way round."""
    if isinstance(left, Literal):
        left, op, right = right, _MIRRORED[op], left
    limit = linear(right)
    if limit is None or limit[0] or not isinstance(left, Name):
        return {}
    number = limit[1]
    match op:
        case "<" | "<=":
            return {left.id: (None, number - (op == "<"))}
        case ">" | ">=":
            return {left.id: (number + (op == ">"), None)}
        case "==":
            return {left.id: (number, number)}
    return {}


def linear(expr: Expr) -> _Linear | None:
    """Coefficients of names, and a number."""
    match expr:
        case Literal() if expr.value is not None:
            return {}, expr.value
        case Name(name):
            return {name: 1}, 0
        case Unary("-", operand):
            return _sum(({}, 0), linear(operand), -1)
        case Binary("+" | "-" as op, left, right):
            return _sum(linear(left), linear(right), 1 if op == "+" else -1)
        case Binary("*", Literal() as factor, other) | Binary("*", other, Literal() as factor):
            value = factor.value
            return _sum(({}, 0), linear(other), value) if value is not None else None
    return None


def _sum(one: _Linear | None, other: _Linear | None, factor: int) -> _Linear | None:
    if one is None or other is None:
        return None
    found = dict(one[0])
    for name, coefficient in other[0].items():
        found[name] = found.get(name, 0) + factor * coefficient
    return {n: c for n, c in found.items() if c}, one[1] + factor * other[1]


def contradicts(facts: Facts, wanted: Facts) -> bool:
    """Whether what is wanted of some name cannot be where the facts hold."""
    for name, (low, high) in wanted.items():
        known_low, known_high = facts.get(name, (None, None))
        if low is not None and known_high is not None and low > known_high:
            return True
        if high is not None and known_low is not None and high < known_low:
            return True
    return False


def at_most(left: Expr, right: Expr, facts: Facts) -> int | None:
    """An upper limit of `left - right`."""
    difference = _sum(linear(left), linear(right), -1)
    if difference is None:
        return None
    total = difference[1]
    for name, coefficient in difference[0].items():
        limit = facts.get(name, (None, None))[coefficient > 0]
        if limit is None:
            return None
        total += coefficient * limit
    return total
