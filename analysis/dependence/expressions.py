"""What can be said of a unit's expressions without knowing any value.

Every walk over a loop or procedure meets the same expressions again; what they read, in which
order, and what their values are computed from is found once.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property

from acclimate.analysis.dependence.aliasing import WHOLE, Designator, Places, read_with
from acclimate.analysis.dependence.intrinsics import (
    IMPURE_FUNCTIONS,
    INQUIRIES,
    INTEGER_IF_ARGUMENTS,
    INTEGER_RESULT,
    INTRINSIC_OPERATORS,
)
from acclimate.analysis.dependence.statements import operands, parts
from acclimate.analysis.dependence.unasked import unasked_values
from acclimate.analysis.ir import (
    Apply,
    ArrayConstructor,
    Binary,
    Component,
    Expr,
    Keyword,
    Literal,
    LiteralKind,
    Name,
    Section,
    Star,
    Unary,
)
from acclimate.analysis.names.operations import operator_name
from acclimate.analysis.names.resolution import (
    Intrinsic,
    Resolution,
    TypeName,
    Unresolved,
    Variable,
)


@dataclass(frozen=True, slots=True)
class Inquiry:
    """A data object of which only the allocation or the bounds are asked."""

    designator: Designator


# a data object that is read or asked about, or what only the walk can follow
Step = Designator | Inquiry | Expr


class Expressions:
    """Answers for one unit, cached; an expression is kept so that its id stays its own."""

    def __init__(self, places: Places) -> None:
        self.places = places
        self._steps: dict[int, tuple[Expr, tuple[Step, ...]]] = {}
        self._inputs: dict[int, tuple[Designator, tuple[str, ...] | None]] = {}
        self._ranks: dict[int, tuple[Expr, int | None]] = {}
        self._integers: dict[int, tuple[Expr, bool]] = {}
        self._types: dict[int, tuple[Expr, str | None]] = {}
        self._plain: dict[int, tuple[Designator, bool]] = {}
        self._elements: dict[int, tuple[Designator, bool]] = {}
        self._intrinsic: dict[int, tuple[Expr, bool]] = {}

    # --- reading -------------------------------------------------------------------------------

    def steps(self, expr: Expr) -> tuple[Step, ...]:
        """What evaluating the expression reads, in order; subscripts before what they select.

        What is read again before anything can have changed it is there once.
        """
        known = self._steps.get(id(expr))
        if known is None:
            known = self._steps[id(expr)] = (expr, tuple(_without_repeats(self._find_steps(expr))))
        return known[1]

    def _steps_of_all(self, exprs: Iterable[Expr | None]) -> Iterator[Step]:
        for expr in exprs:
            if expr is not None:
                yield from self.steps(expr)

    def _find_steps(self, expr: Expr) -> Iterator[Step]:
        match expr:
            case Star() | Literal():
                return
            case Name() | Component() | Apply():
                yield from self._steps_of_part(expr)
            case Unary() if self.is_intrinsic(expr):
                yield from self.steps(expr.operand)
            case Binary() if self.is_intrinsic(expr):
                yield from self._steps_of_all((expr.left, expr.right))
            case Section():
                yield from self._steps_of_all((expr.lower, expr.upper, expr.stride))
            case Keyword():
                yield from self.steps(expr.value)
            case ArrayConstructor():
                yield from self._steps_of_all(expr.items)
            case _:
                yield expr

    def _steps_of_part(self, expr: Name | Component | Apply) -> Iterator[Step]:
        designator = self.places.designator(expr)
        if designator is not None:
            yield from self._steps_of_all(designator.subscripts)
            yield designator
            return
        name = expr.base if isinstance(expr, Apply) else expr
        meaning = self.places.meaning(name.id) if isinstance(name, Name) else None
        if isinstance(expr, Name):
            if isinstance(meaning, Unresolved):
                yield expr
        elif isinstance(expr, Component):
            yield expr
        elif isinstance(meaning, Intrinsic) and meaning.name not in IMPURE_FUNCTIONS:
            yield from self._steps_of_arguments(expr, meaning.name)
        elif isinstance(meaning, TypeName) or _is_parameter(meaning):
            yield from self._steps_of_all(expr.args)
        else:
            yield expr

    def _steps_of_arguments(self, expr: Apply, name: str) -> Iterator[Step]:
        for arg in expr.args:
            value = arg.value if isinstance(arg, Keyword) else arg
            asked = self.places.designator(value) if name in INQUIRIES else None
            if asked is None:
                yield from self.steps(value)
            else:
                yield from self._steps_of_all(asked.subscripts)
                yield Inquiry(asked)

    def is_intrinsic(self, operation: Unary | Binary) -> bool:
        """Does the operator surely mean here what it means in Fortran?"""
        places, name = self.places, operation.op
        if name not in places.storage.overloaded:
            return name in INTRINSIC_OPERATORS
        known = self._intrinsic.get(id(operation))
        if known is None:
            found = places.project.procedures(
                places.unit, Name(operator_name(name)), operands(operation)
            )
            known = self._intrinsic[id(operation)] = (operation, isinstance(found, Intrinsic))
        return known[1]

    def is_plainly_computed(self, expr: Expr) -> bool:
        """Is there no operation in the expression that may be the reference of a function?"""
        return not self.places.storage.overloaded or all(
            self.is_intrinsic(part) for part in parts(expr) if isinstance(part, Unary | Binary)
        )

    # --- values --------------------------------------------------------------------------------

    def inputs(self, designator: Designator) -> tuple[str, ...] | None:
        """The keys of what the values of all subscripts are computed from.

        While these keep their values the subscripts keep theirs; None where that is not known.
        """
        known = self._inputs.get(id(designator))
        if known is None:
            known = self._inputs[id(designator)] = (designator, self._find_inputs(designator))
        return known[1]

    def _find_inputs(self, designator: Designator) -> tuple[str, ...] | None:
        keys: dict[str, None] = {}
        for subscript in designator.subscripts:
            if subscript is not WHOLE and not self._collect(subscript, keys):
                return None
        return tuple(keys)

    def _collect(self, expr: Expr, keys: dict[str, None]) -> bool:
        """Add the inputs of one expression; False where a value is new whenever it is asked for."""
        made_of: tuple[Expr, ...] = ()
        match expr:
            case Literal():
                return True
            case Unary() if self.is_intrinsic(expr):
                made_of = (expr.operand,)
            case Binary() if self.is_intrinsic(expr):
                made_of = (expr.left, expr.right)
            case Name() | Component() | Apply():
                designator = self.places.designator(expr)
                if designator is None:
                    if not self._is_constant_or_pure(expr):
                        return False
                    made_of = getattr(expr, "args", ())
                elif designator.substring:
                    return False
                else:
                    keys.update(dict.fromkeys((designator.key, *read_with(designator))))
                    made_of = designator.subscripts
            case _:
                return False
        return all(self._collect(operand, keys) for operand in made_of)

    def _is_constant_or_pure(self, expr: Name | Component | Apply) -> bool:
        """Is it a named constant or the reference of a pure intrinsic function?"""
        if isinstance(expr, Name):
            return _is_parameter(self.places.meaning(expr.id))
        if not isinstance(expr, Apply) or not isinstance(expr.base, Name):
            return False
        meaning = self.places.meaning(expr.base.id)
        return isinstance(meaning, Intrinsic) and meaning.name not in IMPURE_FUNCTIONS

    @cached_property
    def unasked(self) -> frozenset[str]:
        """Names of scalars whose values nothing in the unit asks for."""
        return unasked_values(self.places)

    # --- objects ---------------------------------------------------------------------------------

    def is_plain(self, designator: Designator) -> bool:
        """Is it no character, not VOLATILE, and declared by what could be read?"""
        known = self._plain.get(id(designator))
        if known is None:
            known = self._plain[id(designator)] = (designator, self._find_is_plain(designator))
        return known[1]

    def _find_is_plain(self, designator: Designator) -> bool:
        symbol = designator.root
        is_volatile = "volatile" in symbol.attributes | designator.last.attributes
        is_read = symbol.name not in self.places.storage.unread_declarations(symbol.owner)
        return is_read and not is_volatile and not designator.is_character

    def is_element(self, designator: Designator) -> bool:
        """Is it one element of an array, whichever?"""
        known = self._elements.get(id(designator))
        if known is None:
            found = not any(map(self._is_array, designator.subscripts))
            known = self._elements[id(designator)] = (designator, found)
        return known[1]

    def _is_array(self, subscript: Expr) -> bool:
        return isinstance(subscript, Section) or self.rank(subscript) != 0

    # --- types ---------------------------------------------------------------------------------

    def rank(self, expr: Expr) -> int | None:
        known = self._ranks.get(id(expr))
        if known is None:
            found = self.places.project.rank(self.places.unit, expr)
            known = self._ranks[id(expr)] = (expr, found)
        return known[1]

    def type(self, expr: Expr) -> str | None:
        """The type of an expression, as `Project.type_of` tells it."""
        known = self._types.get(id(expr))
        if known is None:
            found = self.places.project.type_of(self.places.unit, expr)
            known = self._types[id(expr)] = (expr, found)
        return known[1]

    def is_integer(self, expr: Expr) -> bool:
        """Is the expression surely of integer type (exact arithmetic)?"""
        known = self._integers.get(id(expr))
        if known is None:
            known = self._integers[id(expr)] = (expr, self._find_is_integer(expr))
        return known[1]

    def _find_is_integer(self, expr: Expr) -> bool:
        match expr:
            case Literal():
                return expr.kind is LiteralKind.INTEGER
            case Unary():
                return expr.op in ("+", "-") and self.is_integer(expr.operand)
            case Binary():
                arithmetic = expr.op in ("+", "-", "*", "/", "**")
                return arithmetic and self.is_integer(expr.left) and self.is_integer(expr.right)
            case Keyword():
                return self.is_integer(expr.value)
            case Name() | Component() | Apply():
                return self._is_integer_object(expr)
        return False

    def _is_integer_object(self, expr: Name | Component | Apply) -> bool:
        designator = self.places.designator(expr)
        if designator is not None:
            return designator.last.type == "integer"
        name = expr.base if isinstance(expr, Apply) else expr
        meaning = self.places.meaning(name.id) if isinstance(name, Name) else None
        if isinstance(meaning, Variable):
            return meaning.symbol.type == "integer"
        if isinstance(meaning, Intrinsic) and isinstance(expr, Apply):
            if meaning.name in INTEGER_RESULT:
                return True
            return meaning.name in INTEGER_IF_ARGUMENTS and all(map(self.is_integer, expr.args))
        return False


def _without_repeats(steps: Iterable[Step]) -> Iterator[Step]:
    """Objects read once between two steps that only the walk can follow."""
    read: set[int] = set()
    for step in steps:
        if not isinstance(step, Designator):
            read.clear()
        elif id(step) in read:
            continue
        else:
            read.add(id(step))
        yield step


def _is_parameter(meaning: Resolution | None) -> bool:
    return isinstance(meaning, Variable) and meaning.symbol.is_parameter
