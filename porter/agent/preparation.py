"""The original with a model's edits: analysed and planned like any other source."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from hashlib import sha256
from pathlib import Path

from acclimate.analysis.index import ProjectIndex, index_project
from acclimate.analysis.source import Edit, apply_edits
from acclimate.analysis.tree.manifest import Manifest
from acclimate.porter.agent.artefacts import ModelFile
from acclimate.porter.agent.tree import put_tree, remove_tree

Edits = tuple[Edit, ...]
"""Edits to original files, sorted: what all units' authors want together."""


@dataclass(frozen=True, slots=True)
class Prepared:
    """Edits, the texts they make, and the analysis of these texts."""

    edits: Edits
    texts: Mapping[str, bytes]
    index: ProjectIndex


def prepare(
    manifest: Manifest,
    files: Mapping[str, ModelFile],
    texts: Mapping[str, bytes],
    edits: Edits,
    folder: Path,
) -> Prepared:
    """Write the prepared tree below `folder`, where cpp and INCLUDE find it, and analyse it."""
    changed = {
        file: apply_edits(texts[file], [e for e in edits if e.file == file])
        for file in sorted({e.file for e in edits})
    }
    name = sha256(repr(edits).encode()).hexdigest()[:16]
    root = folder / name
    remove_tree(root)
    root.mkdir(parents=True)
    put_tree(manifest.root, files, changed, root)
    return Prepared(edits, changed, index_project(replace(manifest, root=root.resolve())))


def together(edits: Iterable[Iterable[Edit]]) -> Edits:
    """The edits of several units as one set."""
    return tuple(sorted(edit for some in edits for edit in some))
