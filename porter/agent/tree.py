"""Which files make up a model, and putting an original or a ported tree on disk."""

import os
import shutil
import subprocess
from collections.abc import Iterable, Mapping
from hashlib import sha256
from pathlib import Path

from acclimate.analysis.problems import Kind, Problem
from acclimate.porter.agent.artefacts import ModelFile

GIT = ("git", "-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null")


def model_files(root: Path, named: Iterable[str], *, whole_tree: bool) -> dict[str, ModelFile]:
    """The files of the model at `root`, by path relative to it, sorted.

    With `whole_tree` these are all files below `root` that git does not ignore, folders whose name
    starts with a dot left out. The `named` ones (sources, namelists, run inputs) always belong.

    Raises:
        Problem: a named file does not exist or cannot be read.
    """
    found = set(named)
    if whole_tree:
        found |= set(_walk(root)) - _ignored(root)
    return {name: _described(root, name) for name in sorted(found)}


def _walk(root: Path) -> Iterable[str]:
    for folder, folders, files in os.walk(root):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        for name in files:
            yield (Path(folder) / name).relative_to(root).as_posix()


def _ignored(root: Path) -> set[str]:
    """What git ignores below `root`; nothing where there is no git, or `root` itself is ignored."""
    if shutil.which("git") is None or _git(root, "check-ignore", "--quiet", ".").returncode == 0:
        return set()
    answer = _git(root, "ls-files", "-z", "--others", "--ignored", "--exclude-standard")
    return {os.fsdecode(name) for name in answer.stdout.split(b"\0") if name}


def _git(root: Path, *arguments: str) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run([*GIT, *arguments], cwd=root, capture_output=True, timeout=60)


def _described(root: Path, name: str) -> ModelFile:
    path = root / name
    if path.is_symlink() and not _inside(root, path):
        return ModelFile(link=str(path.resolve()))
    try:
        executable = os.access(path, os.X_OK)
        if path.is_symlink():
            return ModelFile(link=str(path.readlink()), executable=executable)
        with path.open("rb") as stream:
            digest = sha256(stream.read()).hexdigest()
    except OSError as error:
        raise Problem(
            f"cannot read {name}: {error.strerror}",
            kind=Kind.ENVIRONMENT,
            notes=(f"it belongs to the model at {root}",),
            hint="mend the path or the permissions, or take it out of acclimate.toml",
        ) from error
    return ModelFile(digest, executable)


def _inside(root: Path, link: Path) -> bool:
    target = link.resolve()
    return not link.readlink().is_absolute() and target.is_relative_to(root.resolve())


def put_tree(
    root: Path, files: Mapping[str, ModelFile], changed: Mapping[str, bytes], folder: Path
) -> None:
    """Write the model's `files` below the new `folder`, those in `changed` with their new bytes.

    Raises:
        Problem: a file of the original is no longer what the survey saw.
    """
    for name in sorted(files.keys() | changed.keys()):
        target = folder / name
        target.parent.mkdir(parents=True, exist_ok=True)
        file = files.get(name, ModelFile())
        if name in changed:
            target.write_bytes(changed[name])
        elif file.link:
            target.symlink_to(file.link)
            continue
        else:
            _copy(root / name, target, file.sha256)
        if file.executable:
            target.chmod(target.stat().st_mode | 0o111)


def _copy(source: Path, target: Path, expected: str) -> None:
    content = source.read_bytes()
    if sha256(content).hexdigest() != expected:
        raise Problem(
            f"{source} changed while it was being migrated",
            kind=Kind.ENVIRONMENT,
            hint="run the same command again: it starts anew from the changed file",
        )
    target.write_bytes(content)


def remove_tree(folder: Path) -> None:
    """Delete a folder that this program made; nothing happens when it is not there."""
    if folder.exists():
        shutil.rmtree(folder)
