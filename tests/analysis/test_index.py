"""The index of a whole model, its JSON against the published schema, and its graphs."""

import copy
import json
from importlib.resources import files
from pathlib import Path

import jsonschema
import pytest

from acclimate.analysis.graph.graphs import (
    build_order,
    call_graph,
    reachable,
    recursive_groups,
    use_graph,
)
from acclimate.analysis.index import ProjectIndex, index_project, to_json
from acclimate.analysis.problems import Problem
from acclimate.analysis.tree.manifest import Manifest, load_manifest

SAMPLE = Path(__file__).parents[2] / "sample_model"
SCHEMA = json.loads(
    files("acclimate.analysis").joinpath("schemas/index.schema.json").read_text("utf-8")
)
TEXTS = {
    "a_main.f90": """program p
use m
use mpi
implicit none
real :: x
call run(x)
call mpi_init(x)
x = f(x) + sin(x)
end program
""",
    "b_mod.f90": """module m
contains
subroutine run(x)
real :: x
real, external :: g
do i = 1, 3
x = x + g(x)
end do
end subroutine
real function f(x)
real :: x
f = x
end function
subroutine dead(x)
call dead(x)
end subroutine
end module
""",
}


@pytest.fixture
def index(tmp_path) -> ProjectIndex:
    for name, text in TEXTS.items():
        (tmp_path / name).write_text(text)
    return index_project(Manifest(root=tmp_path, name="t", sources=tuple(sorted(TEXTS))))


def test_calls_and_uses(index):
    assert [(c.caller, c.callee, str(c.at), c.external) for c in index.calls] == [
        ("p", "m::run", "a_main.f90:6", False),
        ("p", "mpi_init", "a_main.f90:7", True),
        ("p", "m::f", "a_main.f90:8", False),
        ("m::run", "g", "b_mod.f90:7", True),
        ("m::dead", "m::dead", "b_mod.f90:15", False),
    ]
    assert [(u.unit, u.module, u.external) for u in index.uses] == [
        ("p", "m", False),
        ("p", "mpi", True),
    ]


def test_graphs(index):
    graph = call_graph(index)
    assert reachable(graph, ("p",)) == {"p", "m::run", "m::f", "g", "mpi_init"}
    assert recursive_groups(graph) == (frozenset({"m::dead"}),)
    assert graph.nodes["g"]["external"] and not graph.nodes["m::dead"]["external"]
    assert [str(at) for at in graph["p"]["m::f"]["sites"]] == ["a_main.f90:8"]
    assert set(use_graph(index).edges) == {("p", "m"), ("p", "mpi")}


def test_modules_are_built_before_their_users(index):
    assert build_order(index.project) == ("b_mod.f90", "a_main.f90")


def test_a_circle_of_modules_is_a_problem(project_of):
    project = project_of(
        {"a.f90": "module a\nuse b\nend module\n", "b.f90": "module b\nuse a\nend module\n"}
    )
    with pytest.raises(Problem, match="in a circle"):
        build_order(project)


def test_the_json_is_valid_and_complete(index):
    found = to_json(index)
    jsonschema.validate(json.loads(json.dumps(found)), SCHEMA)
    assert [u["name"] for u in found["units"]] == ["p", "m", "m::run", "m::f", "m::dead"]
    assert [(loop["file"], loop["line"], loop["index"]) for loop in found["loops"]] == [
        ("b_mod.f90", 6, "i")
    ]


@pytest.mark.parametrize("damage", ["extra", "missing", "verdict"])
def test_the_schema_refuses_what_it_does_not_describe(index, damage):
    found = copy.deepcopy(json.loads(json.dumps(to_json(index))))
    if damage == "extra":
        found["loops"][0]["speed"] = 1
    elif damage == "missing":
        del found["units"][0]["line"]
    else:
        found["loops"][0]["verdict"] = "maybe"
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(found, SCHEMA)


@pytest.mark.slow
def test_the_sample_model_is_indexed_whole():
    index = index_project(load_manifest(SAMPLE))
    found = json.loads(json.dumps(to_json(index)))
    jsonschema.validate(found, SCHEMA)
    assert found["problems"] == []
    assert {f["file"] for f in found["files"]} == set(index.project.manifest.sources)
    assert not any(call["external"] for call in found["calls"])
    assert len(build_order(index.project)) == len(found["files"])
    programs = tuple(u["name"] for u in found["units"] if u["kind"] == "program")
    assert len(programs) == 1
    unreached = set(call_graph(index)) - reachable(call_graph(index), programs)
    # what stands behind a defined operator is invoked without a name
    assert unreached <= {"statistics_mod::joined", "statistics_mod::difference"}
