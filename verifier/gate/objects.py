"""Contents stored under their own hash, compressed: the large part of a baseline."""

import hashlib
import zlib
from pathlib import Path

from acclimate.analysis.problems import Kind, Problem

_POINTER = b"version https://git-lfs"


def put(folder: Path, content: bytes) -> str:
    """Store `content` (once) and return its name, the SHA-256 of it."""
    name = hashlib.sha256(content).hexdigest()
    path = _path(folder, name)
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        unfinished = path.with_suffix(".part")
        unfinished.write_bytes(zlib.compress(content, 6))
        unfinished.replace(path)
    return name


def get(folder: Path, name: str) -> bytes:
    """The content called `name`.

    Raises:
        Problem: it is missing, damaged, or a pointer of Git LFS without what it points at.
    """
    path = _path(folder, name)
    hint = "restore the baseline's folder from where it is kept, or make the baseline anew"
    try:
        stored = path.read_bytes()
    except OSError as error:
        raise Problem(
            f"the baseline is not whole: {path} cannot be read ({error.strerror}).",
            kind=Kind.ENVIRONMENT,
            hint=hint,
        ) from error
    if stored.startswith(_POINTER):
        raise Problem(
            f"{path} is a pointer of Git LFS, not the content itself.",
            kind=Kind.ENVIRONMENT,
            hint="run 'git lfs pull' first",
        )
    try:
        content = zlib.decompress(stored)
    except zlib.error:
        content = b""
    if hashlib.sha256(content).hexdigest() != name:
        raise Problem(f"{path} is damaged.", kind=Kind.ENVIRONMENT, hint=hint)
    return content


def sweep(folder: Path, wanted: set[str]) -> int:
    """Remove what is not `wanted`; the number of bytes that frees."""
    freed = 0
    for path in folder.glob("??/*"):
        if path.parent.name + path.name not in wanted:
            freed += path.stat().st_size
            path.unlink()
    return freed


def _path(folder: Path, name: str) -> Path:
    return folder / name[:2] / name[2:]
