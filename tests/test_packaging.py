"""The wheel holds the whole program, nothing else, and runs on what it declares to need."""

import shutil
import subprocess
import sys
import tomllib
import venv
import zipfile
from collections.abc import Iterator
from importlib.metadata import Distribution, distribution
from pathlib import Path

import pytest
from packaging.requirements import Requirement

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())
ROOMS = ("analysis", "porter", "prompts", "verifier", "workflows")

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("wheel")]


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A wheel built from a copy of the checkout, so that the build leaves nothing behind."""
    copy = tmp_path_factory.mktemp("checkout")
    for name in ("pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, copy)
    for room in ROOMS:
        shutil.copytree(ROOT / room, copy / room, ignore=shutil.ignore_patterns("__pycache__"))
    run([sys.executable, "-m", "build", "--no-isolation", "--outdir", copy / "dist", copy], copy)
    (built,) = (copy / "dist").glob("*.whl")
    return built


@pytest.fixture(scope="module")
def clean(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A virtual environment with the wheel and links to what it says it requires, no more."""
    home = tmp_path_factory.mktemp("clean")
    venv.create(home, with_pip=True)
    before = installed(home)
    pip = [home / "bin" / "python", "-m", "pip", "--disable-pip-version-check", "--quiet"]
    run([*pip, "install", "--no-deps", "--no-index", wheel], home)
    assert installed(home) - before == {"acclimate", f"acclimate-{version()}.dist-info"}
    for required in closure(PROJECT["project"]["dependencies"]):
        link(required, site_packages(home))
    return home


def test_the_wheel_holds_every_file_of_the_rooms_and_only_those(wheel):
    with zipfile.ZipFile(wheel) as archive:
        shipped = {Path(name) for name in archive.namelist()}
    metadata = {path for path in shipped if path.parts[0] == f"acclimate-{version()}.dist-info"}
    assert shipped - metadata == {
        "acclimate" / path.relative_to(ROOT)
        for room in ROOMS
        for path in (ROOT / room).rglob("*")
        if path.is_file() and path.suffix != ".pyc" and path.name != "README.md"
    }


def test_the_installed_command_runs_without_the_checkout(clean, tmp_path):
    help_text = run([clean / "bin" / "acclimate", "--help"], tmp_path)
    assert "migrate" in help_text


def test_every_module_can_be_imported_from_the_wheel(clean, tmp_path):
    modules = [
        "acclimate." + ".".join(path.relative_to(ROOT).with_suffix("").parts)
        for room in ROOMS
        for path in sorted((ROOT / room).rglob("*.py"))
        if path.name != "__init__.py"
    ]
    program = (
        "import importlib, sys\nfor name in sys.argv[1:]: print(importlib.import_module(name))"
    )
    printed = run([clean / "bin" / "python", "-c", program, *modules], tmp_path)
    assert printed.count(str(clean)) == len(modules)


def version() -> str:
    return PROJECT["project"]["version"]


def run(command: list[str | Path], folder: Path) -> str:
    result = subprocess.run(command, cwd=folder, capture_output=True, text=True)
    assert result.returncode == 0, result.stdout[-2000:] + result.stderr[-2000:]
    return result.stdout


def site_packages(home: Path) -> Path:
    (folder,) = home.glob("lib/python*/site-packages")
    return folder


def installed(home: Path) -> set[str]:
    return {path.name for path in site_packages(home).iterdir()}


def closure(requirements: list[str]) -> Iterator[Distribution]:
    """The distributions that a list of requirements leads to, each once."""
    waiting, seen = [Requirement(text) for text in requirements], set()
    while waiting:
        requirement = waiting.pop()
        extras = {"", *requirement.extras}
        found = distribution(requirement.name)
        if (found.name, *sorted(extras)) in seen:
            continue
        seen.add((found.name, *sorted(extras)))
        yield found
        for text in found.requires or ():
            needed = Requirement(text)
            marker = needed.marker
            if marker is None or any(marker.evaluate({"extra": extra}) for extra in extras):
                waiting.append(needed)


def link(required: Distribution, folder: Path) -> None:
    """Link the top-level entries of an installed distribution into another site-packages.

    A folder that several distributions share is linked whole, with the first of them.
    """
    for top in {file.parts[0] for file in required.files or ()} - {"..", "__pycache__"}:
        if not (folder / top).exists():
            (folder / top).symlink_to(required.locate_file(top))
