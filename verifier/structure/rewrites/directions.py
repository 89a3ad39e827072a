"""May the loops around a body change places? Direction vectors of what its iterations share.

Two iterations that touch one element, one of them writing, must keep their order. Which iterations
can is told by the subscripts: where both are linear in one index with the same factor, that index
differs by a constant (Allen and Kennedy 2001, 3.3); every other dimension is taken to tell nothing.
An order of loops keeps a direction vector's order if the first direction that is not `=` is the
same in it (ibid., 5.2).
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product

from acclimate.analysis.ir import Apply, Binary, Expr, Literal, Name, Section, Unary
from acclimate.verifier.structure.rewrites.liveness import names_of
from acclimate.verifier.structure.rewrites.references import Reference

Linear = dict[str, int]  # "": the constant; an index; or an expression that stays the same, with @


@dataclass(frozen=True, slots=True)
class Nest:
    """Loops by the names of their indices, outermost first, and which way each runs.

    `variant` are variables that the body writes: what is computed from them tells nothing, but for
    bounds and sizes, by the names of `inquiries`.
    """

    indices: tuple[str, ...]
    forward: Mapping[str, bool]
    variant: frozenset[str]
    inquiries: frozenset[str] = frozenset()


def turned(nest: Nest, order: Sequence[str], references: Sequence[Reference]) -> str:
    """A variable whose references another order of loops may turn round; "" if there is none."""
    for one, other in _pairs(references):
        for directions in _directions(nest, one, other):
            if _first(directions, nest.indices) != _first(directions, order):
                return one.path
    return ""


def carried(nest: Nest, index: str, references: Sequence[Reference]) -> str:
    """A variable through which iterations of one loop may depend on one another; "": none."""
    for one, other in _pairs(references):
        if any(directions[index] for directions in _directions(nest, one, other)):
            return one.path
    return ""


def in_turn(nest: Nest, first: Reference, then: Reference) -> bool:
    """Whether `first` always comes before `then` where they meet, iterations being in their order.

    Within one iteration `first` has to stand before `then`.
    """
    if not (first.is_write or then.is_write) or not first.overlaps(then):
        return True
    return all(_first(d, nest.indices) >= 0 for d in _directions(nest, first, then))


def names_asked(expr: Expr, inquiries: frozenset[str]) -> Iterator[str]:
    """Variables whose values an expression depends on: not those of which it asks the bounds."""
    waiting = [expr]
    while waiting:
        part = waiting.pop()
        match part:
            case Apply(base=Name(id=name), args=args) if name in inquiries:
                waiting += args[1:]
            case Apply():
                waiting += [part.base, *part.args]
            case Binary():
                waiting += [part.left, part.right]
            case Unary():
                waiting.append(part.operand)
            case _:
                yield from names_of(part)


def _pairs(references: Sequence[Reference]) -> Iterator[tuple[Reference, Reference]]:
    distinct = list({(r.path, repr(r.subscripts), r.is_write): r for r in references}.values())
    for n, one in enumerate(distinct):
        for other in distinct[n:]:
            if (one.is_write or other.is_write) and one.overlaps(other):
                yield one, other


def _directions(nest: Nest, one: Reference, other: Reference) -> Iterator[dict[str, int]]:
    """Of each index, later iterations less earlier ones: 1, 0 or -1, as the loops run."""
    known = _distances(nest, one, other)
    if known is None:
        return
    choices = []
    for index in nest.indices:
        if index in known:
            way = 1 if nest.forward[index] else -1
            choices.append([way * ((known[index] > 0) - (known[index] < 0))])
        else:
            choices.append([-1, 0, 1])
    for signs in product(*choices):
        yield dict(zip(nest.indices, signs, strict=True))


def _first(directions: Mapping[str, int], order: Sequence[str]) -> int:
    return next((directions[index] for index in order if directions[index]), 0)


def _distances(nest: Nest, one: Reference, other: Reference) -> dict[str, int] | None:
    """Of indices, the distance there must be; None if the two never touch the same element."""
    found: dict[str, int] = {}
    if one.path != other.path or one.subscripts is None or other.subscripts is None:
        return found
    if len(one.subscripts) != len(other.subscripts):
        return found
    for a, b in zip(one.subscripts, other.subscripts, strict=True):
        left, right = linear(a, nest), linear(b, nest)
        if left is None or right is None:
            continue
        rest = {k: left.get(k, 0) - right.get(k, 0) for k in {*left, *right} - {""}}
        if any(rest.values()):
            continue
        constant = left.get("", 0) - right.get("", 0)
        moving = [index for index in nest.indices if left.get(index)]
        if not moving and constant:
            return None
        if len(moving) == 1:
            distance, remainder = divmod(constant, left[moving[0]])
            if remainder or found.get(moving[0], distance) != distance:
                return None
            found[moving[0]] = distance
    return found


def linear(expr: Expr, nest: Nest) -> Linear | None:
    """A subscript as a sum of indices and of what stays the same; None if it is none."""
    match expr:
        case Section():
            return None
        case Literal() if expr.value is not None:
            return {"": expr.value}
        case Unary(op="+" | "-"):
            return _scaled(linear(expr.operand, nest), -1 if expr.op == "-" else 1)
        case Binary(op="+" | "-"):
            return _sum(
                linear(expr.left, nest),
                _scaled(linear(expr.right, nest), -1 if expr.op == "-" else 1),
            )
        case Binary(op="*"):
            for factor, rest in ((expr.left, expr.right), (expr.right, expr.left)):
                if isinstance(factor, Literal) and factor.value is not None:
                    return _scaled(linear(rest, nest), factor.value)
        case Name(id=index) if index in nest.indices:
            return {index: 1}
    if {*nest.indices, *nest.variant} & {*names_asked(expr, nest.inquiries)}:
        return None
    return {f"@{expr!r}": 1}


def _scaled(form: Linear | None, factor: int) -> Linear | None:
    return None if form is None else {key: factor * value for key, value in form.items()}


def _sum(one: Linear | None, other: Linear | None) -> Linear | None:
    if one is None or other is None:
        return None
    return {key: one.get(key, 0) + other.get(key, 0) for key in {*one, *other}}
