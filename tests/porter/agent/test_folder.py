"""A port lands whole, replaces only what is ours, and loses nothing of the user's."""

import json
from hashlib import sha256

import pytest

from acclimate.analysis.problems import Problem
from acclimate.porter.agent.artefacts import ModelFile
from acclimate.porter.agent.folder import SCHEMA, check_place, intact, land
from acclimate.porter.agent.tree import model_files

CHANGED = {"src/a.f90": b"!$acc\n"}


@pytest.fixture
def root(tmp_path):
    folder = tmp_path / "model"
    (folder / "src").mkdir(parents=True)
    (folder / "src/a.f90").write_bytes(b"end\n")
    (folder / "run.sh").write_bytes(b"#!/bin/sh\n")
    (folder / "run.sh").chmod(0o755)
    (folder / "input.nml").write_bytes(b"&a /\r\n")
    return folder


def put(root, folder, changed=CHANGED):
    files = model_files(root, (), whole_tree=True)
    expected = {name: file.sha256 for name, file in files.items()}
    expected |= {name: sha256(content).hexdigest() for name, content in changed.items()}
    report = json.dumps({"schema": SCHEMA, "files": expected}).encode()
    attic = root / ".acclimate/replaced"
    return land(root, files, changed, {"report.json": report}, folder, attic)


@pytest.mark.parametrize("place", [".", "port", "src/port", ".."])
def test_a_place_in_or_around_the_model_is_refused(root, place):
    with pytest.raises(Problem, match="the port cannot go to"):
        check_place(root / place, root, root / ".acclimate")


@pytest.mark.parametrize("report", [None, "{}", "[]", "not json", '{"schema": "other/1"}'])
def test_a_folder_that_is_not_ours_is_refused(tmp_path, root, report):
    theirs = tmp_path / "theirs"
    theirs.mkdir()
    (theirs / "thesis.tex").write_text("years of work")
    if report is not None:
        (theirs / "report.json").write_text(report)
    with pytest.raises(Problem, match="is not a port made by acclimate"):
        check_place(theirs, root, root / ".acclimate")


def test_the_current_folder_is_refused(tmp_path, root, monkeypatch):
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    with pytest.raises(Problem, match="the port cannot go to the current folder"):
        check_place(tmp_path / "here", root, root / ".acclimate")


def test_a_probe_leaves_nothing_behind_and_needs_no_folder(tmp_path, root):
    before = sorted(tmp_path.rglob("*"))
    check_place(tmp_path / "deep/er/port", root, root / ".acclimate")
    assert sorted(tmp_path.rglob("*")) == before


def test_a_landing_that_becomes_impossible_is_a_problem_and_no_bug(tmp_path, root):
    (tmp_path / "deep").write_bytes(b"in the way by now\n")
    with pytest.raises(Problem, match="the port cannot go to .*deep/port"):
        put(root, tmp_path / "deep/port")


def test_beside_a_model_that_is_one_file_is_no_harm(root):
    check_place(root / "port", None, root / ".acclimate")


def test_an_empty_folder_and_the_work_folder_are_taken(tmp_path, root):
    (tmp_path / "empty").mkdir()
    check_place(tmp_path / "empty", root, root / ".acclimate")
    check_place(root / ".acclimate/port", root, root / ".acclimate")


def test_landing_puts_every_file_with_its_bytes_and_mode(tmp_path, root):
    landed = put(root, tmp_path / "port")
    port = tmp_path / "port"
    assert (port / "src/a.f90").read_bytes() == b"!$acc\n"
    assert (port / "input.nml").read_bytes() == b"&a /\r\n"
    assert (port / "run.sh").stat().st_mode & 0o111
    assert sorted(landed.files) == ["input.nml", "report.json", "run.sh", "src/a.f90"]
    assert intact(port, landed)
    (port / "src/a.f90").write_bytes(b"!$omp\n")
    assert not intact(port, landed)


def test_our_own_port_is_replaced(tmp_path, root):
    put(root, tmp_path / "port")
    put(root, tmp_path / "port", {"src/a.f90": b"!$acc kernels\n"})
    assert (tmp_path / "port/src/a.f90").read_bytes() == b"!$acc kernels\n"
    assert not (root / ".acclimate/replaced").exists()


@pytest.mark.parametrize("name", ["src/a.f90", "notes.txt"])
def test_a_port_with_work_in_it_is_moved_to_the_attic(tmp_path, root, name):
    put(root, tmp_path / "port")
    (tmp_path / "port" / name).write_bytes(b"an afternoon of work\n")
    put(root, tmp_path / "port")
    kept = list((root / ".acclimate/replaced").glob(f"*/{name}"))
    assert [path.read_bytes() for path in kept] == [b"an afternoon of work\n"]
    assert (tmp_path / "port/src/a.f90").read_bytes() == b"!$acc\n"


def test_a_file_that_changed_since_the_survey_stops_the_landing(tmp_path, root):
    files = model_files(root, (), whole_tree=True)
    (root / "input.nml").write_bytes(b"&b /\n")
    with pytest.raises(Problem, match="changed while it was being migrated"):
        land(root, files, CHANGED, {}, tmp_path / "port", tmp_path / "attic")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["model"]


def test_what_a_killed_landing_left_is_cleared(tmp_path, root):
    (tmp_path / ".port.acclimate-0123").mkdir()
    put(root, tmp_path / "port")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["model", "port"]


def test_a_link_out_of_the_model_keeps_its_target(tmp_path, root):
    (tmp_path / "data").write_bytes(b"terrain")
    (root / "terrain").symlink_to("../data")
    (root / "same").symlink_to("input.nml")
    assert model_files(root, (), whole_tree=True)["same"] == ModelFile(link="input.nml")
    put(root, tmp_path / "deep/er/port")
    assert (tmp_path / "deep/er/port/terrain").read_bytes() == b"terrain"
    assert (tmp_path / "deep/er/port/same").read_bytes() == b"&a /\r\n"
