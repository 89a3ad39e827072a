"""Can two references touch the same element in different iterations of a loop?

Per dimension: ZIV, strong and weak SIV, GCD, and Banerjee's bounds with symbolic loop limits
(Allen and Kennedy, Optimizing Compilers for Modern Architectures, chapter 3). A dimension that
only meets in the same iteration, or never, settles the pair.
"""

import math
from dataclasses import dataclass
from enum import Enum
from typing import NamedTuple

from acclimate.analysis.dependence.affine import Affine, Values
from acclimate.analysis.dependence.conditions import Literal, Prover, Relation
from acclimate.analysis.dependence.effort import Effort
from acclimate.analysis.dependence.records import Access
from acclimate.analysis.dependence.regions import Extent, Interval, Region, Subscript

RUN_TIME = "the subscripts differ by something that is only known at run time"
_OWN_PART = "each iteration computes the bounds of its part anew"


@dataclass(frozen=True, slots=True)
class LoopRange:
    """The judged loop: bounds that do not change inside (None: not known) and constant step."""

    low: Affine | None
    high: Affine | None
    step: int | None


class Meeting(Enum):
    """What one dimension says of two references in different iterations."""

    NEVER = "never"
    ANY = "any"  # in every pair of iterations
    MAYBE = "maybe"


@dataclass(frozen=True, slots=True)
class Distance:
    """They meet when the second runs `value` of the index after the first."""

    value: int


@dataclass(frozen=True, slots=True)
class Dependence:
    """`distance` in iterations, from the first reference to the second; None: not constant."""

    certain: bool
    distance: int | None
    why: str


class _Pin(NamedTuple):
    """The one iteration in which all that has these conditions is done; they are kept alive."""

    conditions: tuple[Literal, ...]
    iteration: Affine | None


class _Form(NamedTuple):
    """What decides on one subscript, whatever it is compared with."""

    is_opaque: bool
    inner: list[int]  # coefficients of inner indices
    coefficient: int  # of the loop index
    outside: list[tuple[int, int]]  # the other terms


class _Span(NamedTuple):
    """The ends of a subscript over the inner indices, which move with the loop index alike."""

    least: Affine
    greatest: Affine
    stride: int


class DependenceTest:
    def __init__(self, values: Values, loop: LoopRange, effort: Effort) -> None:
        self._values, self._loop = values, loop
        self._prover = Prover(values, effort)
        self._met: dict[tuple[Subscript, Subscript], Meeting | Distance] = {}
        self._forms: dict[Affine, _Form] = {}
        self._spans: dict[Affine, _Span | None] = {}
        self._hulls: dict[Affine, Interval | None] = {}
        self._pins: dict[int, _Pin] = {}  # by the id of the conditions
        self._pairs: dict[object, Dependence | None] = {}

    def between(self, one: Access, other: Access) -> Dependence | None:
        """None where no two different iterations can clash on these references."""
        first, second = self._pin(one), self._pin(other)
        if first is not None and first == second:
            return None
        general = self._compared(one, other, None, None)
        if general is None or (first is None and second is None):
            return general
        return general if self._compared(one, other, first, second) is not None else None

    def _compared(
        self, one: Access, other: Access, first: Affine | None, second: Affine | None
    ) -> Dependence | None:
        """The test proper; `first` and `second`: the only iteration of a reference, if known."""
        pair = (one.subscripts, other.subscripts, first, second)
        if pair not in self._pairs:
            self._pairs[pair] = self._compare(one, other, first, second)
        return self._pairs[pair]

    def _compare(
        self, one: Access, other: Access, first: Affine | None, second: Affine | None
    ) -> Dependence | None:
        pairs = list(zip(one.subscripts, other.subscripts, strict=False))
        if first is not None and second is None and self._only_in(first, pairs):
            return None
        if (
            second is not None
            and first is None
            and self._only_in(second, [(b, a) for a, b in pairs])
        ):
            return None
        meetings: list[Meeting | Distance] = []
        for a, b in pairs:
            meeting = self._meeting(self._at(a, first), self._at(b, second))
            if meeting is Meeting.NEVER:
                return None
            meetings.append(meeting)
        distances = {m.value for m in meetings if isinstance(m, Distance)}
        if 0 in distances or len(distances) > 1:
            return None
        distance = self._in_iterations(distances)
        if Meeting.MAYBE in meetings:
            return Dependence(False, distance, self._reason(pairs, meetings))
        return Dependence(True, distance, "")

    def _only_in(self, iteration: Affine, pairs: list[tuple[Subscript, Subscript]]) -> bool:
        """Does the second reference meet the first only in the iteration that makes it?"""
        for pinned, free in pairs:
            if isinstance(pinned, Extent) or isinstance(free, Extent):
                continue
            form, other = self._form(free), self._form(pinned)
            plain = not (form.is_opaque or form.inner or other.inner)
            if (
                plain
                and form.coefficient
                and self._at(free, iteration) == self._at(pinned, iteration)
            ):
                return not other.is_opaque
        return False

    def _in_iterations(self, distances: set[int]) -> int | None:
        if not distances or not self._loop.step:
            return None
        return next(iter(distances)) // self._loop.step

    def _pin(self, access: Access) -> Affine | None:
        """The one iteration in which the reference is made, where a condition says so."""
        known = self._pins.get(id(access.conditions))
        if known is None:
            iteration = self._find_pin(access.conditions)
            known = self._pins[id(access.conditions)] = _Pin(access.conditions, iteration)
        return known.iteration

    def _find_pin(self, conditions: tuple[Literal, ...]) -> Affine | None:
        for condition in conditions:
            if condition.relation is not Relation.ZERO or not condition.positive:
                continue
            coefficient = condition.form.coefficient(self._values.loop)
            if abs(coefficient) != 1:
                continue
            rest = condition.form.replaced(self._values.loop, Affine(0)).times(-coefficient)
            if not self._values.varies(rest):
                return rest
        return None

    def _at(self, subscript: Subscript, iteration: Affine | None) -> Subscript:
        if iteration is None or isinstance(subscript, Extent):
            return subscript
        return subscript.replaced(self._values.loop, iteration)

    def _meeting(self, a: Subscript, b: Subscript) -> Meeting | Distance:
        """Few subscripts make most references: each pair is looked at once."""
        known = self._met.get((a, b))
        if known is None:
            known = self._met[a, b] = self._find_meeting(a, b)
        return known

    def _find_meeting(self, a: Subscript, b: Subscript) -> Meeting | Distance:
        if Extent.UNKNOWN in (a, b):
            return Meeting.MAYBE
        if isinstance(a, Extent) or isinstance(b, Extent):
            return Meeting.ANY
        one, other = self._form(a), self._form(b)
        if one.is_opaque or other.is_opaque:
            return Meeting.MAYBE
        if one.inner or other.inner:
            return self._with_inner_indices(a, b)
        p, q = one.coefficient, other.coefficient
        difference = b - a + Affine(0, ((self._values.loop, p - q),)) if p != q else b - a
        if p == q == 0:
            return self._without_index(difference, a, b)
        if p == q:
            return self._strong(difference, p, a, b)
        if difference.is_constant and difference.constant % math.gcd(p, q):
            return Meeting.NEVER
        return self._bounded(a, b)

    def _form(self, form: Affine) -> _Form:
        found = self._forms.get(form)
        if found is None:
            found = self._forms[form] = self._find_form(form)
        return found

    def _find_form(self, form: Affine) -> _Form:
        values, loop = self._values, self._values.loop
        inner = [coefficient for atom, coefficient in form.terms if values.is_inner(atom)]
        others = [t for t in form.terms if t[0] != loop and not values.is_inner(t[0])]
        is_opaque = any(values.atom(atom).variant for atom, _ in others)
        return _Form(is_opaque, inner, form.coefficient(loop), others)

    def _without_index(self, difference: Affine, a: Affine, b: Affine) -> Meeting:
        if difference.is_constant:
            return Meeting.NEVER if difference.constant else Meeting.ANY
        return self._bounded(a, b)

    def _strong(
        self, difference: Affine, coefficient: int, a: Affine, b: Affine
    ) -> Meeting | Distance:
        if not difference.is_constant:
            return self._bounded(a, b)
        if difference.constant % coefficient:
            return Meeting.NEVER
        distance = -difference.constant // coefficient
        if self._loop.step and distance % self._loop.step:
            return Meeting.NEVER
        low, high = self._loop.low, self._loop.high
        if low is not None and high is not None:
            trip = high - low
            if trip.is_constant and abs(distance) > max(trip.constant, 0):
                return Meeting.NEVER
        return Distance(distance)

    def _with_inner_indices(self, a: Affine, b: Affine) -> Meeting | Distance:
        one, other = self._form(a), self._form(b)
        if one.outside == other.outside:
            divisor = math.gcd(*one.inner, *other.inner, one.coefficient, other.coefficient)
            if divisor and (b.constant - a.constant) % divisor:
                return Meeting.NEVER
        if self._is_narrow(a, b):
            return Distance(0)
        bounded = self._bounded(a, b)
        if bounded is Meeting.NEVER:
            return bounded
        simple = one.coefficient == other.coefficient == 0
        if not simple or one.outside != other.outside:
            return Meeting.MAYBE
        shared = all(map(self._has_shared_values, (*a.terms, *b.terms)))
        return Meeting.ANY if shared else Meeting.MAYBE

    def _has_shared_values(self, term: tuple[int, int]) -> bool:
        """Does the atom take one of its values in every iteration, or in neighbouring ones?"""
        atom, _ = term
        if not self._values.is_inner(atom):
            return not self._values.atom(atom).variant
        ends = self._values.ranges[atom]
        if any(
            end is not None and self._is_shared(end) for end in (ends.first, ends.low, ends.high)
        ):
            return True
        if ends.low is None or ends.high is None or self._varies_otherwise(ends.low):
            return False
        width, moved = ends.high - ends.low, ends.low.coefficient(self._values.loop)
        return width.is_constant and abs(moved * (self._loop.step or 1)) <= width.constant

    def _is_shared(self, form: Affine) -> bool:
        return all(map(self._has_shared_values, form.terms))

    def _is_narrow(self, a: Affine, b: Affine) -> bool:
        """Strong SIV with a width: inner indices move the element by less than one iteration."""
        if not self._loop.step:
            return False
        one, other = self._span(a), self._span(b)
        if one is None or other is None or one.stride != other.stride:
            return False
        least, greatest = other.least - one.greatest, other.greatest - one.least
        width = abs(one.stride * self._loop.step)
        if not (least.is_constant and greatest.is_constant and width):
            return False
        return -width < least.constant <= greatest.constant < width

    def _span(self, form: Affine) -> _Span | None:
        if form not in self._spans:
            self._spans[form] = self._find_span(form)
        return self._spans[form]

    def _find_span(self, form: Affine) -> _Span | None:
        least, greatest = self._prover.least(form), self._prover.greatest(form)
        if least is None or greatest is None:
            return None
        stride = least.coefficient(self._values.loop)
        if greatest.coefficient(self._values.loop) != stride:
            return None
        moves_otherwise = self._varies_otherwise(least) or self._varies_otherwise(greatest)
        return None if moves_otherwise else _Span(least, greatest, stride)

    def _is_computed_anew(self, atom: int) -> bool:
        """Do both bounds of an inner index change from iteration to iteration, by no plain sum?"""
        ends = self._values.ranges[atom]
        return all(end is not None and self._varies_otherwise(end) for end in (ends.low, ends.high))

    def _varies_otherwise(self, form: Affine) -> bool:
        return self._form(form).is_opaque or bool(self._form(form).inner)

    def never_equal(self, a: Affine, b: Affine) -> bool:
        """Do the values of two subscripts lie apart, over all inner indices?"""
        return self._bounded(a, b) is Meeting.NEVER

    def _bounded(self, a: Affine, b: Affine) -> Meeting:
        """Banerjee: the smallest of one beyond the largest of the other."""
        first, second = self.hull(a), self.hull(b)
        if first is None or second is None:
            return Meeting.MAYBE
        return Meeting.NEVER if _apart(first, second) else Meeting.MAYBE

    def hull(self, form: Affine) -> Interval | None:
        """Bounds of a subscript over all iterations of the loop and of inner loops."""
        if form not in self._hulls:
            self._hulls[form] = self._find_hull(form)
        return self._hulls[form]

    def _find_hull(self, form: Affine) -> Interval | None:
        low, high = self._prover.least(form), self._prover.greatest(form)
        if low is None or high is None:
            return None
        low, high = self._over_loop(low, lowest=True), self._over_loop(high, lowest=False)
        if low is None or high is None or self._values.varies(low) or self._values.varies(high):
            return None
        return Interval(low, high)

    def _over_loop(self, form: Affine, *, lowest: bool) -> Affine | None:
        coefficient = form.coefficient(self._values.loop)
        if not coefficient:
            return form
        bound = self._loop.low if (coefficient > 0) is lowest else self._loop.high
        return None if bound is None else form.replaced(self._values.loop, bound)

    def apart(self, region: Region, access: Access) -> bool:
        """Is the reference outside of the region in every iteration?"""
        for side, subscript in zip(region, access.subscripts, strict=False):
            if side is None or isinstance(subscript, Extent):
                continue
            low, high, other = self.hull(side.low), self.hull(side.high), self.hull(subscript)
            if low is None or high is None or other is None:
                continue
            if _apart(Interval(low.low, high.high), other):
                return True
        return False

    def inside(self, access: Access, region: Region) -> bool:
        """Does the reference stay inside the region, which is the same in all iterations?"""
        for side, subscript in zip(region, access.subscripts, strict=True):
            if side is None:
                continue
            if isinstance(subscript, Extent) or self._values.varies(side.low):
                return False
            hull = self.hull(subscript)
            if hull is None or self._values.varies(side.high):
                return False
            if not self._prover.at_most(side.low, hull.low):
                return False
            if not self._prover.at_most(hull.high, side.high):
                return False
        return True

    def _reason(
        self, pairs: list[tuple[Subscript, Subscript]], meetings: list[Meeting | Distance]
    ) -> str:
        for (a, b), meeting in zip(pairs, meetings, strict=True):
            if meeting is not Meeting.MAYBE:
                continue
            if Extent.UNKNOWN in (a, b):
                return "it is passed on or indexed by a vector, so the elements are not known"
            forms = [form for form in (a, b) if isinstance(form, Affine)]
            if any(self._form(form).is_opaque for form in forms):
                return "the subscript is computed or read from a table"
            inner = {t for form in forms for t, _ in form.terms if self._values.is_inner(t)}
            if any(self._is_computed_anew(atom) for atom in inner):
                return _OWN_PART
        return RUN_TIME


def _apart(one: Interval, other: Interval) -> bool:
    for high, low in ((one.high, other.low), (other.high, one.low)):
        gap = low - high
        if gap.is_constant and gap.constant > 0:
            return True
    return False
