"""Which variables statements write, found without walking through them."""

from collections.abc import Iterator, Sequence

from acclimate.analysis.dependence.statements import inside
from acclimate.analysis.ir import (
    Allocate,
    Apply,
    Assignment,
    Binary,
    Call,
    Deallocate,
    Do,
    Expr,
    InputOutput,
    Name,
    PointerAssignment,
    Statement,
    Unary,
    Unit,
    UnitKind,
)


def own_variables(unit: Unit) -> frozenset[str]:
    """Variables that nothing outside sees, and that hold nothing from one call to the next."""
    lasting = {*unit.args, unit.result or unit.name}
    if unit.kind is UnitKind.PROGRAM:
        return frozenset()
    return frozenset(
        name
        for name, symbol in unit.symbols.items()
        if name not in lasting
        and symbol.common is None
        and symbol.initial is None
        and not symbol.attributes & {"save", "pointer", "target"}
    )


def base_name(expr: Expr) -> str:
    while not isinstance(expr, Name):
        base = getattr(expr, "base", None)
        if base is None:
            return ""
        expr = base
    return expr.id


def written_in(body: Sequence[Statement]) -> set[str]:
    """Names that may be written by statements, by calls as arguments too."""
    found = set()
    for statement in inside(body):
        match statement:
            case Assignment() | PointerAssignment():
                found.add(_designator(statement.target))
            case Call():
                found |= {_designator(arg) for arg in statement.args}
            case InputOutput():
                found |= {_designator(item) for item in statement.writes}
            case Do() if statement.index is not None:
                found.add(statement.index)
            case Allocate() | Deallocate():
                found |= {_designator(item) for item in statement.objects}
    return found - {""}


def _designator(expr: Expr) -> str:
    match expr:
        case Name():
            return expr.id
        case Apply():
            return _designator(expr.base)
        case _ if hasattr(expr, "base") and hasattr(expr, "name"):
            return f"{_designator(expr.base)}%{expr.name}"
    return ""


def slot_of(index: str, body: Sequence[Statement]) -> int:
    """Which subscript of the first element assigned the index moves; -1: none."""
    for statement in inside(body):
        if isinstance(statement, Assignment) and isinstance(statement.target, Apply):
            for position, arg in enumerate(statement.target.args):
                if index in names_in(arg):
                    return position
    return -1


def names_in(expr: Expr) -> Iterator[str]:
    match expr:
        case Name():
            yield expr.id
        case Binary():
            yield from names_in(expr.left)
            yield from names_in(expr.right)
        case Unary():
            yield from names_in(expr.operand)
        case Apply():
            for arg in expr.args:
                yield from names_in(arg)
