"""`acclimate report`: the same report again, in another form."""

import json

import pytest

from acclimate.workflows._exit import Exit

pytestmark = [pytest.mark.gfortran, pytest.mark.slow]


def test_a_folder_without_a_report_is_misuse(acclimate, tmp_path):
    run = acclimate("report", tmp_path)
    assert run.returncode == Exit.MISUSED
    assert run.stderr.splitlines()[0] == f"error: {tmp_path} holds no report.json"


@pytest.mark.parametrize("form", ["md", "html", "json"])
def test_each_form_is_the_one_that_landed(acclimate, ported_pond, tmp_path, form):
    _, port, _ = ported_pond
    landed = (port / f"report.{form}").read_text()
    assert acclimate("report", port, "--format", form).stdout == landed
    acclimate("report", port, "--format", form, "--output", tmp_path / "again")
    assert (tmp_path / "again").read_text() == landed


def test_a_model_stands_for_its_last_port_wherever_that_went(acclimate, ported_pond, tmp_path):
    model, port, _ = ported_pond
    assert acclimate("report", model).stdout == (port / "report.md").read_text()


def test_json_is_a_report(acclimate, ported_pond):
    run = acclimate("report", ported_pond[1], "--format", "json")
    assert run.returncode == Exit.DONE
    assert json.loads(run.stdout)["verdict"] == "accept"
