"""Argument association: where the elements of a dummy array lie in the actual argument.

Sequence association (an element passed to an array, or different shapes) is followed only as far
as the extents prove it. Otherwise the dummy may reach any element of the array that is passed.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from acclimate.analysis.dependence.affine import Affine, Range, Values, of_atom
from acclimate.analysis.dependence.aliasing import WHOLE, Designator
from acclimate.analysis.dependence.coverage import Coverage
from acclimate.analysis.dependence.regions import (
    Extent,
    Interval,
    Region,
    Side,
    Subscript,
)
from acclimate.analysis.ir import Section, Shape, Symbol

AtMost = Callable[[Affine, Affine], bool]
_ONE = Affine(1)
_ZERO = Affine(0)


@dataclass(frozen=True, slots=True)
class Axis:
    """One dimension of a dummy array, in the actual argument.

    The element with dummy subscript `s` lies at `s + offset` in dimension `position`; `whole` is
    what the dimension as a whole covers there.
    """

    position: int
    offset: Affine | None
    whole: Interval | Extent


@dataclass(frozen=True, slots=True)
class Mapping:
    """The actual's own subscripts, and the axes along which the dummy array lies in it."""

    fixed: tuple[Subscript, ...]
    axes: tuple[Axis, ...]
    declared: Region
    values: Values

    def subscripts(self, dummy: tuple[Subscript, ...]) -> tuple[Subscript, ...]:
        """The actual's subscripts for subscripts of the dummy."""
        placed = list(self.fixed)
        for axis, subscript in zip(self.axes, dummy, strict=False):
            if subscript is Extent.ALL:
                placed[axis.position] = self._swept(axis.whole)
            elif isinstance(subscript, Extent) or axis.offset is None:
                placed[axis.position] = Extent.UNKNOWN
            else:
                placed[axis.position] = subscript + axis.offset
        return tuple(placed)

    def _swept(self, whole: Interval | Extent) -> Subscript:
        if isinstance(whole, Extent):
            return whole
        return of_atom(self.values.inner(Range(whole.low, whole.low, whole.high, 1, True), ()))

    def region(self, dummy: Region, coverage: Coverage) -> Region | None:
        """The part of the actual that a surely written region of the dummy is."""
        moving = {axis.position for axis in self.axes}
        placed = tuple(Extent.ALL if n in moving else s for n, s in enumerate(self.fixed))
        written = coverage.written(placed, self.declared)
        if written is None or len(self.axes) != len(dummy):
            return None
        sides = list(written)
        for axis, side in zip(self.axes, dummy, strict=True):
            if side is not None:
                if axis.offset is None:
                    return None
                sides[axis.position] = Interval(side.low + axis.offset, side.high + axis.offset)
            elif isinstance(axis.whole, Interval):
                sides[axis.position] = axis.whole
            elif axis.whole is Extent.UNKNOWN:
                return None
        return tuple(sides)


@dataclass(frozen=True, slots=True)
class Association:
    """An actual argument and the dummy it is passed to, in the caller's forms."""

    actual: Designator
    subscripts: tuple[Subscript, ...]
    declared: Region
    values: Values
    dummy: Symbol
    bounds: Region
    lower_of: Callable[[int], Affine | None]  # of the actual, where its declaration says nothing
    at_most: AtMost

    def mapping(self) -> Mapping:
        if not self.dummy.dims:
            return Mapping(self.subscripts, (), self.declared, self.values)
        passed = [n for n, s in enumerate(self.actual.subscripts) if isinstance(s, Section)]
        if any(self.subscripts[n] is Extent.UNKNOWN for n in passed):
            return self._anywhere(passed)
        if not passed:
            return self._from_element()
        if len(passed) != len(self.dummy.dims):
            return self._anywhere(passed)
        wholes = [self._whole(n) for n in passed]
        if self._is_explicit and not self._same_leading_extents(wholes, passed):
            return self._anywhere(passed)
        axes = tuple(self._axis(d, n, wholes[d]) for d, n in enumerate(passed))
        return Mapping(self.subscripts, axes, self.declared, self.values)

    @property
    def _is_explicit(self) -> bool:
        return any(d.shape in (Shape.EXPLICIT, Shape.ASSUMED_SIZE) for d in self.dummy.dims)

    def _anywhere(self, positions: Iterable[int]) -> Mapping:
        lost = set(positions)
        fixed = tuple(
            Extent.UNKNOWN if n in lost else subscript
            for n, subscript in enumerate(self.subscripts)
        )
        return Mapping(fixed, (), self.declared, self.values)

    def _axis(self, dim: int, position: int, whole: Interval | Extent) -> Axis:
        offset = self._offset(dim, position)
        if self._is_explicit:
            bound = self.bounds[dim]
            if bound is None or offset is None:
                whole = Extent.UNKNOWN
            else:
                whole = Interval(bound.low + offset, bound.high + offset)
        return Axis(position, offset, whole)

    def _offset(self, dim: int, position: int) -> Affine | None:
        if self.dummy.dims[dim].shape is Shape.DEFERRED:  # it has the bounds of what is passed
            return _ZERO if self.actual.subscripts[position] is WHOLE else None  # not `a(:)`
        start, lower = self._start(position), self._lower(dim)
        return None if start is None or lower is None else start - lower

    def _whole(self, position: int) -> Interval | Extent:
        """What the actual's section covers; strided sections are not followed."""
        subscript = self.subscripts[position]
        if isinstance(subscript, Extent):
            return subscript
        section = self._section(subscript)
        if section is None or section.low is None or section.high is None or section.step != 1:
            return Extent.UNKNOWN
        return Interval(section.low, section.high)

    def _section(self, subscript: Affine) -> Range | None:
        if subscript.constant or len(subscript.terms) != 1 or subscript.terms[0][1] != 1:
            return None
        return self.values.ranges.get(subscript.terms[0][0])

    def _start(self, position: int) -> Affine | None:
        """The subscript of the first element passed, if the stride is 1."""
        subscript = self.subscripts[position]
        if isinstance(subscript, Affine):
            section = self._section(subscript)
            return None if section is None or section.step != 1 else section.first
        side = self.declared[position]
        if side is not None:
            return side.low
        assumed = _assumed_lower(self.actual.dims[position].shape, self.actual, position)
        return self.lower_of(position) if assumed is None else assumed

    def _lower(self, dim: int) -> Affine | None:
        """The dummy's lower bound in one dimension."""
        bound = self.bounds[dim]
        if bound is not None:
            return bound.low
        dimension = self.dummy.dims[dim]
        if dimension.shape in (Shape.ASSUMED, Shape.ASSUMED_SIZE, Shape.EXPLICIT):
            if dimension.lower is None:
                return _ONE
            value = getattr(dimension.lower, "value", None)
            return Affine(value) if isinstance(value, int) else None
        return None

    def _same_leading_extents(self, wholes: list[Interval | Extent], passed: list[int]) -> bool:
        return all(
            self._extent_of(whole, passed[d]) == _extent(self.bounds[d]) is not None
            for d, whole in enumerate(wholes[:-1])
        )

    def _extent_of(self, whole: Interval | Extent, position: int) -> Affine | None:
        return _extent(whole if isinstance(whole, Interval) else self.declared[position])

    def _from_element(self) -> Mapping:
        own = len(self.actual.last.dims)
        positions = range(len(self.subscripts) - own, len(self.subscripts))
        rank = len(self.dummy.dims)
        if own == 1 and rank == 1 and isinstance(self.subscripts[-1], Affine):
            return self._along_one_axis(positions[0])
        if rank > own or not self._fills(positions, rank):
            return self._anywhere(positions)
        axes = []
        for dim, position in enumerate(positions[:rank]):
            start, lower, bound = self.subscripts[position], self._lower(dim), self.bounds[dim]
            if lower is None or not isinstance(start, Affine):
                return self._anywhere(positions)
            whole: Interval | Extent = Extent.UNKNOWN
            if bound is not None:
                whole = Interval(start, start + bound.high - bound.low)
            axes.append(Axis(position, start - lower, whole))
        return Mapping(self.subscripts, tuple(axes), self.declared, self.values)

    def _along_one_axis(self, position: int) -> Mapping:
        start, lower = self.subscripts[position], self._lower(0)
        if lower is None or not isinstance(start, Affine):
            return self._anywhere([position])
        bound = self.bounds[0]
        offset = start - lower
        whole: Interval | Extent = Extent.UNKNOWN
        if bound is not None:
            whole = Interval(start, bound.high + offset)
        axis = Axis(position, offset, whole)
        return Mapping(self.subscripts, (axis,), self.declared, self.values)

    def _fills(self, positions: range, rank: int) -> bool:
        """Does the dummy lie in the actual subscript by subscript, from the element passed?

        All dimensions but the dummy's last are those of the actual, from their first element. The
        last may begin anywhere; behind it there is nothing if it is the actual's last as well.
        """
        for dim, position in enumerate(positions[: rank - 1]):
            actual, dummy = self.declared[position], self.bounds[dim]
            if actual is None or dummy is None or self.subscripts[position] != actual.low:
                return False
            if dummy.high - dummy.low != actual.high - actual.low:
                return False
        last = positions[rank - 1]
        if last == positions[-1]:
            return True
        start, actual, dummy = self.subscripts[last], self.declared[last], self.bounds[rank - 1]
        if actual is None or dummy is None or not isinstance(start, Affine):
            return False
        reached = start - actual.low + dummy.high - dummy.low
        return self.at_most(reached, actual.high - actual.low)


def _assumed_lower(shape: Shape, actual: Designator, position: int) -> Affine | None:
    lower = actual.dims[position].lower
    return _ONE if shape is Shape.ASSUMED and lower is None else None


def _extent(side: Side) -> Affine | None:
    return None if side is None else side.high - side.low
