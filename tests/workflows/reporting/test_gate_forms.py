"""The gate's report in each form: valid, short, and safe whatever a model calls its fields."""

import json
from dataclasses import replace
from xml.etree import ElementTree

import pytest

from acclimate.analysis.index import index_project
from acclimate.analysis.tree.manifest import load_manifest
from acclimate.workflows.reporting.gate_markdown import LIMIT, to_markdown
from acclimate.workflows.reporting.gate_page import to_page
from acclimate.workflows.reporting.gate_report import (
    WORST,
    GateReport,
    GateRow,
    Section,
    SpeedRow,
    as_json,
)
from acclimate.workflows.reporting.junit import to_junit
from acclimate.workflows.reporting.sarif import to_sarif

HOSTILE = "a|b<script>alert(1)</script>\x00&\n`x`"


def row(variable, finding="fails", excess=2.0, **other):
    values = dict(check="run", message="off", step=3, place="(1,2)", figure=2.0, limit=1.0)
    values |= dict(flips=0, steps=4, values=10) | other
    return GateRow(variable=variable, finding=finding, excess=excess, **values)


REPORT = GateReport(
    model="pond",
    outcome="reject",
    exit=1,
    mode="tolerance",
    baseline="0123456789ab",
    commit="",
    made_with="GNU Fortran 12, -O2",
    rows=(row("q"), row("t", "holds", 0.1), row("u", "no power", 0.0)),
    compared=30,
    replays=5,
    horizon=7,
    notes=("a note",),
    loosened=("q (run): abs 1 → abs 2 (A. Person, 2026-11-30)",),
    speed=(SpeedRow("m::p", 1.4, 0.02, True, 0.5),),
    apart={1: 1e-16, 2: 1e-9, 9: 1e-2},
    members=({1: 1e-16, 2: 2e-16, 9: 1e-15},),
    section=Section("q", 3, ("index 1", "index 2"), ((0.0, 1.0), (float("nan"), 2.0)), (1, 1)),
    command="acclimate gate pond",
)


def test_markdown_shows_the_worst_rows_and_stays_below_its_limit():
    many = tuple(row(f"v{n:03}", excess=float(n), message="x" * 9000) for n in range(400))
    text = to_markdown(replace(REPORT, rows=many, loosened=("y" * 9000,) * 400))
    shown = [line for line in text.splitlines() if line.startswith("| ✗ | v")]
    assert (len(shown), len(text.encode()) < LIMIT) == (WORST, True)
    assert "v399" in shown[0]
    assert "380 more rows are not shown" in text


def test_markdown_cells_cannot_be_broken_out_of():
    text = to_markdown(replace(REPORT, rows=(row(HOSTILE),)))
    (line,) = [line for line in text.splitlines() if line.startswith("| ✗ | a")]
    assert line.replace("\\|", "").count("|") == 8
    assert "<script>" not in text


def test_junit_has_a_case_for_each_check_and_skips_what_has_no_power():
    suites = ElementTree.fromstring(to_junit(replace(REPORT, rows=(*REPORT.rows, row(HOSTILE)))))
    (suite,) = suites
    assert (suites.tag, suite.tag, suite.get("tests")) == ("testsuites", "testsuite", "5")
    assert (suite.get("failures"), suite.get("skipped")) == ("3", "1")
    cases = {case.get("name"): [child.tag for child in case] for case in suite}
    assert cases["q"] == ["failure"]
    assert cases["t"] == []
    assert cases["u"] == ["skipped"]
    assert cases["m::p"] == ["failure"]


def test_json_has_no_numbers_that_json_does_not_know():
    told = json.loads(json.dumps(as_json(REPORT), allow_nan=False))
    assert told["schema"] == "acclimate/gate/1"
    assert told["section"]["values"] == [[0.0, 1.0], [None, 2.0]]
    assert told["apart"] == {"1": 1e-16, "2": 1e-9, "9": 1e-2}


def test_the_page_has_plots_loads_nothing_and_escapes_names():
    page = to_page(replace(REPORT, rows=(row(HOSTILE),), model=HOSTILE))
    assert page.count("<svg") == 2
    assert "<script" not in page
    assert "default-src 'none'" in page
    assert 'class="mark"' in page  # the horizon


def test_a_page_without_anything_to_plot_has_no_plot():
    assert "<svg" not in to_page(replace(REPORT, apart={}, members=(), section=None))


UNSAFE = """\
subroutine s(a, n)
  integer, intent(in) :: n
  real, intent(inout) :: a(n)
  integer :: i
  !$acc parallel loop
  do i = 2, n
    a(i) = a(i - 1)
  end do
  do i = 2, n
    a(i) = a(i) + a(i - 1)
  end do
end subroutine
"""


@pytest.fixture
def sarif(tmp_path):
    folder = tmp_path / "a b"
    folder.mkdir()
    (folder / "s.f90").write_text(UNSAFE)
    (folder / "acclimate.toml").write_text('[model]\nname = "m"\nsources = ["*.f90"]\n')
    return to_sarif(index_project(load_manifest(folder)))


def test_sarif_names_contradicted_directives_as_errors_at_their_lines(sarif):
    (run,) = sarif["runs"]
    by_level = {result["level"]: result for result in run["results"]}
    assert by_level["error"]["ruleId"] == "unsafe/race"
    place = by_level["error"]["locations"][0]["physicalLocation"]
    assert place["artifactLocation"] == {"uri": "s.f90", "uriBaseId": "MODEL"}
    assert place["region"]["startLine"] == 5
    lines = [
        result["locations"][0]["physicalLocation"]["region"]["startLine"]
        for result in run["results"]
        if result["level"] == "note"
    ]
    assert lines == [6, 9]


def test_sarif_results_refer_to_rules_that_are_there(sarif):
    (run,) = sarif["runs"]
    rules = run["tool"]["driver"]["rules"]
    assert sarif["version"] == "2.1.0"
    assert all(rules[r["ruleIndex"]]["id"] == r["ruleId"] for r in run["results"])
