"""The program walked from its first statement, with what every directive and write does to copies.

Each call is entered with what its arguments stand for; each loop that calls or launches something
is walked twice. What is reported happens on every run that executes both statements: the value
written by one is not in the copy that the other uses, whichever way leads from one to the other.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from acclimate.analysis.dependence.statements import inside, parts
from acclimate.analysis.directives import Construct, parse
from acclimate.analysis.ir import (
    Allocate,
    Associate,
    Binary,
    BlockConstruct,
    Call,
    Deallocate,
    Directive,
    Do,
    DoKind,
    Forall,
    If,
    InputOutput,
    Jump,
    Name,
    OpaqueStatement,
    Statement,
    Unit,
    UnitKind,
    Where,
)
from acclimate.analysis.names.resolution import DummyProcedure, Procedures
from acclimate.analysis.project import Project
from acclimate.analysis.source import Lines
from acclimate.verifier.copies.accesses import Accesses, Invocation, accesses
from acclimate.verifier.copies.data_directives import DECLARED, DataDirectives, named
from acclimate.verifier.copies.frames import Frame, Reference
from acclimate.verifier.copies.kernels import do_range, jumps
from acclimate.verifier.copies.launches import launch
from acclimate.verifier.copies.regions import Loops, Range
from acclimate.verifier.copies.reports import Reports
from acclimate.verifier.copies.state import Copy, Guard, Place, State, Write, joined
from acclimate.verifier.texts.governed import COMPUTE

_WORK = 3_000_000  # statements, and variables at each parting of ways; more is left to the runs
_STILL = ("routine", "loop", "declare")  # directives that move nothing
_FOLLOWED = ("exit", "cycle", "return", "stop")


class TooLargeError(Exception):
    """The program has more ways than are followed."""


@dataclass(frozen=True, slots=True)
class Extents:
    """Where the compute constructs of the program are: the last line of each, by its directive."""

    last: Mapping[Lines, int]
    inner: Mapping[Lines, tuple[Construct, ...]]  # LOOP directives in each


@dataclass(frozen=True, slots=True)
class _Block:
    """The statements of a block are executed under these conditions and in these loops."""

    frame: Frame
    guard: Guard
    loops: Loops


@dataclass(slots=True)
class _Exits:
    """States in which a loop or a procedure is left by a jump."""

    exits: list[State] = field(default_factory=list)
    cycles: list[State] = field(default_factory=list)


class Walk:
    """One walk of one program."""

    def __init__(self, project: Project, extents: Extents, reports: Reports) -> None:
        self.project, self.extents, self.reports = project, extents, reports
        self._work = 0
        self._returns: list[list[State]] = []
        self._loops: list[_Exits] = []
        self._directives: dict[int, list[tuple[Directive, Construct]]] = {}
        self._unstructured: dict[int, bool] = {}
        self._busy: dict[int, bool] = {}
        self._declared: frozenset[Place] = frozenset()

    def run(self, program: Unit, declared: Iterable[Place]) -> None:
        """Walk the main program.

        Raises:
            TooLargeError: it has too many ways.
        """
        self._declared = frozenset(declared)
        state = State(mapped=dict.fromkeys(self._declared, True))
        self._procedure(Frame(self.project, program), state, ())

    # --- procedures and blocks --------------------------------------------------------------------

    def _procedure(self, frame: Frame, state: State, guard: Guard) -> State | None:
        if self._is_unstructured(frame.unit):
            self._unordered(frame, state)
            return state
        for _, construct in self._of(frame.unit):
            if construct.name == "declare":
                for place, _ in named(frame, construct, *DECLARED):
                    state.mapped[place] = True
        self._returns.append([])
        outer, self._loops = self._loops, []
        block = _Block(frame, guard, {})
        unit = frame.unit
        end = self._block(block, unit.body, state, (unit.at.first, unit.end.last))
        self._loops = outer
        return joined([end, *self._returns.pop()])

    def _unordered(self, frame: Frame, state: State) -> None:
        """Statements in an order that is not followed, each executed or not."""
        if any(construct.name not in _STILL for _, construct in self._of(frame.unit)):
            state.doubt_all()
            return
        for statement in inside(frame.unit.body):
            self._count(1)
            found = accesses(frame, statement)
            for reference in (*found.writes, *found.touched):
                state.doubt(Copy.HOST, reference.place)
                state.doubt(Copy.DEVICE, reference.place)
            for call in found.calls:
                inner = self._entered(frame, call, statement, state)
                if inner is not None:
                    self._unordered(inner, state)

    def _entered(
        self, frame: Frame, call: Invocation, statement: Statement, state: State
    ) -> Frame | None:
        """The call of a procedure that can be followed; what any other does is left in doubt."""
        resolution = self.project.procedures(frame.unit, call.callee, call.args)
        unit = frame.procedure(call.callee, call.args)
        if unit is not None and _has_body(unit) and unit not in frame.above():
            return frame.called(unit, call.callee, call.args, statement.at.first)
        if isinstance(resolution, Procedures | DummyProcedure):
            state.doubt_all()
        for reference in call.passed:
            state.doubt(Copy.HOST, reference.place)
            state.doubt(Copy.DEVICE, reference.place)
        return None

    def _block(
        self, block: _Block, body: list[Statement], state: State | None, lines: tuple[int, int]
    ) -> State | None:
        """`lines`: the first and the last line of what the block stands in."""
        waiting = [
            (directive, construct)
            for directive, construct in self._of(block.frame.unit)
            if lines[0] <= directive.at.first <= lines[1] and not _in_statement(directive, body)
        ]
        data = DataDirectives(block.frame, block.guard, self.reports)
        taken = 0
        for number, statement in enumerate(body):
            while waiting and waiting[0][0].at.first < statement.at.first and state is not None:
                directive, construct = waiting.pop(0)
                if construct.name.split()[:1] and construct.name.split()[0] in COMPUTE:
                    last = self.extents.last.get(directive.at, directive.at.last)
                    held = [s for s in body[number:] if s.at.first <= last]
                    constructs = construct, self.extents.inner.get(directive.at, ())
                    launch(block.frame, constructs, held, state, block.guard, self.reports)
                    taken = max(taken, number + len(held))
                    waiting = [w for w in waiting if w[0].at.first > last]
                else:
                    data.execute(construct, directive.at, state)
            if state is None:
                return None
            if number < taken:
                continue
            state = self._statement(block, statement, state)
            if not isinstance(statement, Jump) and self._leaves(statement):
                tag = (block.frame.calls, statement.at, "behind")
                block = _Block(block.frame, (*block.guard, tag), {})
                data.guard = block.guard
        for directive, construct in waiting if state is not None else ():
            assert state is not None
            data.execute(construct, directive.at, state)
        return state

    def _of(self, unit: Unit) -> list[tuple[Directive, Construct]]:
        known = self._directives.get(id(unit))
        if known is None:
            found = [(d, parse(d)) for d in unit.directives if d.sentinel == "acc"]
            found.sort(key=lambda each: each[0].at.first)
            known = self._directives[id(unit)] = found
        return known

    def _count(self, work: int) -> None:
        self._work += work
        if self._work > _WORK:
            raise TooLargeError

    def _statement(self, block: _Block, statement: Statement, state: State) -> State | None:
        self._count(1)
        match statement:
            case Do():
                return self._loop(block, statement, state)
            case If():
                return self._branches(block, statement, state)
            case Associate():
                return self._associate(block, statement, state)
            case BlockConstruct() | OpaqueStatement():
                state.doubt_all()
                return state
            case Allocate() | Deallocate():
                for each in statement.objects:
                    found = block.frame.reference(each)
                    if found is not None and found.exact:
                        state.forget(found.place)
                        if found.place in self._declared:
                            state.mapped[found.place] = True
                return state
            case Jump():
                return self._jump(block, statement, state)
            case Where() | Forall():
                hidden = _Block(block.frame, block.guard, {})
                for masked in inside([statement]):
                    self._simple(hidden, masked, state, surely=False)
                return state
        return self._simple(block, statement, state)

    # --- control ----------------------------------------------------------------------------------

    def _loop(self, block: _Block, loop: Do, state: State) -> State | None:
        self._simple(block, loop, state)
        ranges: dict[str, Range | None] = dict(block.loops)
        if loop.index:
            ranges[loop.index] = do_range(block.frame, loop, block.loops)
        if loop.kind is not DoKind.COUNTED:
            ranges = {}
        inner = _Block(block.frame, block.guard, ranges)
        lines = (loop.at.first, loop.end.last)
        ends: list[State | None] = []
        left: list[State] = []
        now: State | None = state
        for _ in range(2 if self._is_busy(block.frame.unit, loop) else 1):
            self._loops.append(_Exits())
            self._count(now.size if now is not None else 0)
            start = now.copied() if now is not None else None
            end = self._block(inner, loop.body, start, lines) if start is not None else None
            found = self._loops.pop()
            now = joined([end, *found.cycles])
            left += found.exits
            ends.append(now)
        return joined([*ends, *left])

    def _is_busy(self, unit: Unit, loop: Do) -> bool:
        """Whether a second iteration can find what the first has done to copies."""
        known = self._busy.get(id(loop))
        if known is None:
            lines = range(loop.at.first, loop.end.last + 1)
            known = any(d.at.first in lines for d, _ in self._of(unit)) or any(
                isinstance(each, Call) for each in inside(loop.body)
            )
            self._busy[id(loop)] = known
        return known

    def _branches(self, block: _Block, statement: If, state: State) -> State | None:
        ends: list[State | None] = []
        closed = False
        self._simple(block, statement, state, surely=_is_evaluated(statement))
        for number, branch in enumerate(statement.branches):
            tag = (block.frame.calls, statement.at, number)
            inner = _Block(block.frame, (*block.guard, tag), {})
            following = statement.branches[number + 1 :]
            last = following[0].at.first if following else statement.end.last
            lines = (branch.at.first, last)
            self._count(state.size)
            ends.append(self._block(inner, branch.body, state.copied(), lines))
            closed |= branch.condition is None
        return joined(ends if closed else [*ends, state])

    def _associate(self, block: _Block, statement: Associate, state: State) -> State | None:
        frame = block.frame
        before = dict(frame.named)
        new: dict[str, Reference | None] = {}
        for name, selector in statement.associations:
            found = frame.reference(selector)
            if found is not None and found.subscripts:
                found = Reference(found.place, (), False, found.is_array)
            new[name] = found
        frame.named = {**before, **new}
        lines = (statement.at.first, statement.end.last)
        end = self._block(block, statement.body, state, lines)
        frame.named = before
        return end

    def _jump(self, block: _Block, statement: Jump, state: State) -> State | None:
        if statement.keyword == "return":
            self._returns[-1].append(state)
        elif statement.keyword in ("exit", "cycle") and self._loops:
            loop = self._loops[-1]
            (loop.exits if statement.keyword == "exit" else loop.cycles).append(state)
        return None

    def _leaves(self, statement: Statement) -> bool:
        return isinstance(statement, If | Associate) and jumps(statement)

    def _is_unstructured(self, unit: Unit) -> bool:
        """Whether control goes where this walk does not follow it."""
        known = self._unstructured.get(id(unit))
        if known is None:
            known = bool(unit.entries) or any(map(_is_lost, inside(unit.body)))
            self._unstructured[id(unit)] = known
        return known

    # --- what is done -----------------------------------------------------------------------------

    def _simple(
        self, block: _Block, statement: Statement, state: State, surely: bool = True
    ) -> State | None:
        frame = block.frame
        found = accesses(frame, statement)
        for reference in found.reads:
            if reference.exact and surely:
                region = frame.region(reference, block.loops)
                for write in state.missed(Copy.HOST, reference.place):
                    self.reports.host_reads(
                        reference.place, statement.at, block.guard, region, write
                    )
        for reference in found.touched:
            state.doubt(Copy.HOST, reference.place)
            state.doubt(Copy.DEVICE, reference.place)
        if isinstance(statement, InputOutput) and statement.namelist:
            self._namelist(frame, statement.namelist, state)
        after = self._calls(block, statement, found, state)
        for reference in found.writes if after is not None else ():
            assert after is not None
            after.doubt(Copy.HOST, reference.place)
            if reference.exact and surely:
                region = frame.region(reference, block.loops)
                write = Write(statement.at, block.guard, region)
                after.leave_behind(Copy.DEVICE, reference.place, write)
            else:
                after.doubt(Copy.DEVICE, reference.place)
        return after

    def _namelist(self, frame: Frame, name: str, state: State) -> None:
        """Any of the variables may be given a value."""
        unit: Unit | None = frame.unit
        while unit is not None and name not in unit.namelists:
            unit = unit.parent
        if unit is None:
            state.doubt_all()
            return
        for variable in unit.namelists[name]:
            found = frame.reference(Name(variable))
            if found is not None:
                state.doubt(Copy.HOST, found.place)
                state.doubt(Copy.DEVICE, found.place)

    def _calls(
        self, block: _Block, statement: Statement, found: Accesses, state: State
    ) -> State | None:
        frame = block.frame
        now: State | None = state
        for call in found.calls:
            if now is None:
                return None
            inner = self._entered(frame, call, statement, now)
            if inner is not None:
                now = self._procedure(inner, now, block.guard)
        return state.become(now) if now is not None else None


def _has_body(unit: Unit) -> bool:
    return unit.kind is not UnitKind.INTERFACE_BODY


def _in_statement(directive: Directive, body: list[Statement]) -> bool:
    """Whether a directive stands inside a statement of the block, in a loop or a branch."""
    for statement in body:
        end = getattr(statement, "end", statement.at)
        if statement.at.first < directive.at.first < end.last:
            return True
    return False


def _is_evaluated(statement: If) -> bool:
    """Whether all of the conditions is: only one, and nothing that may be left out."""
    first, *more = (b.condition for b in statement.branches if b.condition is not None)
    logical = (".and.", ".or.")
    return not more and not any(isinstance(p, Binary) and p.op in logical for p in parts(first))


def _is_lost(statement: Statement) -> bool:
    if isinstance(statement, Jump):
        return statement.keyword not in _FOLLOWED or statement.construct is not None
    return isinstance(statement, InputOutput) and bool(statement.branches)
