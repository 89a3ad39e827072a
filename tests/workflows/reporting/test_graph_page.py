"""The page of a graph: self-contained, with nothing of the model as markup, and alive."""

import json
import re
import shutil
import subprocess

import pytest

from acclimate.analysis.graph.model_graph import Edge, GraphKind, ModelGraph, Node
from acclimate.analysis.source import Lines
from acclimate.workflows.reporting.graph_page import to_html

NASTY = "</script><img src=x onerror=alert(1)>&amp;{{ 7 * 7 }}\u2028"


def graph(number, name="model", label="p"):
    nodes = tuple(
        Node(
            f"{label}{i}", "subroutine", f"m{i // 20}", f"m{i // 20}.f90", i + 1, 9, i % 7 != 0,
            (("parallel", 2), ("serial", 1)), 1 / number, 0.5, 0.0, 1.0, 0.5 / number,
        )
        for i in range(number)
    )  # fmt: skip
    edges = tuple(
        Edge(
            nodes[i].name, nodes[i * 7 % number].name, "calls", (Lines("m.f90", i + 1, i + 1),) * 6
        )
        for i in range(number)
    )
    return ModelGraph(name, GraphKind.CALL, nodes, edges)


def data_of(page):
    found = re.search(r'<script type="application/json" id="data">(.*?)</script>', page, re.DOTALL)
    return json.loads(found[1])


def test_names_are_data_and_never_markup():
    page = to_html(graph(3, NASTY, NASTY), measured=False)
    assert data_of(page)["name"] == NASTY
    assert data_of(page)["nodes"][0][0] == NASTY + "0"
    assert "<img" not in page
    assert page.count("</script>") == 2
    assert "innerHTML" not in page and "document.write" not in page


def test_the_page_loads_nothing():
    page = to_html(graph(3), measured=False)
    assert "default-src 'none'" in page
    assert not re.search(r"(?:https?:)?//[a-z]", page.replace("// ", ""))
    assert not re.search(r"<(?:link|img|iframe)\b|@import|\bsrc=|fetch\(|XMLHttp", page)


def test_five_thousand_procedures_are_a_few_megabytes():
    page = to_html(graph(5000), measured=True)
    assert len(page) < 3_000_000
    assert len(data_of(page)["nodes"]) == 5000
    assert data_of(page)["edges"][1][3:] == [6, [[0, 2]] * 4]


@pytest.mark.slow
@pytest.mark.needs("chromium")
@pytest.mark.parametrize("address", ["", "#p7"])
def test_a_browser_draws_it(tmp_path, address):
    (tmp_path / "g.html").write_text(to_html(graph(300), measured=False))
    command = [
        shutil.which("chromium"), "--headless", "--no-sandbox", "--disable-gpu", "--dump-dom",
        f"--user-data-dir={tmp_path / 'profile'}", "--virtual-time-budget=2000",
        f"file://{tmp_path}/g.html{address}",
    ]  # fmt: skip
    run = subprocess.run(command, capture_output=True, text=True, timeout=120)
    assert "300 procedures" in run.stdout
    assert ("<h3>Called by" in run.stdout) == bool(address)
