"""Array statements that become kernels: those that work on data which kernels write anyway."""

from collections.abc import Iterable, Mapping
from dataclasses import replace

from acclimate.analysis.dependence.statements import bodies, inside
from acclimate.analysis.facts import LoopFacts
from acclimate.analysis.ir import Assignment, Associate, Forall, If, Statement, Where
from acclimate.analysis.source import Lines
from acclimate.porter.device.conditional_code import nest_refusal
from acclimate.porter.device.device_code import references_in
from acclimate.porter.device.routines import Routines
from acclimate.porter.device.visits import NO_VISITS, Visits
from acclimate.porter.kernels.selection import Kernel
from acclimate.porter.loops.array_statement import ArrayStatement
from acclimate.porter.names.scope import Scope
from acclimate.porter.planning.draft import Draft
from acclimate.porter.rewrite import Refusal
from acclimate.porter.rule import Offload, Outcome, Rule
from acclimate.porter.text.margins import Margins


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
        self._rules = [rule for rule in rules if rule.subject is ArrayStatement]
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
            for statement in found:
                if self._worth_it(statement):
                    self._decide(name, statement, withdrawn)

    def _decide(self, unit: str, array: ArrayStatement, withdrawn: Mapping[Lines, Refusal]) -> None:
        at = array.statement.at
        array = replace(array, visits=self._visits.get(at, NO_VISITS))
        conditionals = self._draft.ground.scopes.conditionals
        forbidden = withdrawn.get(at) or nest_refusal(
            conditionals, array.scope, array.statement, array.facts
        )
        outcomes: list[Outcome] = [forbidden]
        outcomes += [rule.apply(array) for rule in self._rules if forbidden is None]
        for outcome in outcomes:
            if isinstance(outcome, Offload):
                guests = array.visits
                offload = replace(outcome, visiting=guests.names, guarded=bool(guests.guards))
                self.kernels.append(Kernel(array.scope, array.statement, offload))
                return
        refusals = [outcome for outcome in outcomes if isinstance(outcome, Refusal)]
        self.refused.setdefault(unit, []).extend((at, refusal) for refusal in refusals[:1])

    def _worth_it(self, array: ArrayStatement) -> bool:
        """Some array of the statement is written by kernels, so the host copy would be fetched."""
        return not self._draft.ground.thrifty or any(
            found.is_array and self._draft.is_behind(found.node)
            for inner in inside([array.statement])
            for found in references_in(array.scope, inner)
        )


def array_statements(
    scope: Scope,
    facts: Mapping[Lines, LoopFacts],
    routines: Routines,
    margins: Margins,
    launches: frozenset[int] = frozenset(),
) -> list[ArrayStatement]:
    """Array assignments, WHERE and FORALL of a unit outside `launches` and one-line IFs."""
    lines = scope.by_line
    found: list[ArrayStatement] = []

    def look(inner: Scope, body: list[Statement]) -> None:
        for statement in body:
            if id(statement) in launches:
                continue
            if isinstance(statement, Assignment | Where | Forall):
                if _is_array(inner, statement):
                    alone = _is_alone(statement, lines)
                    verdict = facts.get(statement.at)
                    found.append(
                        ArrayStatement(inner, statement, verdict, routines, margins, alone)
                    )
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


def _is_alone(
    statement: Assignment | Where | Forall, by_line: dict[tuple[str, int], list[Statement]]
) -> bool:
    """No label, and no other statement on its lines."""
    end = getattr(statement, "end", statement.at)
    lines = range(statement.at.first, max(end.last, statement.at.last) + 1)
    within = {id(inner) for inner in inside([statement])}
    return statement.label is None and all(
        {id(s) for s in by_line.get((statement.at.file, line), ())} <= within for line in lines
    )
