"""Ports written as text, as operators see them."""

from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from acclimate.analysis.index import index_project
from acclimate.analysis.tree.manifest import Manifest
from acclimate.verifier.mutants.material import Material
from acclimate.verifier.mutants.mutant import Mutant
from acclimate.verifier.mutants.sampling import chosen_operators, every_mutant
from acclimate.verifier.texts.source_file import all_files


@pytest.fixture
def material(tmp_path: Path) -> Callable[..., Material]:
    def make(text: str, name: str = "port.f90") -> Material:
        (tmp_path / name).write_text(text)
        manifest = Manifest(tmp_path, "port", (name,))
        return Material(all_files(manifest), index_project(manifest))

    return make


@pytest.fixture
def mutants(material) -> Callable[..., Mapping[str, tuple[Mutant, ...]]]:
    """All mutants of a text by operator."""

    def make(
        text: str, *operators: str, name: str = "port.f90"
    ) -> Mapping[str, tuple[Mutant, ...]]:
        return every_mutant(material(text, name), chosen_operators(operators))

    return make
