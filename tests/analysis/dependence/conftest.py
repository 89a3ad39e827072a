"""Judge Fortran given as text."""

from collections.abc import Callable
from pathlib import Path
from textwrap import dedent

import pytest

from acclimate.analysis.dependence.judging import judge_loops
from acclimate.analysis.facts import LoopFacts
from acclimate.analysis.project import Project, read_project
from acclimate.analysis.tree.manifest import load_manifest

ReadModel = Callable[..., Project]
Judge = Callable[..., LoopFacts]


@pytest.fixture
def read_model(tmp_path: Path) -> ReadModel:
    """Read one source file given as text."""

    def read(source: str, name: str = "model.f90") -> Project:
        file = tmp_path / name
        file.write_text(dedent(source), encoding="latin-1")
        return read_project(load_manifest(file))

    return read


@pytest.fixture
def judge(read_model: ReadModel) -> Judge:
    """Facts on the loop (or array statement) on the line marked `!<`."""

    def judge_marked(source: str, name: str = "model.f90") -> LoopFacts:
        lines = dedent(source).splitlines()
        (marked,) = (number for number, line in enumerate(lines, 1) if "!<" in line)
        found = [f for f in judge_loops(read_model(source, name)) if f.at.first == marked]
        assert len(found) == 1, found
        return found[0]

    return judge_marked
