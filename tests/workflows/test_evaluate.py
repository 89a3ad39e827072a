"""Evaluation of authors: task sets, intervals, and prompts that are shown without being sent."""

import shutil
from pathlib import Path

import pytest

from acclimate.analysis.problems import Problem
from acclimate.analysis.tree.manifest import load_manifest
from acclimate.workflows.cli import main
from acclimate.workflows.evaluating.score_tables import tell_scores
from acclimate.workflows.evaluating.scores import Score, interval
from acclimate.workflows.evaluating.stalled import stalled
from acclimate.workflows.evaluating.task_sets import task_set

SETS = Path(__file__).parents[1] / "author_tasks"
TASKS = SETS / "1"
VALLEY = Path(__file__).parents[1] / "porter/reply/valley.f90"


def test_the_tasks_that_come_along_are_there_and_dated():
    found = task_set(TASKS)
    assert (found.version, len(found.tasks)) == ("1", 12)
    assert all(task.written and (task.path / "acclimate.toml").is_file() for task in found.tasks)


def test_every_loop_task_is_dated_and_refused_by_the_rules():
    found = task_set(SETS / "3")
    assert len(found.tasks) == 16 and all(task.written for task in found.tasks)
    for task in found.tasks:
        manifest = load_manifest(task.path)
        assert stalled(manifest, manifest, task.only) == task.only, task.name


@pytest.mark.parametrize(
    ("before", "directive", "left"),
    [
        ("      do k = 1, m\n", "      !$acc parallel loop\n", 1),  # the rules do that too
        ("    do i = 1, n\n", "    !$acc parallel loop private(column)\n", 0),
    ],
)
def test_a_port_from_elsewhere_gains_where_a_refused_loop_runs_in_a_kernel(
    tmp_path, before, directive, left
):
    (task,) = (t for t in task_set(SETS / "3").tasks if t.name == "14_pointer")
    text = task.path.read_text()
    port = tmp_path / task.path.name
    port.write_text(text.replace(before, directive + before))
    assert len(stalled(load_manifest(task.path), load_manifest(port), task.only)) == left


def test_what_is_rightly_left_to_the_host_is_no_part_of_the_shares(capsys):
    def score(solved, stays):
        return Score("a", "both", solved, solved, "accept", 0, 1, 10, 0, 0, stays=stays)

    tell_scores([score(True, False), score(False, False), score(False, True)])
    told = capsys.readouterr().out
    assert told.count("1 of 2 (") == 2
    assert "no parallel form exists" in told
    tell_scores([score(True, False)])
    assert "no parallel form exists" not in capsys.readouterr().out


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
