"""Procedure references: what is called, and what it does if that is not known."""

from acclimate.analysis.dependence.arguments import spelt
from acclimate.analysis.dependence.callee import Callee
from acclimate.analysis.dependence.context import Context
from acclimate.analysis.dependence.evaluation import Evaluator
from acclimate.analysis.dependence.intrinsics import SUBROUTINES
from acclimate.analysis.dependence.records import Trait
from acclimate.analysis.dependence.references import References
from acclimate.analysis.dependence.substitution import replaced
from acclimate.analysis.dependence.summary import SummaryOf
from acclimate.analysis.ir import (
    Component,
    Expr,
    Keyword,
    Name,
    Unit,
)
from acclimate.analysis.names.operations import is_operation
from acclimate.analysis.names.resolution import (
    DummyProcedure,
    External,
    Intrinsic,
    Procedures,
)
from acclimate.analysis.source import Lines


class Calls(References):
    """References, those that callees make on our behalf included."""

    def __init__(self, context: Context, evaluator: Evaluator, summary_of: SummaryOf) -> None:
        super().__init__(context, evaluator)
        self._summary_of = summary_of

    def invoke(self, callee: Expr, args: tuple[Expr, ...], at: Lines) -> None:
        context = self._context
        record = context.record
        if context.aliases:
            args = tuple(replaced(arg, context.aliases) for arg in args)
            if isinstance(callee, Component):
                callee = replaced(callee, context.aliases)
        name = spelt(callee)
        if isinstance(callee, Component) and self._is_dispatched(callee):
            record.flag(Trait.DISPATCH, at, f"`{name}` is chosen at run time by the object's type")
            self._unknown(args, at)
            return
        resolution = context.project.procedures(context.unit, callee, args)
        match resolution:
            case Procedures() if resolution.candidates:
                self._call(resolution.candidates, callee, args, at)
            case Intrinsic():
                self._intrinsic(resolution.name, args, at)
            case External():
                self._external(name, args, at)
            case DummyProcedure():
                record.flag(
                    Trait.DUMMY_PROCEDURE, at, f"`{name}` is a procedure passed as an argument"
                )
                self._unknown(args, at)
            case _ if isinstance(callee, Component):
                record.flag(Trait.DISPATCH, at, f"`{name}` is a procedure of an object")
                self._unknown(args, at)
            case _:
                record.flag(Trait.EXTERNAL, at, f"`{name}` is declared by nothing that was read")
                self._unknown(args, at)

    def _is_dispatched(self, callee: Component) -> bool:
        base = self._evaluator.designator(callee.base)
        return base is None or (base.last.type or "").startswith("class")

    def _external(self, name: str, args: tuple[Expr, ...], at: Lines) -> None:
        trait = Trait.MPI if name.startswith(("mpi_", "pmpi_")) else Trait.EXTERNAL
        self._context.record.flag(trait, at, f"`{name}` is not part of the model's source")
        self._unknown(args, at)

    def _unknown(self, args: tuple[Expr, ...], at: Lines) -> None:
        """A procedure nothing is known of may read and write all its arguments."""
        for arg in args:
            self.read(arg, at)
        for arg in args:
            value = arg.value if isinstance(arg, Keyword) else arg
            if self._evaluator.designator(value) is not None:
                self.store(value, at, sure=False)

    def _intrinsic(self, name: str, args: tuple[Expr, ...], at: Lines) -> None:
        trait = SUBROUTINES.get(name)
        if trait is not None:
            self._context.record.flag(trait, at, f"`{name}` works on the host")
        self._unknown(args, at)

    # --- procedures of the project -------------------------------------------------------------

    def _call(
        self, candidates: tuple[Unit, ...], callee: Expr, args: tuple[Expr, ...], at: Lines
    ) -> None:
        for arg in args:
            self._read_argument(arg, at)
        calls = [
            Callee(self._context, self._evaluator, self, self._summary_of(unit), at)
            for unit in candidates
        ]
        for call in calls:
            call.bind(callee, args)
            call.note_traits()
        for call in calls:
            call.read()
        for call in calls:
            call.write(sure=len(calls) == 1 and not self._is_open(callee, args))
        if any(unit.entries for unit in candidates):  # they have arguments of their own
            self._unknown(args, at)

    def _is_open(self, callee: Expr, args: tuple[Expr, ...]) -> bool:
        """May an operation be intrinsic after all, as the type of an operand is unknown?"""
        if not isinstance(callee, Name) or not is_operation(callee.id):
            return False
        return any(self._context.expressions.type(arg) is None for arg in args)

    def _read_argument(self, arg: Expr, at: Lines) -> None:
        """Evaluate what is evaluated at the call itself: expressions and subscripts."""
        value = arg.value if isinstance(arg, Keyword) else arg
        designator = self._evaluator.designator(value)
        if designator is None:
            self.read(value, at)
        else:
            self.read_subscripts(designator, at)
            if "allocatable" in designator.last.attributes:
                self.ask(designator, at)  # an unallocated one is absent to the callee
