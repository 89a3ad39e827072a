"""Summaries without what the walk over the procedure left behind."""

from collections.abc import Iterable
from dataclasses import replace

from acclimate.analysis.dependence.affine import Affine, Values
from acclimate.analysis.dependence.conditions import Literal
from acclimate.analysis.dependence.summary import Summary


def condensed(summary: Summary) -> Summary:
    """The same summary with only those atoms that something in it speaks of."""
    found = _Atoms(summary.values)
    for access in summary.accesses:
        parts = (access.subscripts, access.conditions, access.declared, access.left)
        found.mark((*parts, access.settled, access.covered_if, access.value))
    found.mark(summary.definitions)
    return replace(summary, values=summary.values.only(found.numbers))


class _Atoms:
    def __init__(self, values: Values) -> None:
        self._values = values
        self._seen: dict[int, object] = {}  # tuples by id, kept so that it stays their own
        self.numbers: set[int] = set()

    def mark(self, value: object) -> None:
        if isinstance(value, Affine):
            for number, _ in value.terms:
                self._mark_atom(number)
        elif isinstance(value, Literal):
            self.mark(value.form)
        elif isinstance(value, tuple) and id(value) not in self._seen:
            self._seen[id(value)] = value
            for part in value:
                self.mark(part)

    def _mark_atom(self, number: int) -> None:
        if number in self.numbers or number not in self._values:
            return  # forms that nobody reads any more may be over another walk's atoms
        self.numbers.add(number)
        atom = self._values.atom(number)
        self._mark_all(atom.args)
        for inner in atom.within:
            self._mark_atom(inner)
        bounds = self._values.ranges.get(number)
        if bounds is not None:
            self._mark_all(b for b in (bounds.first, bounds.low, bounds.high) if b is not None)

    def _mark_all(self, forms: Iterable[Affine]) -> None:
        for form in forms:
            self.mark(form)
