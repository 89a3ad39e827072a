"""One walk over a procedure's statements that collects its effects."""

from collections.abc import Sequence
from dataclasses import replace

from acclimate.analysis.ir import (
    Apply,
    Assignment,
    Associate,
    Branch,
    Component,
    Continue,
    Do,
    DoKind,
    Forall,
    If,
    Jump,
    Name,
    Statement,
    Unit,
    Where,
)
from acclimate.analysis.names.resolution import Intrinsic
from acclimate.analysis.project import Project
from acclimate.analysis.source import Lines
from acclimate.verifier.structure.acts import act_of
from acclimate.verifier.structure.conversions import converted
from acclimate.verifier.structure.effects import Behaviour, Guard, Kind, Loop
from acclimate.verifier.structure.evaluating import Scope
from acclimate.verifier.structure.evaluations import extent_expressions, may_not_end, subscripts_of
from acclimate.verifier.structure.fingerprints import (
    Reference,
    Value,
    atom,
    calls,
    integer,
    opaque,
)
from acclimate.verifier.structure.guarding import Guarding, none_of
from acclimate.verifier.structure.recording import Recording
from acclimate.verifier.structure.states import joined
from acclimate.verifier.structure.written import base_name, own_variables, written_in


def behaviour(project: Project, unit: Unit) -> Behaviour:
    """The effects of a procedure or main program, contained procedures left out."""
    walk = _Walk(project, unit)
    walk.run(unit.body)
    read = {name for effect in walk.effects for name in effect.value.names}
    read |= {name for effect in walk.effects for guard in effect.guards for name in guard.names}
    kept = [e for e in walk.effects if not e.is_local or e.target in read or calls(e.value)]
    scalars = tuple(effect for effect in walk.effects if effect.is_local)
    name, seen = project.name_of(unit), frozenset(walk.seen)
    held = tuple(sorted(walk.reallocated))
    return Behaviour(
        name,
        unit.at,
        tuple(kept),
        walk.plain,
        seen,
        own_variables(unit),
        scalars,
        held,
        frozenset(walk.evaluator.pointing),
        frozenset(walk.evaluated),
        walk.unending,
    )


class _Walk(Recording):
    def run(self, body: Sequence[Statement]) -> bool:
        """Walk a list of statements; False if none of its paths goes on behind it."""
        held = len(self.guards)
        goes_on = True
        for statement in body:
            if goes_on:
                goes_on = self._statement(statement)
        del self.guards[held:]
        return goes_on

    def _statement(self, statement: Statement) -> bool:
        match statement:
            case Assignment():
                self._assignment(statement)
            case If():
                return self._branches(statement, statement.branches)
            case Do():
                self._loop(statement)
            case Where():
                self._where(statement.branches)
            case Forall():
                self._forall(statement)
            case Jump():
                return self._jump(statement)
            case Associate():
                return self._associate(statement)
            case Continue():
                pass
            case _:
                self._other(statement)
        return True

    def _assignment(self, statement: Assignment) -> None:
        held = len(self.loops)
        self._open_elements(statement)
        self._assign(statement, is_array=bool(self.elements))
        del self.loops[held:]
        self.elements = []

    def _open_elements(self, statement: Assignment) -> None:
        """Write an array statement out, element by element."""
        known = self.state.known
        found = self.spaces.elements(statement.target, self.loops, known, statement.at)
        around = self.around(*extent_expressions(statement.target))
        self.loops += [replace(loop, around=around) for loop, _ in found]
        self.elements = [counter for _, counter in found]

    def _assign(self, statement: Assignment, *, is_array: bool) -> None:
        value, by_version = self.value(statement.value), self.by_version(statement.value)
        self.evaluates(statement.value, *subscripts_of(statement.target))
        scope = Scope(self.state.known, self.elements)
        name, subscripts, parts = self.evaluator.place(statement.target, scope)
        symbol = self.evaluator.symbol(statement.target)
        is_local = self.is_local(symbol) and subscripts == ()
        places = None if subscripts is None else tuple(s.subscript() for s in parts)
        reads = value.reads.union(*(part.reads for part in parts))
        if subscripts is None:
            at = [part.exact for part in parts]
            value = replace(value, exact=atom("at", value.exact, *at))
            by_version = replace(by_version, exact=atom("at", by_version.exact, *at))
        if symbol is not None and not isinstance(statement.target, Apply):
            self.reallocated += [name] * ("allocatable" in symbol.attributes)
        acts = calls(value) or any(map(calls, parts)) or self._may_call(statement)
        self.emit(
            Kind.ASSIGNMENT,
            statement.at,
            replace(value, reads=reads),
            by_version,
            target=name,
            subscripts=places,
            is_local=is_local,
            is_array=is_array,
            acts=acts,
        )
        place = None if subscripts is None else tuple(s.number for s in subscripts)
        self.state.written(name, atom("write", place, by_version.number))
        if is_local:
            self.state.known[name] = converted(self.evaluator, symbol, statement.value, value)
            self.state.versioned[name] = converted(
                self.evaluator, symbol, statement.value, by_version
            )
        if acts:
            self.called(statement.value, by_version)
            self.called(statement.target, by_version)

    def _may_call(self, statement: Assignment) -> bool:
        """Whether a procedure may stand behind it: a defined assignment, or a finalizer."""
        sides = statement.target, statement.value
        if (self.project.type_of(self.unit, sides[0]) or "type").startswith(("type", "class")):
            return True
        found = self.project.procedures(self.unit, Name("assignment(=)"), sides)
        return not isinstance(found, Intrinsic)

    # --- branches --------------------------------------------------------------------------------

    def _branches(self, statement: Statement, branches: Sequence[Branch]) -> bool:
        node, held = self.spaces.node(), len(self.guards)
        before, ends, left = self.state, [], []
        taken: list[Guard] = []  # what is known when the branches before were not taken
        plain: list[Value] = []
        versioned: list[Value] = []
        for number, branch in enumerate(branches):
            self.state = before.copy()
            self.guards[held:] = [replace(g, node=node, branch=number) for g in taken]
            path = list(self.guards[held:])
            if branch.condition is not None:
                self.evaluates(branch.condition)
                plain.append(self.value(branch.condition))
                versioned.append(self.by_version(branch.condition))
                if calls(plain[-1]):
                    self.called(branch.condition, versioned[-1])
                    before = self.state.copy()
                guarding = self._guarding(node, number, branch.at)
                path += guarding.literals(branch.condition, True)
                taken += guarding.literals(branch.condition, False)
            self.guards[held:] = path
            if self.run(branch.body):
                ends.append((number, self.state))
            else:
                left.append(path)
        complete = any(branch.condition is None for branch in branches)
        if not complete:
            ends.append((len(branches), before))
        self.guards[held:] = none_of(left, node, statement.at)
        self.state = joined(ends, plain, versioned) if ends else before
        return bool(ends)

    def _guarding(self, node: int, branch: int, at: Lines) -> Guarding:
        return Guarding(self.value, self.by_version, self.around, node, branch, at)

    def _jump(self, statement: Jump) -> bool:
        keyword = statement.keyword
        if keyword == "goto" and statement.targets == (self._last_label,):
            keyword = "return"
        leaves = keyword in ("cycle", "exit", "return", "stop")
        last = keyword == "return" and not self.loops and not self.guards
        if keyword != "cycle" and not last:
            value = opaque(f"{keyword} {statement.construct}", ())
            self.emit(Kind.JUMP, statement.at, value, value, target=keyword)
        if not leaves or statement.construct is not None:
            self.plain = False
        return not leaves

    @property
    def _last_label(self) -> str | None:
        """The label at which a procedure has nothing more to do."""
        last = self.unit.body[-1] if self.unit.body else None
        ends = isinstance(last, Continue) or (isinstance(last, Jump) and last.keyword == "return")
        return last.label if ends and last is not None else None

    def _associate(self, statement: Associate) -> bool:
        """Names that stand for variables are read as those; for expressions, nothing is certain."""
        held = dict(self.evaluator.aliases)
        for name, selector in statement.associations:
            self.evaluator.aliases[name] = selector
            self.plain &= isinstance(selector, Name | Component)
        goes_on = self.run(statement.body)
        self.evaluator.aliases.clear()
        self.evaluator.aliases.update(held)
        return goes_on

    # --- loops -----------------------------------------------------------------------------------

    def _loop(self, statement: Do) -> None:
        held = len(self.loops)
        before = self.state.copy()
        if statement.kind in (DoKind.COUNTED, DoKind.CONCURRENT) and statement.index is not None:
            loop, index = self.spaces.counted(statement, self.loops, self.state.known)
        else:
            condition = statement.condition
            number = 0
            if condition is not None:
                number = atom(self.value(condition).exact, self.by_version(condition).exact)
            loop = self.spaces.uncounted(f"{statement.kind.value} {number}", statement.at)
            index = integer(0)
        for bound in (statement.first, statement.last, statement.step, statement.condition):
            if bound is not None and calls(self.value(bound)):
                self.called(bound, self.by_version(bound))
        bounds = statement.first, statement.last, statement.step, statement.condition
        self.evaluates(*bounds)
        if may_not_end(statement):
            self.unending[loop.trips.number, self.surroundings()] += 1
        self.loops.append(replace(loop, around=self.around(*bounds)))
        written = written_in(statement.body)
        if self._calls:
            self.anything_written(loop.trips.number)
        for name in written:
            self.state.written(name, atom("loop", loop.trips.number))
        self._blur(written, "in", loop)
        if statement.index is not None:
            self.state.known[statement.index] = self.state.versioned[statement.index] = index
        self._masked(statement)
        self._blur(written, "after", loop)
        if statement.index is not None:
            self._index_after(statement.index, loop)
        for name in before.known.keys() - self.state.known.keys():
            self._blur({name}, "after", loop)
        del self.loops[held:]

    def _index_after(self, index: str, loop: Loop) -> None:
        self.state.known.pop(index, None)
        self.state.versioned.pop(index, None)
        self._blur({index}, "after", loop)
        if index in self.state.known:
            left = opaque(f"index left {loop.forward}", (loop.low, loop.trips))
            self.state.known[index] = self.state.versioned[index] = left

    def _masked(self, statement: Do) -> None:
        held = len(self.guards)
        if statement.kind is DoKind.CONCURRENT and statement.condition is not None:
            self.evaluates(statement.condition)
            guarding = self._guarding(self.spaces.node(), 0, statement.at)
            self.guards += guarding.literals(statement.condition, True)
        self.run(statement.body)
        del self.guards[held:]

    def _blur(self, names: set[str], when: str, loop: Loop) -> None:
        """Variables that a loop writes hold, in it and behind it, what its iterations left."""
        for name in names:
            key = atom(when, name, loop.trips.number, self.state.version.get(name))
            self.state.version[name] = key
            if name in self.state.known or self.is_local(self.evaluator.symbol(Name(name))):
                own = atom("read", name, (), None)
                reads = frozenset({Reference(name)})
                self.state.known[name] = Value(own, own, reads)
                self.state.versioned[name] = Value(key, key, reads)

    # --- array statements ------------------------------------------------------------------------

    def _where(self, branches: Sequence[Branch]) -> None:
        """Masks are evaluated element by element, which is right where nothing in them changes."""
        for assignment in (a for b in branches for a in b.body if isinstance(a, Assignment)):
            if self.spaces.extents(assignment.target, self.state.known):
                held = len(self.loops)
                self._open_elements(assignment)
                self._under_masks(branches, assignment)
                del self.loops[held:]
                self.elements = []
            else:
                self._other(assignment)
        masks = [self.value(b.condition).names for b in branches if b.condition is not None]
        targets = [
            base_name(s.target) for b in branches for s in b.body if isinstance(s, Assignment)
        ]
        asked = {name.split("%", maxsplit=1)[0] for names in masks for name in names}
        if len(targets) > 1 and asked & set(targets):
            self.plain = False
        if any(not isinstance(s, Assignment | Continue) for b in branches for s in b.body):
            self.plain = False

    def _under_masks(self, branches: Sequence[Branch], assignment: Assignment) -> None:
        held, node = len(self.guards), self.spaces.node()
        for number, branch in enumerate(branches):
            here = any(s is assignment for s in branch.body)
            if branch.condition is not None:
                self.evaluates(branch.condition)
                self.guards += self._guarding(node, number, branch.at).literals(
                    branch.condition, here
                )
            if here:
                self._assign(assignment, is_array=True)
                break
        del self.guards[held:]

    def _forall(self, statement: Forall) -> None:
        held, guards = len(self.loops), len(self.guards)
        self.plain &= len(statement.body) <= 1  # all of one statement comes before the next
        before = self.state.copy()
        for each in statement.indices:
            header = Do(
                at=statement.at,
                kind=DoKind.COUNTED,
                body=statement.body,
                end=statement.end,
                index=each.index,
                first=each.first,
                last=each.last,
                step=each.step,
            )
            loop, index = self.spaces.counted(header, self.loops, self.state.known)
            self.loops.append(replace(loop, is_element=True))
            self.state.known[each.index] = self.state.versioned[each.index] = index
        if statement.mask is not None:
            self.evaluates(statement.mask)
            self.guards += self._guarding(self.spaces.node(), 0, statement.at).literals(
                statement.mask, True
            )
        for inner in statement.body:
            if isinstance(inner, Assignment) and not self.spaces.extents(
                inner.target, self.state.known
            ):
                self._assign(inner, is_array=True)
            else:
                self._other(inner)
        del self.loops[held:], self.guards[guards:]
        for each in statement.indices:
            for now, then in (
                (self.state.known, before.known),
                (self.state.versioned, before.versioned),
            ):
                now.pop(each.index, None)
                if each.index in then:
                    now[each.index] = then[each.index]

    # --- the rest --------------------------------------------------------------------------------

    def _other(self, statement: Statement) -> None:
        act = act_of(statement)
        self.plain &= act.is_plain
        own = opaque(act.label, ())
        value = opaque(act.kind.value, [own, *map(self.value, act.names)])
        versioned = opaque(act.kind.value, [own, *map(self.by_version, act.names)])
        self.emit(act.kind, statement.at, value, versioned)
        if act.kind is not Kind.ALLOCATION:
            self.anything_written(versioned.number)
        for position, expr in enumerate(act.written):
            self.handed_out(expr, atom("out", value.number, position))
