"""Array assignments, WHERE and FORALL as loops: parallel, or in need of a temporary."""

from acclimate.analysis.dependence.walking import UnitWalks
from acclimate.analysis.facts import LoopFacts


def judge_array_statements(walks: UnitWalks) -> list[LoopFacts]:
    return []
