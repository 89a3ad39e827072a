"""One rule tried on a program without the rest of the plan: what its docstring shows."""

from collections.abc import Sequence

from acclimate.analysis.index import ProjectIndex
from acclimate.analysis.source import Edit
from acclimate.porter.device.routines import Routines
from acclimate.porter.kernels.selection import judged_loops, nests
from acclimate.porter.loops.nests import Nest
from acclimate.porter.loops.rotation import Rotations
from acclimate.porter.names.scope import Scopes
from acclimate.porter.planning.array_kernels import array_statements
from acclimate.porter.planning.unit_lines import UnitLines
from acclimate.porter.rule import Offload, Outcome, Rule, Subject
from acclimate.porter.text.margins import Margins
from acclimate.porter.text.placement import Insertion, edits


class Trial:
    """A program on which rules can be tried one by one."""

    def __init__(self, index: ProjectIndex) -> None:
        self._index = index
        self._scopes = Scopes(index.project)
        self._margins = Margins(index.project.texts, index.project.form)
        self._routines = Routines(self._scopes, frozenset())

    def outcomes(self, rule: Rule) -> list[Outcome]:
        """What the rule says of every construct it is for."""
        return [rule.apply(subject) for subject in self._subjects(rule)]

    def edits(self, rule: Rule) -> tuple[Edit, ...]:
        """The edits of the outermost constructs the rule accepts."""
        lines = UnitLines(self._margins)
        new: list[Insertion] = []
        replaced: list[Edit] = []
        covered: set[tuple[str, int]] = set()
        for unit in self._scopes.executable():
            indices: set[str] = set()
            declares: set[str] = set()
            for subject in self._subjects(rule):
                outcome = rule.apply(subject)
                if subject.scope.unit is not unit or not isinstance(outcome, Offload):
                    continue
                if (outcome.at.file, outcome.at.first) in covered:
                    continue
                covered |= {(loop.file, loop.first) for loop in outcome.loops}
                new += lines.loop_directives(outcome)
                replaced += outcome.replaced
                indices |= set(outcome.indices)
                declares |= set(outcome.declares)
            new += lines.declarations(unit, indices, declares)
        return edits(new, replaced)

    def _subjects(self, rule: Rule) -> Sequence[Subject]:
        scopes = [self._scopes.of(unit) for unit in self._scopes.executable()]
        if rule.subject is not Nest:
            facts = {loop.at: loop for loop in self._index.loops if loop.kind == "array"}
            return [
                statement
                for scope in scopes
                for statement in array_statements(scope, facts, self._routines, self._margins)
                if type(statement) is rule.subject and len(statement.line) < 2
            ]
        rotations = Rotations(self._index.project)
        judged = judged_loops(self._index)
        return [
            nest
            for scope in scopes
            for nest in nests(scope, judged, self._routines, rotations, self._margins)
        ]
