"""Statements that do something besides assigning: what they name and what they may write."""

from dataclasses import dataclass

from acclimate.analysis.ir import (
    Allocate,
    Call,
    Deallocate,
    Expr,
    InputOutput,
    PointerAssignment,
    Statement,
)
from acclimate.verifier.structure.effects import Kind


@dataclass(frozen=True, slots=True)
class Act:
    """`label` and `names` make two acts the same; `is_plain` is False for what was not read."""

    kind: Kind
    label: str
    names: tuple[Expr, ...] = ()
    written: tuple[Expr, ...] = ()
    is_plain: bool = True


def act_of(statement: Statement) -> Act:
    match statement:
        case Call():
            label = f"call {statement.procedure!r}"
            return Act(Kind.CALL, label, statement.args, statement.args)
        case InputOutput():
            names = (*statement.reads, *statement.writes)
            return Act(Kind.INPUT_OUTPUT, statement.keyword, names, statement.writes)
        case Allocate() | Deallocate():
            options = tuple(option.value for option in statement.options)
            names = (*statement.objects, *options)
            return Act(Kind.ALLOCATION, type(statement).__name__, names, statement.objects)
        case PointerAssignment():
            names = (statement.target, statement.value)
            return Act(Kind.OTHER, "=>", names, (statement.target,))
    text = getattr(statement, "text", "")
    return Act(Kind.OTHER, f"{type(statement).__name__} {text}", is_plain=False)
