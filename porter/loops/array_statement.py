"""An array assignment, WHERE or FORALL seen as a loop nest: indices, bounds, elementwise text."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from acclimate.analysis.dependence.statements import inside, parts
from acclimate.analysis.dependence.substitution import replaced
from acclimate.analysis.facts import LoopFacts
from acclimate.analysis.ir import (
    Apply,
    ArrayConstructor,
    Assignment,
    Binary,
    Branch,
    Dimension,
    Expr,
    Forall,
    ImpliedDo,
    Keyword,
    Literal,
    LiteralKind,
    Name,
    Section,
    Shape,
    Statement,
    Unary,
    Where,
)
from acclimate.porter.device.device_code import references, refusal_in
from acclimate.porter.device.device_intrinsics import ELEMENTAL
from acclimate.porter.device.routines import Routines
from acclimate.porter.device.visits import NO_VISITS, Visits
from acclimate.porter.names.constants import integer_value
from acclimate.porter.names.invocations import invocations_in
from acclimate.porter.names.scope import Reference, Scope
from acclimate.porter.rewrite import Refusal
from acclimate.porter.text.fortran_text import fortran
from acclimate.porter.text.margins import Margins

INDEX = "acc_i"


class NotElementwise(Exception):
    """A part of the statement has no elementwise form; the message says which."""


@dataclass(frozen=True, slots=True)
class Extent:
    """Bounds and step of one generated loop."""

    lower: Expr
    upper: Expr
    step: Expr | None = None


@dataclass(frozen=True, slots=True)
class _Range:
    """A dimension (from 0) that a designator ranges over, by a section or a vector subscript."""

    dim: int
    section: Expr


@dataclass(frozen=True, eq=False)
class ArrayStatement:
    """An array statement in its unit, with everything a rule may ask about it."""

    scope: Scope
    statement: Assignment | Where | Forall
    facts: LoopFacts | None
    routines: Routines
    margins: Margins
    line: tuple[Statement, ...]  # what stands on its lines, in order; (): not array statements only
    visits: Visits = NO_VISITS

    @property
    def is_first(self) -> bool:
        """Of its line, to which the comments belong."""
        return self.line[0] is self.statement

    @property
    def assignments(self) -> list[Assignment]:
        return [s for s in inside([self.statement]) if isinstance(s, Assignment)]

    def refusal(self, *, through_temporary: bool = False) -> Refusal | None:
        """Why the statement cannot become a loop nest on the device."""
        at = self.statement.at
        if at.file != self.scope.unit.at.file:
            return Refusal(at, "the statement stands in an include file", "move it into the unit")
        if not self.line:
            return Refusal(at, "the array statement does not stand alone", "give it a line")
        plain = [_holds_assignments(b) for b in getattr(self.statement, "branches", ())]
        if any(not ok for ok in plain):
            return Refusal(at, "WHERE holds more than assignments", "write it as loops")
        if not all(isinstance(s, Assignment) for s in getattr(self.statement, "body", ())):
            return Refusal(at, "FORALL holds more than assignments", "write it as loops")
        for assignment in self.assignments:
            reason = self._target(assignment)
            if not reason and not through_temporary and self.facts is None:
                reason = self._overlap(assignment)
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
        if isinstance(self.statement, Forall):
            return None
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
        """Bounds of the loops, the first dimension (or index of FORALL) first.

        Raises:
            NotElementwise: a bound that a stride of unknown sign leaves open.
        """
        if isinstance(self.statement, Forall):
            own = self._forall_indices
            return [
                Extent(replaced(i.first, own), replaced(i.last, own), i.step)
                for i in self.statement.indices
            ]
        found = self._first_target()
        return [
            Extent(self._start(found, r), self._stop(found, r), r.section.stride)
            for r in self._ranges(found)
            if isinstance(r.section, Section)
        ]

    def mask(self) -> Expr | None:
        """The condition of a FORALL for one element."""
        mask = self.statement.mask if isinstance(self.statement, Forall) else None
        return None if mask is None else self.element(mask)

    def element(self, expr: Expr, over: Sequence[int] | None = None) -> Expr:
        """An expression for one element: array parts get the loop indices as subscripts.

        Args:
            over: numbers of the loops that its dimensions run over, all of them by default.

        Raises:
            NotElementwise: the expression holds something that is not elementwise.
        """
        if isinstance(self.statement, Forall):
            self._check_scalar(expr)
            return replaced(expr, self._forall_indices)
        found = self.scope.reference(expr)
        if found is not None:
            return self._designator(expr, found, over)
        match expr:
            case Unary(op, operand):
                return Unary(op, self.element(operand, over))
            case Binary(op, left, right):
                return Binary(op, self.element(left, over), self.element(right, over))
            case Keyword(name, value):
                return Keyword(name, self.element(value, over))
            case Literal():
                return expr
            case Apply(base, args):
                self._check_call(expr)
                return Apply(base, tuple(self.element(arg, over) for arg in args))
            case _:
                raise NotElementwise(f"'{_quoted(expr)}'")

    @property
    def _forall_indices(self) -> dict[str, Expr]:
        if not isinstance(self.statement, Forall):
            return {}
        indices = enumerate(self.statement.indices, start=1)
        return {index.index: Name(f"{INDEX}{number}") for number, index in indices}

    def _check_scalar(self, expr: Expr) -> None:
        for part in parts(expr):
            if isinstance(part, Section | ArrayConstructor | ImpliedDo):
                raise NotElementwise(f"'{_quoted(expr)}' in FORALL")
            if isinstance(part, Apply) and self.scope.reference(part) is None:
                self._check_call(part)

    def _designator(self, expr: Expr, found: Reference, over: Sequence[int] | None) -> Expr:
        own = self._ranges(found) if found.is_array else []
        if not own:
            return expr
        target = self._first_target()
        ranges = self._ranges(target)
        numbers = list(over) if over is not None else list(range(len(ranges)))
        if len(numbers) != len(own):
            raise NotElementwise(f"'{_quoted(expr)}' has another rank")
        subscripts = list(found.subscripts or [Section(None, None)] * len(found.symbol.dims))
        for number, mine in zip(numbers, own, strict=True):
            if isinstance(mine.section, Section):
                subscripts[mine.dim] = self._paired(target, ranges[number], number, found, mine)
            else:  # a vector subscript
                subscripts[mine.dim] = self.element(mine.section, [number])
        base = expr.base if isinstance(expr, Apply) else expr
        return Apply(base, tuple(subscripts))

    def _paired(
        self, target: Reference, range_: "_Range", number: int, found: Reference, mine: "_Range"
    ) -> Expr:
        """The subscript of `found` that stands where the index of loop `number` is."""
        index = Name(f"{INDEX}{number + 1}")
        if not isinstance(range_.section, Section) or not isinstance(mine.section, Section):
            raise NotElementwise("a vector subscript on the left side")
        start, own = self._start(target, range_), self._start(found, mine)
        stride, by = range_.section.stride, mine.section.stride
        if self._equal(stride, by):
            return self._shifted(index, start, own)
        steps: Expr = Binary("-", index, start)
        if stride is not None:
            steps = Binary("/", steps, stride)
        if by is not None:
            steps = Binary("*", steps, by)
        return Binary("+", own, steps)

    def _equal(self, one: Expr | None, other: Expr | None) -> bool:
        values = [1 if e is None else integer_value(self.scope, e) for e in (one, other)]
        return one == other or (values[0] is not None and values[0] == values[1])

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

    def _ranges(self, found: Reference) -> "list[_Range]":
        """Every dimension of a designator that is looped over."""
        if found.subscripts is None:
            return [_Range(dim, Section(None, None)) for dim in range(len(found.symbol.dims))]
        ranges = []
        for dim, subscript in enumerate(found.subscripts):
            rank = self.scope.project.rank(self.scope.unit, subscript)
            if isinstance(subscript, Section) or rank == 1:
                ranges.append(_Range(dim, subscript))
            elif rank != 0:
                raise NotElementwise(f"'{found.designator}' has a subscript of unknown rank")
        return ranges

    def _start(self, found: Reference, range_: "_Range") -> Expr:
        return self._bound(found, range_, first=True)

    def _stop(self, found: Reference, range_: "_Range") -> Expr:
        return self._bound(found, range_, first=False)

    def _bound(self, found: Reference, range_: "_Range", *, first: bool) -> Expr:
        section = range_.section
        if not isinstance(section, Section):
            raise NotElementwise(f"'{found.designator}' has a vector subscript")
        given = section.lower if first else section.upper
        if given is not None:
            return given
        step = 1 if section.stride is None else integer_value(self.scope, section.stride)
        if not step:
            raise NotElementwise("a section whose direction is not known")
        if first is (step > 0):
            return self._lower(found, range_.dim)
        return Apply(Name("ubound"), (Name(found.designator), _integer(range_.dim + 1)))

    def _lower(self, found: Reference, dim: int) -> Expr:
        constant = _declared_lower(found.symbol.dims[dim])
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
