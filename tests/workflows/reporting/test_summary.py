"""The table fits where it is shown, and the reasons stand below it in full."""

import pytest

from acclimate.workflows.reporting.model import (
    EditCount,
    Figures,
    Provenance,
    RefusalRow,
    Report,
    UnitRow,
)
from acclimate.workflows.reporting.summary import REASONS, show_summary

LIGHTS = {"data": "holds", "races": "holds", "numerics": "holds", "device": "inconclusive"}
LONG = "microphysics_of_a_cloud_with_rain::sedimentation_of_rain_drops"
STEP = "give each iteration its own copy " * 5


def summary_of(states, capsys, refusals=1):
    rows = tuple(RefusalRow("src/a.f90", 9 + n, f"reason {n}", STEP) for n in range(refusals))
    units = tuple(
        UnitRow(
            f"{LONG}_{n}", "subroutine", "src/a.f90", 5, state, LIGHTS, EditCount(),
            refusals=rows if state == "refused" else (),
        )
        for n, state in enumerate(states)
    )  # fmt: skip
    show_summary(
        Report(
            model="cumulet", verdict="accept", lights=LIGHTS, device="not run",
            figures=Figures(), units=units, loops={}, decisions={}, findings=(), transfers=(),
            evidence=(), changes=(), provenance=Provenance("0", "", "", (), ()), guessed=(),
            left_out=(), attempts=1,
        )
    )  # fmt: skip
    return capsys.readouterr().out.splitlines()


def test_columns_go_before_a_units_name_is_cut(capsys):
    lines = summary_of(["ported", "refused"], capsys)
    assert lines[0].split() == ["unit", "state", "data", "races", "numerics"]
    assert lines[1].split()[0] == f"{LONG}_0"
    assert all(len(line) <= 100 for line in lines[:3])


def test_a_reason_stands_below_the_table_with_its_place_and_next_step(capsys):
    lines = summary_of(["ported", "refused"], capsys)
    assert f"src/a.f90:9 {LONG}_1: reason 0 -> {STEP}" in lines


@pytest.mark.parametrize(("refusals", "more"), [(REASONS, None), (REASONS + 3, 3)])
def test_many_reasons_are_cut_with_their_number(capsys, refusals, more):
    lines = summary_of(["ported", "refused"], capsys, refusals)
    assert sum(" -> " in line for line in lines) == REASONS
    assert (f"and {more} more in report.md" in lines) is (more is not None)


def test_units_that_say_nothing_are_counted(capsys):
    lines = summary_of(["ported", "host", "left-out", "left-out"], capsys)
    assert "and 1 unit with nothing to offload" in lines
    assert "and 2 units left out on request" in lines


def test_where_nothing_was_ported_that_comes_first_with_the_reasons(capsys):
    lines = summary_of(["refused", "left-out"], capsys)
    assert lines[0] == "nothing was ported: 1 unit wanted, 1 refused, 1 left out on request."
    assert lines[1].startswith("src/a.f90:9 ")
