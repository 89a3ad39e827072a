"""Which conditions say that a unit's switch is on, and that it is off."""

import pytest

from acclimate.analysis.directives import parse
from acclimate.analysis.ir import Directive
from acclimate.analysis.source import Lines
from acclimate.analysis.switches import (
    FUNCTION,
    FUNCTION_LINES,
    is_switch_alone,
    while_off,
    while_on,
)


def construct(condition: str):
    text = f"parallel loop if({condition})"
    return parse(Directive(Lines("a.f90", 1, 1), "acc", text))


@pytest.mark.parametrize(
    "condition",
    [
        "acc_on('u') .and. (x) .or. (y)",
        "acc_on('u') .and. (c == '(') .or. (d == ')')",
        "acc_on('u') .and. (x) .or. y(1)",
        "acc_on('u') .and. x .or. (y)",
        "acc_on('u') .or. (y)",
        "acc_on('u') .and. ((x)",
        "acc_on('u') .and. ",
        ".not. acc_on('u') .and. (x)",
    ],
)
def test_what_may_hold_while_the_unit_is_off_is_no_switch(condition):
    assert while_on(construct(condition)) is None
    assert while_off(construct(condition)) is None


@pytest.mark.parametrize(
    "more", ["", " .and. (n > 1)", " .and. ((x) .or. (y))", " .and. (c == 'a')"]
)
def test_a_condition_in_parentheses_may_stand_behind_a_switch(more):
    found = construct(f"acc_on('m::u'){more}")
    assert (while_on(found), while_off(found)) == ("m::u", None)
    assert is_switch_alone(found) is (not more)


def test_a_switch_that_is_off():
    found = construct(".not. acc_on('m::u')")
    assert (while_on(found), while_off(found)) == (None, "m::u")


def test_no_thread_sees_the_names_before_they_are_all_there():
    """`length` is what tells other threads; nothing is written behind it, and nothing padded."""
    lines = [line.strip() for line in FUNCTION_LINES]
    read = lines[lines.index("if (length < 0) then") : lines.index(f"{FUNCTION} = .true.")]
    assert read[-2:] == ["length = last", "end if"]
    assert not [line for line in read if "variable(key, off(2:" in line and "last+1))" not in line]
    assert not [line for line in read[1:-2] if ", length," in line or line.startswith("length")]
