"""What a statement reads and writes, and which procedures it calls."""

from dataclasses import dataclass

from acclimate.analysis.dependence.statements import own_expressions
from acclimate.analysis.ir import (
    Apply,
    ArrayConstructor,
    Assignment,
    Binary,
    Call,
    Component,
    Expr,
    ImpliedDo,
    InputOutput,
    Keyword,
    Name,
    Section,
    Statement,
    Unary,
)
from acclimate.analysis.names.resolution import Intrinsic
from acclimate.verifier.copies.frames import Frame, Reference

_INQUIRIES = frozenset({
    "size", "shape", "lbound", "ubound", "allocated", "associated", "present", "kind", "rank",
    "loc", "c_loc", "sizeof", "storage_size", "huge", "tiny", "epsilon", "digits", "precision",
    "range", "is_contiguous", "len", "bit_size",
})  # fmt: skip


@dataclass(frozen=True, slots=True)
class Invocation:
    """A reference of a procedure; it may read and write what is `passed`."""

    callee: Expr
    args: tuple[Expr, ...]
    passed: tuple[Reference, ...]


@dataclass(frozen=True, slots=True)
class Accesses:
    """References of one statement; `touched` may be read or written, in part or not at all."""

    reads: tuple[Reference, ...]
    writes: tuple[Reference, ...]
    touched: tuple[Reference, ...]
    calls: tuple[Invocation, ...]


def accesses(frame: Frame, statement: Statement) -> Accesses:
    """Those of the statement itself, not of the statements inside it."""
    found = _Collection(frame)
    if isinstance(statement, Assignment):
        found.target(statement.target)
        found.value(statement.value)
    elif isinstance(statement, Call):
        found.invoke(statement.procedure, statement.args)
    elif isinstance(statement, InputOutput):
        for expr in statement.reads:
            found.value(expr)
        for expr in statement.writes:
            found.target(expr)
    else:
        for expr in own_expressions(statement):
            found.value(expr)
    return Accesses(
        tuple(found.reads), tuple(found.writes), tuple(found.touched), tuple(found.calls)
    )


class _Collection:
    def __init__(self, frame: Frame) -> None:
        self.frame = frame
        self.reads: list[Reference] = []
        self.writes: list[Reference] = []
        self.touched: list[Reference] = []
        self.calls: list[Invocation] = []

    def target(self, expr: Expr) -> None:
        found = self.frame.reference(expr)
        if isinstance(expr, ImpliedDo):
            for item in expr.items:
                found = self.frame.reference(item)
                self.touched += [found] if found is not None else []
            return
        if found is not None:
            self.writes.append(found)
        self._subscripts(expr)

    def value(self, expr: Expr) -> None:
        """Everything that is read where the expression is evaluated."""
        match expr:
            case Name() | Component():
                self._read(expr)
                self._subscripts(expr)
            case Apply():
                if self._read(expr) or self.frame.is_data(expr.base):
                    self._subscripts(expr)
                else:
                    self.call(expr.base, expr.args)
            case Binary():
                self.value(expr.left)
                self.value(expr.right)
            case Unary():
                self.value(expr.operand)
            case Keyword():
                self.value(expr.value)
            case ArrayConstructor():
                for item in expr.items:
                    self.value(item)
            case ImpliedDo():
                for item in expr.items:
                    self.maybe(item)
            case Section():
                for bound in (expr.lower, expr.upper, expr.stride):
                    if bound is not None:
                        self.value(bound)

    def call(self, callee: Expr, args: tuple[Expr, ...]) -> None:
        meaning = None
        if isinstance(callee, Name):
            meaning = self.frame.project.procedures(self.frame.unit, callee, args)
        if isinstance(meaning, Intrinsic):
            if meaning.name not in _INQUIRIES:
                for arg in args:
                    self.value(arg)
            return
        self.invoke(callee, args)

    def invoke(self, callee: Expr, args: tuple[Expr, ...]) -> None:
        inner = _Collection(self.frame)
        for arg in args:
            inner.value(arg)
        self.calls += inner.calls
        self.calls.append(Invocation(callee, args, tuple(inner.reads + inner.touched)))

    def maybe(self, expr: Expr) -> None:
        """What some iterations of an implied DO touch."""
        inner = _Collection(self.frame)
        inner.value(expr)
        self.touched += inner.reads + inner.touched
        self.calls += inner.calls

    def _read(self, expr: Expr) -> bool:
        found = self.frame.reference(expr)
        if found is not None:
            self.reads.append(found)
        return found is not None

    def _subscripts(self, expr: Expr) -> None:
        while isinstance(expr, Apply | Component):
            if isinstance(expr, Apply):
                for arg in expr.args:
                    self.value(arg)
            expr = expr.base
