"""Contracts about scalars and copies: values from before, values never given, reductions."""

from collections.abc import Iterator
from dataclasses import dataclass

from acclimate.analysis.dependence.statements import inside, own_expressions, parts
from acclimate.analysis.ir import Apply, Assignment, Binary, Call, Do, Expr, If, Name, Statement
from acclimate.analysis.source import Lines
from acclimate.verifier.contracts.kernels import Kernel
from acclimate.verifier.contracts.naming import OWN
from acclimate.verifier.contracts.places import Array, Frame, Scalar

_OPERATORS = {"&&": ".and.", "||": ".or."}
_WITH_MINUS = {"+": ("+", "-"), "*": ("*",)}
_EXTREMES = {"max": (">", ">=", "<", "<="), "min": (">", ">=", "<", "<=")}


@dataclass(frozen=True, slots=True)
class Breach:
    """A contract that a kernel breaks; not `certain` where a path may keep it."""

    contract: str
    variable: str
    detail: str
    at: Lines
    certain: bool = True


def breaches(kernel: Kernel) -> Iterator[Breach]:
    yield from _shared(kernel)
    yield from _early(kernel)
    yield from _unwritten(kernel)
    for op, name in kernel.loop.reductions:
        yield from _reduction(kernel, _OPERATORS.get(op, op), name)


def _shared(kernel: Kernel) -> Iterator[Breach]:
    """Every iteration writes one scalar that all of them share."""
    kept = kernel.copies | kernel.reduced | kernel.atomic
    for key, use in kernel.iteration.record.scalar_writes.items():
        if key not in kept and not use.scalar.is_private and not key.startswith(OWN):
            text = f"'{use.scalar.name}' is written by every iteration, and all share it"
            yield Breach("writes are disjoint", use.scalar.name, text, use.at, use.surely)


def _early(kernel: Kernel) -> Iterator[Breach]:
    """A copy is read before the iteration has given it a value."""
    kept = kernel.loop.named("firstprivate")
    for use in kernel.iteration.record.early_reads:
        if use.scalar.name not in kept:
            text = f"'{use.scalar.name}' is read before the iteration has written it"
            contract = "scalars are written before they are read"
            yield Breach(contract, use.scalar.name, text, use.at, use.surely)


def _unwritten(kernel: Kernel) -> Iterator[Breach]:
    """A copy, scalar or array, that iterations read and none gives a value.

    That is certain where everything the iteration does could be followed.
    """
    record, body = kernel.iteration.record, kernel.loops[-1].body
    written = set(record.scalar_writes) | {a.array.key for a in record.accesses if a.write}
    inner = {do.index for do in inside(body) if isinstance(do, Do)}
    indices = inner | {do.index for do in kernel.loops}
    for name in kernel.loop.construct.arguments("private"):
        place = kernel.naming.place(Frame(kernel.unit, ""), name)
        if name in indices or not isinstance(place, Array | Scalar) or place.key in written:
            continue
        reads = (s.at for s in inside(body) if any(_mentions(e, name) for e in own_expressions(s)))
        first = next(reads, None)
        if first is not None:
            text = f"'{name}' is private, and no iteration gives its copy a value"
            contract = "copies are written before they are read"
            yield Breach(contract, name, text, first, certain=not record.gaps)


# --- reductions ----------------------------------------------------------------------------------


def _reduction(kernel: Kernel, op: str, name: str) -> Iterator[Breach]:
    """All that the kernel does to a reduction variable is to combine values into it by `op`."""
    body = kernel.loops[-1].body
    combining = {id(s) for s in _combining(body, op, name)}
    contract = "the reduction's operator is that of the statement"
    for statement in inside(body):
        if id(statement) in combining:
            continue
        if isinstance(statement, Assignment) and statement.target == Name(name):
            text = f"'{name}' is not combined by '{op}' here"
            yield Breach(contract, name, text, statement.at)
        elif any(_mentions(expr, name) for expr in own_expressions(statement)):
            certain = not isinstance(statement, Call)
            text = f"'{name}' is used besides being combined by '{op}'"
            yield Breach(contract, name, text, statement.at, certain)


def _combining(body: list[Statement], op: str, name: str) -> Iterator[Statement]:
    for statement in inside(body):
        match statement:
            case Assignment(target=Name(id=target)) if target == name:
                if _combines(statement.value, op, name):
                    yield statement
            case If() if op in _EXTREMES and _is_extreme(statement, op, name):
                yield statement
                yield statement.branches[0].body[0]


def _combines(value: Expr, op: str, name: str) -> bool:
    """`r + e`, `e + r`, `r - e`, `max(e, r)`, `r .and. e`; `e` knows nothing of `r`."""
    match value:
        case Binary(op="+" | "-" | "*" | ".and." | ".or." | ".eqv." | ".neqv."):
            if value.op not in _WITH_MINUS.get(op, (op,)):
                return False
            if not _mentions(value.right, name):
                return value.left == Name(name) or _combines(value.left, op, name)
            commutes = value.op != "-" and not _mentions(value.left, name)
            return commutes and (value.right == Name(name) or _combines(value.right, op, name))
        case Apply(base=Name(id=function)) if function == op:
            own = [arg for arg in value.args if _mentions(arg, name)]
            return own == [Name(name)]
    return False


def _is_extreme(statement: If, op: str, name: str) -> bool:
    """`if (e > r) r = e` is a maximum."""
    branch = statement.branches[0]
    condition = branch.condition
    if len(statement.branches) != 1 or len(branch.body) != 1:
        return False
    (only,) = branch.body
    if not isinstance(condition, Binary) or not isinstance(only, Assignment):
        return False
    if only.target != Name(name) or _mentions(only.value, name):
        return False
    greater = condition.op in (">", ">=")
    if not greater and condition.op not in ("<", "<="):
        return False
    large, small = (
        (condition.left, condition.right)
        if greater
        else (
            condition.right,
            condition.left,
        )
    )
    wanted = (only.value, Name(name)) if op == "max" else (Name(name), only.value)
    return (large, small) == wanted


def _mentions(expr: Expr, name: str) -> bool:
    return any(part == Name(name) for part in parts(expr))
