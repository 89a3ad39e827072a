from dataclasses import replace
from pathlib import Path

import f90nml
import pytest

from acclimate.analysis.problems import Problem
from acclimate.analysis.tree.manifest import Manifest
from acclimate.analysis.tree.run_spec import RunSpec
from acclimate.verifier.limits import Stop
from acclimate.verifier.running.runs import Run, run_model

MODEL = Path("/bin/sh")


def run(tmp_path: Path, script: str, **spec: object) -> Run:
    """A shell script in the place of a model: what counts is what it leaves behind."""
    settings = replace(RunSpec(arguments=("-c", script), time_limit=20), **spec)
    manifest = Manifest(tmp_path, "script", (), run=settings)
    return run_model(manifest, MODEL, tmp_path / "run")


def test_a_missing_namelist_is_a_problem(tmp_path):
    with pytest.raises(Problem, match="namelist file run.nml does not exist"):
        run(tmp_path, "true", namelists=("run.nml",))


def test_a_missing_input_file_is_a_problem(tmp_path):
    with pytest.raises(Problem, match=r"no input file matches '\*.bin'"):
        run(tmp_path, "true", files=("*.bin",))


def test_a_file_that_is_no_namelist_is_a_problem(tmp_path):
    (tmp_path / "run.nml").write_text("&run\n nx = 3\n")
    manifest = Manifest(tmp_path, "script", (), run=RunSpec(namelists=("run.nml",)))
    edits = {"run.nml": {"run": {"nx": 4}}}
    with pytest.raises(Problem, match="cannot be read as a namelist"):
        run_model(manifest, MODEL, tmp_path / "run", edits=edits)


def test_an_output_that_is_not_written_is_unreadable_not_ignored(tmp_path):
    done = run(tmp_path, "true", outputs=("*.fld",))
    assert done.outputs.unreadable == ("*.fld: no output file matches",)


@pytest.mark.parametrize(
    ("script", "spec", "stop"),
    [
        ("sleep 60", {"time_limit": 0.5}, Stop.WALL),
        ("echo SUCCESS; exit 3", {}, Stop.EXITED),
    ],
)
def test_a_bad_end_is_not_ok_whatever_was_printed(tmp_path, script, spec, stop):
    done = run(tmp_path, script, **spec)
    assert (done.ok, done.finished.stop) == (False, stop)


def test_without_outputs_standard_output_is_judged(tmp_path):
    done = run(tmp_path, "echo 1.5 2.5")
    assert done.outputs.fields["run.stdout:numbers"].values.tolist() == [1.5, 2.5]


def test_inputs_are_copies_and_the_tree_stays_as_it_is(tmp_path):
    (tmp_path / "in.txt").write_text("1\n")
    done = run(tmp_path, "echo 2 > in.txt", files=("in.txt",), outputs=("in.txt",))
    assert done.outputs.fields["in.txt:numbers"].values.tolist() == [2.0]
    assert (tmp_path / "in.txt").read_text() == "1\n"


def test_a_model_may_read_its_namelists_from_standard_input(tmp_path):
    (tmp_path / "run.nml").write_text("&run\n    nx = 3\n/\n")
    manifest = Manifest(
        tmp_path, "script", (),
        run=RunSpec(("-c", "cat > seen.txt"), ("run.nml",), outputs=("seen.txt",), stdin="run.nml"),
    )  # fmt: skip
    edits = {"run.nml": {"run": {"nx": 5}}}
    run_model(manifest, MODEL, tmp_path / "run", edits=edits)
    assert f90nml.read(tmp_path / "run" / "seen.txt")["run"]["nx"] == 5


def test_standard_input_is_empty_unless_the_manifest_names_a_file(tmp_path):
    assert run(tmp_path, "cat > seen.txt; wc -c < seen.txt").finished.stdout.split() == [b"0"]


def test_edits_replace_and_add_namelist_values(tmp_path):
    (tmp_path / "run.nml").write_text("&run\n nx = 100\n title = 'a'\n/\n&grid\n dx = 1.5\n/\n")
    manifest = Manifest(tmp_path, "script", (), run=RunSpec(("-c", "true"), ("run.nml",)))
    edits = {"run.nml": {"run": {"nx": 4, "moist": False}, "physics": {"levels": (1, 2)}}}
    done = run_model(manifest, MODEL, tmp_path / "run", edits=edits)
    got = f90nml.read(done.folder / "run.nml").todict()
    assert got["run"] == {"nx": 4, "title": "a", "moist": False}
    assert got["grid"] == {"dx": 1.5}
    assert got["physics"]["levels"] == [1, 2]


def test_without_outputs_every_file_that_the_run_writes_is_judged(tmp_path):
    (tmp_path / "in.txt").write_text("1\n")
    (tmp_path / "restart.txt").write_text("1\n")
    script = (
        "echo 1; mkdir out; printf '\\001\\002' > out/a.xyz; : > empty.fld; echo 2 > restart.txt"
    )
    done = run(tmp_path, script, files=("in.txt", "restart.txt"))
    assert done.written == ("empty.fld", "out/a.xyz", "restart.txt")
    values = {name: field.values.tolist() for name, field in done.outputs.fields.items()}
    assert values["out/a.xyz:bytes"] == [1, 2]
    assert values["empty.fld:bytes"] == []
    assert values["restart.txt:numbers"] == [2.0]
    assert "in.txt:numbers" not in values


def test_with_outputs_other_files_are_not_judged(tmp_path):
    done = run(tmp_path, "echo 1 > a.txt; echo 2 > b.txt", outputs=("a.txt",))
    assert (done.written, set(done.outputs.fields)) == ((), {"a.txt:numbers", "a.txt:words"})


FORTRAN = r"""
printf 'At line 3 of file m.f90\nFortran runtime error: End of file\n\n' >&2
printf 'Error termination. Backtrace:\n#0  0x1 in main\n' >&2
exit 2
"""
NOTE = "Note: The following floating-point exceptions are signalling: IEEE_DIVIDE_BY_ZERO"


@pytest.mark.parametrize(
    ("script", "said"),
    [
        (FORTRAN, "At line 3 of file m.f90; Fortran runtime error: End of file"),
        (f"echo blew up; echo '{NOTE}' >&2; exit 1", "blew up"),
        (f"echo '{NOTE}' >&2; echo 'STOP 4' >&2; exit 4", "STOP 4"),
    ],
)
def test_a_crash_shows_the_message_and_the_run_folder_not_the_backtrace(tmp_path, script, said):
    done = run(tmp_path, script)
    assert f": {said} (run folder: {tmp_path / 'run'})" in done.ended


@pytest.mark.parametrize("slower", [1.0, 3.0])
def test_a_run_out_of_time_names_the_setting(tmp_path, slower):
    settings = RunSpec(arguments=("-c", "sleep 60"), time_limit=0.2)
    manifest = Manifest(tmp_path, "script", (), run=settings)
    done = run_model(manifest, MODEL, tmp_path / "run", slower=slower)
    assert done.finished.limits.wall == pytest.approx(0.2 * slower)
    assert "[run] time_limit" in done.ended
    assert ("3 times" in done.ended) == (slower == 3.0)
