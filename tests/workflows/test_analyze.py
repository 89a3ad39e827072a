"""`acclimate analyze`: a table for people, the index for programs."""

import json
from importlib.resources import files

import jsonschema
import pytest

from acclimate.workflows._exit import Exit

SCHEMA = json.loads(files("acclimate.analysis").joinpath("schemas/index.schema.json").read_text())


def test_a_tree_without_fortran_is_misuse(acclimate, tmp_path):
    run = acclimate("analyze", tmp_path)
    assert run.returncode == Exit.MISUSED
    assert "error: no Fortran source below" in run.stderr


def test_json_on_standard_output_is_alone_there_and_valid(acclimate, pond):
    run = acclimate("analyze", pond, "--json", "-")
    index = json.loads(run.stdout)
    jsonschema.validate(index, SCHEMA)
    assert [loop["verdict"] for loop in index["loops"]] == [
        "serial", "parallel", "parallel", "parallel", "parallel", "serial", "reduction",
    ]  # fmt: skip


def test_the_table_counts_loops_by_file_and_in_all(acclimate, pond, tmp_path):
    run = acclimate("analyze", pond, "--json", tmp_path / "index.json")
    assert run.returncode == Exit.DONE
    rows = [line.split() for line in run.stdout.splitlines()]
    assert rows[0] == ["file", "lines", "units", "loops", "parallel", "reduction", "serial"]
    assert rows[1] == ["src/pond.f90", "18", "1", "1", ".", ".", "1"]
    assert rows[2] == ["src/water.f90", "48", "5", "6", "4", "1", "1"]
    assert rows[3] == ["2", "files", "66", "6", "7", "4", "1", "2"]
    assert rows[5] == [
        "pond:",
        "5",
        "of",
        "7",
        "loops",
        "can",
        "run",
        "in",
        "parallel",
        "as",
        "they",
        "stand",
    ]
    jsonschema.validate(json.loads((tmp_path / "index.json").read_text()), SCHEMA)


def test_array_statements_are_counted_apart_and_what_is_unread_is_a_warning(acclimate, tmp_path):
    source = tmp_path / "odd.f90"
    source.write_text(
        "program odd\n  integer :: i\n  real :: a(9)\n  a = 0\n  do i = 1, 9\n    a(i) = i\n"
        "  end do\n  a(1) = = 2\n  print *, a\nend program odd\n"
    )
    run = acclimate("analyze", source)
    assert "2 of 2 loops can run in parallel as they stand (array statements among them: 1)" in (
        run.stdout
    )
    assert run.stderr.count("odd.f90:8: warning: ") == 1
    assert run.stderr.splitlines()[-1].startswith("hint: loops around these places")


def test_nothing_is_written_into_the_model(acclimate, pond):
    before = sorted(pond.rglob("*"))
    acclimate("analyze", pond)
    assert sorted(pond.rglob("*")) == before


def test_what_was_guessed_is_said_on_standard_error(acclimate, pond):
    (pond / "acclimate.toml").unlink()
    run = acclimate("analyze", pond)
    assert run.returncode == Exit.DONE
    assert "guessed: namelists: pond.nml." in run.stderr.splitlines()
    assert "guessed" not in run.stdout


@pytest.mark.parametrize("text", ["", "no Fortran at all {}\n", "do i = 1, n\n"])
def test_a_file_of_anything_is_no_bug(acclimate, tmp_path, text):
    (tmp_path / "odd.f90").write_text(text)
    run = acclimate("analyze", tmp_path / "odd.f90")
    assert run.returncode in (Exit.DONE, Exit.MISUSED)
    assert "Traceback" not in run.stderr
