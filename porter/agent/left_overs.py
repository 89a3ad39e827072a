"""Programs that a killed run left behind: they carry its work folder in their environment."""

import os
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

MARK = "ACCLIMATE_WORK_FOLDER"


@contextmanager
def marked(folder: Path) -> Iterator[None]:
    """Mark all programs started inside the block as working in `folder`."""
    before = os.environ.get(MARK)
    os.environ[MARK] = str(folder.resolve())
    try:
        yield
    finally:
        os.environ.pop(MARK)
        if before is not None:
            os.environ[MARK] = before


def end_left_overs(folder: Path) -> None:
    """Kill every other process that is marked with `folder`; call it only under its lock."""
    mark = os.fsencode(f"{MARK}={folder.resolve()}")
    for process in Path("/proc").iterdir():
        if not process.name.isdigit() or int(process.name) == os.getpid():
            continue
        try:
            if mark in (process / "environ").read_bytes().split(b"\0"):
                os.kill(int(process.name), signal.SIGKILL)
        except OSError:  # it has ended, or is somebody else's
            continue
