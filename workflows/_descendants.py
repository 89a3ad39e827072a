"""The programs this process started, and those they started."""

import os
import signal
from collections import defaultdict
from pathlib import Path


def end_descendants() -> None:
    """Kill every descendant of this process, in whatever session it runs."""
    for pid in _descendants(os.getpid()):
        try:
            os.kill(pid, signal.SIGKILL)
        except ProcessLookupError:
            continue


def _descendants(root: int) -> list[int]:
    children = defaultdict(list)
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            children[_parent(entry)].append(int(entry.name))
    found = list(children[root])
    for pid in found:  # grows while it is walked
        found += children[pid]
    return found


def _parent(process: Path) -> int:
    """The parent's process id; 0 for a process that has ended."""
    try:
        return int(process.joinpath("stat").read_text().rpartition(")")[2].split()[1])
    except (OSError, IndexError, ValueError):
        return 0
