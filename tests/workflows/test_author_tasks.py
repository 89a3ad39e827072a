"""Recorded replies of a large language model to the tasks that come along, judged again."""

import json
from pathlib import Path

import pytest

from acclimate.workflows.cli import main

pytestmark = pytest.mark.gfortran

ROUTINES = Path(__file__).parents[1] / "author_tasks/1"
ASKED = ("03_vdiff", "09_cldsort", "11_obsfill", "13_sorsolve", "17_twostream", "23_snowsoil")


def scores(folder: Path, tasks: Path, name: str, author: str) -> list[dict[str, object]]:
    """What an author's recorded first replies to the tasks called `name` come to."""
    words = [str(tasks), "--task", name, "--author", author, "--model", "recorded"]
    words += ["--replies", str(tasks / "replies"), "--older-replies", "--attempts", "1"]
    words += ["--work", str(folder / "work"), "--json", str(folder / "scores.json")]
    assert main(["evaluate", *words]) in (0, 1)
    found: list[dict[str, object]] = json.loads((folder / "scores.json").read_text())["scores"]
    return found


def test_a_model_that_is_given_facts_solves_what_the_rules_refuse(tmp_path):
    (score,) = scores(tmp_path, ROUTINES, "17_twostream", "both")
    assert score["solved"] and score["at_first"] and score["attempts"] == 1
    assert score["plausible"] == 0 and score["calls"] == 16


@pytest.mark.slow
@pytest.mark.parametrize("name", [name for name in ASKED if name != "17_twostream"])
def test_the_others_too(tmp_path, name):
    (score,) = scores(tmp_path, ROUTINES, name, "both")
    assert score["solved"] and score["attempts"] == 1, score["note"]
