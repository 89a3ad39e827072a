"""A port read again as a project, from a temporary tree with the model's other files."""

import shutil
import tempfile
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path, PurePosixPath

from acclimate.analysis.project import Project, read_project
from acclimate.analysis.tree.manifest import Manifest

_LARGEST = 4 << 20  # bytes; larger files are data, and linked to


def read_ported(manifest: Manifest, ported: Mapping[str, bytes]) -> Project:
    """The project with some files replaced; its lines are those of the ported text.

    The preprocessor and INCLUDE look for their files on disk, hence the temporary tree.
    """
    with tempfile.TemporaryDirectory(prefix="acclimate-") as name:
        root = Path(name)
        _mirror(manifest, root, ported)
        return read_project(replace(manifest, root=root))


def _mirror(manifest: Manifest, root: Path, ported: Mapping[str, bytes]) -> None:
    folders = {PurePosixPath(file).parent for file in manifest.sources}
    folders |= {PurePosixPath(folder) for folder in manifest.include_dirs}
    folders = {folder for folder in folders if not folder.is_absolute()} | {PurePosixPath()}
    folders |= {parent for folder in folders for parent in folder.parents}
    for folder in sorted(folders):
        (root / folder).mkdir(parents=True, exist_ok=True)
    inside = manifest.root.resolve()
    for folder in sorted(folders):
        source = manifest.root / folder
        for entry in sorted(source.iterdir()) if source.is_dir() else []:
            place = root / folder / entry.name
            if not place.exists() and not entry.name.startswith("."):
                led_to = entry.resolve()
                small = led_to.is_file() and led_to.stat().st_size <= _LARGEST
                if small and led_to.is_relative_to(inside):
                    shutil.copyfile(entry, place)  # an INCLUDE follows no link out of its tree
                else:
                    place.symlink_to(led_to)
    for file, data in ported.items():
        target = root / file
        target.unlink(missing_ok=True)
        target.write_bytes(data)
