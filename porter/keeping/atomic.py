"""Writes that are whole or absent."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from secrets import token_hex
from typing import IO


@contextmanager
def written(path: Path) -> Iterator[IO[bytes]]:
    """Open a temporary file beside `path` that takes its place when the block ends well.

    A reader, a crash or a full disk sees the old content or the new, never a part.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = path.with_name(f".{path.name}.{token_hex(6)}.tmp")
    try:
        with temporary.open("xb") as stream:
            yield stream
            stream.flush()
            os.fsync(stream.fileno())
        temporary.replace(path)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise
    _sync_folder(path.parent)


def write_atomically(path: Path, content: bytes) -> None:
    """Write `content` to `path` as `written` does."""
    with written(path) as stream:
        stream.write(content)


def _sync_folder(folder: Path) -> None:
    handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
