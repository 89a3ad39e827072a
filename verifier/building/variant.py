"""A tree like another one with some files replaced: copies of sources, links to the rest."""

import shutil
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path

from acclimate.analysis.tree.manifest import Manifest
from acclimate.verifier.texts.source_file import all_files


def variant_tree(manifest: Manifest, changed: Mapping[str, bytes], folder: Path) -> Manifest:
    """The model with the files `changed` (by relative name) written anew in `folder`.

    Sources and what they include are copied: a link leads out of the tree, and is not read there.
    """
    if folder.exists():
        shutil.rmtree(folder)
    folder.mkdir(parents=True)
    read = {name: file.data for name, file in all_files(manifest).items()}
    texts = {name: data for name, data in read.items() if not Path(name).is_absolute()} | dict(
        changed
    )
    for name in dict.fromkeys((*texts, *_others(manifest))):
        target = folder / name
        target.parent.mkdir(parents=True, exist_ok=True)
        if name in texts:
            target.write_bytes(texts[name])
        else:
            target.symlink_to((manifest.root / name).resolve())
    return replace(manifest, root=folder)


def _others(manifest: Manifest) -> Iterator[str]:
    """Files of include folders, namelists and input files, as relative names."""
    root = manifest.root
    for place in manifest.include_dirs:
        folder = root / place
        if folder.is_dir() and folder.resolve().is_relative_to(root.resolve()):
            yield from (
                p.relative_to(root).as_posix() for p in sorted(folder.iterdir()) if p.is_file()
            )
    for pattern in (*manifest.run.namelists, *manifest.run.files):
        yield from (p.relative_to(root).as_posix() for p in sorted(root.glob(pattern)))
