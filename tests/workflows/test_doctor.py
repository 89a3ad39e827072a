"""`acclimate doctor`: what is there, and what goes without the rest."""

import json
import shutil

import pytest

from acclimate.workflows._exit import Exit


def probes(run):
    return {probe["name"]: probe for probe in json.loads(run.stdout)["probes"]}


def test_without_a_compiler_it_ends_with_4_and_says_what_to_install(acclimate, tmp_path):
    run = acclimate("doctor", "--json", "-", PATH=str(tmp_path))
    assert run.returncode == Exit.ENVIRONMENT
    found = probes(run)
    assert not found["gfortran"]["found"]
    assert "apt install gfortran" in found["gfortran"]["cost"]
    assert not found["cpp"]["found"]


@pytest.mark.gfortran
def test_an_optional_tool_that_is_missing_is_no_failure(acclimate, tmp_path):
    for tool in ("gfortran", "cpp", "prlimit", "gcc", "as", "ld", "collect2"):
        path = shutil.which(tool)
        if path:
            (tmp_path / tool).symlink_to(path)
    run = acclimate("doctor", "--json", "-", PATH=str(tmp_path))
    found = probes(run)
    assert run.returncode == Exit.DONE
    assert not found["valgrind"]["found"]
    assert found["valgrind"]["cost"]
    assert found["gfortran"]["detail"].startswith("GNU Fortran")


@pytest.mark.gfortran
def test_a_compiler_without_limits_to_run_it_under_is_no_bug(acclimate, tmp_path):
    (tmp_path / "gfortran").symlink_to(shutil.which("gfortran"))
    run = acclimate("doctor", "--json", "-", PATH=str(tmp_path))
    assert run.returncode == Exit.ENVIRONMENT
    assert "util-linux" in probes(run)["prlimit"]["cost"]


@pytest.mark.gfortran
def test_everything_found_costs_nothing(acclimate):
    for probe in probes(acclimate("doctor", "--json", "-")).values():
        assert bool(probe["cost"]) != probe["found"]


@pytest.mark.gfortran
def test_the_table_names_every_probe(acclimate):
    run = acclimate("doctor")
    assert run.stdout.splitlines()[0].split() == ["what", "state", "detail", "without", "it"]
    assert any(line.startswith("machine") and "cores" in line for line in run.stdout.splitlines())
