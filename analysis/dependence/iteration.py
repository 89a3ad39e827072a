"""The abstract walk over one iteration of a loop, or over the body of a procedure.

One pass in execution order keeps, for the point it has reached: the value of every scalar as an
affine form, the regions surely written since the start of the iteration, and the conditions of
the path. Every reference is noted with that knowledge.
"""

from acclimate.analysis.dependence.affine import Affine
from acclimate.analysis.dependence.arguments import spelt
from acclimate.analysis.dependence.calls import Calls
from acclimate.analysis.dependence.conditions import (
    Literal,
    facts_of,
    holds,
    is_impossible,
    literals,
)
from acclimate.analysis.dependence.context import Context
from acclimate.analysis.dependence.evaluation import Evaluator
from acclimate.analysis.dependence.inner_loops import InnerLoops, ModifiedIn
from acclimate.analysis.dependence.jumps import Frame, Jumps
from acclimate.analysis.dependence.records import Location, Trait
from acclimate.analysis.dependence.reductions import (
    Extremum,
    Update,
    constant_store,
    extremum_of,
    update_of,
)
from acclimate.analysis.dependence.simple_statements import SimpleStatements
from acclimate.analysis.dependence.state import State, merged
from acclimate.analysis.dependence.statements import bodies, inside, parts
from acclimate.analysis.dependence.substitution import replaced
from acclimate.analysis.dependence.summary import SummaryOf
from acclimate.analysis.flow.ways import targets
from acclimate.analysis.ir import (
    Assignment,
    Associate,
    BlockConstruct,
    Do,
    Expr,
    If,
    Jump,
    Name,
    Statement,
)
from acclimate.analysis.names.resolution import Intrinsic
from acclimate.analysis.source import Lines

_ENTRIES = 8  # of what is known, joined in the time of one step


class Iteration:
    """Walks statements; what it finds is in `context.record` and the final `context.state`."""

    def __init__(
        self, context: Context, summary_of: SummaryOf, modified_in: ModifiedIn, loop: Do | None
    ) -> None:
        self.context = context
        self.evaluator = Evaluator(context)
        self.references = Calls(context, self.evaluator, summary_of)
        self._modified_in = modified_in
        self._simple = SimpleStatements(context, self.evaluator, self.references)
        known = context.structuring.labels_in(context.unit.body if loop is None else loop.body)
        self._jumps = Jumps(context, [Frame(loop)], known)
        self._loops = InnerLoops(context, self.evaluator, self.references, self._jumps, modified_in)
        self._previous: Lines | None = None
        directives = context.unit.directives
        self._atomic = [d for d in directives if d.text.startswith("atomic")]

    def walk(self, statements: list[Statement]) -> None:
        self._block(statements)
        self._jumps.finish()

    def exits(self) -> list[State]:
        """The states in which the walked statements may be left by RETURN or at their end."""
        state = self.context.state
        return [*self._jumps.returns, *([state] if state.alive else [])]

    def _block(self, statements: list[Statement]) -> None:
        start = len(self._jumps.departures)
        structured = self.context.structuring.of(statements)
        self._jumps.expect(structured)
        for statement in structured.statements:
            if statement.label is not None:
                self._jumps.arrive(statement.label, start)
            if isinstance(statement, Jump) and statement.keyword == "entry":
                self._jumps.begin_anew()
            if self.context.state.alive:
                self._statement(statement)
            elif any(s.label in self._jumps.labels for s in inside([statement])):
                self._unreachable(statement, start)
            self._previous = statement.at

    def _unreachable(self, statement: Statement, start: int) -> None:
        """A construct no path falls into, but that may hold labels jumped to."""
        for body in bodies(statement):
            for inner in body:
                if inner.label is not None:
                    self._jumps.arrive(inner.label, start)
                if self.context.state.alive:
                    self.context.record.flag(Trait.JUMP, inner.at, "GOTO jumps into a construct")
                    self._statement(inner)

    def _statement(self, statement: Statement) -> None:
        match statement:
            case Assignment():
                self._assignment(statement)
            case If():
                self._if(statement)
            case Do():
                self._loops.walk(statement, self._block)
            case Jump():
                if statement.keyword != "entry":
                    self.references.read(statement.value, statement.at)
                self._jumps.jump(statement)
            case Associate():
                self._associate(statement)
            case BlockConstruct():
                self._simple.enter_block(statement)
                self._block(statement.body)
            case _:
                self._simple.note(statement, self._block)
                for label in targets(statement):
                    self._jump_on_condition(label, statement)

    def _jump_on_condition(self, label: str, statement: Statement) -> None:
        jump = Jump(at=statement.at, keyword="goto", targets=(label,))
        condition = holds(self.context.fresh())
        path = self.context.state.copy()
        path.conditions = (*path.conditions, condition)
        self._jumps.send(label, path, jump)
        state = self.context.state
        state.conditions = (*state.conditions, condition.negated())

    # --- assignment ----------------------------------------------------------------------------

    def _assignment(self, statement: Assignment) -> None:
        target, value, at = statement.target, statement.value, statement.at
        self._note_atomic(at)
        if self._simple.defined_assignment(statement):
            return
        if self._is_passed_over(target):
            self._assign(statement)
            return
        update = update_of(target, value, self._is_intrinsic)
        if update is not None and self._combines(statement, update) and self._is_exposed(target):
            for other in update.others:
                self.references.read(other, at)
            self._update(target, update.operator, at, self._stored(target, value))
            return
        operator = constant_store(value)
        if operator is not None and self._is_plain_scalar(target):
            self._store_constant(target, value, operator, at)
            return
        self._assign(statement)

    def _assign(self, statement: Assignment) -> None:
        target, value, at = statement.target, statement.value, statement.at
        self.references.read(value, at)
        self.references.store(target, at, value=self._stored(target, value))

    def _is_passed_over(self, target: Expr) -> bool:
        """Is it all the same how the target is combined with the value?"""
        designator = self.evaluator.designator(target)
        return designator is not None and self.references.is_passed_over(designator)

    def _combines(self, statement: Assignment, update: Update) -> bool:
        """Does the order not matter? It does where every step is rounded to an integer."""
        aliases = self.context.aliases
        if not self.context.expressions.is_plainly_computed(replaced(statement.value, aliases)):
            return False
        kind_of = self.context.expressions.type
        kind = kind_of(replaced(statement.target, aliases)) or ""
        if kind.startswith(("type", "class")):
            return False
        return kind != "integer" or all(
            self.evaluator.is_integer(other) or kind_of(other) == "integer"
            for other in update.others
        )

    def _stored(self, target: Expr, value: Expr) -> Affine | None:
        """The value an assignment gives a scalar; values of elements are not kept."""
        if (
            isinstance(target, Name)
            and target.id in self.context.expressions.unasked
            and not isinstance(value, Name)
            and not self.context.aliases
        ):
            return None
        return self.evaluator.value(value) if self._is_plain_scalar(target) else None

    def _update(self, target: Expr, operator: str, at: Lines, value: Affine | None = None) -> None:
        self.references.read(target, at, operator)
        self.references.store(target, at, operator=operator, value=value)

    def _store_constant(self, target: Expr, value: Expr, operator: str, at: Lines) -> None:
        """`found = .true.`: combines by OR with whatever other iterations store."""
        self.references.store(target, at, value=self.evaluator.value(value))
        last = self.context.record.accesses.pop()
        self.context.record.accesses.append(last._replace(constant=operator))

    def _is_exposed(self, target: Expr) -> bool:
        designator = self.evaluator.designator(target)
        if designator is None:
            return False
        subscripts = self.references.subscripts(designator)
        region = self.context.coverage.read(subscripts, self.evaluator.declared(designator))
        known = self.context.state.definitions_of(designator.key, len(region))
        conditions = facts_of(self.context.state.conditions)
        return bool(self.context.coverage.left(region, conditions, known))

    def _is_plain_scalar(self, target: Expr) -> bool:
        designator = self.evaluator.designator(target)
        return designator is not None and designator.is_scalar

    def _is_exposed_scalar(self, target: Expr) -> bool:
        return self._is_plain_scalar(target) and self._is_exposed(target)

    def _is_intrinsic(self, name: str) -> bool:
        return isinstance(self.context.project.resolve(self.context.unit, name), Intrinsic)

    def _note_atomic(self, at: Lines) -> None:
        """Remember an atomic directive that stands directly before the statement."""
        before = self._previous
        for directive in self._atomic:
            if directive.at.last >= at.first:
                continue
            if before is None or before.first < directive.at.first:
                line = directive.at
                if line.file == at.file and at not in self.context.record.atomic_lines:
                    self.context.record.atomic_lines.append(at)

    # --- IF and ASSOCIATE ----------------------------------------------------------------------

    def _if(self, statement: If) -> None:
        extremum = extremum_of(statement)
        if extremum is not None and self._is_exposed_scalar(extremum.target):
            self._extremum(extremum, statement)
            return
        start = len(self._jumps.departures)
        base = self.context.state
        negations: tuple[Literal, ...] = ()
        paths: list[State] = []
        for branch in statement.branches:
            taken: tuple[Literal, ...] = ()
            if branch.condition is not None:
                self._enter(base, negations)
                self.references.read(branch.condition, branch.at)
                taken = self._literals(branch.condition, True)
                avoided = self._literals(branch.condition, False)
                base = self._evaluated(base)
            self._enter(base, negations + taken)
            self._block(branch.body)
            paths.append(self.context.state)
            if branch.condition is None:
                break
            negations += avoided
        else:
            self._enter(base, negations)
            paths.append(self.context.state)
        self._leave_branches(base, paths, departed=len(self._jumps.departures) > start)

    def _evaluated(self, base: State) -> State:
        """The state behind a condition, which may have called functions."""
        state = self.context.state.copy()
        state.conditions = base.conditions
        return state

    def _enter(self, base: State, extra: tuple[Literal, ...]) -> None:
        self.context.state = base.copy()
        self.context.state.conditions = (*base.conditions, *extra)
        if any(map(is_impossible, extra)):  # a branch for another configuration
            self.context.state.alive = False

    def _leave_branches(self, base: State, paths: list[State], *, departed: bool) -> None:
        alive = [path for path in paths if path.alive]
        self.context.effort.spend(len(base.values) // _ENTRIES)
        if not alive:
            self.context.state = base.copy()
            self.context.state.alive = False
        elif len(alive) == 1:
            self.context.state = alive[0]
            if not departed:  # the others end in STOP: whoever comes here came unconditionally
                self.context.state.conditions = base.conditions
        else:
            conditions = base.conditions
            if departed:
                conditions = (*conditions, holds(self.context.fresh()))
            self.context.state = merged(self.context, alive, conditions)

    def _literals(self, condition: Expr, positive: bool) -> tuple[Literal, ...]:
        return literals(condition, positive, self.evaluator.value, self.evaluator.is_integer)

    def _extremum(self, extremum: Extremum, statement: If) -> None:
        condition = statement.branches[0].condition
        self.references.read(extremum.value, statement.at)
        self._update(extremum.target, extremum.operator, statement.at)
        if condition is None or not extremum.location:
            return
        target = self.evaluator.designator(extremum.target)
        base = self.context.state
        self._enter(base, (holds(self.context.fresh()),))
        for assignment in extremum.location:
            self.references.read(assignment.value, assignment.at)
            self.references.store(
                assignment.target, assignment.at, value=self.evaluator.value(assignment.value)
            )
            located = self.evaluator.designator(assignment.target)
            if located is not None and target is not None:
                self.context.record.locations.append(
                    Location(located.key, target.key, extremum.operator, assignment.at)
                )
        self.context.state = merged(self.context, [self.context.state, base], base.conditions)

    def _associate(self, statement: Associate) -> None:
        outer = self.context.aliases
        self.enter_associate(statement)
        self._block(statement.body)
        self.context.aliases = outer

    def enter_associate(self, statement: Associate) -> None:
        """Let the associated names stand for what they select."""
        outer = self.context.aliases
        inner = dict(outer)
        changed = self._modified_in(statement)
        for name, selector in statement.associations:
            selector = replaced(selector, outer)
            self._check_selector(name, selector, changed, statement.at)
            inner[name] = selector
        self.context.aliases = inner

    def _check_selector(
        self, name: str, selector: Expr, changed: tuple[str, ...], at: Lines
    ) -> None:
        """Substituting the selector is right only if what selects does not change inside."""
        whole = self.evaluator.designator(selector)
        if whole is None:
            self.references.read(selector, at)
        else:
            self.references.read_subscripts(whole, at)
        own = None if whole is None else whole.key
        for part in parts(selector):
            designator = self.evaluator.designator(part) if isinstance(part, Name) else None
            if designator is None or designator.key == own:
                continue
            if own is not None and own.startswith(designator.key + "%"):
                continue
            if any(self.context.storage.overlapping(designator.key, k) for k in changed):
                self.context.record.flag(
                    Trait.OPAQUE, at, f"`{spelt(part)}` changes inside ASSOCIATE of `{name}`"
                )
