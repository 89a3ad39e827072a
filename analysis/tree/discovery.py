"""Finding the Fortran files of a tree, without leaving it and without walking in circles."""

import os
import re
from pathlib import Path

from acclimate.analysis.view.regular_files import read_regular
from acclimate.analysis.view.source_forms import FIXED_SUFFIXES, FREE_SUFFIXES

_SKIPPED = frozenset({".git", ".svn", ".hg", ".acclimate", "CMakeFiles", "node_modules"})
_UNIT = re.compile(
    rb"^[ \t]*(?:(program)[ \t]+(\w+)|(module)[ \t]+(?!procedure\b)(\w+)|(subroutine)[ \t]+(\w+))"
    rb"[ \t]*(?:$|!|\(|\r)",
    re.IGNORECASE | re.MULTILINE,
)
_FILE_NAME = re.compile(rb"""file[ \t]*=[ \t]*['"]([^'"]+)['"]""", re.IGNORECASE)


def fortran_files(root: Path) -> list[str]:
    """Relative paths of the Fortran sources below `root`, sorted; links out of it are left out."""
    inside = root.resolve()
    found: list[str] = []
    seen: set[Path] = set()
    for folder, folders, files in os.walk(root, followlinks=True):
        real = Path(folder).resolve()
        if real in seen or not real.is_relative_to(inside):
            folders.clear()
            continue
        seen.add(real)
        folders[:] = sorted(f for f in folders if f not in _SKIPPED)
        for name in sorted(files):
            path = Path(folder, name)
            if path.suffix.lower() not in FIXED_SUFFIXES | FREE_SUFFIXES:
                continue
            if path.is_file() and path.resolve().is_relative_to(inside):
                found.append(path.relative_to(root).as_posix())
    return sorted(found)


def include_folders(root: Path) -> list[str]:
    """Folders holding files that are meant to be included."""
    folders: set[str] = set()
    for suffix in ("*.inc", "*.h", "*.fi", "*.incf"):
        for path in root.rglob(suffix):
            if not set(path.relative_to(root).parts) & _SKIPPED:
                folders.add(path.parent.relative_to(root).as_posix())
    return sorted(folders)


def defined_units(data: bytes) -> list[tuple[str, str]]:
    """(kind, name) of the programs, modules and subroutines that a quick look finds."""
    found: list[tuple[str, str]] = []
    for match in _UNIT.finditer(data):
        parts = [part.decode("latin-1").lower() for part in match.groups() if part]
        found.append((parts[0], parts[1]))
    return found


def namelist_files(root: Path, sources: dict[str, bytes]) -> list[str]:
    """Files next to the model that its OPEN statements name and that begin a namelist group."""
    names: set[str] = set()
    for data in sources.values():
        names.update(m.decode("latin-1") for m in _FILE_NAME.findall(data))
    candidates = {name for name in names if os.path.isfile(root / name)}  # noqa: PTH113
    for pattern in ("*.nml", "namelist*", "input/*.nml", "run/*.nml", "run/namelist*"):
        candidates.update(p.relative_to(root).as_posix() for p in root.glob(pattern) if p.is_file())
    return sorted(name for name in candidates if _is_namelist(root, name))


def _is_namelist(root: Path, name: str) -> bool:
    path = (root / name).resolve()
    if not path.is_relative_to(root.resolve()) or path.stat().st_size > 1 << 20:
        return False
    try:
        return re.search(rb"^\s*[&$]\w+", read_regular(path), re.MULTILINE) is not None
    except OSError:
        return False
