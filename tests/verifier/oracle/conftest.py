from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from acclimate.analysis.dependence.judging import judge_loops
from acclimate.analysis.facts import Verdict
from acclimate.analysis.project import read_project
from acclimate.analysis.tree.manifest import load_manifest
from acclimate.verifier.oracle.instrumented import runtime_object
from acclimate.verifier.oracle.whole_program import Watched, watch_program


@pytest.fixture(scope="session")
def runtime(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return runtime_object(tmp_path_factory.mktemp("oracle"))


@pytest.fixture
def watch(tmp_path: Path, runtime: Path) -> Callable[..., Watched]:
    """Watch the program of some text; `claims` change the facts on loops by their line."""

    def run(text: str, claims: dict[int, dict[str, Any]]) -> Watched:
        (tmp_path / "model.f90").write_text(text)
        project = read_project(load_manifest(tmp_path / "model.f90"))
        loops = [
            replace(loop, verdict=Verdict.PARALLEL, **claims.get(loop.at.first, {}))
            for loop in judge_loops(project)
        ]
        work = tmp_path / "work"
        work.mkdir()
        return watch_program(project, loops, work, runtime)

    return run
