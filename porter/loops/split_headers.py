"""DO statements that stand in every branch of a condition, over one body behind it."""

import re

from acclimate.analysis.facts import LoopFacts
from acclimate.analysis.ir import Do, Unit
from acclimate.analysis.names.resolution import Variable
from acclimate.porter.device.conditional_code import words
from acclimate.porter.loops.nests import may_run_in_any_order
from acclimate.porter.loops.rotation import Rotations
from acclimate.porter.names.conditionals import Conditionals, Region
from acclimate.porter.names.scope import Scope

_HEADER = re.compile(r"do\s+([a-z]\w*)\s*=\s*(.*)")


class SplitHeaders:
    """Finds loops whose DO statement is chosen by the preprocessor, and that are parallel anyway.

    The directive then stands above the condition: it governs whichever DO statement is compiled.
    """

    def __init__(self, conditionals: Conditionals, rotations: Rotations) -> None:
        self._conditionals = conditionals
        self._rotations = rotations

    def region(self, scope: Scope, loop: Do, facts: LoopFacts | None) -> Region | None:
        """The condition around the DO statement alone; None where it is none, or not certain."""
        region = self._conditionals.around(loop.at)
        if region is None or facts is None or facts.last_values or region.contains(loop.end):
            return None
        if loop.index is None or not loop.body or loop.body[0].at.first <= region.at.last:
            return None
        others = [alternative.statements for alternative in region.alternatives]
        if not others or not all(
            len(texts) == 1 and _is_header(scope, texts[0], loop.index) for texts in others
        ):
            return None
        return region if self._any_bounds(scope.unit, loop) else None

    def _any_bounds(self, unit: Unit, loop: Do) -> bool:
        judged = self._rotations.judge_open_bounds(unit, loop)
        return may_run_in_any_order(judged.get((loop.at.file, loop.at.first, loop.index or "")))


def _is_header(scope: Scope, text: str, index: str) -> bool:
    """A DO statement over the same index, with bounds of scalars that the unit knows."""
    match = _HEADER.fullmatch(text)
    if match is None or match[1] != index or "(" in match[2]:
        return False
    found = [scope.project.resolve(scope.unit, name) for name in words(match[2])]
    return all(isinstance(each, Variable) and not each.symbol.is_array for each in found)
