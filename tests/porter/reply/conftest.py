"""The valley and what may be edited in it."""

from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest

from acclimate.analysis.index import index_project
from acclimate.analysis.project import Project
from acclimate.analysis.source import Lines
from acclimate.analysis.tree.manifest import load_manifest
from acclimate.porter.reply.proposal import Ground

VALLEY = Path(__file__).parent / "valley.f90"


@cache
def _project(program: Path) -> Project:
    return index_project(load_manifest(program)).project


@pytest.fixture(scope="session")
def ground_of() -> Callable[..., Ground]:
    """What a reply may touch when the unit of this name in a program is to be edited."""

    def ground(name: str, program: Path = VALLEY) -> Ground:
        manifest = load_manifest(program)
        project = _project(program)
        names = frozenset(unit.name for unit in project.units.values())
        unit = project.units[name]
        lines = Lines(unit.at.file, unit.at.first, unit.end.last)
        return Ground(manifest, project.texts[unit.at.file], name, lines, names)

    return ground
