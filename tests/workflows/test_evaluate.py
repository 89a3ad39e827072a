"""Evaluation of authors: task sets, intervals, and prompts that are shown without being sent."""

import shutil
from pathlib import Path

import pytest

from acclimate.analysis.problems import Problem
from acclimate.workflows.cli import main
from acclimate.workflows.evaluating.scores import interval
from acclimate.workflows.evaluating.task_sets import task_set

TASKS = Path(__file__).parents[1] / "author_tasks/1"
VALLEY = Path(__file__).parents[1] / "porter/reply/valley.f90"


def test_the_tasks_that_come_along_are_there_and_dated():
    found = task_set(TASKS)
    assert (found.version, len(found.tasks)) == ("1", 12)
    assert all(task.written and (task.path / "acclimate.toml").is_file() for task in found.tasks)


def test_a_task_without_its_model_is_told(tmp_path):
    (tmp_path / "tasks.toml").write_text('version = "1"\n[[task]]\nname = "a"\npath = "nowhere"\n')
    with pytest.raises(Problem, match="is not at"):
        task_set(tmp_path)
    with pytest.raises(Problem, match="does not exist"):
        task_set(tmp_path / "missing")


def test_an_interval_holds_the_proportion_and_is_never_certain():
    low, high = interval(9, 10)
    assert low < 0.9 < high < 1.0
    assert interval(0, 0) == (0.0, 1.0)
    assert interval(12, 12)[0] < 0.8  # twelve tasks prove little


def test_a_model_needs_a_name_and_an_endpoint(tmp_path, capsys):
    tree = shutil.copy(VALLEY, tmp_path / "valley.f90")
    assert main(["migrate", str(tree), "--author", "both"]) == 2
    assert "needs a model" in capsys.readouterr().err
    assert main(["migrate", str(tree), "--author", "both", "--model", "m"]) == 2
    assert "no endpoint is named" in capsys.readouterr().err


@pytest.mark.gfortran
def test_prompts_are_shown_and_estimated_without_being_sent(tmp_path, capsys):
    tree = shutil.copy(VALLEY, tmp_path / "valley.f90")
    words = ["migrate", str(tree), "--author", "both", "--model", "m", "--show-prompts"]
    assert main(words) == 0
    told = capsys.readouterr()
    assert "`valley::sweep` in `valley.f90`" in told.out
    assert "1 prompts, 1 calls of m; at most" in told.err
    assert "price not known" in told.err
