"""What a definition made in the body of an inner loop says of all its iterations."""

from acclimate.analysis.dependence.affine import ZERO, Range, Values
from acclimate.analysis.dependence.conditions import Literal
from acclimate.analysis.dependence.regions import Definition, Each, Interval, with_side


def swept_definition(
    values: Values,
    definition: Definition,
    index: int,
    trip: Literal,
    index_range: Range,
    at_least_once: Literal | None = None,
) -> Definition | None:
    """What it says of the turns in which the index takes the values of `index_range`.

    `trip` says that the loop runs at least once; `at_least_once`, if given, that these turns do.
    """
    others = tuple(c for c in definition.conditions if c != trip)
    stated = [c.form for c in others] + [form for each in definition.each for form in each.swept]
    moves = values.depends
    same = not any([moves(form, index) for form in stated])
    at_least_once = trip if at_least_once is None else at_least_once
    moving = [
        d
        for d, side in enumerate(definition.region)
        if side is not None and (moves(side.low, index) or moves(side.high, index))
    ]
    if not moving:
        conditions = (*others, at_least_once)
        return definition._replace(conditions=conditions) if same else None
    kept = definition._replace(conditions=others)
    if same and len(moving) == 1 and moving[0] not in {each.side for each in kept.each}:
        side = kept.region[moving[0]]
        swept = None if side is None else swept_interval(side, index, index_range)
        if swept is not None:
            return kept._replace(region=with_side(kept.region, moving[0], swept))
    family = _family(values, kept, index, index_range, moving)
    if family is not None or not same or kept.each or index_range.first is None:
        return family
    region = kept.region
    for d in moving:
        side = region[d]
        if side is not None:
            low = side.low.replaced(index, index_range.first)
            high = side.high.replaced(index, index_range.first)
            if moves(low, index) or moves(high, index):
                return None
            region = with_side(region, d, Interval(low, high))
    return Definition(region, (*others, at_least_once))


def _family(
    values: Values, definition: Definition, index: int, index_range: Range, moving: list[int]
) -> Definition | None:
    """The definition for each value of the index, where a dimension tells the values apart."""
    forms = [c.form for c in definition.conditions]
    forms += [form for side in definition.region if side is not None for form in side]
    forms += [form for each in definition.each for form in each.swept]
    if not all(values.is_function_of(form, index) for form in forms):
        return None
    others = {each.atom for each in definition.each}
    for d in moving:
        side = definition.region[d]
        if side is None or side.low != side.high or d in {e.side for e in definition.each}:
            continue
        swept = swept_interval(side, index, index_range)
        rest = values.within(side.low.replaced(index, ZERO))
        if swept is not None and index not in rest and not others & rest:
            return definition._replace(each=(*definition.each, Each(index, d, swept)))
    return None


def swept_interval(side: Interval, index: int, index_range: Range) -> Interval | None:
    """Union of an interval over a unit-stride index; None where it is not one interval."""
    low, high = index_range.low, index_range.high
    coefficient = side.low.coefficient(index)
    if low is None or high is None or abs(coefficient) != 1 or index_range.step not in (1, -1):
        return None
    if side.high.coefficient(index) != coefficient:
        return None
    if coefficient < 0:
        low, high = high, low
    swept = Interval(side.low.replaced(index, low), side.high.replaced(index, high))
    if side.low != side.high:
        width = side.high - side.low
        if not width.is_constant or width.constant < 0:
            return None
    return swept
