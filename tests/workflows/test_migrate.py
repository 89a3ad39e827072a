"""`acclimate migrate`: what is refused, what lands, and that nothing else is touched."""

import json
import os
import shutil
import subprocess
import sys
from importlib.resources import files
from pathlib import Path

import jsonschema
import pytest

from acclimate.workflows._exit import Exit

pytestmark = pytest.mark.gfortran
ACCLIMATE = Path(sys.executable).with_name("acclimate")
POND = Path(__file__).with_name("pond")
SCHEMA = json.loads(files("acclimate.workflows").joinpath("schemas/report.schema.json").read_text())


def git(root, *arguments):
    identity = ("-c", "user.name=M", "-c", "user.email=m@example.org")
    command = ["git", *identity, *arguments]
    return subprocess.run(command, cwd=root, capture_output=True, text=True, check=True).stdout


def committed(root):
    git(root, "init", "--quiet", "--initial-branch=main")
    git(root, "add", ".")
    git(root, "commit", "--quiet", "--message=pond")


# --- what stops it -------------------------------------------------------------------------------


def test_a_missing_compiler_is_named_before_anything_is_done(acclimate, pond, tmp_path):
    run = acclimate("migrate", pond, "--out", tmp_path / "port", PATH=str(tmp_path))
    assert run.returncode == Exit.ENVIRONMENT
    assert run.stderr.splitlines()[0].startswith("error: cannot start 'gfortran'")
    assert run.stderr.splitlines()[1].startswith("hint: install it")
    assert not (tmp_path / "port").exists()


def test_a_model_that_does_not_build_shows_the_compilers_words_at_the_originals_line(
    acclimate, pond, tmp_path
):
    source = pond / "src/water.f90"
    source.write_text(source.read_text().replace("flow(i) = 0.0_dp", "flow(i) = 'calm'"))
    run = acclimate("migrate", pond, "--out", tmp_path / "port")
    assert run.returncode == Exit.ENVIRONMENT
    assert f"{pond}/src/water.f90:18:" in run.stderr
    assert "the original model does not build" in run.stderr
    assert "hint: " in run.stderr
    assert not (tmp_path / "port").exists()


def test_a_namelist_that_does_not_exist_is_named(acclimate, pond):
    (pond / "pond.nml").unlink()
    run = acclimate("migrate", pond)
    assert run.returncode == Exit.MISUSED
    assert "pond.nml" in run.stderr
    assert f"{pond}/acclimate.toml:9:" in run.stderr


@pytest.mark.slow
def test_a_model_that_does_not_run_shows_its_last_words(acclimate, pond):
    source = pond / "src/pond.f90"
    source.write_text(source.read_text().replace("call fill()", "stop 7"))
    run = acclimate("migrate", pond)
    assert run.returncode == Exit.ENVIRONMENT
    assert "the original model ended with exit code 7" in run.stderr


def test_a_folder_of_somebody_elses_is_not_touched(acclimate, pond, tmp_path, tree):
    (tmp_path / "thesis").mkdir()
    (tmp_path / "thesis/chapter.tex").write_text("years of work")
    run = acclimate("migrate", pond, "--out", tmp_path / "thesis")
    assert run.returncode == Exit.MISUSED
    assert f"{tmp_path}/thesis exists and is not a port made by acclimate" in run.stderr
    assert tree(tmp_path / "thesis") == {"chapter.tex": b"years of work"}


@pytest.mark.parametrize(
    ("place", "code", "words"),
    [
        ("file", Exit.MISUSED, "file exists and is not a port made by acclimate"),
        ("file/port", Exit.MISUSED, "Not a directory"),
        ("/proc/port", Exit.MISUSED, "the port cannot go to /proc/port"),
        ("/dev/null/port", Exit.MISUSED, "the port cannot go to /dev/null/port"),
        (f"{'long' * 80}/port", Exit.MISUSED, "File name too long"),
    ],
)
def test_a_place_that_cannot_be_written_is_named_before_the_model_is_read(
    acclimate, pond, tmp_path, place, code, words
):
    (tmp_path / "file").write_text("mine")
    before = sorted(tmp_path.rglob("*"))
    run = acclimate("migrate", pond, "--out", tmp_path / place)
    assert run.returncode == code
    assert words in run.stderr
    assert run.stderr.splitlines()[-1].startswith("hint: choose another folder with --out")
    assert "survey" not in run.stderr
    assert [
        path for path in sorted(tmp_path.rglob("*")) if ".acclimate" not in path.parts
    ] == before


@pytest.mark.needs("setpriv")
def test_a_place_without_permission_is_the_environments_fault(pond, tmp_path):
    """Root may write everywhere unless it gives that up."""
    (tmp_path / "closed").mkdir(mode=0o555)
    humble = ["setpriv", "--bounding-set=-dac_override"] * (os.geteuid() == 0)
    command = [*humble, ACCLIMATE, "migrate", pond, "--out", tmp_path / "closed/port"]
    run = subprocess.run(command, capture_output=True, text=True)
    assert run.returncode == Exit.ENVIRONMENT
    assert "closed/port: Permission denied" in run.stderr


def test_a_pattern_that_matches_nothing_is_misuse(acclimate, pond):
    run = acclimate("migrate", pond, "--only", "ocean*")
    assert run.returncode == Exit.MISUSED
    assert "'ocean*' matches no unit and no file of the model" in run.stderr


def test_a_dirty_tree_does_not_go_on_a_branch(acclimate, pond):
    committed(pond)
    with (pond / "src/pond.f90").open("a") as source:
        source.write("! a thought\n")
    run = acclimate("migrate", pond, "--branch", "port")
    assert run.returncode == Exit.MISUSED
    assert "1 of the model's files have changes that are not committed" in run.stderr
    assert "note: M src/pond.f90" in run.stderr
    assert git(pond, "branch", "--list", "port") == ""


@pytest.mark.needs("unshare")
@pytest.mark.slow
def test_a_full_disk_leaves_nothing_half_written(tmp_path, pond):
    """The port goes to a disk of its own with room for the work but not for the port."""
    disk = tmp_path / "disk"
    disk.mkdir()
    script = (
        f"mount -t tmpfs -o size=16k none {disk} &&"
        f" {ACCLIMATE} migrate {pond} --out {disk}/port; echo rc $?; ls -A {disk}"
    )
    run = subprocess.run(["unshare", "-rm", "sh", "-c", script], capture_output=True, text=True)
    if "unshare" in run.stderr:
        pytest.skip("inconclusive: needs a mount namespace")
    assert run.stdout.splitlines() == [f"rc {Exit.ENVIRONMENT.value}"]
    assert "error: the disk is full" in run.stderr
    assert "hint: free some space and run the same command again" in run.stderr


# --- what it makes -------------------------------------------------------------------------------


@pytest.mark.slow
def test_the_port_is_accepted_and_lands_whole(ported_pond, tree):
    model, port, run = ported_pond
    assert run.returncode == Exit.DONE, run.stderr
    before, after = tree(model), tree(port)
    assert after.keys() == before.keys()
    changed = [name for name in before if before[name] != after[name]]
    assert "src/water.f90" in changed
    assert "pond.nml" not in changed
    assert tree(POND) == before


@pytest.mark.slow
def test_only_whole_lines_were_added_to_the_changed_files(ported_pond, tree):
    model, port, _ = ported_pond
    for name, content in tree(model).items():
        kept = iter(tree(port)[name].splitlines(keepends=True))
        assert all(line in kept for line in content.splitlines(keepends=True))


@pytest.mark.slow
def test_the_table_ends_with_verdict_and_report(ported_pond):
    _, port, run = ported_pond
    lines = run.stdout.splitlines()
    assert lines[0].split()[:2] == ["unit", "state"]
    states = {line.split()[0]: line.split()[1] for line in lines[1:] if line.startswith("water::")}
    assert states["water::advance"] == "ported"
    assert states["water::smooth"] == "refused"
    assert any(line.startswith("verdict: accept (data holds, races holds") for line in lines)
    assert lines[-2:] == [f"port: {port}", f"report: {port}/report.html"]


@pytest.mark.slow
def test_the_report_is_valid_and_complete(ported_pond):
    _, port, _ = ported_pond
    report = json.loads((port / "report.json").read_text())
    jsonschema.validate(report, SCHEMA)
    assert json.loads((port.parent / "json").read_text()) == report
    assert report["device"] == "host emulation of a discrete device; device run: not run"
    units = {unit["name"]: unit for unit in report["units"]}
    advance = units["water::advance"]
    assert (advance["file"], advance["line"]) == ("src/water.f90", 22)
    assert [kernel["line"] for kernel in advance["kernels"]] == [24, 27]
    assert all(kernel["executed"] and kernel["launches"] == 40 for kernel in advance["kernels"])
    assert advance["lights"] | {"device": ""} == {
        "data": "holds", "races": "holds", "numerics": "holds", "device": "",
    }  # fmt: skip
    refusal = units["water::smooth"]["refusals"][0]
    assert (refusal["file"], refusal["line"]) == ("src/water.f90", 34)
    assert refusal["reason"]
    assert refusal["next_step"]


@pytest.mark.slow
def test_again_at_once_nothing_is_done_again(ported_pond, acclimate):
    model, port, first = ported_pond
    before = {path: path.stat().st_mtime_ns for path in port.rglob("*")}
    run = acclimate("migrate", model, "--out", port)
    assert (run.returncode, run.stdout) == (Exit.DONE, first.stdout)
    assert "examine: " not in run.stderr
    assert {path: path.stat().st_mtime_ns for path in port.rglob("*")} == before


@pytest.mark.slow
def test_a_port_that_was_removed_lands_again_without_new_work(
    ported_pond, acclimate, tmp_path, tree
):
    model, port, _ = ported_pond
    run = acclimate("migrate", model, "--out", tmp_path / "again")
    assert run.returncode == Exit.DONE
    assert "examine: " not in run.stderr
    assert tree(tmp_path / "again") == tree(port)


@pytest.mark.slow
def test_a_dry_run_prints_the_very_diff_and_lands_nothing(acclimate, pond, tmp_path, tree):
    run = acclimate("migrate", pond, "--dry-run")
    assert run.returncode == Exit.DONE
    assert tree(tmp_path) == {f"pond/{name}": content for name, content in tree(pond).items()}
    assert not (pond / ".acclimate/port").exists()
    assert run.stderr.splitlines()[-1] == "dry run: verdict accept; nothing was landed"
    assert acclimate("migrate", pond, "--dry-run").stderr.splitlines()[-1].startswith("dry run: ")
    patched = shutil.copytree(pond, tmp_path / "patched")
    subprocess.run(["git", "apply", "-"], cwd=patched, input=run.stdout, text=True, check=True)
    landing = acclimate("migrate", pond, "--out", tmp_path / "port")
    assert "examine: " not in landing.stderr
    assert tree(patched) == tree(tmp_path / "port")


@pytest.mark.slow
def test_where_all_that_was_wanted_is_refused_nothing_is_accepted(acclimate, pond, tmp_path):
    run = acclimate("migrate", pond, "--only", "smooth", "--out", tmp_path / "port")
    assert run.returncode == Exit.INCONCLUSIVE
    lines = run.stdout.splitlines()
    assert lines[0].startswith("nothing was ported: 1 unit wanted, 1 refused, 5 left out")
    assert lines[1].startswith("src/water.f90:34 water::smooth: serial: ")
    assert " -> " in lines[1]
    assert "and 5 units left out on request" in lines
    report = json.loads((tmp_path / "port/report.json").read_text())
    jsonschema.validate(report, SCHEMA)
    assert report["verdict"] == "inconclusive"
    assert {unit["state"] for unit in report["units"]} == {"refused", "left-out"}
    assert report["decisions"] == {"left-out": 6, "refused": 1}
    assert sum(report["decisions"].values()) == sum(report["loops"].values())


@pytest.mark.slow
def test_a_port_is_no_failure_to_port(acclimate, ported_pond, tmp_path):
    again = tmp_path / "again"
    run = acclimate("migrate", ported_pond[1], "--out", again)
    assert run.returncode == Exit.DONE
    assert "nothing was ported: the model held its kernels before" in run.stdout


@pytest.mark.slow
def test_only_and_exclude_leave_the_rest_as_it_is(acclimate, pond, tmp_path):
    run = acclimate(
        "migrate", pond, "--only", "water", "--exclude", "*::fill", "--switches",
        "--out", tmp_path / "port",
    )  # fmt: skip
    report = json.loads((tmp_path / "port/report.json").read_text())
    assert run.returncode in (Exit.DONE, Exit.INCONCLUSIVE)
    assert report["left_out"] == ["pond", "water::fill"]
    ported = [unit["name"] for unit in report["units"] if unit["state"] == "ported"]
    assert ported == ["water::advance", "water::highest"]
    left_out = [unit["name"] for unit in report["units"] if unit["state"] == "left-out"]
    assert left_out == ["pond", "water::fill"]
    assert "units with a switch: 2 (ACCLIMATE_OFF=NAME,... or all)" in run.stderr
    assert any(e["check"] == "switched_off" for e in report["evidence"])
    assert "acc_on" not in (tmp_path / "port/src/pond.f90").read_text()
    assert "logical function acc_on(unit)" in (tmp_path / "port/src/water.f90").read_text()


@pytest.mark.slow
def test_an_edited_port_is_moved_and_the_user_is_told_where(acclimate, pond, tmp_path):
    acclimate("migrate", pond, "--out", tmp_path / "port")
    (tmp_path / "port/notes.txt").write_text("an afternoon of work")
    (tmp_path / "port/pond.nml").write_text("edited")
    run = acclimate("migrate", pond, "--out", tmp_path / "port")
    said = [line for line in run.stdout.splitlines() if line.startswith("the edited port")]
    moved = Path(said[0].partition(": ")[2])
    assert (moved / "notes.txt").read_text() == "an afternoon of work"


@pytest.mark.slow
def test_a_changed_input_starts_anew(acclimate, pond, tmp_path, tree):
    acclimate("migrate", pond, "--out", tmp_path / "port")
    source = pond / "src/water.f90"
    source.write_text(source.read_text().replace("0.1_dp * exp", "0.2_dp * exp"))
    run = acclimate("migrate", pond, "--out", tmp_path / "port")
    assert "survey: " in run.stderr
    assert b"0.2_dp * exp" in tree(tmp_path / "port")["src/water.f90"]


@pytest.mark.slow
def test_a_port_on_a_branch_is_one_commit_and_the_work_tree_stays(acclimate, pond):
    committed(pond)
    run = acclimate("migrate", pond, "--branch", "port")
    assert run.returncode == Exit.DONE, run.stderr
    assert git(pond, "status", "--porcelain") == ""
    assert git(pond, "rev-parse", "port^") == git(pond, "rev-parse", "main")
    assert "!$acc" in git(pond, "show", "port:src/water.f90")
    changed = git(pond, "diff", "--name-only", "main", "port").splitlines()
    assert set(changed) <= {"src/pond.f90", "src/water.f90"}
    tip = git(pond, "rev-parse", "port")
    assert acclimate("migrate", pond, "--branch", "port").returncode == Exit.DONE
    assert git(pond, "rev-parse", "port") == tip


@pytest.mark.slow
def test_one_source_file_is_a_model(acclimate, tmp_path, tree):
    source = tmp_path / "one.f90"
    source.write_text(
        "program one\n  integer :: i\n  real :: a(50)\n  do i = 1, 50\n    a(i) = i * 0.5\n"
        "  end do\n  print *, sum(a)\nend program one\n"
    )
    (tmp_path / "other.f90").write_text("not a part of it\n")
    run = acclimate("migrate", source, "--out", tmp_path / "port")
    assert run.returncode in (Exit.DONE, Exit.INCONCLUSIVE), run.stderr
    assert sorted(tree(tmp_path / "port")) == ["one.f90"]
