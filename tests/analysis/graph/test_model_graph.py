"""Call, use and data-flow graphs, and the formats they are written in."""

import json
import re
import subprocess
from importlib.resources import files
from xml.etree import ElementTree

import jsonschema
import networkx as nx
import pytest

from acclimate.analysis.graph.call_frequency import live_procedures
from acclimate.analysis.graph.graph_formats import to_dot, to_graphml, to_json
from acclimate.analysis.graph.model_graph import (
    Edge,
    GraphKind,
    ModelGraph,
    Node,
    data_flow,
    model_graph,
)
from acclimate.analysis.graph.ranking import rank_procedures
from acclimate.analysis.index import index_project
from acclimate.analysis.tree.manifest import Manifest

SCHEMA = json.loads(files("acclimate.analysis").joinpath("schemas/graph.schema.json").read_text())
SOURCE = """program p
  use state
  use physics
  implicit none
  real :: grid(4), deep
  common /mesh/ grid
  common /sea/ deep
  call fill()
  call apply(shine)
  t = t + 1
  grid(1) = t(1)
contains
  subroutine fill()
    t = 0
    call outside(t)
  end subroutine
end program
module state
  type cell
    real :: q(4)
  end type
  type(cell) :: c
  real :: t(4), alone
end module
module physics
  use state
contains
  subroutine apply(what)
    external what
    call what()
    c%q(1) = t(2)
  end subroutine
  subroutine shine()
    real :: mine(4), deep
    common /mesh/ mine
    common /sea/ deep
    mine(2) = c%q(1) + deep
    alone = 1
  end subroutine
  subroutine dead()
    call dead2()
  end subroutine
  subroutine dead2()
  end subroutine
end module
"""


@pytest.fixture(scope="module")
def index(tmp_path_factory):
    folder = tmp_path_factory.mktemp("model")
    (folder / "m.f90").write_text(SOURCE)
    return index_project(Manifest(root=folder, name="t", sources=("m.f90",)))


def graph(index, kind):
    return model_graph(index, rank_procedures(index.procedures), kind)


def test_dead_code_is_what_no_program_reaches_by_calls_or_names(index):
    everything = {facts.unit for facts in index.procedures}
    assert everything - live_procedures(index.procedures) == {"physics::dead", "physics::dead2"}


def test_without_a_program_nothing_uncalled_is_dead(tmp_path):
    (tmp_path / "m.f90").write_text(
        "subroutine a()\ncall b()\nend\nsubroutine b()\nend\nsubroutine c()\nend\n"
    )
    index = index_project(Manifest(root=tmp_path, name="t", sources=("m.f90",)))
    assert live_procedures(index.procedures) == {"a", "b", "c"}


def test_the_call_graph_has_externals_names_and_dead_procedures(index):
    found = graph(index, GraphKind.CALL)
    nodes = {node.name: node for node in found.nodes}
    assert nodes["outside"].kind == "external" and not nodes["outside"].file
    assert not nodes["physics::dead"].live
    edges = {(edge.source, edge.target): edge for edge in found.edges}
    assert [str(at) for at in edges["p", "p::fill"].sites] == ["m.f90:8"]
    assert edges["p", "physics::shine"].kind == "names"


def test_the_use_graph_joins_outermost_units(index):
    edges = [(edge.source, edge.target) for edge in graph(index, GraphKind.USE).edges]
    assert edges == [("p", "physics"), ("p", "state"), ("physics", "state")]


def test_data_flows_from_who_writes_to_who_reads(index):
    flows = {flow.place: flow for flow in data_flow(index.procedures)}
    writers = {place: [unit for unit, _ in flow.writers] for place, flow in flows.items()}
    readers = {place: [unit for unit, _ in flow.readers] for place, flow in flows.items()}
    assert writers["state::t"] == ["p", "p::fill"]
    assert readers["state::t"] == ["p", "p::fill", "physics::apply"]
    assert writers["state::c%q"] == ["physics::apply"]
    assert readers["state::c%q"] == ["physics::shine"]
    assert writers["common:mesh"] == ["p", "physics::shine"]
    assert readers["common:sea#0"] == ["physics::shine"]
    assert [flows[place].name for place in ("common:mesh", "common:sea#0", "state::c%q")] == [
        "/mesh/", "deep in /sea/", "c%q",
    ]  # fmt: skip
    assert [str(at) for _, at in flows["state::c%q"].readers] == ["m.f90:37"]
    assert "state::alone" in flows


def test_every_end_of_every_edge_is_a_node(index):
    for kind in GraphKind:
        found = graph(index, kind)
        names = {node.name for node in found.nodes}
        assert {end for edge in found.edges for end in (edge.source, edge.target)} <= names


@pytest.mark.parametrize("kind", list(GraphKind))
def test_json_is_valid_and_graphml_is_read_back_by_networkx(index, kind, tmp_path):
    found = graph(index, kind)
    jsonschema.validate(json.loads(json.dumps(to_json(found))), SCHEMA)
    (tmp_path / "g.graphml").write_text(to_graphml(found))
    back = nx.read_graphml(tmp_path / "g.graphml")
    assert set(back.nodes) == {node.name for node in found.nodes}
    assert back.number_of_edges() == len({(edge.source, edge.target) for edge in found.edges})


NASTY = 'a"b\\c</script>&<x>\x07{}'


def test_names_and_paths_are_escaped():
    nodes = (Node(NASTY, "module", NASTY, NASTY, 1), Node("b", "module", "b"))
    found = ModelGraph(NASTY, GraphKind.USE, nodes, (Edge(NASTY, "b", "uses"),))
    ids = [n.get("id") for n in ElementTree.fromstring(to_graphml(found)).iter() if n.get("id")]
    assert NASTY.replace("\x07", "\N{REPLACEMENT CHARACTER}") in ids
    dot = to_dot(found)
    assert "\x07" not in dot
    for line in dot.splitlines():
        assert len(re.findall(r'(?<!\\)(?:\\\\)*"', line)) % 2 == 0


@pytest.mark.needs("dot")
def test_graphviz_reads_the_dot(index):
    for kind in GraphKind:
        text = to_dot(graph(index, kind))
        run = subprocess.run(["dot", "-Tplain"], input=text, capture_output=True, text=True)
        assert run.returncode == 0, run.stderr
