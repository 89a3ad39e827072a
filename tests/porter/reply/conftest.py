"""The valley and what may be edited in it."""

from collections.abc import Callable
from pathlib import Path

import pytest

from acclimate.analysis.index import index_project
from acclimate.analysis.source import Lines
from acclimate.analysis.tree.manifest import load_manifest
from acclimate.porter.reply.proposal import Ground

VALLEY = Path(__file__).parent / "valley.f90"


@pytest.fixture(scope="session")
def ground_of() -> Callable[[str], Ground]:
    """What a reply may touch when the unit of this name is to be edited."""
    manifest = load_manifest(VALLEY)
    project = index_project(manifest).project
    names = frozenset(unit.name for unit in project.units.values())

    def ground(name: str) -> Ground:
        unit = project.units[name]
        lines = Lines(unit.at.file, unit.at.first, unit.end.last)
        return Ground(manifest, project.texts[unit.at.file], name, lines, names)

    return ground
