"""Landing a port in a folder: built beside it, put in its place by renaming."""

import json
import os
import shutil
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from errno import EACCES, EDQUOT, ENOSPC, EPERM, EROFS
from hashlib import sha256
from pathlib import Path
from secrets import token_hex

from acclimate.analysis.problems import Kind, Problem
from acclimate.porter.agent.artefacts import Landed, ModelFile
from acclimate.porter.agent.tree import put_tree, remove_tree

REPORT = "report.json"
SCHEMA = "acclimate/report/1"


def check_place(folder: Path, root: Path | None, work: Path) -> None:
    """Refuse a place that would overwrite what is not a port of ours, or lie in the user's tree,
    or in which no folder can be made: a probe is made beside it and removed again.

    `root` is None for a model that is one source file: the folder around it is not the model.

    Raises:
        Problem: with the folder and what to choose instead.
    """
    if root is not None:
        _check_apart(folder, root, work)
    with usable(folder):
        if folder.exists() and folder.samefile(Path.cwd()):
            raise Problem(
                "the port cannot go to the current folder: it would be replaced under your feet",
                hint="name a folder in it with --out",
            )
        if folder.exists() and not _empty(folder) and recorded(folder) is None:
            raise Problem(
                f"{folder} exists and is not a port made by acclimate",
                notes=(f"it holds no {REPORT} of ours, so nothing in it is touched",),
                hint="choose another folder with --out, or move this one away",
            )
        _probe(folder)


@contextmanager
def usable(folder: Path) -> Iterator[None]:
    """What the system refuses inside the block is a problem with the place, not a bug.

    Raises:
        Problem: of the environment for permissions and disks that are only read, else misuse.
        OSError: the disk is full.
    """
    try:
        yield
    except OSError as error:
        if error.errno in (ENOSPC, EDQUOT):
            raise
        kind = Kind.ENVIRONMENT if error.errno in (EACCES, EPERM, EROFS) else Kind.MISUSED
        raise Problem(
            f"the port cannot go to {folder}: {error.strerror}",
            kind=kind,
            notes=(f"at {error.filename}",) if error.filename else (),
            hint="choose another folder with --out",
        ) from error


def _probe(folder: Path) -> None:
    """Make what landing would make, and take it away again."""
    made = [path for path in (folder.parent, *folder.parent.parents) if not path.exists()]
    probe = _beside(folder)
    try:
        probe.mkdir(parents=True)
    finally:
        for path in (probe, *made):
            if path.is_dir():
                path.rmdir()


def _beside(folder: Path) -> Path:
    return folder.with_name(f".{folder.name}.acclimate-{token_hex(6)}")


def _check_apart(folder: Path, root: Path, work: Path) -> None:
    place = Path(os.path.realpath(folder))
    if place.is_relative_to(root.resolve()) and not place.is_relative_to(work.resolve()):
        raise Problem(
            f"the port cannot go to {folder}: it lies inside the model's own tree",
            hint="choose a folder outside it with --out, or leave --out away",
        )
    if root.resolve().is_relative_to(place):
        raise Problem(
            f"the port cannot go to {folder}: the model lies inside it",
            hint="choose another folder with --out",
        )


def recorded(folder: Path) -> dict[str, str] | None:
    """The sha256 of every file that a migration put into `folder`; None if it is not a port."""
    try:
        report = json.loads((folder / REPORT).read_bytes())
    except (OSError, ValueError):
        return None
    if not isinstance(report, dict) or report.get("schema") != SCHEMA:
        return None
    files = report.get("files")
    return files if isinstance(files, dict) else None


def intact(folder: Path, landed: Landed) -> bool:
    """Whether every file of the port is still there as it was landed."""
    return all(_digest(folder / name) == digest for name, digest in landed.files.items())


def land(
    root: Path,
    files: Mapping[str, ModelFile],
    changed: Mapping[str, bytes],
    documents: Mapping[str, bytes],
    folder: Path,
    attic: Path,
) -> Landed:
    """Put the ported tree and the `documents` about it into `folder`, whole or not at all.

    A port of ours that is there already is replaced; one in which files were edited or added
    since is moved to a new folder below `attic` instead of being deleted.

    Raises:
        Problem: a file of the original has changed, or `folder` cannot be written any more.
    """
    with usable(folder):
        return _landed(root, files, changed, documents, folder, attic)


def _landed(
    root: Path,
    files: Mapping[str, ModelFile],
    changed: Mapping[str, bytes],
    documents: Mapping[str, bytes],
    folder: Path,
    attic: Path,
) -> Landed:
    moved = None
    folder.parent.mkdir(parents=True, exist_ok=True)
    for left_over in folder.parent.glob(f".{folder.name}.acclimate-*"):
        remove_tree(left_over)
    new = _beside(folder)
    new.mkdir()
    try:
        put_tree(root, files, changed, new)
        for name, content in documents.items():
            (new / name).write_bytes(content)
        put = {name: _digest(new / name) for name in (*files, *changed, *documents)}
        _sync(new)
        if folder.exists():
            moved = _clear(folder, attic)
        new.rename(folder)
    except BaseException:
        remove_tree(new)
        raise
    return Landed(str(folder), put, str(moved) if moved else "")


def _clear(folder: Path, attic: Path) -> Path | None:
    """Take the old port away; its record is the report's, so edited and added files show.

    Returns where it was moved to, None where it was as it had been landed and is gone.
    """
    record = recorded(folder) or {}
    present = {
        path.relative_to(folder).as_posix()
        for path in folder.rglob("*")
        if path.is_symlink() or path.is_file()
    }
    added = present - record.keys() - {REPORT, "report.md", "report.html"}
    if added or any(_digest(folder / name) != digest for name, digest in record.items()):
        attic.mkdir(parents=True, exist_ok=True)
        kept = attic / f"{folder.name}-{token_hex(4)}"
        shutil.move(folder, kept)
        return kept
    old = _beside(folder)
    folder.rename(old)
    remove_tree(old)
    return None


def _digest(path: Path) -> str:
    if path.is_symlink():
        return f"link:{path.readlink()}"
    return sha256(path.read_bytes()).hexdigest() if path.is_file() else ""


def _empty(folder: Path) -> bool:
    return folder.is_dir() and next(folder.iterdir(), None) is None


def _sync(folder: Path) -> None:
    """Hand everything below `folder` to the disk, so that a rename never outlives the bytes."""
    for path in folder.rglob("*"):
        if path.is_file() and not path.is_symlink():
            with path.open("rb") as stream:
                os.fsync(stream.fileno())
