"""A unit's light needs evidence that touches the unit."""

import pytest

from acclimate.verifier.evidence import Evidence, Light, Outcome
from acclimate.workflows.reporting.lights import unit_lights

HOLD = {"data": "holds", "races": "holds", "numerics": "holds", "device": "inconclusive"}


def failing(light):
    return Evidence("check", light, Outcome.FAILS, "x", file="a.f90", line=1)


def test_a_unit_that_no_run_executed_lights_nothing():
    assert set(unit_lights([], HOLD, executed=False).values()) == {"inconclusive"}


def test_a_failure_names_its_unit_also_when_no_run_executed_it():
    assert unit_lights([failing(Light.RACES)], HOLD, executed=False)["races"] == "fails"


def test_what_holds_for_the_port_holds_for_a_unit_that_ran():
    assert unit_lights([], HOLD, executed=True) == HOLD


def test_what_only_further_runs_executed_was_not_asked_about_races():
    lights = unit_lights([], HOLD, executed=False, further=True)
    assert lights == HOLD | {"races": "inconclusive", "device": "inconclusive"}


@pytest.mark.parametrize("light", ["data", "races", "numerics"])
def test_a_failure_elsewhere_leaves_the_light_open(light):
    lights = unit_lights([], HOLD | {light: "fails"}, executed=True)
    assert lights == HOLD | {light: "inconclusive"}


def test_evidence_that_holds_at_a_line_of_the_unit_is_not_enough_by_itself():
    own = [Evidence("check", Light.DATA, Outcome.HOLDS, "x", file="a.f90", line=1)]
    assert unit_lights(own, HOLD, executed=False)["data"] == "inconclusive"
