"""Results kept between runs, in a folder that belongs to the user and not to the model.

A model's tree is untrusted: results found in it could be forged to say that a loop is parallel.
So they lie in the user's own cache folder, and every entry is sealed with a key that only the
user can read. An entry that is truncated, changed, renamed or of another user is no entry.
"""

import hmac
import os
import secrets
import stat
import tempfile
from contextlib import suppress
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path

from acclimate.analysis.problems import Kind, Problem

VARIABLE = "ACCLIMATE_CACHE"
LIMIT = 1 << 30  # bytes of all entries together
_SECRET = "secret"
_SECRET_BYTES = 32
_SEAL_BYTES = 32


@dataclass(frozen=True, slots=True)
class Cache:
    """Entries by key (hexadecimal digits). Use `open_cache`."""

    folder: Path
    secret: bytes
    limit: int = LIMIT

    def get(self, key: str) -> bytes | None:
        """The entry as it was put; None where there is none that can be trusted."""
        path = self._path(key)
        try:
            sealed = path.read_bytes()
            os.utime(path)  # the oldest go first
        except OSError:
            return None
        seal, content = sealed[:_SEAL_BYTES], sealed[_SEAL_BYTES:]
        return content if hmac.compare_digest(seal, self._seal(key, content)) else None

    def put(self, key: str, content: bytes) -> None:
        """Keep an entry, whole or not at all; a full disk keeps nothing."""
        with suppress(OSError):
            self._replace(self._path(key), self._seal(key, content) + content)
            self._prune()

    def _path(self, key: str) -> Path:
        return self.folder / f"{key}.entry"

    def _seal(self, key: str, content: bytes) -> bytes:
        seal = blake2b(key.encode(), key=self.secret, digest_size=_SEAL_BYTES)
        seal.update(b"\0")
        seal.update(content)
        return seal.digest()

    def _replace(self, path: Path, content: bytes) -> None:
        number, name = tempfile.mkstemp(prefix="new-", dir=self.folder)
        try:
            with os.fdopen(number, "wb") as file:
                file.write(content)
            Path(name).replace(path)
        except OSError:
            with suppress(OSError):
                Path(name).unlink()
            raise

    def _prune(self) -> None:
        """Remove the entries that were not used for longest until the rest fits."""
        found: list[tuple[float, int, str]] = []
        with os.scandir(self.folder) as entries:
            for entry in entries:
                with suppress(OSError):
                    if entry.name != _SECRET:
                        state = entry.stat(follow_symlinks=False)
                        found.append((state.st_mtime, state.st_size, entry.path))
        size = sum(own for _, own, _ in found)
        for _, own, path in sorted(found):
            if size <= self.limit:
                return
            with suppress(OSError):
                Path(path).unlink()
            size -= own


def default_folder() -> Path:
    """`$XDG_CACHE_HOME/acclimate`, by default `~/.cache/acclimate`."""
    given = os.environ.get("XDG_CACHE_HOME", "")
    parent = Path(given) if Path(given).is_absolute() else Path.home() / ".cache"
    return parent / "acclimate"


def open_cache(folder: Path) -> Cache:
    """A cache in a folder, which is made where it does not exist.

    Raises:
        Problem: it cannot be made or written, or others than the user may write to it.
    """
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        state = folder.stat()
        if not stat.S_ISDIR(state.st_mode) or not os.access(folder, os.W_OK | os.X_OK):
            raise _refused(folder, "it cannot be written")
        if state.st_uid != os.geteuid() or state.st_mode & 0o022:
            raise _refused(folder, "others may write to it")
        return Cache(folder, _secret(folder / _SECRET))
    except (OSError, RuntimeError) as error:
        raise _refused(folder, getattr(error, "strerror", None) or str(error)) from error


def _refused(folder: Path, reason: str) -> Problem:
    return Problem(
        f"results cannot be kept in {folder}: {reason}",
        kind=Kind.ENVIRONMENT,
        hint=f"name another folder with --cache or {VARIABLE}, or none with --cache none",
    )


def _secret(path: Path) -> bytes:
    """The key of the seals, made by whoever comes first."""
    if not path.exists():
        number, name = tempfile.mkstemp(prefix="new-", dir=path.parent)  # readable by the user only
        with os.fdopen(number, "wb") as file:
            file.write(secrets.token_bytes(_SECRET_BYTES))
        with suppress(FileExistsError):
            os.link(name, path)
        Path(name).unlink()
    found = path.read_bytes()
    if len(found) != _SECRET_BYTES:
        raise _refused(path.parent, "its key is damaged (remove it)")
    return found
