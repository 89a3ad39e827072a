"""The benchmark runs on the sample model, and counts what it says it counts. Nothing is timed."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
SCRIPT = ROOT / "benchmarks" / "analysis.py"


def bench(*arguments: object) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(SCRIPT), *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, timeout=300)


@pytest.mark.slow
def test_the_sample_model_beside_fparser(tmp_path):
    run = bench(ROOT / "sample_model", "--no-parts", "--sample", 200, "--json", tmp_path / "b.json")
    assert run.returncode == 0, run.stderr
    found = json.loads((tmp_path / "b.json").read_text())
    cold, warm = found["programs"]
    assert cold["files"] == cold["read"] == warm["read"] >= 18
    assert cold["loops"] == warm["loops"] > 200
    assert "acclimate warm" in run.stdout


@pytest.mark.slow
def test_directives_are_compared_loop_by_loop(tmp_path):
    (tmp_path / "acclimate.toml").write_text('[model]\nname = "t"\nsources = ["*.f90"]\n')
    (tmp_path / "s.f90").write_text(
        "subroutine s(a, n)\n  real :: a(n), t, u\n"
        "!$omp parallel private(t)\n"
        "!$omp do\n  do i = 1, n\n    t = a(i)\n    a(i) = t * 2\n  end do\n"
        "!$omp do private(u)\n  do i = 2, n\n    a(i) = a(i - 1)\n  end do\n"
        "!$omp end parallel\n"
        "!$omp parallel do private(u)\n  do i = 1, n\n    a(i) = 1\n  end do\nend subroutine\n"
    )
    run = bench(tmp_path, "--no-parts", "--directives", "omp", "--json", tmp_path / "b.json")
    assert run.returncode == 0, run.stderr
    found = json.loads((tmp_path / "b.json").read_text())["directives"]
    assert [(c["line"], c["verdict"], c["private"], c["missing"]) for c in found] == [
        (5, "parallel", "equal", []),
        (10, "serial", "subset", ["u"]),
        (15, "parallel", "subset", ["u"]),
    ]
    assert "3 loops carry the directive" in run.stdout
    assert "s.f90:10: serial: " in run.stdout


def test_the_second_readers_lines_are_those_of_the_do_statements(tmp_path):
    source = tmp_path / "s.f90"
    source.write_text("subroutine s()\n  real :: x\n  x = 1\nend subroutine\n")
    (tmp_path / "bad.f90").write_text("subroutine s(\n")
    worker = ROOT / "benchmarks" / "readers" / "one_by_one.py"
    given = f"{source}\n{tmp_path / 'bad.f90'}\n"
    command = [sys.executable, str(worker), "fparser"]
    run = subprocess.run(command, input=given, capture_output=True, text=True, timeout=120)
    good, bad, last = (json.loads(line) for line in run.stdout.splitlines())
    assert (good["error"], good["lines"]) == ("", 4)
    assert bad["error"]
    assert last["peak_mib"] > 0


@pytest.mark.slow
@pytest.mark.gfortran
def test_a_fault_that_one_shape_does_not_show_is_caught_by_the_ladder(tmp_path):
    script, told = ROOT / "benchmarks" / "single_shape.py", tmp_path / "told.json"
    command = [sys.executable, str(script), "--only", "fill_holes", "--json", str(told)]
    run = subprocess.run(command, capture_output=True, text=True, timeout=600)
    assert run.returncode == 0, run.stdout + run.stderr
    found = {line["port"]: line for line in json.loads(told.read_text())}
    assert (found["right"]["fixed"], found["right"]["ladder"]) == ("accept", "accept")
    assert (found["wrong"]["fixed"], found["wrong"]["ladder"]) == ("accept", "reject")


@pytest.mark.slow
def test_a_tree_that_is_not_the_port_is_told(tmp_path):
    text = "program p\n  real :: a(9)\n  do i = 1, 9\n    a(i) = i\n  end do\n  print *, a\nend\n"
    for name, body in (("model", text), ("port", text.replace("a(9)\n", "a(9) \n"))):
        (tmp_path / name).mkdir()
        (tmp_path / name / "p.f90").write_text(body)
        (tmp_path / name / "acclimate.toml").write_text('[model]\nsources = ["p.f90"]\n')
    command = [sys.executable, str(ROOT / "benchmarks" / "same_port.py"), str(tmp_path / "model")]
    command += ["--port", str(tmp_path / "port")]
    run = subprocess.run(command, capture_output=True, text=True, timeout=300)
    assert run.returncode == 1, run.stderr
    assert run.stdout.count("same tree: 1 files") == 2
    assert "landed: p.f90\n" in run.stdout
    assert "files with lines that differ in blanks alone: p.f90\n" in run.stdout
    assert "planned again: p.f90\n" in run.stdout
