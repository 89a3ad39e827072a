"""The command as a user types it, and a small model to type it at."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ACCLIMATE = Path(sys.executable).with_name("acclimate")
POND = Path(__file__).with_name("pond")
OWN = shutil.ignore_patterns(".acclimate")


def run_acclimate(*arguments, cwd=None, **env):
    """Run the command; output is text, `env` is added to the environment."""
    return subprocess.run(
        [ACCLIMATE, *map(str, arguments)],
        cwd=cwd,
        env=os.environ | env,
        capture_output=True,
        text=True,
    )


def files_below(folder):
    """Every file below `folder` with its bytes, the work folder and the reports left out."""
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and ".acclimate" not in path.parts and path.stem != "report"
    }


@pytest.fixture(scope="session")
def acclimate():
    return run_acclimate


@pytest.fixture(scope="session")
def tree():
    return files_below


@pytest.fixture
def pond(tmp_path):
    """A copy of the pond to work on."""
    return Path(shutil.copytree(POND, tmp_path / "pond", ignore=OWN))


@pytest.fixture(scope="session")
def ported_pond(tmp_path_factory):
    """A pond that was migrated once: (model, port, what the command did)."""
    folder = tmp_path_factory.mktemp("ported")
    model = Path(shutil.copytree(POND, folder / "pond", ignore=OWN))
    run = run_acclimate("migrate", model, "--out", folder / "port", "--json", folder / "json")
    return model, folder / "port", run
