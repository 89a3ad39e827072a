"""What the hints before and around a loop promise of it."""

import re
from dataclasses import dataclass

from acclimate.analysis.facts import Hint
from acclimate.analysis.source import Lines

_SUBSCRIPTS = re.compile(r"\([^()]*\)")


@dataclass(frozen=True, slots=True)
class Promises:
    """Every answer is the place of the hint, None where nothing is promised."""

    own: tuple[Hint, ...] = ()
    around: tuple[Hint, ...] = ()

    def independent(self) -> Lines | None:
        """No two iterations clash on an array element or through pointers."""
        return next((hint.at for hint in self.own if hint.word == "parallel"), None)

    def private(self, name: str) -> Lines | None:
        """Every iteration may have its own copy."""
        return self._naming("private", name, self.own)

    def injective(self, table: str) -> Lines | None:
        """The table holds no value twice."""
        return self._naming("injective", table, (*self.own, *self.around))

    def no_alias(self, one: str, other: str) -> Lines | None:
        """The two designators share no storage; one name alone is apart from everything."""
        for hint in (*self.own, *self.around):
            if hint.word != "noalias":
                continue
            named = [bare(name) for name in hint.names]
            first = {name for name in named if _covers(name, one)}
            second = {name for name in named if _covers(name, other)}
            if len(named) == 1 and (first or second):
                return hint.at
            if first and second and len(first | second) > 1:
                return hint.at
        return None

    def _naming(self, word: str, name: str, hints: tuple[Hint, ...]) -> Lines | None:
        for hint in hints:
            if hint.word == word and name in [bare(given) for given in hint.names]:
                return hint.at
        return None


def bare(designator: str) -> str:
    """`f(i)%v` as the analysis names it: `f%v`."""
    return _SUBSCRIPTS.sub("", designator)


def _covers(promised: str, name: str) -> bool:
    return name == promised or name.startswith(promised + "%")
