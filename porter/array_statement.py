"""An array assignment or WHERE seen as a loop nest: its indices, bounds and elementwise text."""

from dataclasses import dataclass, replace

from acclimate.analysis.dependence.statements import inside
from acclimate.analysis.facts import LoopFacts
from acclimate.analysis.ir import (
    Apply,
    Assignment,
    Binary,
    Branch,
    Dimension,
    Expr,
    Keyword,
    Literal,
    LiteralKind,
    Name,
    Section,
    Shape,
    Unary,
    Where,
)
from acclimate.porter.constants import integer_value
from acclimate.porter.device_code import references, refusal_in
from acclimate.porter.device_intrinsics import ELEMENTAL
from acclimate.porter.fortran_text import fortran
from acclimate.porter.invocations import invocations_in
from acclimate.porter.margins import Margins
from acclimate.porter.rewrite import Refusal
from acclimate.porter.routines import Routines
from acclimate.porter.scope import Reference, Scope

INDEX = "acc_i"


class NotElementwise(Exception):
    """A part of the statement has no elementwise form; the message says which."""


@dataclass(frozen=True, slots=True)
class Extent:
    """Lower and upper bound of one generated loop."""

    lower: Expr
    upper: Expr


@dataclass(frozen=True, eq=False)
class ArrayStatement:
    """An array statement in its unit, with everything a rule may ask about it."""

    scope: Scope
    statement: Assignment | Where
    facts: LoopFacts | None
    routines: Routines
    margins: Margins
    alone: bool  # no other statement on its lines, no label, no one-line IF around it

    @property
    def assignments(self) -> list[Assignment]:
        return [s for s in inside([self.statement]) if isinstance(s, Assignment)]

    def refusal(self) -> Refusal | None:
        """Why the statement cannot become a loop nest on the device."""
        at = self.statement.at
        if at.file != self.scope.unit.at.file:
            return Refusal(at, "the statement stands in an include file", "move it into the unit")
        if not self.alone:
            return Refusal(at, "the array statement does not stand alone", "give it a line")
        plain = [_holds_assignments(b) for b in getattr(self.statement, "branches", ())]
        if any(not ok for ok in plain):
            return Refusal(at, "WHERE holds more than assignments", "write it as loops")
        for assignment in self.assignments:
            reason = self._target(assignment) or self._overlap(assignment)
            if reason:
                return Refusal(assignment.at, *reason)
        return refusal_in(self.scope, self._scalar_parts())

    def _scalar_parts(self) -> list[Assignment]:
        """The assignments as device code would see them; overlap is judged here, more exactly."""
        return [replace(a, target=self.element(a.target)) for a in self.assignments]

    def _target(self, assignment: Assignment) -> tuple[str, str] | None:
        found = self.scope.reference(assignment.target)
        if found is None or not found.is_array or found.varying:
            return "the left side is not a plain array", "write it as a loop"
        whole = found.subscripts is None
        rank = self.scope.project.rank(self.scope.unit, assignment.value)
        if whole and "allocatable" in found.symbol.attributes and rank != 0:
            name = found.designator
            return f"'{name}' may be allocated anew by the assignment", f"write '{name}(:) = ...'"
        return None

    def _overlap(self, assignment: Assignment) -> tuple[str, str] | None:
        targets = [self.scope.reference(a.target) for a in self.assignments]
        exprs: list[Expr] = [a.value for a in self.assignments]
        exprs += [b.condition for b in getattr(self.statement, "branches", ()) if b.condition]
        for expr in exprs:
            for found in references(self.scope, expr):
                for target in targets:
                    if target is not None and not self._harmless(found, target):
                        return (
                            f"'{found.designator}' is read where the statement writes it",
                            "write it as a loop, or through a temporary",
                        )
        return None

    def _harmless(self, found: Reference, target: Reference) -> bool:
        """Different objects do not overlap (Fortran 2018, 15.5.2.13), pointers and targets may."""
        if found.root is not target.root or found.path != target.path:
            either = (found.symbol, found.root), (target.symbol, target.root)
            may = [any(s.attributes & {"pointer", "target"} for s in pair) for pair in either]
            return not all(may)
        same = found.subscripts == target.subscripts or (found.is_whole and target.is_whole)
        return same and found.designator == target.designator

    # --- elementwise form ------------------------------------------------------------------------

    def extents(self) -> list[Extent]:
        """Bounds of the loops, the first dimension first.

        Raises:
            NotElementwise: a stride is not 1.
        """
        found = self._first_target()
        extents = []
        for dim, section in self._ranges(found):
            if section.stride is not None:
                raise NotElementwise("a section with a stride")
            number = _integer(dim + 1)
            whole = Name(found.designator)
            upper = section.upper or Apply(Name("ubound"), (whole, number))
            extents.append(Extent(self._lower(found, dim, section), upper))
        return extents

    def element(self, expr: Expr) -> Expr:
        """An expression for one element: array parts get the loop indices as subscripts.

        Raises:
            NotElementwise: the expression holds something that is not elementwise.
        """
        found = self.scope.reference(expr)
        if found is not None:
            return self._designator(expr, found)
        match expr:
            case Unary(op, operand):
                return Unary(op, self.element(operand))
            case Binary(op, left, right):
                return Binary(op, self.element(left), self.element(right))
            case Keyword(name, value):
                return Keyword(name, self.element(value))
            case Literal():
                return expr
            case Apply(base, args):
                self._check_call(expr)
                return Apply(base, tuple(self.element(arg) for arg in args))
            case _:
                raise NotElementwise(f"'{_quoted(expr)}'")

    def _designator(self, expr: Expr, found: Reference) -> Expr:
        if not found.is_array or (found.subscripts is not None and not found.has_section):
            return self._plain(expr, found)
        target = self._first_target()
        ranges, own = self._ranges(target), self._ranges(found)
        if len(ranges) != len(own):
            raise NotElementwise(f"'{_quoted(expr)}' has another rank")
        subscripts = list(found.subscripts or [Section(None, None)] * len(found.symbol.dims))
        for number, ((dim, section), (mine, range_)) in enumerate(zip(ranges, own, strict=True), 1):
            if range_.stride is not None:
                raise NotElementwise("a section with a stride")
            index = Name(f"{INDEX}{number}")
            start = self._lower(target, dim, section)
            subscripts[mine] = self._shifted(index, start, self._lower(found, mine, range_))
        base = expr.base if isinstance(expr, Apply) else expr
        return Apply(base, tuple(subscripts))

    def _plain(self, expr: Expr, found: Reference) -> Expr:
        for subscript in found.subscripts or ():
            if self.scope.project.rank(self.scope.unit, subscript) != 0:
                raise NotElementwise(f"'{_quoted(expr)}' has a vector subscript")
        return expr

    def _shifted(self, index: Name, start: Expr, own: Expr) -> Expr:
        if start == own:
            return index
        from_, to = integer_value(self.scope, start), integer_value(self.scope, own)
        if from_ is not None and to is not None:
            shift = to - from_
            if shift == 0:
                return index
            return Binary("+" if shift > 0 else "-", index, _integer(abs(shift)))
        return Binary("+", Binary("-", index, start), own)

    def _ranges(self, found: Reference) -> list[tuple[int, Section]]:
        """Dimension number (from 0) and section of every dimension that is looped over."""
        if found.subscripts is None:
            return [(dim, Section(None, None)) for dim in range(len(found.symbol.dims))]
        for subscript in found.subscripts:
            rank = self.scope.project.rank(self.scope.unit, subscript)
            if not isinstance(subscript, Section) and rank != 0:
                raise NotElementwise(f"'{found.designator}' has a vector subscript")
        return [(d, s) for d, s in enumerate(found.subscripts) if isinstance(s, Section)]

    def _lower(self, found: Reference, dim: int, section: Section) -> Expr:
        if section.lower is not None:
            return section.lower
        declared = found.symbol.dims[dim]
        constant = _declared_lower(declared)
        if constant is not None and integer_value(self.scope, constant) is not None:
            return constant
        return Apply(Name("lbound"), (Name(found.designator), _integer(dim + 1)))

    def _first_target(self) -> Reference:
        found = self.scope.reference(self.assignments[0].target)
        if found is None:
            raise NotElementwise("the left side is not known")
        return found

    def _check_call(self, expr: Apply) -> None:
        for call in invocations_in(self.scope, expr)[:1]:
            if call.is_intrinsic and call.name in ELEMENTAL:
                return
            if call.is_intrinsic:
                raise NotElementwise(f"intrinsic '{call.name}'")
            for callee in call.candidates:
                if "elemental" in callee.prefixes and self.routines.refusal(callee) is None:
                    return
            raise NotElementwise(f"'{_quoted(expr)}' is not an elemental reference")


def _declared_lower(dim: Dimension) -> Expr | None:
    if dim.shape in (Shape.EXPLICIT, Shape.ASSUMED):
        return dim.lower or _integer(1)
    return None


def _integer(value: int) -> Literal:
    return Literal(LiteralKind.INTEGER, str(value))


def _quoted(expr: Expr) -> str:
    try:
        return fortran(expr)
    except ValueError:
        return "text that could not be read"


def _holds_assignments(branch: Branch) -> bool:
    """Whether a branch of WHERE holds assignments only."""
    return all(isinstance(statement, Assignment) for statement in branch.body)
