"""The command line: what it says, where, and with which exit code."""

import os
import signal
import subprocess
import sys
from functools import partial
from pathlib import Path

import pytest

from acclimate.workflows._exit import Exit

ACCLIMATE = Path(sys.executable).with_name("acclimate")


def acclimate(*arguments, cwd=None, env=None):
    return subprocess.run(
        [ACCLIMATE, *map(str, arguments)],
        cwd=cwd,
        env=os.environ | (env or {}),
        capture_output=True,
        text=True,
    )


@pytest.mark.parametrize(
    ("word", "hint"),
    [
        ("migrat", "hint: did you mean 'acclimate migrate'?"),
        ("quux", "hint: see acclimate --help"),
        ("progress", "hint: see acclimate --help"),  # a file of the folder without a `run`
        ("_exit", "hint: see acclimate --help"),
    ],
)
def test_an_unknown_command_is_misuse_and_the_nearest_is_named(word, hint):
    run = acclimate(word)
    assert run.returncode == Exit.MISUSED
    assert run.stdout == ""
    assert run.stderr.splitlines()[0] == f"error: there is no command '{word}'"
    assert run.stderr.splitlines()[-1] == hint


@pytest.mark.parametrize("arguments", [(), ("analyze",), ("migrate", "x", "--jobs", "two")])
def test_missing_and_malformed_arguments_are_misuse(arguments):
    assert acclimate(*arguments).returncode == Exit.MISUSED


@pytest.mark.parametrize("command", ["analyze", "migrate"])
def test_an_unknown_option_shows_how_the_command_is_used(command):
    run = acclimate(command, "x", "--dry-rum")
    assert run.returncode == Exit.MISUSED
    assert run.stderr.startswith(f"usage: acclimate {command} ")
    assert f"acclimate {command}: error: unrecognized arguments: --dry-rum" in run.stderr


def test_help_lists_every_command_with_its_first_line():
    run = acclimate("--help", env={"COLUMNS": "200"})
    assert run.returncode == Exit.DONE
    commands = (
        "analyze",
        "bisect",
        "diagnose",
        "doctor",
        "evaluate",
        "explain",
        "gate",
        "init",
        "migrate",
        "replay",
        "report",
        "review",
        "selftest",
        "verify",
    )
    listed = [line.split()[0] for line in run.stdout.splitlines() if line.startswith("    ")]
    assert listed == [*commands]


@pytest.mark.parametrize("command", ["analyze", "migrate", "verify", "init"])
def test_a_path_that_does_not_exist_is_misuse(command, tmp_path):
    run = acclimate(command, tmp_path / "nowhere")
    assert run.returncode == Exit.MISUSED
    assert "nowhere" in run.stderr
    assert "hint: " in run.stderr
    assert "Traceback" not in run.stderr


@pytest.mark.parametrize("ending", [signal.SIGINT, signal.SIGTERM])
def test_an_interrupt_ends_with_130_and_says_how_to_resume(tmp_path, ending):
    (tmp_path / "m.f90").write_text("program m\nend program\n")
    waiting = tmp_path / "gfortran"  # a compiler that never answers
    waiting.write_text("#!/bin/sh\necho $$ > started\nexec sleep 600\n")
    waiting.chmod(0o755)
    command = [ACCLIMATE, "migrate", "m.f90", "--fresh", "--only", "m*"]
    env = os.environ | {"PATH": f"{tmp_path}:{os.environ['PATH']}", "TMPDIR": str(tmp_path)}
    with subprocess.Popen(
        command,
        cwd=tmp_path,
        env=env,
        stderr=subprocess.PIPE,
        text=True,
        # what a shell starts in the background ignores SIGINT, and so would what it starts
        preexec_fn=partial(signal.signal, ending, signal.SIG_DFL),
    ) as process:
        child = started(tmp_path)
        process.send_signal(ending)
        _, words = process.communicate(timeout=30)
    assert process.returncode == Exit.INTERRUPTED
    assert words.splitlines()[-2:] == [
        "interrupted",
        "hint: resume with: acclimate migrate m.f90 --only 'm*'",
    ]
    assert not runs(child)


def runs(process):
    """Whether a process is there and more than a zombie."""
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


def started(folder: Path) -> int:
    """The process id that the waiting compiler wrote down."""
    for _ in range(600):
        found = [path.read_text() for path in folder.rglob("started")]
        if found and found[0].endswith("\n"):
            return int(found[0])
        signal.sigtimedwait([], 0.05)
    raise AssertionError("the compiler was never called")


@pytest.mark.needs("setpriv")
@pytest.mark.parametrize("command", ["migrate", "verify"])
def test_a_source_that_may_not_be_read_is_named(pond, command):
    """Root may read everything unless it gives that up."""
    (pond / "src/water.f90").chmod(0)
    humble = ["setpriv", "--bounding-set=-dac_override,-dac_read_search"] * (os.geteuid() == 0)
    run = subprocess.run([*humble, ACCLIMATE, command, pond], capture_output=True, text=True)
    assert run.returncode == Exit.ENVIRONMENT
    assert "src/water.f90" in run.stderr
    assert run.stderr.splitlines()[-1].startswith("hint: ")
    assert "Traceback" not in run.stderr


def test_a_current_folder_that_is_gone_is_named(tmp_path):
    (tmp_path / "gone").mkdir()
    script = f"cd {tmp_path}/gone && rmdir ../gone && {ACCLIMATE} analyze x"
    run = subprocess.run(script, shell=True, capture_output=True, text=True)
    assert run.returncode == Exit.ENVIRONMENT
    assert run.stderr.startswith("error: the current folder does not exist any more\n")


def test_a_closed_pipe_is_no_error(tmp_path):
    run = subprocess.run(
        f"{ACCLIMATE} doctor --json - | true", shell=True, capture_output=True, text=True
    )
    assert run.stderr == ""


def test_a_full_device_is_named_and_is_the_environments_fault():
    run = acclimate("doctor", "--json", "/dev/full")
    assert run.returncode == Exit.ENVIRONMENT
    assert run.stderr.splitlines() == [
        "error: the disk is full",
        "hint: free some space and run the same command again; nothing was left half-written",
    ]
