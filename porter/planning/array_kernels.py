"""Array statements and reductions that become kernels: those on data that kernels write anyway."""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from itertools import groupby

from acclimate.analysis.dependence.statements import bodies, inside
from acclimate.analysis.facts import LoopFacts
from acclimate.analysis.ir import Assignment, Associate, Forall, If, Statement, Where
from acclimate.analysis.source import Lines
from acclimate.porter.device.conditional_code import nest_refusal
from acclimate.porter.device.device_code import references_in
from acclimate.porter.device.routines import Routines
from acclimate.porter.device.visits import NO_VISITS, Visits
from acclimate.porter.kernels.selection import Kernel
from acclimate.porter.loops.array_reduction import ArrayReduction, reductions
from acclimate.porter.loops.array_statement import ArrayStatement
from acclimate.porter.names.scope import Scope
from acclimate.porter.planning.draft import Draft
from acclimate.porter.rewrite import Refusal
from acclimate.porter.rule import Offload, Outcome, Rule
from acclimate.porter.text.margins import Margins

Array = ArrayStatement | ArrayReduction


class ArrayKernels:
    """Array statements of all units, found for a draft that holds the loop kernels.

    Args:
        facts: verdicts on array statements, by place.
        withdrawn: statements that must stay on the host, with the reason.
    """

    def __init__(
        self,
        rules: Iterable[Rule],
        facts: Mapping[Lines, LoopFacts],
        draft: Draft,
        withdrawn: Mapping[Lines, Refusal],
        visits: Mapping[Lines, Visits],
        exclude: frozenset[str],
    ) -> None:
        self.kernels: list[Kernel] = []
        self.refused: dict[str, list[tuple[Lines, Refusal]]] = {}
        self._rules = list(rules)
        self._draft = draft
        self._visits = visits
        ground = draft.ground
        for unit in ground.scopes.executable():
            name = ground.scopes.project.name_of(unit)
            if draft.host.holds(unit) or name in exclude:
                continue
            found = array_statements(
                ground.scopes.of(unit), facts, ground.routines, ground.margins, draft.launches
            )
            for at, group in groupby(found, key=lambda array: array.statement.at):
                line = list(group)
                if any(map(self._worth_it, line)):
                    self._decide(name, at, line, withdrawn.get(at))

    def _decide(self, unit: str, at: Lines, line: list[Array], forbidden: Refusal | None) -> None:
        """All statements of one line become kernels, or none does."""
        outcomes = [self._outcome(array, forbidden) for array in line]
        rules = {outcome.rule for outcome in outcomes if isinstance(outcome, Offload)}
        if len(line) > 1 and (at in self._visits or rules - {"array_statement_loops"}):
            outcomes = [Refusal(at, "the array statement does not stand alone", "give it a line")]
        refusals = [outcome for outcome in outcomes if isinstance(outcome, Refusal)]
        offloads = [outcome for outcome in outcomes if isinstance(outcome, Offload)]
        if refusals or not offloads:
            self.refused.setdefault(unit, []).extend((at, refusal) for refusal in refusals[:1])
            return
        for array, offload in zip(line, on_one_line(offloads), strict=True):
            guests = self._visits.get(at, NO_VISITS)
            offload = replace(offload, visiting=guests.names, guarded=bool(guests.guards))
            self.kernels.append(Kernel(array.scope, array.statement, offload))

    def _outcome(self, array: Array, forbidden: Refusal | None) -> Outcome:
        """The first rule's that makes loops of the statement; else the first refusal."""
        at = array.statement.at
        array = replace(array, visits=self._visits.get(at, NO_VISITS))
        conditionals = self._draft.ground.scopes.conditionals
        forbidden = forbidden or nest_refusal(
            conditionals, array.scope, array.statement, array.facts
        )
        if forbidden is not None:
            return forbidden
        outcomes = [rule.apply(array) for rule in self._rules if rule.subject is type(array)]
        made: list[Outcome] = [found for found in outcomes if isinstance(found, Offload)]
        refused: list[Outcome] = [found for found in outcomes if isinstance(found, Refusal)]
        return next(iter(made + refused), None)

    def _worth_it(self, array: Array) -> bool:
        """Some array of the statement is written by kernels, so the host copy would be fetched."""
        visits = not self._draft.ground.thrifty and isinstance(array, ArrayStatement)
        return visits or any(
            found.is_array and self._draft.is_behind(found.node)
            for inner in inside([array.statement])
            for found in references_in(array.scope, inner)
        )


def on_one_line(offloads: list[Offload]) -> list[Offload]:
    """The first replaces the line they share by the loops of all."""
    first, *others = offloads
    if not others:
        return offloads
    lines = [line for offload in offloads for edit in offload.replaced for line in edit.text]
    whole = replace(first.replaced[0], text=tuple(lines))
    return [
        replace(first, replaced=(whole, *first.replaced[1:])),
        *(replace(offload, replaced=()) for offload in others),
    ]


def array_statements(
    scope: Scope,
    facts: Mapping[Lines, LoopFacts],
    routines: Routines,
    margins: Margins,
    launches: frozenset[int] = frozenset(),
) -> list[Array]:
    """Array assignments, WHERE, FORALL and scalar assignments with a reduction of an array.

    Those of a unit outside `launches` and one-line IFs.

    Args:
        facts: verdicts by place; of statements that share a line, the one that most stands against.
    """
    found: list[Array] = []

    def look(inner: Scope, body: list[Statement]) -> None:
        for statement in body:
            if id(statement) in launches:
                continue
            if isinstance(statement, Assignment | Where | Forall):
                if _is_array(inner, statement):
                    verdict = facts.get(statement.at)
                    line = _line(inner, statement, body)
                    found.append(ArrayStatement(inner, statement, verdict, routines, margins, line))
                elif isinstance(statement, Assignment) and _reduces(inner, statement):
                    line = _line(inner, statement, body)
                    found.append(ArrayReduction(inner, statement, routines, margins, line))
                continue
            if isinstance(statement, If) and not statement.is_construct:
                continue
            within = inner.within(statement) if isinstance(statement, Associate) else inner
            for block in bodies(statement):
                look(within, block)

    look(scope, scope.unit.body)
    return found


def _is_array(scope: Scope, statement: Assignment | Where | Forall) -> bool:
    if isinstance(statement, Where | Forall):
        return True
    found = scope.reference(statement.target)
    if found is None or not found.is_array:
        return False
    rank = scope.project.rank(scope.unit, statement.target)
    return found.subscripts is None or found.has_section or bool(rank)


def _reduces(scope: Scope, statement: Assignment) -> bool:
    return next(reductions(scope, statement.value), None) is not None


def _line(
    scope: Scope, statement: Assignment | Where | Forall, body: list[Statement]
) -> tuple[Statement, ...]:
    """The statements that share its lines, if loops can take the place of all: none otherwise."""
    end = getattr(statement, "end", statement.at)
    lines = range(statement.at.first, max(end.last, statement.at.last) + 1)
    within = {id(inner) for inner in inside([statement])}
    others = {
        id(s): s
        for line in lines
        for s in scope.by_line.get((statement.at.file, line), ())
        if id(s) not in within
    }
    if statement.label is not None:
        return ()
    if not others:
        return (statement,)
    beside = tuple(s for s in body if s is statement or id(s) in others)
    alike = all(
        isinstance(s, Assignment)
        and s.label is None
        and s.at == statement.at
        and _is_array(scope, s)
        for s in beside
    )
    return beside if alike and len(beside) == len(others) + 1 else ()
