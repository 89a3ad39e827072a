"""A tree like another one with some files replaced: links to what it needs of the rest."""

import shutil
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path

from acclimate.analysis.tree.manifest import Manifest
from acclimate.verifier.source_file import all_files


def variant_tree(manifest: Manifest, changed: Mapping[str, bytes], folder: Path) -> Manifest:
    """The model with the files `changed` (by relative name) written anew in `folder`."""
    if folder.exists():
        shutil.rmtree(folder)
    folder.mkdir(parents=True)
    for name in dict.fromkeys(_needed(manifest)):
        target = folder / name
        target.parent.mkdir(parents=True, exist_ok=True)
        if name in changed:
            target.write_bytes(changed[name])
        else:
            target.symlink_to((manifest.root / name).resolve())
    return replace(manifest, root=folder)


def _needed(manifest: Manifest) -> Iterator[str]:
    """Sources, what they include, include folders, namelists and input files, as relative names."""
    root = manifest.root
    yield from (name for name in all_files(manifest) if not Path(name).is_absolute())
    for place in manifest.include_dirs:
        folder = root / place
        if folder.is_dir() and folder.resolve().is_relative_to(root.resolve()):
            yield from (
                p.relative_to(root).as_posix() for p in sorted(folder.iterdir()) if p.is_file()
            )
    for pattern in (*manifest.run.namelists, *manifest.run.files):
        yield from (p.relative_to(root).as_posix() for p in sorted(root.glob(pattern)))
