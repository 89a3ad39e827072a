"""Values a callee computes with, in the values of its caller."""

from collections.abc import Mapping
from dataclasses import dataclass

from acclimate.analysis.dependence.affine import Affine, AtomKind, Range, of_atom
from acclimate.analysis.dependence.aliasing import Designator
from acclimate.analysis.dependence.context import Context
from acclimate.analysis.dependence.evaluation import Evaluator
from acclimate.analysis.dependence.summary import Summary, is_shared, is_shared_term
from acclimate.analysis.ir import Expr, Section


@dataclass(frozen=True, slots=True)
class Actual:
    expr: Expr
    designator: Designator | None


class Translation:
    """Forms at one call site, each translated once; `actuals` are the arguments by dummy."""

    def __init__(
        self,
        context: Context,
        evaluator: Evaluator,
        summary: Summary,
        actuals: Mapping[str, Actual],
    ) -> None:
        self._context, self._evaluator = context, evaluator
        self._summary, self._actuals = summary, actuals
        self._atoms: dict[int, Affine | None] = {}
        self._forms: dict[Affine, Affine | None] = {}

    def actual_of(self, key: str) -> Actual | None:
        """What is passed to the dummy that a place of the callee is, or is part of."""
        return self._actuals.get(key.partition("%")[0].rpartition("::")[2])

    def of(self, form: Affine) -> Affine | None:
        """The callee's form in the caller's values, or None where it has none there."""
        if not form.terms:
            return form
        if form not in self._forms:
            self._forms[form] = self._find(form)
        return self._forms[form]

    def _find(self, form: Affine) -> Affine | None:
        total = Affine(form.constant)
        for atom, coefficient in form.terms:
            value = self._atom(atom)
            if value is None:
                return None
            total = total + value.times(coefficient)
        return total

    def _bound(self, form: Affine | None) -> Affine | None:
        return None if form is None else self.of(form)

    def _atom(self, number: int) -> Affine | None:
        if number not in self._atoms:
            self._atoms[number] = self._translate(number)
        return self._atoms[number]

    def _translate(self, number: int) -> Affine | None:
        values = self._summary.values
        atom = values.atom(number)
        if atom.kind is AtomKind.ENTRY:
            return self._entry(atom.name)
        if atom.kind is AtomKind.INNER:
            bounds = values.ranges[number]
            moved = Range(
                self._bound(bounds.first),
                self._bound(bounds.low),
                self._bound(bounds.high),
                bounds.step,
                True,
            )
            return of_atom(self._context.values.inner(moved, tuple(self._context.enclosing)))
        if atom.kind is AtomKind.TERM and is_shared_term(atom.name, self._summary.unit):
            args = [self.of(arg) for arg in atom.args]
            if any(arg is None for arg in args):
                return None
            return self._context.values.term(atom.name, tuple(a for a in args if a is not None))
        return None

    def _entry(self, name: str) -> Affine | None:
        if name.startswith(("literal:", "parameter:")):
            return self._context.values.entry(name)
        if name.startswith("pointed:") or is_shared(name, self._summary.unit):
            return self._context.value_of(name)
        actual = self.actual_of(name)
        designator = None if actual is None else actual.designator
        subscripts = () if designator is None else designator.subscripts
        if actual is None or "%" in name or any(isinstance(s, Section) for s in subscripts):
            return None
        return self._evaluator.value(actual.expr)
