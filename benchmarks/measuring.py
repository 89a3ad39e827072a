"""A process, and what it cost with all its children."""

import os
import subprocess
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Cost:
    """Processor and wall time in seconds, the largest process in MiB."""

    cpu: float
    wall: float
    peak_mib: float


class RunFailed(RuntimeError):
    """A measured program ended with an error; its last words are the message."""


def measured(command: list[str], given: str = "") -> tuple[str, Cost]:
    """Run a program to its end; its standard output, and what it cost.

    Raises:
        RunFailed: it ended with an error.
    """
    with tempfile.TemporaryFile("w+") as out, tempfile.TemporaryFile("w+") as err:
        start = time.perf_counter()
        process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=out, stderr=err, text=True
        )
        assert process.stdin is not None
        process.stdin.write(given)
        process.stdin.close()
        _, status, usage = os.wait4(process.pid, 0)
        wall = time.perf_counter() - start
        process.returncode = os.waitstatus_to_exitcode(status)
        out.seek(0)
        err.seek(0)
        if process.returncode:
            raise RunFailed(f"{Path(command[0]).name}: {err.read()[-400:]}")
        return out.read(), Cost(usage.ru_utime + usage.ru_stime, wall, usage.ru_maxrss / 1024)


def load() -> float:
    """Processes that waited for a processor in the last minute, on average."""
    return os.getloadavg()[0]
