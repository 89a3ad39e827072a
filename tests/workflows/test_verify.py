"""`acclimate verify`: file, line and light of what fails; the exit code is the verdict."""

import json
import shutil

import pytest

from acclimate.workflows._exit import Exit

pytestmark = [pytest.mark.gfortran, pytest.mark.slow]


@pytest.fixture
def port(ported_pond, tmp_path):
    """A copy of an accepted port, to be spoiled."""
    return shutil.copytree(ported_pond[1], tmp_path / "port")


def spoil(port, name, before, after):
    path = port / "src" / name
    text = path.read_text()
    assert text.count(before) >= 1
    path.write_text(text.replace(before, after, 1))


def test_three_paths_are_misuse(acclimate, pond):
    assert acclimate("verify", pond, pond, pond).returncode == Exit.MISUSED


def test_an_unknown_check_is_misuse(acclimate, pond):
    run = acclimate("verify", pond, pond, "--only", "further_run")
    assert run.returncode == Exit.MISUSED
    assert "did you mean 'further_runs'?" in run.stderr


def test_a_good_port_is_accepted(acclimate, ported_pond):
    model, port, _ = ported_pond
    run = acclimate("verify", model, port, "--json", "-")
    verdict = json.loads(run.stdout)
    assert run.returncode == Exit.DONE
    assert verdict["schema"] == "acclimate/verify/1"
    assert verdict["verdict"] == "accept"
    assert verdict["lights"] | {"device": ""} == {
        "data": "holds", "races": "holds", "numerics": "holds", "device": "",
    }  # fmt: skip
    keys = {"check", "light", "outcome", "figure", "limit", "unit", "file", "line", "seed"}
    assert all(keys <= item.keys() for item in verdict["evidence"])


@pytest.mark.parametrize(
    ("name", "before", "after", "line", "light"),
    [
        ("pond.f90", "    !$acc update self(level)\n", "", "src/", "data"),
        ("water.f90", "reduction(max:top)", "", "src/water.f90:", "races"),
        ("water.f90", "flow(i) - dt", "flow(i) + dt", "src/water.f90:31: ", "numerics"),
    ],
    ids=["a dropped update", "a dropped reduction", "a flipped sign"],
)
def test_a_defect_is_named_with_file_line_and_light(
    acclimate, ported_pond, port, name, before, after, line, light
):
    spoil(port, name, before, after)
    run = acclimate("verify", ported_pond[0], port)
    assert run.returncode == Exit.REJECTED
    named = [text for text in run.stdout.splitlines() if text.startswith(line)]
    assert any(f": {light}: " in text for text in named), run.stdout
    assert run.stdout.splitlines()[-1].startswith("verdict: reject (")


def test_a_port_alone_is_judged_without_an_original(acclimate, port):
    run = acclimate("verify", port)
    assert run.returncode == Exit.INCONCLUSIVE
    assert "numerics inconclusive" in run.stdout.splitlines()[-1]


def test_a_port_that_does_not_compile_is_rejected_at_its_line(acclimate, ported_pond, port):
    spoil(port, "water.f90", "flow(i) = 0.0_dp", "flow(i) = 'calm'")
    run = acclimate("verify", ported_pond[0], port)
    assert run.returncode == Exit.REJECTED
    assert any(text.startswith("src/water.f90:") for text in run.stdout.splitlines())
