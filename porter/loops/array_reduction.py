"""An assignment whose right side holds MAXVAL, SUM, ANY, ... of arrays, seen as a loop nest."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property

from acclimate.analysis.dependence.statements import parts
from acclimate.analysis.ir import (
    Apply,
    Assignment,
    Binary,
    Expr,
    Keyword,
    Literal,
    LiteralKind,
    Name,
    Statement,
    Unary,
)
from acclimate.analysis.names.resolution import Intrinsic
from acclimate.porter.device.device_code import references, refusal_in
from acclimate.porter.device.device_intrinsics import ARRAY_REDUCTIONS, ELEMENTAL
from acclimate.porter.device.routines import Routines
from acclimate.porter.device.visits import NO_VISITS, Visits
from acclimate.porter.loops.array_statement import ArrayStatement, NotElementwise
from acclimate.porter.loops.temporaries import free_name, type_text
from acclimate.porter.names.scope import Reference, Scope
from acclimate.porter.rewrite import Refusal
from acclimate.porter.text.margins import Margins

FUNCTIONS = ARRAY_REDUCTIONS - {"dot_product"}
OURS = "acc_"
_LOGICAL = ("any", "all", "count")
_LONGEST = 63  # characters of a name, Fortran 2018, 6.2.2


@dataclass(frozen=True, eq=False)
class ArrayReduction:
    """A scalar assignment with one array reduction, and everything a rule may ask about it."""

    scope: Scope
    statement: Assignment
    routines: Routines
    margins: Margins
    line: tuple[Statement, ...]  # as in ArrayStatement
    visits: Visits = NO_VISITS

    facts = None  # the analysis has no verdict on it: no iteration depends on another's element

    @cached_property
    def _reductions(self) -> list[Apply]:
        return list(reductions(self.scope, self.statement.value))

    @property
    def function(self) -> str:
        """MAXVAL, MINVAL, ANY, ALL, COUNT, SUM or PRODUCT, in lower case."""
        base = self._reductions[0].base
        assert isinstance(base, Name)
        return base.id

    @cached_property
    def _arguments(self) -> tuple[Expr, Expr | None]:
        """What is reduced, and the mask.

        Raises:
            NotElementwise: DIM, or an argument that is not known.
        """
        array: Expr | None = None
        mask: Expr | None = None
        for number, arg in enumerate(self._reductions[0].args):
            word = arg.name if isinstance(arg, Keyword) else ""
            value = arg.value if isinstance(arg, Keyword) else arg
            if (
                word == "array"
                or (not word and number == 0)
                or word == "mask"
                and self.function in _LOGICAL[:2]
            ):
                array = value
            elif word == "mask" or (not word and self._is_logical(value)):
                mask = value
            else:
                raise NotElementwise("DIM, or an argument that is not known")
        if array is None:
            raise NotElementwise("no argument")
        return array, mask

    def _is_logical(self, expr: Expr) -> bool:
        return self.scope.project.type_of(self.scope.unit, expr) == "logical"

    @cached_property
    def nest(self) -> ArrayStatement:
        """The loops over the argument, as of an assignment to the first array it names.

        Raises:
            NotElementwise: no array of known rank is named.
        """
        array, mask = self._arguments
        for expr in (array, *([] if mask is None else [mask])):
            for found in self._arrays(expr):
                assignment = replace(self.statement, target=found, value=array)
                return ArrayStatement(
                    self.scope,
                    assignment,
                    None,
                    self.routines,
                    self.margins,
                    (assignment,),
                    self.visits,
                )
        raise NotElementwise("no array")

    def _arrays(self, expr: Expr) -> Iterator[Expr]:
        project, unit = self.scope.project, self.scope.unit
        for part in parts(expr):
            found = self.scope.reference(part)
            if found is not None and found.is_array and project.rank(unit, part):
                yield part

    def element(self) -> Expr:
        return self.nest.element(self._arguments[0])

    def mask(self) -> Expr | None:
        mask = self._arguments[1]
        return None if mask is None else self.nest.element(mask)

    def objects(self) -> list[Reference]:
        """Arrays and components that the function reads, each once."""
        array, mask = self._arguments
        found = [*references(self.scope, array), *(references(self.scope, mask) if mask else ())]
        named = {each.designator: each for each in found if each.is_array or each.path}
        return [named[name] for name in sorted(named) if not named[name].root.is_parameter]

    def result_type(self) -> str:
        """The declaration of a variable for the function's value.

        Raises:
            ValueError: the type is not that of every object and literal in the argument.
        """
        if self.function in _LOGICAL:
            return "integer" if self.function == "count" else "logical"
        array, _ = self._arguments
        named = references(self.scope, array)
        types = {type_text(self.scope, found.symbol) for found in named if found.is_array}
        if len(types) != 1:
            raise ValueError("the argument is of more than one type")
        (only,) = types
        if not only.startswith(("real", "integer")):
            raise ValueError(f"the argument is of type {only}")
        self._check_types(array, only)
        return only

    def _check_types(self, expr: Expr, type_: str) -> None:
        """Raises: ValueError, if a part might give the expression another type."""
        match expr:
            case Unary(op, operand) if op in ("+", "-"):
                self._check_types(operand, type_)
            case Binary(op, left, right) if op in ("+", "-", "*", "/"):
                self._check_types(left, type_)
                self._check_types(right, type_)
            case Apply(Name("abs"), (operand,)) if self.scope.reference(expr) is None:
                self._check_types(operand, type_)
            case Literal(LiteralKind.INTEGER, text) if "_" not in text:
                pass
            case _:
                found = self.scope.reference(expr)
                if found is None or type_text(self.scope, found.symbol) != type_:
                    raise ValueError("the argument is more than a sum or product of one type")

    def variable(self, word: str = "") -> str:
        """The name of the variable that holds the function's value, or of another, by its part.

        Raises:
            ValueError: it is taken, or too long.
        """
        found = self.scope.reference(self.nest.statement.target)  # type: ignore[union-attr]
        words = found.designator.replace("%", "_") if found is not None else ""
        part = f"_{word}" if word else ""
        name = free_name(self.scope, f"{OURS}{self.function}_{words}{part}")
        if len(name) > _LONGEST:
            raise ValueError(f"the name '{name}' would be too long")
        return name

    def rest(self, value: Expr) -> Expr:
        """The right side with the function's value in its place."""
        return _with(self.statement.value, self._reductions[0], value)

    def refusal(self) -> Refusal | None:
        """Why the statement cannot become a loop nest on the device.

        Raises:
            NotElementwise: as `nest`, `element` and `mask`.
        """
        at, scope = self.statement.at, self.scope
        if at.file != scope.unit.at.file:
            return Refusal(at, "the statement stands in an include file", "move it into the unit")
        if self.line != (self.statement,):
            return Refusal(at, "the statement does not stand alone", "give it a line of its own")
        if scope.unit.prefixes & {"pure", "elemental"}:
            return Refusal(at, f"'{scope.unit.name}' is pure", "offload where it is called")
        if len(self._reductions) != 1:
            return Refusal(at, "two array reductions in one statement", "write two statements")
        reason = self._around()
        if reason:
            return Refusal(at, reason, "assign the function's value to a local scalar first")
        for found in self.objects():
            if found.varying or found.root.name in scope.associated:
                what = f"'{found.designator}' is chosen by a subscript or an ASSOCIATE name"
                return Refusal(at, what, "write a loop")
        body = replace(self.statement, value=self.element())
        mask = self.mask()
        tests = [] if mask is None else [replace(self.statement, value=mask)]
        return refusal_in(scope, [body, *tests])

    def _is_elemental(self, expr: Apply) -> bool:
        name = expr.base.id if isinstance(expr.base, Name) else ""
        meaning = self.scope.project.resolve(self.scope.unit, name)
        return isinstance(meaning, Intrinsic) and name in ELEMENTAL

    def _around(self) -> str | None:
        """What else the statement touches than the arguments of the function and local scalars."""
        target = self.scope.reference(self.statement.target)
        if target is None or target.is_array or target.path:
            return "the left side is no plain scalar"
        outside = self.rest(Name(OURS))
        for part in parts(outside):
            found = self.scope.reference(part)
            if found is not None and (found.is_array or found.path):
                return f"'{found.designator}' stands beside the function"
            if isinstance(part, Apply) and not self._is_elemental(part):
                return "another function stands beside the function"
        array, mask = self._arguments
        names = [*references(self.scope, array), *(references(self.scope, mask) if mask else ())]
        if any(found.root is target.root for found in names):
            return f"'{target.designator}' is set from itself"
        return None


def reductions(scope: Scope, expr: Expr) -> Iterator[Apply]:
    """References to the intrinsic reductions of arrays in an expression."""
    for part in parts(expr):
        name = part.base.id if isinstance(part, Apply) and isinstance(part.base, Name) else ""
        if name in FUNCTIONS and isinstance(scope.project.resolve(scope.unit, name), Intrinsic):
            assert isinstance(part, Apply)
            yield part


def _with(expr: Expr, old: Expr, new: Expr) -> Expr:
    if expr is old:
        return new
    match expr:
        case Unary(op, operand):
            return Unary(op, _with(operand, old, new))
        case Binary(op, left, right):
            return Binary(op, _with(left, old, new), _with(right, old, new))
        case Apply(base, args):
            return Apply(base, tuple(_with(arg, old, new) for arg in args))
    return expr
