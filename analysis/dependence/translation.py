"""Values a callee computes with, in the values of its caller."""

from collections.abc import Mapping
from dataclasses import dataclass

from acclimate.analysis.dependence.affine import Affine, Atom, AtomKind, Range, of_atom
from acclimate.analysis.dependence.aliasing import Designator
from acclimate.analysis.dependence.context import Context
from acclimate.analysis.dependence.evaluation import Evaluator
from acclimate.analysis.dependence.summary import Summary, is_shared, is_shared_term
from acclimate.analysis.ir import Component, Dimension, Expr, Literal, Section, Shape


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
        return self._term(atom) if atom.kind is AtomKind.TERM else None

    def _term(self, atom: Atom) -> Affine | None:
        if atom.name == "pointed" and self._is_of_dummy(atom.args[0]):
            known = all(self.of(version) is not None for version in atom.args[1:])
            return self.of(atom.args[0]) if known else None  # the caller knows how it is pointed to
        if not is_shared_term(atom.name, self._summary.unit):
            return self._element(atom)
        args = [self.of(arg) for arg in atom.args]
        given = tuple(arg for arg in args if arg is not None)
        return self._context.values.term(atom.name, given) if len(given) == len(args) else None

    def _is_of_dummy(self, form: Affine) -> bool:
        if len(form.terms) != 1:
            return False
        atom = self._summary.values.atom(form.terms[0][0])
        return atom.kind is AtomKind.ENTRY and not is_shared(atom.name, self._summary.unit)

    def _element(self, atom: Atom) -> Affine | None:
        """An element of a dummy array that is as it was at the call, in a whole array passed."""
        kind, _, key = atom.name.partition(":")
        if kind != "element" or "%" in key:
            return None
        version, *subscripts = atom.args
        actual = self.actual_of(key)
        if self._summary.values.varies(version):
            return None
        if actual is None or actual.designator is None or not actual.designator.is_whole:
            return None
        dummy = self._summary.unit.symbols[key.rpartition("::")[2]].dims
        passed = actual.designator.dims
        same = len(dummy) == len(passed) == 1  # else the extents would have to be compared
        if not same or not all(map(_starts_at_one, (*dummy, *passed))):
            return None
        forms = [self.of(subscript) for subscript in subscripts]
        given = tuple(form for form in forms if form is not None)
        if len(given) != len(forms):
            return None
        return self._evaluator.element(actual.designator, given)

    def _entry(self, name: str) -> Affine | None:
        if name.startswith(("literal:", "parameter:")):
            return self._context.values.entry(name)
        if name.startswith("pointed:") or is_shared(name, self._summary.unit):
            return self._context.value_of(name)
        actual = self.actual_of(name)
        designator = None if actual is None else actual.designator
        subscripts = () if designator is None else designator.subscripts
        if actual is None or any(isinstance(s, Section) for s in subscripts):
            return None
        expr = actual.expr
        for component in name.split("%")[1:]:
            expr = Component(expr, component)
        return self._evaluator.value(expr)


def _starts_at_one(dimension: Dimension) -> bool:
    if dimension.shape is Shape.DEFERRED:
        return False  # whatever it was allocated with
    lower = dimension.lower
    return lower is None or isinstance(lower, Literal) and lower.value == 1
