"""The recipes for CI are valid, and the commands in them run on a clean clone."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from acclimate.workflows._exit import Exit

ROOT = Path(__file__).parents[2]
RECIPES = ROOT / "workflows" / "recipes"
BIN = Path(sys.executable).parent


@pytest.mark.parametrize(
    ("file", "schema"),
    [("github-actions.yml", "github-workflows"), ("gitlab-ci.yml", "gitlab-ci")],
)
def test_a_recipe_is_valid_by_its_schema(file, schema):
    command = [BIN / "check-jsonschema", "--builtin-schema", f"vendor.{schema}", RECIPES / file]
    run = subprocess.run(command, capture_output=True, text=True)
    assert run.returncode == 0, run.stdout + run.stderr


def test_a_recipe_with_a_wrong_key_is_not(tmp_path):
    text = (RECIPES / "github-actions.yml").read_text().replace("runs-on:", "run-on:")
    (tmp_path / "bad.yml").write_text(text)
    command = [BIN / "check-jsonschema", "--builtin-schema", "vendor.github-workflows"]
    assert subprocess.run([*command, tmp_path / "bad.yml"], capture_output=True).returncode != 0


def github_command():
    steps = yaml.safe_load((RECIPES / "github-actions.yml").read_text())["jobs"]["gate"]["steps"]
    (command,) = [step["run"] for step in steps if step.get("name") == "Run the gate"]
    return command


def gitlab_command():
    (command,) = yaml.safe_load((RECIPES / "gitlab-ci.yml").read_text())["numerics gate"]["script"]
    return command


@pytest.mark.slow
@pytest.mark.gfortran
@pytest.mark.needs("git")
def test_the_commands_of_both_recipes_run_on_a_clean_clone(tmp_path):
    """A repository with a model, its baseline and its tolerances, and nothing else."""
    source, clone = tmp_path / "source", tmp_path / "clone"
    shutil.copytree(ROOT / "benchmarks" / "lorenz96", source)
    baseline = [BIN / "acclimate", "gate", "baseline", "create", source]
    assert subprocess.run(baseline, capture_output=True).returncode == Exit.DONE
    git = ["git", "-c", "user.name=A", "-c", "user.email=a@b", "-C", str(source)]
    for words in (["init", "-q"], ["add", "-A"], ["commit", "-qm", "model with its baseline"]):
        subprocess.run([*git, *words], check=True)
    subprocess.run(["git", "clone", "-q", source, clone], check=True)
    environment = os.environ | {
        "MODEL": ".",
        "RUNNER_TEMP": str(tmp_path),
        "PATH": f"{BIN}:{os.environ['PATH']}",
    }
    (tmp_path / "venv").mkdir()
    (tmp_path / "venv" / "bin").symlink_to(BIN)
    for command in (github_command(), gitlab_command()):
        run = subprocess.run(
            ["bash", "-euc", command], cwd=clone, env=environment, capture_output=True, text=True
        )
        assert run.returncode == Exit.DONE, run.stdout + run.stderr
        written = {path.name for path in clone.glob("gate.*")}
        assert written == {"gate.md", "gate.xml", "gate.sarif", "gate.html", "gate.json"}
        for path in clone.glob("gate.*"):
            path.unlink()
