"""The folders on disk, the packages shipped and the names imported are the same thing."""

import subprocess
import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).parents[1]
ROOMS = ("analysis", "porter", "prompts", "verifier", "workflows")
SETUPTOOLS = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["setuptools"]


def python_folders() -> set[str]:
    return {
        "acclimate." + ".".join(source.parent.relative_to(ROOT).parts)
        for room in ROOMS
        for source in (ROOT / room).rglob("*.py")
    }


def data_files() -> set[Path]:
    """Files in the rooms that are neither code nor a room's README."""
    return {
        path
        for room in ROOMS
        for path in (ROOT / room).rglob("*")
        if path.is_file()
        and path.suffix not in {".py", ".pyc"}
        and path.name != "README.md"
        and not path.name.startswith(".")
    }


def test_every_folder_of_python_is_shipped():
    assert set(SETUPTOOLS["packages"]) == python_folders()


def test_every_folder_of_python_is_a_regular_package():
    folders = {ROOT.joinpath(*name.split(".")[1:]) for name in python_folders()}
    assert [folder for folder in folders if not (folder / "__init__.py").is_file()] == []


def test_every_data_file_is_shipped():
    shipped = {
        path
        for package, patterns in SETUPTOOLS["package-data"].items()
        for pattern in patterns
        for path in ROOT.joinpath(*package.split(".")[1:]).glob(pattern)
    }
    assert data_files() - shipped == set()


def test_no_room_is_imported_under_its_bare_name():
    assert {name.partition(".")[0] for name in sys.modules} & set(ROOMS) == set()


def test_ruff_refuses_bare_and_relative_imports():
    forms = ("import {}\n", "import {}.loops\n", "from {} import loops\n")
    bare = [form.format(room) for form in forms for room in ROOMS]
    assert [code for code in bare if "TID251" not in ruff(code)] == []
    assert "TID252" in ruff("from . import loops\n")


def test_ruff_accepts_full_names():
    assert ruff("".join(f"import acclimate.{room}\n" for room in ROOMS)) == ""


def ruff(code: str) -> str:
    """What ruff says about the imports of `code`, one finding a line."""
    command = [Path(sys.executable).with_name("ruff"), "check", "--quiet", "--select=TID"]
    command += ["--output-format=concise", "--no-cache", "--stdin-filename=analysis/a.py", "-"]
    return subprocess.run(command, input=code, cwd=ROOT, capture_output=True, text=True).stdout
