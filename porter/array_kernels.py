"""Array statements that become kernels: those that work on data which kernels write anyway."""

from collections.abc import Iterable, Mapping

from acclimate.analysis.dependence.statements import bodies
from acclimate.analysis.facts import LoopFacts
from acclimate.analysis.ir import Assignment, Associate, If, Statement, Where
from acclimate.analysis.source import Lines
from acclimate.porter.array_statement import ArrayStatement
from acclimate.porter.device_code import references_in
from acclimate.porter.draft import Draft
from acclimate.porter.rewrite import Refusal
from acclimate.porter.rule import Offload, Rule
from acclimate.porter.scope import Scope
from acclimate.porter.selection import Kernel, statements_by_line


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
        exclude: frozenset[str],
    ) -> None:
        self.kernels: list[Kernel] = []
        self.refused: dict[str, list[tuple[Lines, Refusal]]] = {}
        self._rules = [rule for rule in rules if rule.subject is ArrayStatement]
        self._facts = facts
        self._draft = draft
        self._withdrawn = withdrawn
        self._launches = {id(kernel.statement) for kernel in draft.kernels}
        self._active: set[str] = set()
        for unit in draft.ground.scopes.executable():
            name = draft.ground.scopes.project.name_of(unit)
            if not draft.host.holds(unit) and name not in exclude:
                self._lines = statements_by_line(unit)
                self._block(draft.ground.scopes.of(unit), unit.body)

    def _block(self, scope: Scope, body: list[Statement]) -> None:
        for statement in body:
            if id(statement) in self._launches:
                continue
            if isinstance(statement, Assignment | Where):
                self._statement(scope, statement)
                continue
            if isinstance(statement, If) and not statement.is_construct:
                continue
            inner = scope.within(statement) if isinstance(statement, Associate) else scope
            for block in bodies(statement):
                self._block(inner, block)

    def _statement(self, scope: Scope, statement: Assignment | Where) -> None:
        if not self._is_array(scope, statement) or not self._worth_it(scope, statement):
            return
        if statement.at in self._withdrawn:
            self._refuse(scope, statement, self._withdrawn[statement.at])
            return
        subject = ArrayStatement(
            scope=scope,
            statement=statement,
            facts=self._facts.get(statement.at),
            routines=self._draft.ground.routines,
            margins=self._draft.ground.margins,
            alone=self._is_alone(statement),
        )
        for rule in self._rules:
            outcome = rule.apply(subject)
            if isinstance(outcome, Offload):
                self.kernels.append(Kernel(scope, statement, outcome))
                return
            if outcome is not None:
                self._refuse(scope, statement, outcome)

    def _refuse(self, scope: Scope, statement: Statement, refusal: Refusal) -> None:
        name = scope.project.name_of(scope.unit)
        self.refused.setdefault(name, []).append((statement.at, refusal))

    def _is_array(self, scope: Scope, statement: Assignment | Where) -> bool:
        if isinstance(statement, Where):
            return True
        found = scope.reference(statement.target)
        if found is None or not found.is_array:
            return False
        return found.subscripts is None or found.has_section

    def _worth_it(self, scope: Scope, statement: Assignment | Where) -> bool:
        """Some array of the statement is written by kernels, so the host copy would be fetched."""
        targets = [statement]
        if isinstance(statement, Where):
            targets = [inner for branch in statement.branches for inner in branch.body]
        return any(
            found.is_array and self._draft.is_written(found.node)
            for inner in [statement, *targets]
            for found in references_in(scope, inner)
        )

    def _is_alone(self, statement: Assignment | Where) -> bool:
        end = getattr(statement, "end", statement.at)
        lines = range(statement.at.first, max(end.last, statement.at.last) + 1)
        within = {id(statement), *(id(s) for body in bodies(statement) for s in body)}
        return statement.label is None and all(
            {id(s) for s in self._lines.get((statement.at.file, line), ())} <= within
            for line in lines
        )
