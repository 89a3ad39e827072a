"""The work folder of a model, `.acclimate/` in its root, and the lock that keeps two runs apart."""

import fcntl
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from errno import EDQUOT, ENOSPC
from hashlib import sha256
from pathlib import Path

from acclimate.analysis.problems import Kind, Problem
from acclimate.porter.agent.left_overs import end_left_overs, marked
from acclimate.porter.keeping.atomic import write_atomically

NAME = ".acclimate"
LAST = "last-port"


def work_folder(root: Path, source: Path | None) -> Path:
    """Make (if need be) and return the work folder of the model at `root`.

    `source` is the file of a model that is one source file; several such may share a root.
    A root that cannot be written gets a folder in the user's cache (XDG_CACHE_HOME).
    """
    part = Path(source.name) if source else Path()
    inside = root / NAME
    try:
        _make(inside)
    except OSError as error:
        if error.errno in (ENOSPC, EDQUOT):
            raise
        inside = _cache_folder(root)
        _make(inside)
    folder = inside / part
    folder.mkdir(exist_ok=True)
    return folder


def existing_work_folder(model: Path) -> Path | None:
    """The work folder of `model`, a tree or a source file, None where there is none yet."""
    root, part = (model.parent, model.name) if model.is_file() else (model, "")
    folders = (root / NAME / part, _cache_folder(root) / part)
    return next((folder for folder in folders if folder.is_dir()), None)


def remember_place(work: Path, model: Path, documents: Path) -> None:
    """Note in the work folder where the last port's report lies, and which model that is of."""
    write_atomically(work / LAST, b"\0".join(_resolved(path) for path in (documents, model)))


def _resolved(path: Path) -> bytes:
    return os.fsencode(path.resolve())


def last_place(model: Path) -> Path | None:
    """Where the last port of `model`, a tree or a source file, has its report; None: unknown.

    A copied work folder tells of the port of the model that it was copied from, not of this one's.
    """
    root, part = (model.parent, model.name) if model.is_file() else (model, "")
    for folder in (root / NAME / part, _cache_folder(root) / part):
        try:
            place, _, owner = (folder / LAST).read_bytes().partition(b"\0")
        except OSError:
            continue
        if owner in (b"", _resolved(model)):
            return Path(os.fsdecode(place))
    return None


def _make(folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    ignore = folder / ".gitignore"
    if not ignore.exists():
        ignore.write_text("*\n")


def _cache_folder(root: Path) -> Path:
    home = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    return home / "acclimate" / sha256(os.fsencode(root.resolve())).hexdigest()[:16]


@contextmanager
def locked(folder: Path, waiting: Callable[[str], None] | None = None) -> Iterator[None]:
    """Hold the lock of a work folder; the system drops it with the process, however that ends.

    Programs that a killed holder left running are ended first.
    Where another process holds it, `waiting` is told so and the lock is waited for.

    Raises:
        Problem: another process holds it, and `waiting` is None.
    """
    path = folder / "lock"
    with path.open("a+") as stream:
        try:
            fcntl.flock(stream, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            stream.seek(0)
            holder = f"process {stream.read().strip() or 'unknown'} holds {path}"
            if waiting is None:
                raise Problem(
                    f"another acclimate works in {folder}",
                    kind=Kind.ENVIRONMENT,
                    notes=(holder,),
                    hint="wait for it to end, or end it; its work is kept",
                ) from None
            waiting(f"waiting: {holder}")
            fcntl.flock(stream, fcntl.LOCK_EX)
        stream.truncate(0)
        stream.write(f"{os.getpid()}\n")
        stream.flush()
        end_left_overs(folder)
        with marked(folder):
            yield
