"""An array assignment, WHERE or FORALL written as a nest of loops over its elements.

The standard evaluates masks and the right side for all elements before any is stored; a loop does
so one by one. The two are the same if every element is counted once, what is assigned to it is the
element of the right side, and no element is read or written out of turn (Fortran 2018, 10.2.1.3,
10.2.3.2).
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import permutations

from acclimate.analysis.ir import (
    Apply,
    Assignment,
    Binary,
    Component,
    Do,
    DoKind,
    Expr,
    Forall,
    If,
    Keyword,
    Name,
    Statement,
    Unary,
    Unit,
    Where,
)
from acclimate.analysis.names.resolution import Intrinsic, Variable
from acclimate.analysis.project import Project
from acclimate.verifier.structure.rewrites.aliases import Aliases
from acclimate.verifier.structure.rewrites.directions import Nest, in_turn, names_asked
from acclimate.verifier.structure.rewrites.elements import Elements
from acclimate.verifier.structure.rewrites.liveness import is_own, names_of
from acclimate.verifier.structure.rewrites.references import (
    ASKING,
    NotUnderstood,
    Reader,
    Reference,
)
from acclimate.verifier.structure.rewrites.shapes import Shapes, Triplet, equal


@dataclass(frozen=True, slots=True)
class Step:
    """What is done for every element before the next: a mask, an assignment, or ELSEWHERE."""

    mask: Expr | None = None
    assignment: Assignment | None = None


def written_out(
    old: tuple[Project, Unit], new: tuple[Project, Unit], was: Statement, now: Do, aliases: Aliases
) -> str:
    """Why a nest of the port may not do what an array statement does; "" if it does the same."""
    try:
        _Nest(*old, *new, now).check(was, aliases)
    except NotUnderstood as error:
        return str(error)
    return ""


class _Nest:
    def __init__(
        self, old_project: Project, old: Unit, project: Project, unit: Unit, now: Do
    ) -> None:
        self.old_project, self.old, self.project, self.unit = old_project, old, project, unit
        self.reader, self.shapes = Reader(project, unit), Shapes(project, unit)
        self.chain = [now]
        while len(self.chain[-1].body) == 1 and isinstance(self.chain[-1].body[0], Do):
            self.chain.append(self.chain[-1].body[0])
        self.inquiries = frozenset(
            name for name in ASKING if isinstance(project.resolve(unit, name), Intrinsic)
        )
        self.indices = tuple(loop.index or "" for loop in self.chain)
        self.loops = {loop.index or "": self._triplet(loop) for loop in self.chain}

    def check(self, was: Statement, aliases: Aliases) -> None:
        body = self.chain[-1].body
        steps = tuple(_steps(was)), tuple(_steps_of_loop(body, was))
        self._is_like(was, *steps)
        events = list(self._events(steps[1]))
        written = frozenset(r.base for _, r in events if r.is_write)
        self._headers(written)
        names = {r.base for _, r in events} | {n for loop in self.chain for n in _in_bounds(loop)}
        if pair := aliases.pair(names, written):
            raise NotUnderstood(f"'{pair[0]}' and '{pair[1]}' may be one variable")
        forward = {index: self._is_forward(index) for index in self.indices}
        self._in_turn(Nest(self.indices, forward, written, self.inquiries), events)

    # --- loops -----------------------------------------------------------------------------------

    def _triplet(self, loop: Do) -> Triplet:
        if loop.kind is not DoKind.COUNTED or loop.first is None or loop.last is None:
            raise NotUnderstood("a loop does not count")
        step = {"": 1} if loop.step is None else self.shapes.form(loop.step)
        return Triplet(self.shapes.form(loop.first), self.shapes.form(loop.last), step)

    def _is_forward(self, index: str) -> bool:
        step = self.loops[index].step
        if step.keys() - {""} or not step.get("", 0):
            raise NotUnderstood(f"which way '{index}' counts is not known")
        return step[""] > 0

    def _headers(self, written: frozenset[str]) -> None:
        if len({*self.indices}) != len(self.indices) or written & {*self.indices}:
            raise NotUnderstood("an index is assigned in the loops")
        for loop in self.chain:
            if loop.name or loop.label or loop.shared_terminal:
                raise NotUnderstood("a loop has a name or a label")
            if loop.index is None or not self._is_fresh(loop.index):
                raise NotUnderstood(f"'{loop.index}' is no integer that only the port has")
            for bound in (loop.first, loop.last, loop.step):
                if bound is None:
                    continue
                list(self.reader.value(bound))
                asked = {*names_asked(bound, self.inquiries)}
                if asked & (written | {*self.indices}):
                    raise NotUnderstood(f"the bounds of '{loop.index}' change in the loops")
                if not all(self._is_default_integer(name) for name in asked):
                    raise NotUnderstood(f"a bound of '{loop.index}' is of another kind")

    def _is_fresh(self, name: str) -> bool:
        symbol = self.unit.symbols.get(name)
        if symbol is None or (symbol.type, symbol.kind) != ("integer", None):
            return False
        known = {*self.old.mentioned, *self.old.symbols, *self.old.args}
        return is_own(self.unit, name) and name not in known

    def _is_default_integer(self, name: str) -> bool:
        meaning = self.project.resolve(self.unit, name)
        if not isinstance(meaning, Variable):
            return isinstance(meaning, Intrinsic)
        is_part = (meaning.symbol.type or "").startswith("type")
        return is_part or (meaning.symbol.type, meaning.symbol.kind) == ("integer", None)

    # --- the same elements -----------------------------------------------------------------------

    def _is_like(self, was: Statement, old: tuple[Step, ...], new: tuple[Step, ...]) -> None:
        kinds = [[(s.mask is None, s.assignment is None) for s in steps] for steps in (old, new)]
        if kinds[0] != kinds[1] or not any(s.assignment for s in old):
            raise NotUnderstood("other masks or assignments than the statement's")
        if isinstance(was, Forall):
            self._is_like_forall(was, old, new)
            return
        first = next(n.assignment for n in new if n.assignment is not None)
        elements = Elements(
            self.old_project, self.old, self.shapes, self.loops, self._order(first.target)
        )
        for one, other in zip(old, new, strict=True):
            if one.assignment is not None and other.assignment is not None:
                self._is_assigned(elements, one.assignment, other.assignment, was)
            elif one.mask is not None and other.mask is not None:
                elements.compare(one.mask, other.mask)

    def _is_assigned(
        self, elements: Elements, one: Assignment, other: Assignment, was: Statement
    ) -> None:
        elements.compare(one.value, other.value)
        dimensions = elements.designator(one.target, other.target)
        if len(dimensions) != len(self.loops):
            raise NotUnderstood("an element is not assigned by one iteration")
        for triplet, index in zip(dimensions, elements.order, strict=True):
            if not triplet.counts_like(self.loops[index]):
                raise NotUnderstood(f"'{index}' does not count all elements")
        symbol = self.shapes.symbol(one.target)
        may_grow = symbol is not None and "allocatable" in symbol.attributes
        scalar = self.old_project.rank(self.old, one.value) == 0
        if isinstance(was, Assignment) and may_grow and not scalar:
            raise NotUnderstood("an array may be allocated anew")

    def _order(self, target: Expr) -> tuple[str, ...]:
        """The indices in the order of the dimensions they count."""
        while isinstance(target, Component):
            target = target.base
        args = target.args if isinstance(target, Apply) else ()
        found = [n for arg in args for n in names_of(arg) if n in self.loops]
        if sorted(found) != sorted(self.loops):
            raise NotUnderstood("an element is not assigned by one iteration")
        return tuple(found)

    def _is_like_forall(self, was: Forall, old: tuple[Step, ...], new: tuple[Step, ...]) -> None:
        names = [each.index for each in was.indices]
        counted = [
            Triplet(
                self.shapes.form(each.first),
                self.shapes.form(each.last),
                {"": 1} if each.step is None else self.shapes.form(each.step),
            )
            for each in was.indices
        ]
        if len(names) != len(self.indices) or not all(map(self._is_default_integer, names)):
            raise NotUnderstood("FORALL has other indices")
        bounds = [e for i in was.indices for e in (i.first, i.last, i.step) if e is not None]
        if {*names} & {name for bound in bounds for name in names_of(bound)}:
            raise NotUnderstood("the bounds of FORALL depend on one another")
        for order in permutations(self.indices):
            renamed = dict(zip(names, order, strict=True))
            same = all(
                equal(a, b)
                for one, index in zip(counted, order, strict=True)
                for a, b in _parts(one, self.loops[index])
            )
            if same and all(
                _renamed(a, renamed) == b
                for one, other in zip(old, new, strict=True)
                for a, b in _expressions(one, other)
            ):
                return
        raise NotUnderstood("other elements than FORALL's")

    # --- in turn ---------------------------------------------------------------------------------

    def _events(self, steps: Sequence[Step]) -> Iterator[tuple[int, Reference]]:
        """References, and in which turn the standard has them for all elements."""
        for turn, step in enumerate(steps):
            if step.mask is not None:
                yield from ((2 * turn, r) for r in self.reader.value(step.mask))
            if step.assignment is not None:
                for reference in self.reader.assignment(step.assignment):
                    yield 2 * turn + reference.is_write, reference

    def _in_turn(self, nest: Nest, events: Sequence[tuple[int, Reference]]) -> None:
        for turn, one in events:
            for later, other in events:
                if turn < later and not in_turn(nest, one, other):
                    raise NotUnderstood(f"an element of '{one.path}' is used out of turn")
                same = turn == later and one.is_write
                if same and not (in_turn(nest, one, other) and in_turn(nest, other, one)):
                    raise NotUnderstood(f"an element of '{one.path}' is assigned twice")


def _steps(was: Statement) -> Iterator[Step]:
    match was:
        case Assignment():
            yield Step(assignment=was)
        case Where():
            yield from _of_branches(was)
        case Forall():
            if was.mask is not None:
                yield Step(mask=was.mask)
            if len(was.body) != 1:
                raise NotUnderstood("FORALL has more than one statement")
            yield from _assignments(was.body)
        case _:
            raise NotUnderstood("it is no array statement")


def _steps_of_loop(body: Sequence[Statement], was: Statement) -> Iterator[Step]:
    masked = isinstance(was, Where) or (isinstance(was, Forall) and was.mask is not None)
    if masked and len(body) == 1 and isinstance(body[0], If):
        yield from _of_branches(body[0])
    elif not masked:
        yield from _assignments(body)
    else:
        raise NotUnderstood("the loops ask other masks")


def _of_branches(statement: If | Where) -> Iterator[Step]:
    for number, branch in enumerate(statement.branches):
        if branch.condition is not None:
            yield Step(mask=branch.condition)
        elif number + 1 < len(statement.branches) or not number:
            raise NotUnderstood("a branch without a mask")
        else:
            yield Step()
        yield from _assignments(branch.body)


def _assignments(body: Sequence[Statement]) -> Iterator[Step]:
    for statement in body:
        if not isinstance(statement, Assignment) or statement.label is not None:
            raise NotUnderstood("more than assignments stands in it")
        yield Step(assignment=statement)


def _in_bounds(loop: Do) -> Iterator[str]:
    for bound in (loop.first, loop.last, loop.step):
        yield from names_of(bound) if bound is not None else ()


def _parts(one: Triplet, other: Triplet) -> tuple[tuple[dict[str, int], dict[str, int]], ...]:
    return ((one.low, other.low), (one.high, other.high), (one.step, other.step))


def _expressions(one: Step, other: Step) -> Iterator[tuple[Expr, Expr]]:
    if one.mask is not None and other.mask is not None:
        yield one.mask, other.mask
    if one.assignment is not None and other.assignment is not None:
        yield one.assignment.target, other.assignment.target
        yield one.assignment.value, other.assignment.value


def _renamed(expr: Expr, names: dict[str, str]) -> Expr:
    match expr:
        case Name():
            return Name(names.get(expr.id, expr.id))
        case Apply():
            return Apply(_renamed(expr.base, names), tuple(_renamed(a, names) for a in expr.args))
        case Component():
            return Component(_renamed(expr.base, names), expr.name)
        case Unary():
            return Unary(expr.op, _renamed(expr.operand, names))
        case Binary():
            return Binary(expr.op, _renamed(expr.left, names), _renamed(expr.right, names))
        case Keyword():
            return Keyword(expr.name, _renamed(expr.value, names))
    if {*names_of(expr)} & {*names}:
        raise NotUnderstood("an index stands where it is not followed")
    return expr
