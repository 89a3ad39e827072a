"""One iteration of a kernel, walked from its own source: accesses, conditions, scalars.

Nothing is taken from what the analysis concludes of dependences: only what names mean.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from acclimate.analysis.dependence.statements import inside
from acclimate.analysis.ir import (
    Apply,
    Assignment,
    Associate,
    Branch,
    Call,
    Continue,
    Do,
    DoKind,
    Expr,
    If,
    Jump,
    Keyword,
    Name,
    Section,
    Shape,
    Statement,
    Unit,
    UnitKind,
    Where,
)
from acclimate.analysis.names.resolution import Intrinsic, Procedures
from acclimate.analysis.project import Project
from acclimate.analysis.source import Lines
from acclimate.verifier.contracts.evaluation import Evaluation, State
from acclimate.verifier.contracts.naming import Naming
from acclimate.verifier.contracts.places import (
    Array,
    Element,
    Frame,
    Known,
    Place,
    Record,
    Scalar,
)
from acclimate.verifier.contracts.terms import Symbols, Term, chosen, negated, number, plus, times

_DEEPEST = 8


@dataclass(frozen=True, slots=True)
class Iteration:
    """What one iteration does; `indices` and `ranges` are those of the kernel's own loops."""

    record: Record
    indices: tuple[Term, ...]
    ranges: tuple[str, ...]


class KernelWalk:
    def __init__(
        self, project: Project, symbols: Symbols, naming: Naming, written: frozenset[str]
    ) -> None:
        self.project, self.symbols, self.naming = project, symbols, naming
        self.record = Record()
        self.evaluation = Evaluation(project, symbols, naming, self.record, self._function, written)
        self._calls = 0

    def iteration(
        self, frame: Frame, around: Sequence[Do], loops: Sequence[Do], started: frozenset[str]
    ) -> Iteration:
        """Walk the body of `loops`, nested in each other, within the loops `around` them.

        `started` are keys of scalars that have their value before the kernel.
        """
        self.evaluation.state.assigned = started
        ranges: list[str] = []
        for loop in around:
            self._open(frame, loop, ranges, own=False)
        indices = [self._open(frame, loop, ranges, own=True) for loop in loops]
        self.evaluation.conditions += ranges
        self.evaluation.held = len(ranges)
        self._run(frame, loops[-1].body)
        return Iteration(self.record, tuple(indices), tuple(ranges))

    def _open(self, frame: Frame, loop: Do, ranges: list[str], *, own: bool) -> Term:
        """Give a loop's index a value in its range; that of a loop around is the same for all."""
        if own:
            index = self.symbols.variant("v", loop.index or "", exact=True)
        else:
            index = self.symbols.invariant("v", f"{loop.index} of the loop at {loop.at}")
        ranges += self._range(frame, loop, index, own=own)
        self._set_index(frame, loop, index)
        return index

    def _range(self, frame: Frame, loop: Do, index: Term, *, own: bool) -> list[str]:
        if loop.first is None or loop.last is None:
            return []
        first = self.evaluation.term(frame, loop.first, loop.at)
        last = self.evaluation.term(frame, loop.last, loop.at)
        step = number(1)
        if loop.step is not None:
            step = self.evaluation.term(frame, loop.step, loop.at)
        if step.value is None or step.value == 0:
            self.record.gap("a loop whose step is not a constant", loop.at)
            return []
        low, high = (first, last) if step.value > 0 else (last, first)
        found = [f"(<= {low.text} {index.text})", f"(<= {index.text} {high.text})"]
        if abs(step.value) != 1:
            make = self.symbols.variant if own else self.symbols.invariant
            count = make("v", f"count of the loop at {loop.at}")
            at = plus(first, times(self.symbols, step, count))
            found += [f"(>= {count.text} 0)", f"(= {index.text} {at.text})"]
        return found

    def _set_index(self, frame: Frame, loop: Do, value: Term) -> None:
        place = self.naming.place(frame, loop.index or "")
        if isinstance(place, Scalar):
            state = self.evaluation.state
            state.values[place.key] = value
            state.assigned |= {place.key}

    # --- statements ------------------------------------------------------------------------------

    def _run(self, frame: Frame, body: Sequence[Statement]) -> bool:
        """Walk statements; False if no path goes on behind them."""
        held = len(self.evaluation.conditions)
        goes_on = True
        for statement in body:
            if goes_on:
                goes_on = self._statement(frame, statement)
        del self.evaluation.conditions[held:]
        return goes_on

    def _statement(self, frame: Frame, statement: Statement) -> bool:
        match statement:
            case Assignment():
                self._assignment(frame, statement)
            case If():
                return self._if(frame, statement.branches)
            case Do():
                self._loop(frame, statement)
            case Where():
                self._where(frame, statement.branches)
            case Call():
                self._call(frame, statement.procedure, statement.args, statement.at)
            case Continue():
                pass
            case Jump():
                return self._jump(frame, statement)
            case Associate():
                self.record.gap("ASSOCIATE within a kernel", statement.at)
            case _:
                name = type(statement).__name__
                self.record.gap(f"a statement that kernels should not have ({name})", statement.at)
        return True

    def _jump(self, frame: Frame, statement: Jump) -> bool:
        last = frame.unit.body[-1]
        to_end = statement.keyword == "goto" and statement.targets == (last.label,)
        if to_end and frame.name and isinstance(last, Continue | Jump):
            return False
        if statement.keyword in ("cycle", "exit", "return") and statement.construct is None:
            return False
        if statement.keyword != "stop":
            self.record.gap(f"a jump ({statement.keyword})", statement.at)
        return False

    def _assignment(self, frame: Frame, statement: Assignment) -> None:
        at = statement.at
        is_integer = self.project.type_of(frame.unit, statement.value) == "integer"
        value: Term | None = None
        if is_integer:
            value = self.evaluation.term(frame, statement.value, at)
        else:
            self.evaluation.reads(frame, statement.value, at)
        self.evaluation.write(self._target(frame, statement.target, at), at, value)

    def _target(self, frame: Frame, expr: Expr, at: Lines) -> Place | None:
        return self.evaluation.place(frame, expr, at)

    def _if(self, frame: Frame, branches: Sequence[Branch]) -> bool:
        evaluation = self.evaluation
        held = len(evaluation.conditions)
        ends: list[tuple[str, State]] = []
        behind: list[str] = []
        before = evaluation.state
        for branch in branches:
            own = list(evaluation.conditions[held:])
            condition = "true"
            if branch.condition is not None:
                condition = evaluation.condition(frame, branch.condition, branch.at)
            if condition == "false":
                continue
            evaluation.state = before.copy()
            evaluation.conditions += [condition] if condition != "true" else []
            if self._run(frame, branch.body):
                ends.append((condition, evaluation.state))
            else:
                behind.append(f"(not (and {' '.join([*own, condition])}))")
            del evaluation.conditions[held:]
            evaluation.conditions += [*own, negated(condition)]
            if condition == "true":
                break
        else:
            ends.append(("true", before))
        del evaluation.conditions[held:]
        evaluation.conditions += behind
        evaluation.state = _joined(ends) if ends else before
        return bool(ends)

    def _where(self, frame: Frame, branches: Sequence[Branch]) -> None:
        for branch in branches:
            self.evaluation.reads(frame, branch.condition, branch.at)
            for statement in branch.body:
                self._statement(frame, statement)

    def _loop(self, frame: Frame, loop: Do) -> None:
        """A loop inside: its index is any in its range, what it assigns is unknown."""
        evaluation = self.evaluation
        if loop.kind not in (DoKind.COUNTED, DoKind.CONCURRENT):
            evaluation.reads(frame, loop.condition, loop.at)
        held = len(evaluation.conditions)
        before = evaluation.state.assigned
        changed = self._assigned_in(frame, loop.body)
        index = self.symbols.variant("v", loop.index or "", exact=True)
        if loop.index is not None:
            evaluation.conditions += self._range(frame, loop, index, own=True)
        self._forget(changed)
        if loop.index is not None:
            self._set_index(frame, loop, index)
        self._run(frame, loop.body)
        del evaluation.conditions[held:]
        self._forget(changed)
        state = evaluation.state
        state.assigned = before
        if loop.index is not None:
            self._set_index(frame, loop, self.symbols.variant("v", loop.index))

    def _forget(self, keys: set[str]) -> None:
        for key in keys:
            self.evaluation.state.values.pop(key, None)
            self.evaluation.state.touched |= {key}

    def _assigned_in(self, frame: Frame, body: Sequence[Statement]) -> set[str]:
        """Keys of scalars that the statements may assign, by themselves or by calls."""
        named: list[Expr] = []
        for statement in inside(body):
            match statement:
                case Assignment():
                    named.append(statement.target)
                case Call():
                    named += [a.value if isinstance(a, Keyword) else a for a in statement.args]
                case Do() if statement.index is not None:
                    named.append(Name(statement.index))
        places = [self.naming.place(frame, expr.id) for expr in named if isinstance(expr, Name)]
        return {place.key for place in places if isinstance(place, Scalar)}

    # --- calls -----------------------------------------------------------------------------------

    def _call(
        self, frame: Frame, procedure: Expr, args: Sequence[Expr], at: Lines
    ) -> tuple[Frame, Unit] | None:
        found = self.project.procedures(frame.unit, procedure, tuple(args))
        if isinstance(found, Intrinsic):
            for arg in args:
                self.evaluation.reads(frame, arg, at)
            self.record.gap(f"intrinsic subroutine '{found.name}'", at)
            return None
        if not isinstance(found, Procedures) or len(found.candidates) != 1:
            self.record.gap("a call of a procedure that is not known", at)
            return None
        (unit,) = found.candidates
        if frame.depth >= _DEEPEST or unit.kind is UnitKind.INTERFACE_BODY:
            self.record.gap(f"the call of '{unit.name}' is too deep or has no source", at)
            return None
        return self._entered(frame, unit, args, at), unit

    def _entered(self, frame: Frame, unit: Unit, args: Sequence[Expr], at: Lines) -> Frame:
        """Walk a called procedure with its dummies bound to the actual arguments."""
        self._calls += 1
        bound: dict[str, Place] = {}
        for position, arg in enumerate(args):
            name = arg.name if isinstance(arg, Keyword) else ""
            if not name and position < len(unit.args):
                name = unit.args[position]
            bound[name] = self._argument(frame, unit, name, arg, at)
        inner = Frame(unit, f"{unit.name}.{self._calls}", bound, frame.depth + 1)
        held = len(self.evaluation.conditions)
        self._run(inner, unit.body)
        del self.evaluation.conditions[held:]
        return inner

    def _argument(self, frame: Frame, unit: Unit, name: str, arg: Expr, at: Lines) -> Place:
        expr = arg.value if isinstance(arg, Keyword) else arg
        dummy = unit.symbols.get(name)
        wants_array = dummy is not None and dummy.is_array
        place: Place | None = None
        if isinstance(expr, Name) or (not self._is_function(frame, expr) and not _is_value(expr)):
            place = self.evaluation.place(frame, expr, at)
        if place is None:
            if self.project.type_of(frame.unit, expr) == "integer" and not wants_array:
                return Known(self.evaluation.term(frame, expr, at))
            self.evaluation.reads(frame, expr, at)
            return Known(None)
        if wants_array:
            return self._array_argument(place, unit, name, expr, at)
        if isinstance(place, Array):  # an elemental call: each element by itself
            return Element(place, None)
        return place

    def _array_argument(self, place: Place, unit: Unit, name: str, expr: Expr, at: Lines) -> Place:
        """An array dummy is its actual where the subscripts mean the same."""
        if isinstance(place, Array):
            dummy = unit.symbols[name]
            lower = [d.lower for d in dummy.dims]
            own = [d.lower for d in place.symbol.dims]
            assumed = all(d.shape is Shape.ASSUMED for d in dummy.dims)
            if lower == own and (len(own) == 1 or assumed):
                return place
            if place.is_private:
                return replace(place, key=f"{place.key}@{at}", symbol=dummy)
        if isinstance(place, Element) and place.array.is_private:
            return replace(place.array, key=f"{place.array.key}@{at}", symbol=unit.symbols[name])
        sections = isinstance(expr, Apply) and any(isinstance(a, Section) for a in expr.args)
        what = "a section" if sections else "an array of another shape"
        self.record.gap(f"'{name}' of '{unit.name}' is {what}", at)
        return place

    def _is_function(self, frame: Frame, expr: Expr) -> bool:
        return isinstance(expr, Apply) and self.evaluation._function(frame, expr) is not None

    def _function(self, frame: Frame, expr: Apply, at: Lines) -> Term | None:
        """The value of a function of the model, walked like any other call."""
        entered = self._call(frame, expr.base, expr.args, at)
        if entered is None:
            return None
        inner, unit = entered
        place = self.naming.place(inner, unit.result or unit.name)
        if isinstance(place, Scalar):
            return self.evaluation.state.values.get(place.key)
        return None


def _is_value(expr: Expr) -> bool:
    return not isinstance(expr, Name | Apply) and not hasattr(expr, "base")


def _joined(ends: Sequence[tuple[str, State]]) -> State:
    """Behind an IF: a scalar has the value of the branch that was taken, the first that holds."""
    _, last = ends[-1]
    result = last.copy()
    for condition, state in reversed(ends[:-1]):
        shared = result.values.keys() & state.values.keys()
        result.values = {
            key: result.values[key]
            if result.values[key] == state.values[key]
            else chosen(condition, state.values[key], result.values[key])
            for key in shared
        }
        result.assigned &= state.assigned
        result.touched |= state.touched
    return result
