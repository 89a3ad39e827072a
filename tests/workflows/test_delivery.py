"""Data goes where it was asked for, whole or not at all."""

import os
import subprocess
import sys

import pytest

from acclimate.analysis.problems import Problem
from acclimate.workflows._exit import Exit
from acclimate.workflows.showing.delivery import check_target, deliver, deliver_json

WRITE = (
    "import sys; from acclimate.workflows.showing.delivery import deliver;"
    " deliver('x' * 100_000, sys.argv[1])"
)


def test_a_dash_is_standard_output_and_nothing_else(capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    deliver_json({"a": "°"}, "-")
    assert capsys.readouterr().out == '{\n "a": "°"\n}\n'
    assert list(tmp_path.iterdir()) == []


def test_a_file_is_replaced_as_a_whole(tmp_path):
    target = tmp_path / "deep/report.md"
    deliver("old", str(target))
    deliver("new", str(target))
    assert target.read_text() == "new"
    assert list(target.parent.iterdir()) == [target]


def test_a_pipe_is_written_to_not_replaced(tmp_path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    with subprocess.Popen(["cat", pipe], stdout=subprocess.PIPE) as reader:
        deliver("through", str(pipe))
        assert reader.communicate()[0] == b"through"
    assert pipe.is_fifo()


@pytest.mark.needs("unshare")
def test_a_full_disk_leaves_the_old_file_and_nothing_beside_it(tmp_path):
    """On a disk of 64 kB of its own."""
    disk = tmp_path / "disk"
    disk.mkdir()
    script = (
        f"mount -t tmpfs -o size=64k none {disk} && echo old > {disk}/report.md;"
        f' {sys.executable} -c "{WRITE}" {disk}/report.md 2>&1 | tail -1; ls -A {disk};'
        f" cat {disk}/report.md"
    )
    run = subprocess.run(["unshare", "-rm", "sh", "-c", script], capture_output=True, text=True)
    if run.returncode and "unshare" in run.stderr:
        pytest.skip("inconclusive: needs a mount namespace")
    assert run.stdout.splitlines() == [
        "OSError: [Errno 28] No space left on device",
        "report.md",
        "old",
    ]


@pytest.mark.parametrize(
    ("target", "words"),
    [
        (".", "cannot write .: it is a folder"),
        ("file/report.json", "cannot write file/report.json: "),
        ("x" * 300, "File name too long"),
    ],
)
def test_a_target_that_cannot_be_written_is_a_problem_before_the_work(
    tmp_path, monkeypatch, target, words
):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "file").write_text("mine")
    for attempt in (check_target, lambda target: deliver("x", target)):
        with pytest.raises(Problem, match="cannot write") as problem:
            attempt(target)
        if attempt is check_target:
            assert words in str(problem.value)
    assert [path.name for path in tmp_path.iterdir()] == ["file"]


@pytest.mark.parametrize("target", ["-", "new", "deep/er/new", "file", "/dev/null"])
def test_a_target_that_can_be_written_is_left_alone_by_the_check(tmp_path, monkeypatch, target):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "file").write_text("mine")
    check_target(target)
    assert [path.name for path in tmp_path.iterdir()] == ["file"]


def test_every_command_checks_its_target_first(acclimate, pond):
    for command in (("analyze", pond, "--json", "."), ("report", pond, "--output", ".")):
        run = acclimate(*command, cwd=pond)
        assert run.returncode == Exit.MISUSED
        assert run.stderr.splitlines()[0] == "error: cannot write .: it is a folder"
