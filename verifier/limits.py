"""Run a program that may hang, eat memory or fill the disk, and say what stopped it.

Time, memory, number of processes and disk use are those of the whole session the program starts,
watched from outside; each process also carries kernel limits (address space, CPU, file size), so
that one greedy system call is refused rather than noticed afterwards. Linux only.
"""

import os
import re
import resource
import shutil
import signal
import subprocess
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from acclimate.analysis.problems import Kind, Problem

_PAGE = os.sysconf("SC_PAGE_SIZE")
_OUT_OF_MEMORY = re.compile(
    rb"(?i)out of memory|cannot allocate memory|memory limit|error allocating|bad_alloc|memoryerror"
    rb"|virtual memory exhausted|allocation would exceed"
)
_NO_SPACE = re.compile(rb"(?i)no space left on device|disk quota exceeded")
_TOO_LARGE = re.compile(rb"(?i)file too large")
_LEAST_SPACE = 1 << 20  # B; a disk with less is full, whatever the program made of it
_EXCERPT = 400  # characters of output quoted in messages
_COMPLAINT_LINES = 4
_BACKTRACE = re.compile(r"(Error termination\. )?Backtrace( for this error)?:|#\d+ ")
_ASIDE = "Note: The following floating-point exceptions are signalling"


@dataclass(frozen=True, slots=True)
class Limits:
    """Seconds of wall-clock and CPU time, MiB of memory and of one file, number of processes."""

    wall: float = 300.0
    cpu: float = 600.0
    memory: int = 8192
    file: int = 4096
    processes: int = 64


class Stop(StrEnum):
    """What ended a program; `EXITED` with code 0 is the only good end."""

    EXITED = "exited"
    SIGNAL = "signal"
    WALL = "wall-clock limit"
    CPU = "CPU limit"
    MEMORY = "memory limit"
    DISK = "file size limit"
    NO_SPACE = "disk full"
    PROCESSES = "process limit"


@dataclass(frozen=True, slots=True)
class Finished:
    """How a program ended; times in seconds, `code` is negative for a signal."""

    argv: tuple[str, ...]
    code: int
    stop: Stop
    stdout: bytes
    stderr: bytes
    wall: float
    cpu: float
    limits: Limits

    @property
    def ok(self) -> bool:
        return self.stop is Stop.EXITED and self.code == 0

    @property
    def outcome(self) -> str:
        """One clause for a message, such as "ended with exit code 3"."""
        limits = self.limits
        match self.stop:
            case Stop.EXITED:
                return f"ended with exit code {self.code}"
            case Stop.SIGNAL:
                return f"was killed by {signal.Signals(-self.code).name}"
            case Stop.WALL:
                return f"did not end within {limits.wall:g} s"
            case Stop.CPU:
                return f"used more than {limits.cpu:g} s of CPU time"
            case Stop.MEMORY:
                return f"wanted more than {limits.memory} MiB of memory"
            case Stop.DISK:
                return f"wrote more than {limits.file} MiB"
            case Stop.NO_SPACE:
                return "found no space left on the disk"
            case Stop.PROCESSES:
                return f"started more than {limits.processes} processes"

    @property
    def last_words(self) -> str:
        """The end of standard error, or of standard output when nothing is there."""
        text = (self.stderr.strip() or self.stdout.strip()).decode("utf-8", "replace")
        return text if len(text) <= _EXCERPT else "…" + text[-_EXCERPT:]

    @property
    def complaint(self) -> str:
        """What a model says of its end: the first lines on standard error, backtraces left out.

        The last lines of standard output where nothing is there.
        """
        said: list[str] = []
        for line in self.stderr.decode("utf-8", "replace").splitlines():
            if _BACKTRACE.match(line.strip()):
                break
            if line.strip() and not line.startswith(_ASIDE):
                said.append(line.strip())
        if not said:
            printed = self.stdout.decode("utf-8", "replace").split("\n")
            said = [line.strip() for line in printed if line.strip()][-_COMPLAINT_LINES:]
        text = "; ".join(said[:_COMPLAINT_LINES])
        return text if len(text) <= _EXCERPT else text[:_EXCERPT] + "…"


def prlimit() -> str:
    """Where the program is that puts limits on others.

    Raises:
        Problem: it is not installed; nothing can be run then.
    """
    path = shutil.which("prlimit")
    if path is None:
        raise Problem(
            "no program can be run under limits: 'prlimit' is not on the PATH.",
            kind=Kind.ENVIRONMENT,
            hint="install the package util-linux, which holds it",
        )
    return path


def run_limited(
    argv: Sequence[str],
    *,
    cwd: Path,
    limits: Limits,
    logs: Path,
    environment: Mapping[str, str] | None = None,
    watch: Path | None = None,
    stdin: Path = Path(os.devnull),
) -> Finished:
    """Run `argv` in a session of its own, without a shell; by default standard input is empty.

    Standard output and error go to the files `logs`.stdout and `logs`.stderr, so that they count
    against the file size limit. `watch` is a folder whose total size is held to the same limit.

    Raises:
        Problem: the program cannot be started, or prlimit is missing.
    """
    limiter = prlimit()
    if shutil.which(argv[0], path=(environment or os.environ).get("PATH")) is None:
        raise _cannot_start(argv[0])
    out, err = logs.with_name(logs.name + ".stdout"), logs.with_name(logs.name + ".stderr")
    began = time.monotonic()
    with stdin.open("rb") as given, out.open("wb") as stdout, err.open("wb") as stderr:
        process = subprocess.Popen(
            [limiter, *_kernel_limits(limits), "--", *argv],
            cwd=cwd,
            env=None if environment is None else dict(environment),
            stdin=given,
            stdout=stdout,
            stderr=stderr,
            start_new_session=True,
        )
        try:
            killed, status, used = _attend(process.pid, limits, began, watch)
        except BaseException:  # interrupted: nothing that was started may go on
            _kill_session(process.pid)
            process.wait()
            raise
    process.returncode = os.waitstatus_to_exitcode(status)
    words, complaint = out.read_bytes(), err.read_bytes()
    return Finished(
        tuple(argv),
        process.returncode,
        killed or _why(process.returncode, complaint + words[-4096:], cwd),
        words,
        complaint,
        time.monotonic() - began,
        used.ru_utime + used.ru_stime,
        limits,
    )


def _kernel_limits(limits: Limits) -> list[str]:
    """Options of util-linux's prlimit, which puts limits on before the program starts."""
    mib, seconds = 1 << 20, max(1, round(limits.cpu))
    return [
        f"--as={2 * limits.memory * mib}",  # resident memory is watched
        f"--cpu={seconds}:{seconds + 5}",  # a signal with a name first, then the end
        f"--fsize={limits.file * mib}",
        "--core=0",
    ]


def _cannot_start(program: str) -> Problem:
    return Problem(
        f"cannot start '{program}': there is no such program.",
        kind=Kind.ENVIRONMENT,
        hint="install it, or name another one in acclimate.toml",
    )


def _attend(
    pid: int, limits: Limits, began: float, watch: Path | None
) -> tuple[Stop | None, int, resource.struct_rusage]:
    """Wait for the end; kill the session when it breaks a limit. Leaves no process behind."""
    killed: Stop | None = None
    pause, look = 0.001, 0.0
    while True:
        got, status, used = os.wait4(pid, os.WNOHANG)
        if got:
            _kill_session(pid)
            return killed, status, used
        now = time.monotonic()
        if killed is None and now >= look:
            killed = _broken(pid, limits, now - began, watch)
            look = now + 0.05
            if killed:
                _kill_session(pid)
        time.sleep(pause)
        pause = min(2 * pause, 0.02)


def _broken(pid: int, limits: Limits, elapsed: float, watch: Path | None) -> Stop | None:
    if elapsed > limits.wall:
        return Stop.WALL
    members = _session(pid)
    if len(members) > limits.processes:
        return Stop.PROCESSES
    if sum(map(_resident, members)) > limits.memory << 20:
        return Stop.MEMORY
    if watch is not None and _size(watch) > limits.file << 20:
        return Stop.DISK
    return None


def _session(leader: int) -> list[int]:
    members = []
    for entry in os.scandir("/proc"):
        if not entry.name.isdigit():
            continue
        try:
            if os.getsid(int(entry.name)) == leader:
                members.append(int(entry.name))
        except (ProcessLookupError, PermissionError):
            continue
    return members


def _resident(pid: int) -> int:
    try:
        return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * _PAGE
    except (OSError, IndexError):
        return 0


def _size(folder: Path) -> int:
    total = 0
    try:
        for entry in os.scandir(folder):
            if entry.is_file(follow_symlinks=False):
                total += entry.stat(follow_symlinks=False).st_size
            elif entry.is_dir(follow_symlinks=False):
                total += _size(Path(entry.path))
    except FileNotFoundError:
        return total
    return total


def _kill_session(leader: int) -> None:
    for pid in _session(leader):
        try:
            os.kill(pid, signal.SIGKILL)
        except ProcessLookupError:
            continue


def _why(code: int, words: bytes, folder: Path) -> Stop:
    if shutil.disk_usage(folder).free < _LEAST_SPACE:
        return Stop.NO_SPACE  # also after a good end: what it wrote may not be whole
    if code == 0:
        return Stop.EXITED
    if _NO_SPACE.search(words):
        return Stop.NO_SPACE
    if code == -signal.SIGXCPU:
        return Stop.CPU
    if code == -signal.SIGXFSZ or _TOO_LARGE.search(words):
        return Stop.DISK
    if _OUT_OF_MEMORY.search(words):
        return Stop.MEMORY
    return Stop.SIGNAL if code < 0 else Stop.EXITED
