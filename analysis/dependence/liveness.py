"""Which variables of a unit may still be read after each of its loops.

Backward over the statements, with GOTO until nothing changes. What a loop reads before writing it
comes from the walk over its iteration, so work arrays that every iteration fills anew do not count
as read. In units with ENTRY or jumps to labels that are nowhere, and behind anything opaque, every
name that occurs outside the loop counts.
"""

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from acclimate.analysis.dependence.aliasing import Places
from acclimate.analysis.dependence.arguments import bound_arguments
from acclimate.analysis.dependence.invocations import Invocations
from acclimate.analysis.dependence.lifetimes import is_private_to
from acclimate.analysis.dependence.outliving import OutlivingScalars
from acclimate.analysis.dependence.statements import (
    has_opaque,
    inside,
    labels,
    own_expressions,
    parts,
)
from acclimate.analysis.dependence.summary import SummaryOf, is_shared
from acclimate.analysis.flow.ways import falls_through, targets
from acclimate.analysis.ir import (
    Assignment,
    Associate,
    BlockConstruct,
    Call,
    Do,
    Expr,
    Forall,
    If,
    Jump,
    Name,
    Statement,
    Symbol,
    Unit,
    Where,
)
from acclimate.analysis.names.operations import ASSIGNMENT
from acclimate.analysis.names.resolution import Intrinsic, Procedures

Names = frozenset[str]
_FOLLOWED = ("cycle", "exit", "return", "stop", "error stop", "goto", "arithmetic-if")
# What an iteration reads before writing it: everything, and what an iteration may also write.
ExposedIn = Callable[[Do], tuple[Names, Names]]


@dataclass(slots=True)
class _Loop:
    statement: Do
    next_iteration: Names
    after: Names


class Liveness:
    def __init__(
        self,
        places: Places,
        invocations: Invocations,
        summary_of: SummaryOf,
        exposed_in: ExposedIn,
    ) -> None:
        self._places, self._summary_of, self._exposed_in = places, summary_of, exposed_in
        self._outliving = OutlivingScalars(places, invocations)
        self._unit = places.unit
        self._after: dict[int, Names] = {}
        self._loops: list[_Loop] = []
        self._always = self._read_elsewhere()
        self._at_label: dict[str, Names] = {}  # live where a jump to the label goes on
        self._left_for: dict[int, tuple[str, ...]] = {}  # labels outside, by the loop's id
        statements = list(inside(self._unit.body))
        self._opaque = has_opaque(self._unit.body)
        self._jumps = self._opaque or _is_lost(statements)
        self._has_targets = any(map(targets, statements))
        self._mentions = _mentions(statements) if self._jumps else Counter()
        if not self._jumps:
            self._settle()

    def after(self, loop: Do, symbol: Symbol) -> bool:
        """May the variable's value be read after the loop?"""
        if self._outliving.holds(symbol) and not self._jumps:
            return symbol.name in self._always or symbol.name in self._after[id(loop)]
        if not is_private_to(symbol, self._unit) or symbol.name in self._always:
            return True
        if self._jumps and id(loop) not in self._after:
            self._after[id(loop)] = self._outside(loop)
        return symbol.name in self._after[id(loop)]

    def _outside(self, loop: Do) -> Names:
        """What is read where the order is not known: anything mentioned by other statements."""
        if self._opaque:
            return frozenset(self._unit.symbols) | self._mentions.keys()
        left = self._mentions.copy()
        left.subtract(_mentions(inside([loop])))
        names = (name for name, statements in left.items() if statements)
        return frozenset(names) | self._exposed_in(loop)[1]

    def _read_elsewhere(self) -> Names:
        """Names read through ASSOCIATE, NAMELIST or contained procedures."""
        names: set[str] = set()
        for statement in inside(self._unit.body):
            if isinstance(statement, Associate):
                names |= _mentioned(expr for _, expr in statement.associations)
        for group in self._unit.namelists.values():
            names |= set(group)
        for inner in self._unit.units.values():
            for access in self._summary_of(inner).accesses:
                if is_shared(access.key, inner) and access.symbol.owner is self._unit:
                    names.add(access.symbol.name)
        return frozenset(names)

    # --- backward walk -------------------------------------------------------------------------

    def _settle(self) -> None:
        while True:
            known = self._at_label.copy()
            self._before(self._unit.body, self._outliving.names)
            if self._at_label == known:
                return

    def _before(self, statements: list[Statement], after: Names) -> Names:
        live = after
        for statement in reversed(statements):
            live = self._before_one(statement, live)
            if statement.label is not None:
                self._at_label[statement.label] = live | self._at((statement.label,))
        return live

    def _before_one(self, statement: Statement, after: Names) -> Names:
        return self._before_kind(statement, after) | self._outliving.read_in(statement)

    def _before_kind(self, statement: Statement, after: Names) -> Names:
        if not isinstance(statement, Jump):
            after |= self._at(targets(statement))
        match statement:
            case Do():
                return self._before_loop(statement, after)
            case If() | Where():
                return self._before_branches(statement, after)
            case Jump():
                return self._at_jump(statement, after) | _mentioned(own_expressions(statement))
            case Assignment():
                return self._before_assignment(statement, after)
            case Call():
                return self._before_call(statement, after)
            case Associate() | Forall() | BlockConstruct():
                return self._before(statement.body, after) | _mentioned(own_expressions(statement))
        return after | _mentioned(own_expressions(statement))

    def _at(self, labels: Iterable[str]) -> Names:
        return frozenset().union(*(self._at_label.get(label, frozenset()) for label in labels))

    def _exits(self, loop: Do) -> tuple[str, ...]:
        """Labels outside the loop that statements in it jump to."""
        if not self._has_targets:
            return ()
        found = self._left_for.get(id(loop))
        if found is None:
            own = labels(loop.body)
            left = {t for s in inside(loop.body) for t in targets(s) if t not in own}
            found = self._left_for[id(loop)] = tuple(sorted(left))
        return found

    def _before_loop(self, loop: Do, after: Names) -> Names:
        after |= self._at(self._exits(loop))
        self._after[id(loop)] = after
        exposed, carried = self._exposed_in(loop)
        bounds = _mentioned(own_expressions(loop))
        called = frozenset().union(*(self._outliving.read_in(s) for s in inside([loop])))
        again = after | carried | called | _mentioned((loop.condition,) if loop.condition else ())
        self._loops.append(_Loop(loop, again, after))
        self._before(loop.body, again)
        self._loops.pop()
        return ((after | exposed) - ({loop.index} if loop.index else set())) | called | bounds

    def _before_branches(self, statement: If | Where, after: Names) -> Names:
        live: Names = frozenset() if _has_else(statement) else after
        for branch in statement.branches:
            live |= self._before(branch.body, after)
        if isinstance(statement, Where):
            live |= after
        return live | _mentioned(own_expressions(statement))

    def _before_assignment(self, statement: Assignment, after: Names) -> Names:
        target = statement.target
        if self._may_call(target, statement.value):
            return after | _mentioned((statement.value, target))
        if isinstance(target, Name):
            return (after - {target.id}) | _mentioned((statement.value,))
        return after | _mentioned((statement.value, target)) - _only_written(target)

    def _may_call(self, target: Expr, value: Expr) -> bool:
        """May a procedure stand behind the assignment, which can read what it assigns to?"""
        places = self._places
        if "=" not in places.storage.overloaded:
            return False
        found = places.project.procedures(places.unit, Name(ASSIGNMENT), (target, value))
        return not isinstance(found, Intrinsic)

    def _before_call(self, statement: Call, after: Names) -> Names:
        unit = self._places.unit
        resolution = self._places.project.procedures(unit, statement.procedure, statement.args)
        if not isinstance(resolution, Procedures) or not isinstance(statement.procedure, Name):
            return after | _mentioned((statement.procedure, *statement.args))
        if any(candidate.entries for candidate in resolution.candidates):
            return after | _mentioned(statement.args)  # ENTRY has arguments of its own
        read: set[str] = set()
        for candidate in resolution.candidates:
            read |= self._read_by(candidate, statement)
        return after | frozenset(read)

    def _read_by(self, callee: Unit, statement: Call) -> Names:
        exposed = {
            access.symbol.name for access in self._summary_of(callee).accesses if not access.write
        }
        names: set[str] = set()
        for dummy, actual in bound_arguments(callee, statement.procedure, statement.args):
            if not isinstance(actual, Name) or dummy in exposed:
                names |= _mentioned((actual,))
        return frozenset(names)

    def _at_jump(self, statement: Jump, after: Names) -> Names:
        if statement.targets:
            there = self._at(statement.targets)
            return there | after if falls_through(statement) else there
        for loop in reversed(self._loops):
            if statement.construct in (None, loop.statement.name):
                if statement.keyword == "cycle":
                    return loop.next_iteration
                if statement.keyword == "exit":
                    return loop.after
        return self._outliving.names  # RETURN and STOP; all else that outlives is always live


def _has_else(statement: If | Where) -> bool:
    return any(branch.condition is None for branch in statement.branches)


def _is_lost(statements: list[Statement]) -> bool:
    """Does control go where the statements do not say?"""
    known = {statement.label for statement in statements}
    return any(
        (isinstance(statement, Jump) and statement.keyword not in _FOLLOWED)
        or not known.issuperset(targets(statement))
        for statement in statements
    )


def _mentions(statements: Iterable[Statement]) -> Counter[str]:
    """Names, and how many of the statements mention each."""
    return Counter(
        name for statement in statements for name in _mentioned(own_expressions(statement))
    )


def _mentioned(exprs: Iterable[Expr]) -> Names:
    return frozenset(part.id for expr in exprs for part in parts(expr) if isinstance(part, Name))


def _only_written(target: Expr) -> Names:
    """The name an element or component store writes, unless a subscript reads it too."""
    base = target
    inside_subscripts: set[str] = set()
    while not isinstance(base, Name):
        inside_subscripts |= _mentioned(getattr(base, "args", ()))
        next_base = getattr(base, "base", None)
        if next_base is None:
            return frozenset()
        base = next_base
    return frozenset({base.id} - inside_subscripts)
