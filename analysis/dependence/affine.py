"""Values as integer-affine forms over numbered atoms (global value numbering of one iteration).

Two expressions with equal forms have equal values. Atoms are numbered in the order in which the
walk meets them, so that every order derived from them is the same from run to run.
"""

from collections.abc import Iterable
from enum import StrEnum
from operator import attrgetter
from typing import NamedTuple


class Affine(NamedTuple):
    """`constant + sum(coefficient * atom)`; terms ascend by atom and have no zero coefficient."""

    constant: int
    terms: tuple[tuple[int, int], ...] = ()

    def __add__(self, other: "Affine") -> "Affine":  # type: ignore[override]
        return self._plus(other, 1)

    def __sub__(self, other: "Affine") -> "Affine":
        return self._plus(other, -1)

    def __neg__(self) -> "Affine":
        return _affine(Affine, (-self.constant, tuple([(atom, -c) for atom, c in self.terms])))

    def _plus(self, other: "Affine", factor: int) -> "Affine":
        """`self + factor * other`."""
        own, its = self.terms, other.terms
        constant = self.constant + factor * other.constant
        if not its:
            return self if constant == self.constant else _affine(Affine, (constant, own))
        if not own:
            if factor != 1:
                its = tuple([(atom, factor * c) for atom, c in its])
            return _affine(Affine, (constant, its))
        if factor == -1 and own == its:
            return _affine(Affine, (constant, ()))
        sums = dict(own)
        for atom, coefficient in its:
            sums[atom] = sums.get(atom, 0) + factor * coefficient
        terms = tuple([term for term in sorted(sums.items()) if term[1]])
        return _affine(Affine, (constant, terms))

    def times(self, factor: int) -> "Affine":
        if factor == 1:
            return self
        if factor == 0:
            return ZERO
        return Affine(self.constant * factor, tuple([(atom, c * factor) for atom, c in self.terms]))

    def coefficient(self, atom: int) -> int:
        for other, coefficient in self.terms:
            if other == atom:
                return coefficient
        return 0

    def replaced(self, atom: int, value: "Affine") -> "Affine":
        """This form with `value` in the place of `atom`."""
        coefficient = self.coefficient(atom)
        if not coefficient:
            return self
        rest = Affine(self.constant, tuple([term for term in self.terms if term[0] != atom]))
        return rest._plus(value, coefficient)

    @property
    def is_constant(self) -> bool:
        return not self.terms


_affine = tuple.__new__  # a third of the time of `Affine(...)`
ZERO = Affine(0)
ONE = Affine(1)


class AtomKind(StrEnum):
    LOOP = "loop"  # the index of the loop that is judged
    INNER = "inner"  # the index of an inner loop or a position in an array section
    ENTRY = "entry"  # a value at the entry of the loop (or procedure), unchanged inside
    OPAQUE = "opaque"  # not known; may differ from iteration to iteration
    TERM = "term"  # an operator or intrinsic over other forms


class Atom(NamedTuple):
    kind: AtomKind
    name: str  # entry: the place; term: the operator
    args: tuple[Affine, ...]
    variant: bool  # may differ between iterations of the judged loop
    within: frozenset[int]  # inner indices (atoms) on whose iteration the value depends


class Range(NamedTuple):
    """The values an inner index takes; None where the bound is not known.

    `low` and `high` bound them whatever the sign of the step; `first` is the initial value.
    """

    first: Affine | None
    low: Affine | None
    high: Affine | None
    step: int | None
    is_section: bool


_by_terms = attrgetter("terms", "constant")
_COMMUTATIVE = frozenset(["+", "*", "==", "/=", ".and.", ".or.", ".eqv.", ".neqv."])


class Values:
    """The atoms of one walk."""

    def __init__(self) -> None:
        self._atoms: dict[int, Atom] = {}
        self._next = 0
        # the form of each atom that is met by what it is, one object so that it is hashed once
        self._forms: dict[tuple[AtomKind, str, tuple[Affine, ...]], Affine] = {}
        self._terms: dict[tuple[str, tuple[Affine, ...]], Affine] = {}  # those of terms
        self._unknown: dict[tuple[int, ...], Atom] = {}  # what all opaque atoms of a place share
        self.ranges: dict[int, Range] = {}
        self.named: set[int] = set()  # inner indices of FORALL: equal ranges are not equal values
        self.loop = self._new(Atom(AtomKind.LOOP, "", (), True, frozenset()))

    def only(self, numbers: Iterable[int]) -> "Values":
        """Some of the atoms, under the numbers that they have."""
        found = Values()
        wanted = sorted({self.loop, *numbers})
        found._atoms = {number: self._atoms[number] for number in wanted}
        found._forms = {}  # and no terms: an atom that is asked for again gets a number of its own
        found._next = self._next
        found.ranges = {n: self.ranges[n] for n in wanted if n in self.ranges}
        return found

    def __contains__(self, number: int) -> bool:
        return number in self._atoms

    def atom(self, number: int) -> Atom:
        return self._atoms[number]

    def entry(self, name: str) -> Affine:
        known = self._forms.get((AtomKind.ENTRY, name, ()))
        if known is not None:
            return known
        return self._form(Atom(AtomKind.ENTRY, name, (), False, frozenset()))

    def at_start(self, name: str) -> Affine:
        """The unknown value of something at the start of the present iteration."""
        known = self._forms.get((AtomKind.OPAQUE, name, ()))
        if known is not None:
            return known
        return self._form(Atom(AtomKind.OPAQUE, name, (), True, frozenset()))

    def opaque(self, enclosing: tuple[int, ...]) -> Affine:
        """A value nothing is known of, computed inside the inner loops `enclosing`."""
        atom = self._unknown.get(enclosing)
        if atom is None:
            atom = Atom(AtomKind.OPAQUE, "", (), True, frozenset(enclosing))
            self._unknown[enclosing] = atom
        return _single(self._new(atom))

    def term(self, operator: str, args: tuple[Affine, ...]) -> Affine:
        if operator in _COMMUTATIVE and len(args) > 1:
            args = tuple(sorted(args, key=_by_terms))
        known = self._terms.get((operator, args))
        if known is not None:
            return known
        atoms = [self._atoms[number] for form in args for number, _ in form.terms]
        variant = any([atom.variant for atom in atoms])
        within = frozenset().union(*map(self.within, args))
        found = _single(self._new(Atom(AtomKind.TERM, operator, args, variant, within)))
        self._terms[operator, args] = found
        return found

    def inner(self, index_range: Range, enclosing: tuple[int, ...]) -> int:
        """A new inner index; returns its atom."""
        atom = self._new(Atom(AtomKind.INNER, "", (), True, frozenset(enclosing)))
        self.ranges[atom] = index_range
        return atom

    def within(self, form: Affine) -> frozenset[int]:
        """The inner indices on whose iteration the form's value depends."""
        found: set[int] = set()
        for number, _ in form.terms:
            atom = self._atoms[number]
            if atom.within:
                found |= atom.within
            if atom.kind is AtomKind.INNER:
                found.add(number)
        return frozenset(found)

    def depends(self, form: Affine, index: int) -> bool:
        """Is the inner index one of those?"""
        return any(
            [number == index or index in self._atoms[number].within for number, _ in form.terms]
        )

    def is_function_of(self, form: Affine, index: int) -> bool:
        """Does the form depend on an inner index in a way that `at` can follow?"""
        for number, _ in form.terms:
            atom = self._atoms[number]
            if number == index or index not in atom.within:
                continue
            if atom.kind is not AtomKind.TERM:
                return False
            if not all(self.is_function_of(arg, index) for arg in atom.args):
                return False
        return True

    def at(self, form: Affine, index: int, value: Affine) -> Affine:
        """The form with `value` for an inner index, inside of terms too."""
        result = Affine(form.constant)
        for number, coefficient in form.terms:
            atom = self._atoms[number]
            part = _single(number)
            if number == index:
                part = value
            elif index in atom.within:
                part = self.term(atom.name, tuple(self.at(arg, index, value) for arg in atom.args))
            result = result + part.times(coefficient)
        return result

    def varies(self, form: Affine) -> bool:
        return any(self._atoms[number].variant for number, _ in form.terms)

    def mentions(self, form: Affine, number: int) -> bool:
        """Does the form speak of the atom, inside of terms too?"""
        return any(
            other == number or any(self.mentions(arg, number) for arg in self._atoms[other].args)
            for other, _ in form.terms
        )

    def is_inner(self, number: int) -> bool:
        return self._atoms[number].kind is AtomKind.INNER

    def _form(self, atom: Atom) -> Affine:
        key = (atom.kind, atom.name, atom.args)
        form = self._forms.get(key)
        if form is None:
            form = self._forms[key] = _single(self._new(atom))
        return form

    def _new(self, atom: Atom) -> int:
        number = self._next
        self._atoms[number] = atom
        self._next += 1
        return number


def _single(atom: int) -> Affine:
    return _affine(Affine, (0, ((atom, 1),)))


def of_atom(atom: int) -> Affine:
    """The form that is this atom alone."""
    return _single(atom)
