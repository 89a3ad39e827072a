"""Reading files of a tree that nobody vouches for."""

import errno
import os
import stat
from pathlib import Path

MOST_BYTES = 32 << 20
MOST_LINES = 300_000  # of a file with all it includes; ten times the longest known


def read_regular(path: Path) -> bytes:
    """The bytes of a regular file of at most `MOST_BYTES`; a pipe or device is never opened.

    Raises:
        OSError: it is missing, not readable, no regular file, or too large.
    """
    state = path.stat()
    if not stat.S_ISREG(state.st_mode):
        raise OSError(errno.EINVAL, "not a regular file", str(path))
    if state.st_size > MOST_BYTES:
        raise OSError(errno.EFBIG, f"larger than {MOST_BYTES >> 20} MiB", str(path))
    descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    with os.fdopen(descriptor, "rb") as file:
        return file.read(MOST_BYTES)
