"""The three formats say the same, to people and to programs, whatever the source contains."""

import json
import re
from dataclasses import replace
from html.parser import HTMLParser
from importlib.resources import files

import jsonschema
import pytest

from acclimate.analysis.problems import Problem
from acclimate.verifier.evidence import Evidence, Light, Outcome
from acclimate.verifier.figures import Transfer
from acclimate.workflows.reporting import render
from acclimate.workflows.reporting.model import (
    AskedRow,
    Change,
    EditCount,
    Figures,
    Finding,
    KernelRow,
    Provenance,
    RefusalRow,
    Report,
    UnitRow,
)

SCHEMA = json.loads(files("acclimate.workflows").joinpath("schemas/report.schema.json").read_text())
LIGHTS = {"data": "holds", "races": "holds", "numerics": "holds", "device": "inconclusive"}
HOSTILE = "</td><script>alert(1)</script> | `x` \\| \n# heading"


def unit(name, state, **more):
    return UnitRow(name, "subroutine", "src/a.f90", 12, state, LIGHTS, EditCount(), **more)


@pytest.fixture
def report():
    ported = replace(
        unit("m::advect", "ported", kernels=(KernelRow(14, True, 12, 0.5), KernelRow(20, False))),
        edits=EditCount(3, 4),
        lights=LIGHTS | {"numerics": "fails"},
    )
    refused = unit("m::flux", "refused", refusals=(RefusalRow("src/a.f90", 44, HOSTILE, HOSTILE),))
    return Report(
        model="cumulet",
        verdict="reject",
        lights=LIGHTS,
        device="host emulation of a discrete device; device run: not run",
        figures=Figures(0.873, 412, 1624, "8 steps against 4", 2, 1),
        units=(ported, refused, unit("m::init", "host")),
        loops={"parallel": 2, "serial": 1},
        decisions={"offloaded": 2, "refused": 1},
        findings=(Finding(HOSTILE, "src/a.f90", 14), Finding("no place")),
        transfers=(Transfer(None, None, "implicit copy", "to-host", 12, 1_624_000, 3),),
        evidence=(Evidence("bit", Light.NUMERICS, Outcome.FAILS, HOSTILE, float("inf"), 0.0, "1"),),
        changes=(Change("src/a.f90", 1, 0, f"--- a\n+++ b\n@@ -1 +1 @@\n+{HOSTILE}\n"),),
        provenance=Provenance("0.1.0", "", "GNU Fortran 12", ("-O2",), (7,)),
        guessed=(),
        left_out=("m::skip",),
        attempts=1,
        asked=(
            AskedRow("m::advect", "some-model", 1, 1, 900, 120, 0.0042, True),
            AskedRow("m::flux", "some-model", 3, 4, 4000, 600, None, False, HOSTILE),
        ),
        files={"src/a.f90": "ab"},
    )


class Page(HTMLParser):
    def __init__(self, text):
        super().__init__()
        self.tags, self.links, self.open = [], [], []
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        self.links += [value for name, value in attrs if name in ("src", "href", "srcset")]
        if tag not in ("meta", "input", "br", "option"):
            self.open.append(tag)

    def handle_endtag(self, tag):
        if tag not in ("option",):
            assert self.open.pop() == tag


def test_json_comes_back_equal_and_is_valid(report):
    text = render.to_json(report)
    jsonschema.validate(json.loads(text), SCHEMA)
    lossy = replace(report, evidence=(replace(report.evidence[0], figure=None),))
    assert render.from_json(text.encode(), "report.json") == lossy


@pytest.mark.parametrize(
    "spoil",
    [
        lambda data: data.pop("verdict"),
        lambda data: data.update(verdict="fine"),
        lambda data: data["units"][0].update(state="done"),
        lambda data: data["units"][0]["lights"].pop("data"),
        lambda data: data["units"][0].update(extra=1),
        lambda data: data.update(schema="acclimate/report/2"),
    ],
)
def test_the_schema_refuses_what_is_not_a_report(report, spoil):
    data = json.loads(render.to_json(report))
    spoil(data)
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(data, SCHEMA)


def test_a_file_that_is_no_report_is_a_problem():
    with pytest.raises(Problem, match="x/report.json is not a report of this version"):
        render.from_json(b'{"model": 1}', "x/report.json")


def test_html_is_one_page_that_loads_nothing_and_runs_nothing_of_the_models(report):
    page = Page(render.to_html(report))
    assert page.open == []
    assert page.links == []
    assert page.tags.count("script") == 1
    assert not re.search(r"url\(|@import|https?:", render.to_html(report))


def test_html_follows_the_readers_choice_of_light_or_dark(report):
    text = render.to_html(report)
    assert "prefers-color-scheme: dark" in text
    names = set(re.findall(r"(--[\w-]+):", text.partition("@media")[0]))
    dark = text.partition("@media")[2].partition("* {")[0]
    assert set(re.findall(r"(--[\w-]+):", dark)) == names


def test_no_cell_of_the_markdown_breaks_out_of_its_table(report):
    tables = [line for line in render.to_markdown(report).splitlines() if line.startswith("|")]
    widths = {line.replace("\\\\", "").replace("\\|", "").count("|") for line in tables}
    assert widths == {3, 5, 6, 7, 8, 12}
    assert "<script>" not in render.to_markdown(report)
    assert "# heading" not in [line.strip() for line in render.to_markdown(report).splitlines()]


@pytest.mark.parametrize("form", [render.to_html, render.to_markdown], ids=["html", "md"])
def test_both_pages_say_verdict_lights_figures_and_that_no_device_ran(report, form):
    text = form(report)
    for words in (
        "reject",
        "1 of 3 units ported, 1 refused, 1 of 2 kernels executed by a run.",
        "87.3 %",
        "412",
        "1.6 kB",
        "8 steps against 4",
        "host emulation of a discrete device; device run: not run",
        "m::advect",
        "50.0 %",
        "not in a git repository",
        "GNU Fortran 12",
    ):
        assert words in text
    assert "these are not times of a gpu" in text.lower()


@pytest.mark.parametrize("form", [render.to_html, render.to_markdown], ids=["html", "md"])
def test_what_stays_open_stands_under_the_lights_a_line_for_each_check(report, form):
    lost = Evidence("log", Light.DATA, Outcome.INCONCLUSIVE, "a page was not watched")
    text = form(replace(report, evidence=(*report.evidence, lost, lost)))
    assert "a light holds when a decisive check holds" in text.lower()
    assert "Data movement: a page was not watched [log] (and 1 more under Evidence)" in text


@pytest.mark.parametrize("form", [render.to_html, render.to_markdown], ids=["html", "md"])
def test_what_a_model_was_asked_is_told_with_its_cost_and_an_unknown_one_is_not_zero(report, form):
    text = form(report)
    assert "some-model about 2 units, 1 of them changed: 5 calls, 5,620 tokens, cost not" in text
    assert "0.0042" in text and "not known" in text and "stands in the port" in text
    priced = replace(report, asked=report.asked[:1])
    assert "1 call, 1,020 tokens, cost 0.0042" in form(priced)
    assert "Asked of a model" not in form(replace(report, asked=()))


@pytest.mark.parametrize("form", [render.to_html, render.to_markdown], ids=["html", "md"])
def test_a_refusal_is_told_once(report, form):
    rows = (RefusalRow("src/a.f90", 44, "first"), RefusalRow("src/a.f90", 50, "second"))
    text = form(replace(report, units=(unit("m::flux", "refused", refusals=rows),)))
    assert (text.count("first"), text.count("second")) == (1 + text.count("first-child"), 1)


@pytest.mark.parametrize(
    ("figures", "words"),
    [
        (Figures(0.9, seconds=0.049), "too short to measure"),
        (Figures(0.9, seconds=0.05), "90.0 %"),
        (Figures(kernels=1, kernels_executed=1), "not measured: set [steps] in acclimate.toml"),
    ],
)
def test_a_figure_that_was_not_measured_says_so(report, figures, words):
    assert words in render.to_markdown(replace(report, figures=figures))
    assert words in render.to_html(replace(report, figures=figures))


def test_nothing_ported_is_said_first_unless_the_kernels_were_there(report):
    refused = replace(report, units=report.units[1:], decisions={"refused": 1})
    assert refused.nothing_ported
    assert "nothing was ported: 1 unit wanted, 1 refused" in render.to_markdown(refused)
    before = replace(refused, decisions={"offloaded": 2, "refused": 1})
    assert before.ported_before
    assert not before.nothing_ported
