"""The [gate] table of acclimate.toml: refused at its line, or read as it stands."""

import pytest

from acclimate.analysis.problems import Problem
from acclimate.analysis.tree.gate_spec import StateSpec
from acclimate.analysis.tree.manifest import load_manifest, render_manifest
from acclimate.analysis.tree.namelist_edits import with_edits

HEAD = '[model]\nname = "m"\nsources = ["*.f90"]\n[run]\nnamelists = ["a.nml"]\n'
STATE = '[gate.state]\nfiles = "s_*.bin"\n'


@pytest.fixture
def model(tmp_path):
    (tmp_path / "m.f90").write_text("program m\nend program\n")
    (tmp_path / "a.nml").write_text("&run\n n = 1\n/\n")

    def model(text):
        (tmp_path / "acclimate.toml").write_text(HEAD + text)
        return tmp_path

    return model


@pytest.mark.parametrize(
    ("text", "line", "words"),
    [
        ("[gate]\nruns = 1\n", 7, "unknown key 'gate.runs'"),
        ('[gate.run."b.nml".run]\nn = 2\n', 6, "'b.nml' is not listed"),
        ('[gate.state]\nfiles = "state.bin"\n', 7, "must hold one '*'"),
        ('[gate.state]\nfiles = "../s_*.bin"\n', 7, "leads out of the model's tree"),
        (STATE + 'variable = "start"\n', 8, "needs the 'group'"),
        (STATE + 'namelist = "b.nml"\ngroup = "run"\nvariable = "x"\n', 8, "is not listed"),
    ],
)
def test_a_gate_table_is_refused_at_its_line(model, text, line, words):
    with pytest.raises(Problem, match=words) as caught:
        load_manifest(model(text))
    assert caught.value.where is not None and caught.value.where.line == line


FULL = (
    '[gate.run."a.nml".run]\nN = 3\n[gate.speed."a.nml".run]\nn = 9\n'
    + STATE
    + 'prognostic = ["*:q"]\ngroup = "run"\nvariable = "Start"\nstep_variable = "first"\n'
    '[gate.state.edits."a.nml".run]\nwarm = true\n'
)


def test_a_whole_gate_table_is_read_and_written_back(model):
    root = model(FULL)
    manifest = load_manifest(root)
    assert manifest.gate.run == {"a.nml": {"run": {"n": 3}}}
    assert manifest.gate.speed == {"a.nml": {"run": {"n": 9}}}
    assert manifest.gate.state == StateSpec(
        files="s_*.bin",
        prognostic=("*:q",),
        namelist="a.nml",
        group="run",
        variable="start",
        step_variable="first",
        edits={"a.nml": {"run": {"warm": True}}},
    )
    (root / "acclimate.toml").write_text(render_manifest(manifest))
    assert load_manifest(root).gate == manifest.gate


def test_later_edits_win():
    first, second = {"a": {"g": {"x": 1, "y": 1}}}, {"a": {"g": {"y": 2}, "h": {"z": 3}}}
    assert with_edits(first, second) == {"a": {"g": {"x": 1, "y": 2}, "h": {"z": 3}}}
    assert first == {"a": {"g": {"x": 1, "y": 1}}}
