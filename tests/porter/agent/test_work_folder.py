"""Two migrations of one model never work at once, and a dead one holds nothing."""

import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from acclimate.analysis.problems import Problem
from acclimate.porter.agent.work_folder import last_place, locked, remember_place, work_folder

HOLDER = (
    "import sys, time, pathlib\n"
    "from acclimate.porter.agent.work_folder import locked\n"
    "with locked(pathlib.Path(sys.argv[1])):\n"
    "    print('held', flush=True); time.sleep(60)\n"
)


@pytest.fixture
def holder(tmp_path):
    command = [sys.executable, "-c", HOLDER, tmp_path]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None and process.stdout.readline() == "held\n"
        yield process
        process.kill()


def test_a_second_run_is_refused_and_told_who_holds_the_lock(tmp_path, holder):
    with pytest.raises(Problem, match="another acclimate works in") as caught, locked(tmp_path):
        pass
    assert f"process {holder.pid} holds" in caught.value.notes[0]


def test_the_lock_of_a_killed_run_is_taken_over(tmp_path, holder):
    holder.send_signal(signal.SIGKILL)
    holder.wait()
    with locked(tmp_path):
        pass


def test_what_a_killed_run_left_running_is_ended_and_nothing_else(tmp_path):
    program = (
        "import pathlib, subprocess, sys, time\n"
        "from acclimate.porter.agent.work_folder import locked\n"
        "with locked(pathlib.Path(sys.argv[1])):\n"
        "    child = subprocess.Popen(['sleep', '60'], start_new_session=True)\n"
        "    print(child.pid, flush=True); time.sleep(60)\n"
    )
    children = []
    for name in ("one", "other"):
        (tmp_path / name).mkdir()
        command = [sys.executable, "-c", program, tmp_path / name]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
            assert process.stdout is not None
            children.append(int(process.stdout.readline()))
            process.kill()
    assert list(map(runs, children)) == [True, True]
    with locked(tmp_path / "one"):
        assert ends(children[0])
        assert runs(children[1])
    with locked(tmp_path / "other"):
        assert ends(children[1])


def runs(process):
    """Whether a process is there and more than a zombie."""
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


def ends(process):
    """Whether a process that was killed is gone soon."""
    deadline = time.monotonic() + 10
    while runs(process) and time.monotonic() < deadline:
        time.sleep(0.01)
    return not runs(process)


def test_the_lock_is_free_after_the_block(tmp_path):
    for _ in range(2):
        with locked(tmp_path):
            pass


def test_the_work_folder_lies_in_the_model_and_hides_from_git(tmp_path):
    folder = work_folder(tmp_path, None)
    assert folder == tmp_path / ".acclimate"
    assert (folder / ".gitignore").read_text() == "*\n"


def test_single_files_in_one_folder_have_work_folders_of_their_own(tmp_path):
    folders = {work_folder(tmp_path, tmp_path / name) for name in ("a.f90", "b.f90", "a.f")}
    assert len(folders) == 3


UNMOUNTED = pytest.mark.skipif(not Path("/sys").is_mount(), reason="inconclusive: needs sysfs")


@pytest.mark.parametrize("root", ["/proc/self", pytest.param("/sys", marks=UNMOUNTED)])
def test_a_root_that_cannot_be_written_gets_a_cache_folder(tmp_path, monkeypatch, root):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    folder = work_folder(Path(root), None)
    assert folder.is_relative_to(tmp_path / "cache/acclimate")


def test_a_file_in_the_way_of_the_work_folder_is_not_touched(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    (tmp_path / ".acclimate").write_text("mine")
    assert work_folder(tmp_path, None).is_relative_to(tmp_path / "cache")
    assert (tmp_path / ".acclimate").read_text() == "mine"


def test_a_copied_work_folder_tells_of_no_port_of_the_copy(tmp_path):
    model, port = tmp_path / "model", tmp_path / "port"
    model.mkdir()
    remember_place(work_folder(model, None), model, port)
    assert last_place(model) == port
    assert last_place(shutil.copytree(model, tmp_path / "copy")) is None
