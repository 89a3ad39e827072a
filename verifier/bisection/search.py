"""Find all culprits among many suspects with few trials.

One culprit takes a binary search over growing prefixes of the suspects, log2(n) trials, and one
that shows whether it differs alone; if it does not, the search goes on for what it needs besides
(Junker's QuickXplain, AAAI 2004). It is then taken out and the rest is tried again.
"""

from collections.abc import Callable, Sequence
from enum import StrEnum


class Answer(StrEnum):
    GOOD = "good"
    BAD = "bad"
    UNRESOLVED = "unresolved"  # it does not build: these cannot be told apart from the others


Trial = Callable[[frozenset[str]], Answer]


def culprits(suspects: Sequence[str], trial: Trial) -> list[tuple[str, ...]]:
    """Minimal groups of suspects that are bad by themselves; one each where faults are independent.

    >>> culprits("abcdefgh", lambda some: Answer.BAD if {"c", "g"} & some else Answer.GOOD)
    [('c',), ('g',)]
    """
    remaining = list(suspects)
    found: list[tuple[str, ...]] = []
    while remaining and trial(frozenset(remaining)) is Answer.BAD:
        group = _minimal([], remaining, trial)
        found.append(tuple(sorted(group, key=list(suspects).index)))
        remaining = [one for one in remaining if one not in group]
    return found


def _minimal(fixed: list[str], suspects: list[str], trial: Trial) -> list[str]:
    """The fewest of `suspects` that are bad together with `fixed`, all of them being bad so."""
    good, bad = 0, len(suspects)
    while bad - good > 1:
        middle = (good + bad) // 2
        if trial(frozenset([*fixed, *suspects[:middle]])) is Answer.BAD:
            bad = middle
        else:
            good = middle
    needed = suspects[bad - 1]
    rest = suspects[: bad - 1]
    if not rest or trial(frozenset([*fixed, needed])) is Answer.BAD:
        return [needed]
    return [needed, *_minimal([*fixed, needed], rest, trial)]
