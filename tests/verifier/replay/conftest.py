"""A small model with all that makes a call hard to give again, and ports of it."""

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from acclimate.analysis.tree.manifest import Manifest
from acclimate.verifier.subject import Subject
from acclimate.verifier.toolchains import toolchain

POND = Path(__file__).parent / "pond"
FILES = ("state.f90", "flow.f90", "tally.f", "pond.f90")

Change = tuple[str, str, str]  # file, text that stands there once, text to put there


@pytest.fixture(scope="session")
def work(tmp_path_factory) -> Path:
    """One work folder for all tests of a process: objects are shared by content."""
    return tmp_path_factory.mktemp("replays")


@pytest.fixture
def pond(tmp_path: Path, work: Path) -> Callable[..., Subject]:
    """The pond and a port of it that is changed as asked."""

    def make(*changes: Change) -> Subject:
        sides = []
        for side in ("original", "port"):
            shutil.copytree(POND, tmp_path / side)
            sides.append(Manifest(tmp_path / side, "pond", FILES, flags=("-O2",)))
        for file, old, new in changes:
            path = tmp_path / "port" / file
            text = path.read_text()
            assert text.count(old) == 1, f"{old!r} stands {text.count(old)} times in {file}"
            path.write_text(text.replace(old, new))
        return Subject(sides[0], sides[1], toolchain("gfortran"), work)

    return make
