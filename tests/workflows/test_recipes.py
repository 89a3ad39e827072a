"""The recipes for CI are valid, and all their steps run on a clean clone of a model."""

import json
import os
import re
import shutil
import subprocess
import sys
import venv
from pathlib import Path
from xml.etree import ElementTree

import pytest
import yaml

from acclimate.workflows._exit import Exit

ROOT = Path(__file__).parents[2]
RECIPES = ROOT / "workflows" / "recipes"
BIN = Path(sys.executable).parent
ROOMS = ("analysis", "porter", "prompts", "verifier", "workflows")
FORMS = {"gate.md", "gate.xml", "gate.sarif", "gate.html", "gate.json"}


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


def github_steps():
    """Environment, and what each step runs, of the job for GitHub Actions."""
    recipe = yaml.safe_load((RECIPES / "github-actions.yml").read_text())
    environment = recipe["env"]
    assert "github.event.pull_request.base.sha" in environment.pop("REFERENCE")
    return environment, [step["run"] for step in recipe["jobs"]["gate"]["steps"] if "run" in step]


def gitlab_steps():
    """The same of the job for GitLab CI: its commands share one shell."""
    job = yaml.safe_load((RECIPES / "gitlab-ci.yml").read_text())["numerics gate"]
    return job["variables"], ["\n".join([*job["before_script"], *job["script"]])]


@pytest.fixture(scope="module")
def machine(tmp_path_factory):
    """What a runner has: a folder for its files, commands that need root, the wheel to install.

    Packages that acclimate requires are those of this interpreter: nothing is fetched here.
    """
    home = tmp_path_factory.mktemp("runner")
    checkout, commands = home / "checkout", home / "commands"
    for name in ("pyproject.toml", "README.md", "LICENSE"):
        checkout.mkdir(exist_ok=True)
        shutil.copy(ROOT / name, checkout)
    for room in ROOMS:
        shutil.copytree(ROOT / room, checkout / room, ignore=shutil.ignore_patterns("__pycache__"))
    build = [sys.executable, "-m", "build", "--no-isolation", "--wheel", "--outdir", home, checkout]
    subprocess.run(build, check=True, capture_output=True)
    commands.mkdir()
    for name, does in (("sudo", 'exec "$@"'), ("apt-get", f'echo "$@" >>{home}/installed')):
        (commands / name).write_text(f"#!/bin/sh\n{does}\n")
        (commands / name).chmod(0o755)
    return home


def play(steps, clone, machine, python, **variables):
    """Run the steps of a job as a runner does, up to one that fails; its exit code and output."""
    declared, commands = steps
    (wheel,) = machine.glob("*.whl")
    environment = {
        **{name: os.environ[name] for name in ("HOME", "LANG", "TMPDIR") if name in os.environ},
        **{name: str(value) for name, value in declared.items()},
        "ACCLIMATE": str(wheel),
        "ACCLIMATE_CACHE": "none",
        "PATH": f"{machine / 'commands'}:{python / 'bin'}:{os.environ['PATH']}",
        "PIP_NO_INDEX": "1",
        "PIP_NO_DEPS": "1",
        "PYTHONPATH": os.pathsep.join(p for p in sys.path if p.endswith("site-packages")),
        "RUNNER_TEMP": str(clone.parent),
        "GITHUB_STEP_SUMMARY": str(clone.parent / "summary.md"),
        **variables,
    }
    for command in commands:
        shell = ["bash", "-e", "-c", command]
        run = subprocess.run(shell, cwd=clone, env=environment, capture_output=True, text=True)
        if run.returncode:
            break
    return run.returncode, run.stdout + run.stderr


@pytest.fixture
def cloned(tmp_path):
    """A clone of a repository that holds the sample model and nothing else."""
    source, clone = tmp_path / "source", tmp_path / "clone"
    own = shutil.ignore_patterns("gate", ".acclimate")
    shutil.copytree(ROOT / "sample_model", source, ignore=own)
    for words in (["init", "-q", "-b", "main"], ["add", "-A"], ["commit", "-qm", "the model"]):
        git(source, *words)
    subprocess.run(["git", "clone", "-q", source, clone], check=True)
    return clone


def git(folder, *words):
    subprocess.run(
        ["git", "-c", "user.name=A", "-c", "user.email=a@b", *words], cwd=folder, check=True
    )


@pytest.mark.slow
@pytest.mark.gfortran
@pytest.mark.needs("git")
def test_all_steps_run_on_a_clean_clone_of_the_sample_model(cloned, machine, tmp_path):
    """Without a baseline and without a commit before: the model is held to itself."""
    venv.create(tmp_path / "image", with_pip=True)
    code, said = play(gitlab_steps(), cloned, machine, tmp_path / "image")
    assert code == Exit.DONE, said
    assert {path.name for path in cloned.glob("gate.*")} == FORMS
    assert "gfortran" in (machine / "installed").read_text()
    assert json.loads((cloned / "gate.json").read_text())["outcome"] == "accept"


@pytest.mark.slow
@pytest.mark.gfortran
@pytest.mark.needs("git")
def test_a_change_of_the_numbers_is_rejected_though_no_baseline_is_committed(
    cloned, machine, tmp_path
):
    file = cloned / "src" / "constants.f90"
    text = file.read_text()
    file.write_text(re.sub(r"(:: grav = )[\d.]+", r"\g<1>9.79", text))
    assert file.read_text() != text
    git(cloned, "commit", "-qam", "another planet")
    code, said = play(github_steps(), cloned, machine, Path(sys.prefix), REFERENCE="HEAD^")
    assert code == Exit.REJECTED, said
    assert {path.name for path in cloned.glob("gate.*")} == FORMS
    suites = ElementTree.parse(cloned / "gate.xml").getroot()
    assert int(suites.find("testsuite").get("failures")) > 0
    head = subprocess.run(["git", "rev-parse", "HEAD^"], cwd=cloned, capture_output=True, text=True)
    assert json.loads((cloned / "gate.json").read_text())["commit"] == head.stdout.strip()


@pytest.mark.slow
@pytest.mark.needs("git")
def test_a_reference_that_names_no_commit_ends_the_job(cloned, machine, tmp_path):
    (environment, steps) = github_steps()
    baseline = next(command for command in steps if "baseline create" in command)
    code, said = play((environment, [baseline]), cloned, machine, tmp_path, REFERENCE="no-such-tag")
    assert code not in (Exit.DONE, Exit.REJECTED), said
