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


def test_many_files_have_a_row_for_the_largest_unless_all_are_asked_for(acclimate, tmp_path):
    for number in range(30):
        body = "do i = 1, 9\na(i) = i\nend do\n" * number
        (tmp_path / f"s{number:02}.f90").write_text(
            f"subroutine s{number}(a)\nreal :: a(9)\n{body}end subroutine\n"
        )
    short = acclimate("analyze", tmp_path).stdout.splitlines()
    everything = acclimate("analyze", tmp_path, "--all").stdout.splitlines()
    assert sum(line.startswith("s") for line in short) == 20
    assert "s29.f90" in short[20]
    assert short[21].startswith("and 10 more (--all)")
    assert sum(line.startswith("s") for line in everything) == 30
    assert short[22].split() == everything[31].split()


def test_the_ranking_shows_the_parts_of_the_score(acclimate, pond):
    run = acclimate("analyze", pond, "--rank", "2")
    lines = run.stdout.splitlines()
    assert lines[0].split() == [
        "#", "procedure", "score", "time", "open", "clear", "loops", "place", "doubts",
    ]  # fmt: skip
    assert [line.split()[0] for line in lines[1:3]] == ["1", "2"]
    assert "score = time x open x clear" in run.stdout
    by_file = acclimate("analyze", pond, "--rank", "--by", "file").stdout.splitlines()
    assert by_file[1].split()[:2] == ["1", "src/water.f90"]


def test_a_profile_changes_the_ranking_and_is_named_in_the_json(acclimate, pond, tmp_path):
    (tmp_path / "t.csv").write_text("procedure,seconds\nwater::highest,9\nlibm,1\n")
    run = acclimate("analyze", pond, "--rank", "--profile", tmp_path / "t.csv")
    assert run.stdout.splitlines()[1].split()[1:4] == ["water::highest", "98.5", "%"]
    assert "10.0 % of the profile's time is in names outside the model: libm" in run.stdout
    found = json.loads(
        acclimate("analyze", pond, "--profile", tmp_path / "t.csv", "--json", "-").stdout
    )
    jsonschema.validate(found, SCHEMA)
    assert found["profile"]["unknown"] == [{"name": "libm", "seconds": 1.0}]
    assert found["ranking"][0]["unit"] == "water::highest"


@pytest.mark.parametrize("ending", ["html", "json", "graphml", "dot"])
def test_graphs_are_written_in_the_format_of_the_ending(acclimate, pond, tmp_path, ending):
    run = acclimate("analyze", pond, "--graph", "data", "--out", tmp_path / f"g.{ending}")
    assert run.returncode == Exit.DONE
    alone = acclimate("analyze", pond, "--graph", "data", "--format", ending, "--out", "-")
    assert alone.stdout == (tmp_path / f"g.{ending}").read_text()
    assert "water::" in alone.stdout
    assert run.stdout == ""
    assert run.stderr.startswith("data graph of ")


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--graph", "call"], "--graph and --out go together"),
        (["--out", "x.dot"], "--graph and --out go together"),
        (["--graph", "call", "--out", "x.png"], "says no format"),
        (["--graph", "call", "--out", "-"], "on standard output needs a format"),
        (["--rank", "-1"], "needs a number of rows"),
        (["--graph", "call", "--format", "dot", "--out", "-", "--json", "-"], "only one thing"),
        (["--rank", "--profile", "nowhere.txt"], "cannot read nowhere.txt"),
        (["--profile", "nowhere.txt"], "nothing here shows the times"),
        (["--by", "module"], "--by says what is ranked"),
        (["--format", "dot"], "--format is the format of a graph"),
    ],
)
def test_options_that_do_not_go_together_are_misuse(acclimate, pond, options, words):
    run = acclimate("analyze", pond, *options)
    assert run.returncode == Exit.MISUSED
    assert words in run.stderr.splitlines()[0]
    assert "hint: " in run.stderr


def test_a_model_of_which_no_file_can_be_read_is_told_with_the_reason(acclimate, tmp_path):
    source = tmp_path / "large.f90"
    with source.open("wb") as file:
        file.truncate(33 * 2**20)
    run = acclimate("analyze", str(source))
    assert run.returncode == Exit.DONE
    assert run.stdout == "\nlarge: no file could be read\n"
    assert "large.f90:1: warning: " in run.stderr
    why = acclimate("explain", f"{source}:7")
    assert why.returncode == Exit.MISUSED
    assert "large.f90 could not be read: " in why.stderr


def test_hints_promises_and_findings_are_listed(acclimate, tmp_path):
    source = tmp_path / "shift.f90"
    source.write_text(
        "subroutine shift(p, q, a, n)\n  integer :: n, i\n  real, pointer :: p(:), q(:)\n"
        "  real :: a(n)\n  !$acclimate noalias(p, q)\n  do i = 2, n\n    p(i) = q(i-1)\n  end do\n"
        "  do i = 2, n\n    q(i) = p(i-1)\n  end do\n"
        "  !$omp parallel do\n  do i = 2, n\n    a(i) = a(i-1)\n  end do\nend subroutine shift\n"
    )
    lines = acclimate("analyze", str(source)).stdout.splitlines()
    assert "shift.f90:5: hint: noalias(p, q)" in lines
    promise = "shift.f90:6: rests on a promise at shift.f90:5: `p` and `q` do not share storage"
    assert promise in lines
    assert any(line.startswith("1 loop is parallel only under conditions") for line in lines)
    assert any(line.startswith("shift.f90:12: race: `omp parallel do`:") for line in lines)
    assert any("1 of 3 loops can run in parallel as they stand" in line for line in lines)
