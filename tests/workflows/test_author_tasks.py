"""Recorded replies of a large language model to the tasks that come along, judged again."""

import json
from pathlib import Path

import pytest

from acclimate.workflows.cli import main

pytestmark = pytest.mark.gfortran

TASKS = Path(__file__).parents[1] / "author_tasks"
SOLVED = {
    "1": ("03_vdiff", "09_cldsort", "11_obsfill", "13_sorsolve", "17_twostream", "23_snowsoil"),
    "2": ("12_exit_cycle", "16_array_overlap", "23_scatter", "28_rng", "29_character")
    + ("33_dlines", "51_openacc_present", "52_module_state", "53_hidden_scalar_carry")
    + ("54_guarded_scalar_ok", "56_intrinsic_override", "40_automatic_private", "58_jacobi_seidel")
    + ("59_diagonal_wavefront", "63_where_with_reduction"),
}


def score(folder: Path, version: str, name: str) -> dict[str, object]:
    """What comes of rules and the recorded first replies on one task."""
    tasks = TASKS / version
    words = [str(tasks), "--task", name, "--author", "both", "--model", "recorded"]
    words += ["--replies", str(tasks / "replies"), "--older-replies", "--attempts", "1"]
    words += ["--work", str(folder / "work"), "--json", str(folder / "scores.json")]
    assert main(["evaluate", *words]) in (0, 1)
    (found,) = json.loads((folder / "scores.json").read_text())["scores"]
    assert isinstance(found, dict)
    return found


def test_a_loop_that_the_rules_refuse_is_restructured_and_solved(tmp_path):
    found = score(tmp_path, "2", "06_common_relayout")
    assert found["solved"] and found["at_first"] and found["attempts"] == 1, found["note"]
    assert found["plausible"] == 0


def test_a_loop_that_stays_serial_is_refused_with_the_reason(tmp_path):
    found = score(tmp_path, "2", "27_impure_in_loop")
    assert not found["solved"] and found["verdict"] == "accept"
    assert "the author declines" in str(found["note"])


@pytest.mark.slow
@pytest.mark.parametrize(("version", "name"), [(v, n) for v, all_ in SOLVED.items() for n in all_])
def test_what_was_solved_is_solved_again(tmp_path, version, name):
    found = score(tmp_path, version, name)
    assert found["solved"] and found["attempts"] == 1, found["note"]
