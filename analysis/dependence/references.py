"""What expressions and assignment targets read and write."""

from abc import ABC, abstractmethod
from collections.abc import Callable

from acclimate.analysis.dependence.affine import Affine, of_atom
from acclimate.analysis.dependence.aliasing import Designator
from acclimate.analysis.dependence.expressions import Inquiry
from acclimate.analysis.dependence.notes import Notes
from acclimate.analysis.dependence.records import Trait
from acclimate.analysis.dependence.regions import Definition
from acclimate.analysis.dependence.substitution import replaced
from acclimate.analysis.ir import (
    Apply,
    Binary,
    Component,
    Expr,
    ImpliedDo,
    Name,
    Unary,
    Unreadable,
)
from acclimate.analysis.names.operations import operator_name
from acclimate.analysis.names.resolution import (
    DummyProcedure,
    External,
    Intrinsic,
    Procedures,
    StatementFunction,
    Unresolved,
    Variable,
)
from acclimate.analysis.source import Lines


class References(Notes, ABC):
    """What expressions read; a procedure reference in one is left to `invoke`."""

    @abstractmethod
    def invoke(self, callee: Expr, args: tuple[Expr, ...], at: Lines) -> None:
        """Note what a subroutine call or function reference reads and writes."""

    # --- reading -------------------------------------------------------------------------------

    def read(self, expr: Expr | None, at: Lines, operator: str | None = None) -> None:
        """Note every read that evaluating `expr` makes."""
        if expr is None:
            return
        context = self._context
        if context.aliases:
            expr = replaced(expr, context.aliases)
        steps = context.expressions.steps(expr)
        for step in steps:
            if isinstance(step, Designator):
                if self.is_settled(step):
                    continue
                last = step is steps[-1]
                self.access(step, at, write=False, operator=operator if last else None)
            elif isinstance(step, Inquiry):
                self.ask(step.designator, at)
            else:
                self._follow(step, at)

    def _follow(self, expr: Expr, at: Lines) -> None:
        """An expression that does more than read data objects."""
        match expr:
            case Name():
                self._context.record.flag(
                    Trait.UNRESOLVED, at, f"nothing the analysis has read declares `{expr.id}`"
                )
            case Apply() | Component():
                self._follow_reference(expr, at)
            case Unary():
                self.operate(operator_name(expr.op), (expr.operand,), at)
                self.read(expr.operand, at)
            case Binary():
                self.operate(operator_name(expr.op), (expr.left, expr.right), at)
                self.read(expr.left, at)
                self.read(expr.right, at)
            case ImpliedDo():
                self._read_implied(expr, at)
            case Unreadable():
                text = expr.text.strip()
                self._context.record.flag(Trait.OPAQUE, at, f"`{text}` could not be read")

    def operate(self, name: str, operands: tuple[Expr, ...], at: Lines) -> None:
        """Note what a defined operator or assignment calls; `name` as interfaces spell it."""
        types = self._context.expressions.type
        operator = name.partition("(")[2][:-1]
        dynamic = any((types(operand) or "class").startswith("class") for operand in operands)
        if dynamic and operator in self._context.storage.types.bound_operators:
            self._context.record.flag(Trait.DISPATCH, at, f"`{operator}` may be bound to a type")
        self.invoke(Name(name), operands, at)

    def _follow_reference(self, expr: Apply | Component, at: Lines) -> None:
        if isinstance(expr, Component):
            self.invoke(expr, (), at)
        elif isinstance(expr.base, Name):
            self._read_function(expr, expr.base.id, at)
        elif isinstance(expr.base, Apply):
            self._read_substring(expr, expr.base, at)
        else:
            self.invoke(expr.base, expr.args, at)

    def _read_substring(self, expr: Apply, base: Apply, at: Lines) -> None:
        """`c(i)(2:3)`, or an element of what a function returns."""
        self._context.record.flag(Trait.OPAQUE, at, "an element of an expression is taken")
        self.read(base, at)
        for arg in expr.args:
            self.read(arg, at)

    def _read_function(self, expr: Apply, name: str, at: Lines) -> None:
        context = self._context
        resolution = context.project.resolve(context.unit, name)
        match resolution:
            case StatementFunction():
                if resolution.owner is not context.unit:
                    context.record.flag(
                        Trait.OPAQUE, at, f"statement function `{name}` of another unit"
                    )
                actuals = dict(zip(resolution.args, expr.args, strict=False))
                for arg in expr.args:
                    self.read(arg, at)
                self.read(replaced(resolution.body, actuals), at)
            case Intrinsic():
                self._context.record.flag(Trait.RANDOM, at, f"`{name}` keeps a state between calls")
                for arg in expr.args:
                    self.read(arg, at)
            case Procedures() | External() | DummyProcedure() | Unresolved() | Variable():
                self.invoke(expr.base, expr.args, at)

    def _read_implied(self, expr: ImpliedDo, at: Lines) -> None:
        for bound in (expr.first, expr.last, expr.step):
            self.read(bound, at)
        with_index = self.section_index(expr.first, expr.last, expr.step)
        self.with_local_index(expr.index, with_index, lambda: self._read_items(expr, at))

    def _read_items(self, expr: ImpliedDo, at: Lines) -> None:
        for item in expr.items:
            self.read(item, at)

    def with_local_index(self, name: str, index: int, action: Callable[[], None]) -> None:
        """Run `action` while `name` stands for an index whose scope is the construct."""
        context = self._context
        designator = self._evaluator.designator(Name(name))
        if designator is None or not designator.is_scalar:
            action()
            return
        state, key = context.state, designator.key
        value, definitions = state.values.get(key), state.definitions.get(key)
        state.values[key] = of_atom(index)
        state.definitions[key] = (Definition(()),)
        action()
        state = context.state
        state.values.pop(key, None)
        state.definitions.pop(key, None)
        if value is not None:
            state.values[key] = value
        if definitions is not None:
            state.definitions[key] = definitions

    def read_subscripts(self, designator: Designator, at: Lines) -> None:
        for subscript in designator.subscripts:
            self.read(subscript, at)

    def store(
        self,
        target: Expr,
        at: Lines,
        *,
        value: Affine | None = None,
        operator: str | None = None,
        sure: bool = True,
    ) -> None:
        """Note a write to what `target` names."""
        designator = self._evaluator.designator(target)
        if designator is None:
            self._context.record.flag(
                Trait.OPAQUE, at, "the left side of an assignment could not be resolved"
            )
            return
        self.read_subscripts(designator, at)
        self.access(designator, at, write=True, operator=operator, sure=sure, value=value)
