import shutil
import signal
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

from acclimate.analysis.problems import Kind, Problem
from acclimate.verifier.limits import Finished, Limits, Stop, run_limited


def run(tmp_path: Path, code: str, **limits: float) -> Finished:
    chosen = Limits(**{"wall": 20.0, "cpu": 20.0, **limits})
    argv = [sys.executable, "-c", code]
    return run_limited(argv, cwd=tmp_path, limits=chosen, logs=tmp_path / "log", watch=tmp_path)


def test_a_missing_program_is_a_problem_of_the_environment(tmp_path):
    with pytest.raises(Problem) as caught:
        run_limited(["no-such-compiler"], cwd=tmp_path, limits=Limits(), logs=tmp_path / "log")
    assert caught.value.kind is Kind.ENVIRONMENT


def test_without_prlimit_the_package_is_named(tmp_path, monkeypatch):
    (tmp_path / "true").symlink_to("/bin/true")
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(Problem, match="'prlimit' is not on the PATH") as caught:
        run_limited(["true"], cwd=tmp_path, limits=Limits(), logs=tmp_path / "log")
    assert caught.value.kind is Kind.ENVIRONMENT
    assert "util-linux" in caught.value.hint


def test_a_full_disk_is_said_of_a_program_that_does_not_notice(tmp_path, monkeypatch):
    monkeypatch.setattr(shutil, "disk_usage", lambda path: SimpleNamespace(free=0))
    assert run(tmp_path, "pass").stop is Stop.NO_SPACE


def test_printing_success_and_ending_with_an_error_is_a_bad_end(tmp_path):
    done = run(tmp_path, "print('SUCCESS'); raise SystemExit(3)")
    assert (done.ok, done.code, done.stop) == (False, 3, Stop.EXITED)
    assert done.stdout == b"SUCCESS\n"


@pytest.mark.parametrize(
    ("code", "limits", "stop"),
    [
        pytest.param("import time; time.sleep(60)", {"wall": 0.3}, Stop.WALL, id="never ends"),
        pytest.param("while True: pass", {"cpu": 1}, Stop.CPU, id="burns time"),
        pytest.param("x = bytearray(1 << 33)", {"memory": 512}, Stop.MEMORY, id="one big piece"),
        pytest.param(
            "x = []\nwhile True: x.append(b'x' * (1 << 20))",
            {"memory": 256},
            Stop.MEMORY,
            id="eats memory",
        ),
        pytest.param(
            "f = open('big', 'wb')\nwhile True: f.write(b'x' * (1 << 20))",
            {"file": 8},
            Stop.DISK,
            id="fills a file",
        ),
        pytest.param(
            "n = 0\nwhile True:\n  n += 1\n  open(f'f{n}', 'wb').write(b'x' * (1 << 20))",
            {"file": 8},
            Stop.DISK,
            id="fills a folder",
        ),
        pytest.param(
            "open('/dev/full', 'w').write('x' * 100000)", {}, Stop.NO_SPACE, id="finds a full disk"
        ),
        pytest.param("while True: print('x' * 1000)", {"file": 2}, Stop.DISK, id="prints for ever"),
        pytest.param(
            "import os, time\nfor _ in range(8): os.fork() or time.sleep(60)\ntime.sleep(60)",
            {"processes": 4},
            Stop.PROCESSES,
            id="forks",
        ),
        pytest.param("import os; os.abort()", {}, Stop.SIGNAL, id="crashes"),
    ],
)
def test_each_limit_stops_a_program_and_says_which(tmp_path, code, limits, stop):
    done = run(tmp_path, code, **limits)
    assert (done.ok, done.stop) == (False, stop)
    assert done.outcome


def test_no_process_of_a_stopped_session_is_left(tmp_path):
    code = "import subprocess, sys, time\nsubprocess.Popen(['sleep', '61.25'])\ntime.sleep(60)"
    run(tmp_path, code, wall=0.5)
    lines = [p.read_bytes() for p in Path("/proc").glob("[0-9]*/cmdline") if p.exists()]
    assert not any(b"61.25" in line for line in lines)


def test_an_interrupt_ends_what_was_started(tmp_path):
    def interrupt(number, frame):
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGALRM, interrupt)
    signal.setitimer(signal.ITIMER_REAL, 0.5)
    try:
        with pytest.raises(KeyboardInterrupt):
            run(tmp_path, "import time\ntime.sleep(62.75)")
    finally:
        signal.signal(signal.SIGALRM, before)
    lines = [p.read_bytes() for p in Path("/proc").glob("[0-9]*/cmdline") if p.exists()]
    assert not any(b"62.75" in line and b"time.sleep" in line for line in lines)


def test_a_good_run_is_left_alone(tmp_path):
    done = run(tmp_path, "import sys; print('out'); print('err', file=sys.stderr)")
    assert (done.ok, done.stdout, done.stderr) == (True, b"out\n", b"err\n")
