"""Which loops of a unit become kernels: the outermost that a rule accepts."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace

from acclimate.analysis.dependence.statements import bodies, inside
from acclimate.analysis.directives import parse
from acclimate.analysis.facts import Verdict
from acclimate.analysis.index import ProjectIndex
from acclimate.analysis.ir import Associate, Do, Statement
from acclimate.analysis.source import Lines
from acclimate.porter.device.conditional_code import nest_refusal
from acclimate.porter.device.device_code import calls_in
from acclimate.porter.device.routines import Routines
from acclimate.porter.device.visits import NO_VISITS, Visits
from acclimate.porter.loops.nests import Judged, Nest
from acclimate.porter.loops.rotation import Rotations
from acclimate.porter.loops.split_headers import SplitHeaders
from acclimate.porter.names.conditionals import Conditionals, Region
from acclimate.porter.names.scope import COMPUTE, Scope
from acclimate.porter.rewrite import Refusal
from acclimate.porter.rule import LoopDirective, Offload, Rule
from acclimate.porter.text.margins import Margins

_OF_LOOPS = (*COMPUTE, "loop")
_COPIES = ("copy", "copyin", "copyout", "create")


@dataclass(frozen=True, eq=False)
class Kernel:
    """An accepted construct with its statement and the scope it is to be read in."""

    scope: Scope
    statement: Statement
    offload: Offload

    @property
    def routines(self) -> tuple[str, ...]:
        """Qualified names of the procedures it calls itself."""
        return tuple(sorted({c.name for _, c in calls_in(self.scope, [self.statement])}))


@dataclass
class Selection:
    """Kernels of one unit, and the loops that were refused on the way."""

    kernels: list[Kernel] = field(default_factory=list)
    refused: list[tuple[Lines, Refusal]] = field(default_factory=list)


class Selector:
    """Chooses the kernels of units; what rules say of a loop is asked once."""

    def __init__(
        self,
        rules: Iterable[Rule],
        judged: Judged,
        routines: Routines,
        rotations: Rotations,
        margins: Margins,
        conditionals: Conditionals,
    ) -> None:
        self._rules = tuple(rule for rule in rules if rule.subject is Nest)
        self._judged = judged
        self._routines = routines
        self._rotations = rotations
        self._margins = margins
        self._conditionals = conditionals
        self._withdrawn: Mapping[Lines, Refusal] = {}
        self._visits: Mapping[Lines, Visits] = {}
        self._decided: dict[tuple[int, Visits], Kernel | Refusal] = {}

    def select(
        self, scope: Scope, withdrawn: Mapping[Lines, Refusal], visits: Mapping[Lines, Visits]
    ) -> Selection:
        """Kernels among the DO loops of a unit, outermost first.

        Args:
            withdrawn: DO statements that must not become kernels, with the reason.
            visits: data that visit the device with a kernel, by its DO statement.
        """
        selection = Selection()
        self._withdrawn, self._visits = withdrawn, visits
        self._block(scope, scope.unit.body, selection)
        return selection

    def _block(self, scope: Scope, body: list[Statement], selection: Selection) -> None:
        for statement in body:
            inner = scope.within(statement) if isinstance(statement, Associate) else scope
            if isinstance(statement, Do) and self._loop(scope, statement, selection):
                continue
            for block in bodies(statement):
                self._block(inner, block, selection)

    def _loop(self, scope: Scope, loop: Do, selection: Selection) -> bool:
        decided = self._decide(scope, loop)
        if isinstance(decided, Kernel):
            selection.kernels.append(decided)
            return True
        selection.refused.append((loop.at, decided))
        return False

    def _decide(self, scope: Scope, loop: Do) -> Kernel | Refusal:
        if loop.at in self._withdrawn and not has_compute_directive(scope, loop):
            return self._withdrawn[loop.at]
        key = id(loop), self._visits.get(loop.at, NO_VISITS)
        if key not in self._decided:
            found = self._outcome(scope, loop)
            decided = Kernel(scope, loop, found) if isinstance(found, Offload) else found
            self._decided[key] = decided
        return self._decided[key]

    def _outcome(self, scope: Scope, loop: Do) -> Offload | Refusal:
        if has_compute_directive(scope, loop):
            return existing(loop)
        if scope.unit.prefixes & {"pure", "elemental"}:
            return Refusal(
                loop.at,
                f"'{scope.unit.name}' is {'/'.join(sorted(scope.unit.prefixes))}: "
                "OpenACC allows no compute construct in it",
                "offload the loop that calls it",
            )
        nest = Nest(
            scope=scope,
            loop=loop,
            judged=self._judged,
            routines=self._routines,
            rotations=self._rotations,
            margins=self._margins,
            first_on_line=_is_first(scope, loop),
            visits=self._visits.get(loop.at, NO_VISITS),
        )
        facts = nest.facts(loop)
        split = SplitHeaders(self._conditionals, self._rotations).region(scope, loop, facts)
        refusal = nest_refusal(self._conditionals, scope, loop, facts, split)
        for rule in self._rules if refusal is None else ():
            outcome = rule.apply(nest)
            if isinstance(outcome, Offload) and split is not None:
                outcome = _above_condition(outcome, split)
            if isinstance(outcome, Offload):
                below = (*outcome.below, *nest.last_indices())
                visits = nest.visits
                return replace(
                    outcome, visiting=visits.names, guarded=bool(visits.guards), below=below
                )
            refusal = _nearer(refusal, outcome)
        return refusal or Refusal(loop.at, "no rule applies to this loop", "")


def _above_condition(outcome: Offload, split: Region) -> Offload | Refusal:
    """The directive of a loop whose DO statement is chosen by the preprocessor."""
    if outcome.replaced or outcome.above or outcome.below:
        return Refusal(outcome.at, f"{split} holds its first statement", split.next_step)
    first, *others = outcome.directives
    moved = LoopDirective(Lines(split.at.file, split.at.first, split.at.first), first.words)
    return replace(outcome, directives=(moved, *others))


def _is_first(scope: Scope, loop: Do) -> bool:
    return scope.by_line[loop.at.file, loop.at.first][0] is loop


def _nearer(first: Refusal | None, later: Refusal | None) -> Refusal | None:
    """The first refusal, unless it is the bare verdict and a later rule got beyond it."""
    if first is None or later is None:
        return first or later
    bare = f"{Verdict.ATOMIC.value}:"
    return later if first.reason.startswith(bare) and later.at != first.at else first


def has_compute_directive(scope: Scope, loop: Do) -> bool:
    """The loop is a loop of an OpenACC compute construct already, outermost or in its region."""
    names = [parse(d).name.split() for d in loop.directives if d.sentinel == "acc"]
    if any(name[:1] and name[0] in COMPUTE for name in names):
        return True
    line = loop.at.first
    return ["loop"] in names and any(a < line < b for a, b in scope.compute_regions)


def existing(loop: Do) -> Offload:
    """A kernel that stands in the source already."""
    loops = tuple(s.at for s in inside([loop]) if isinstance(s, Do))
    private = _arguments(loop, "private", "firstprivate")
    visiting = [name.split("(")[0] for name in _arguments(loop, *_COPIES)]
    return Offload("existing", loop.at, loop.end, (), loops, private, tuple(visiting))


def _arguments(loop: Do, *clauses: str) -> tuple[str, ...]:
    """What stands in some clauses of the loop's own directives, not of data directives above."""
    directives = [parse(d) for d in loop.directives if d.sentinel == "acc"]
    directives = [d for d in directives if d.name.split()[:1] and d.name.split()[0] in _OF_LOOPS]
    return tuple(sorted({name for d in directives for name in d.arguments(*clauses)}))


def standing_kernels(scope: Scope) -> list[Kernel]:
    """Kernels that stand in a unit already."""
    found: list[Kernel] = []

    def look(inner: Scope, body: list[Statement]) -> None:
        for statement in body:
            if isinstance(statement, Do) and has_compute_directive(inner, statement):
                found.append(Kernel(inner, statement, existing(statement)))
                continue
            within = inner.within(statement) if isinstance(statement, Associate) else inner
            for block in bodies(statement):
                look(within, block)

    look(scope, scope.unit.body)
    return found


def judged_loops(index: ProjectIndex) -> Judged:
    """Facts about DO loops by place and index."""
    return {
        (loop.at.file, loop.at.first, loop.index): loop for loop in index.loops if loop.kind == "do"
    }


def nests(
    scope: Scope, judged: Judged, routines: Routines, rotations: Rotations, margins: Margins
) -> list[Nest]:
    """Every loop of a unit as a candidate, those in compute constructs left out."""
    lines = scope.by_line
    found: list[Nest] = []

    def look(inner: Scope, body: list[Statement]) -> None:
        for statement in body:
            if isinstance(statement, Do):
                if has_compute_directive(inner, statement):
                    continue
                first = lines[statement.at.file, statement.at.first][0] is statement
                found.append(Nest(inner, statement, judged, routines, rotations, margins, first))
            within = inner.within(statement) if isinstance(statement, Associate) else inner
            for block in bodies(statement):
                look(within, block)

    look(scope, scope.unit.body)
    return found
