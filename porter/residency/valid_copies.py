"""Which host copies are valid at a place: what a bracket has brought is not brought again.

Followed forwards through one procedure. What may make a host copy stale takes all of them: a
kernel, a call that may launch one, a label that is jumped to, and every place that can be reached
on ways that were not followed. Where some lines are not compiled here, nothing is remembered: the
configurations have different ways.
"""

from collections.abc import Iterable

from acclimate.analysis.dependence.statements import inside
from acclimate.analysis.ir import If, Jump
from acclimate.porter.names.conditionals import Conditionals
from acclimate.porter.names.scope import Reference, Scope


class ValidCopies:
    """The host copies that are valid where the walk stands."""

    def __init__(self, scope: Scope, conditionals: Conditionals) -> None:
        unit = scope.unit
        self._remembers = not any(
            region.at.first <= unit.end.last and unit.at.first <= region.at.last
            for region in conditionals.regions(unit.at.file)
        )
        self._valid: frozenset[str] = frozenset()

    def has(self, found: Reference) -> bool:
        return found.designator in self._valid

    def brought(self, found: Iterable[Reference]) -> None:
        """A bracket has made these valid."""
        if self._remembers:
            self._valid |= {f.designator for f in found if _stays(f)}

    def forget(self) -> None:
        self._valid = frozenset()

    def branch(self) -> frozenset[str]:
        """What is valid where a construct branches, for `back_to`."""
        return self._valid

    def back_to(self, before: frozenset[str]) -> None:
        """Go on with another branch of the construct."""
        self._valid = before

    def joined(self, statement: If, ends: Iterable[frozenset[str]]) -> None:
        """Behind a construct: what is valid on all ways, that round all branches among them."""
        for end in ends:
            self._valid &= end
        if leaves_early(statement):
            self.forget()


def leaves_early(statement: If) -> bool:
    """Whether EXIT may leave an IF construct from its midst."""
    bodies = [s for branch in statement.branches for s in branch.body]
    return any(isinstance(s, Jump) and s.keyword == "exit" for s in inside(bodies))


def _stays(found: Reference) -> bool:
    """Whether the name means the same storage until the end of the procedure."""
    return not (found.varying or found.is_component or "pointer" in found.symbol.attributes)
