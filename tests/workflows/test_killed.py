"""`kill -9` at any moment: the same command again ends in the tree of an undisturbed run."""

import random
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

pytestmark = [pytest.mark.gfortran, pytest.mark.slow]
ACCLIMATE = Path(sys.executable).with_name("acclimate")
POND = Path(__file__).with_name("pond")
OWN = shutil.ignore_patterns(".acclimate")
MOMENTS = 10
SEED = 20261130


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory, tree):
    """What a run leaves that nobody disturbs, and how many seconds it takes here and now."""
    folder = tmp_path_factory.mktemp("undisturbed")
    model = shutil.copytree(POND, folder / "pond", ignore=OWN)
    began = time.monotonic()
    subprocess.run([ACCLIMATE, "migrate", model, "--out", folder / "port"], capture_output=True)
    return tree(folder / "port"), time.monotonic() - began


def start(model, port):
    """Begin a migration in a process group of its own."""
    command = [ACCLIMATE, "migrate", model, "--out", port]
    return subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)


def kill_after(process, seconds):
    """Kill the process after some time; returns False if it had ended before."""
    try:
        process.wait(seconds)
    except subprocess.TimeoutExpired:
        process.send_signal(signal.SIGKILL)
        process.wait()
        return True
    return False


def moments(seconds):
    """Seeded moments, one in each tenth of an undisturbed run."""
    chance = random.Random(SEED)
    return [(part + chance.random()) / MOMENTS * seconds for part in range(MOMENTS)]


def killed_once(folder, moment):
    """A fresh model whose migration was killed; sooner, where it was quicker than foreseen."""
    model = shutil.copytree(POND, folder / "pond", ignore=OWN)
    with start(model, folder / "port") as process:
        if kill_after(process, moment):
            return model
    shutil.rmtree(folder)
    return killed_once(folder, moment / 2)


def test_killed_at_ten_moments_each_on_a_fresh_model(tmp_path, undisturbed, tree):
    expected, seconds = undisturbed
    for number, moment in enumerate(moments(seconds)):
        folder = tmp_path / str(number)
        model = killed_once(folder, moment)
        if (folder / "port").exists():
            assert tree(folder / "port") == expected
        with start(model, folder / "port") as process:
            words = process.communicate()[1]
        assert tree(folder / "port") == expected, words
        assert sorted(path.name for path in folder.iterdir()) == ["pond", "port"]


def test_killed_again_and_again_on_one_model(tmp_path, undisturbed, tree):
    expected, seconds = undisturbed
    model, port = shutil.copytree(POND, tmp_path / "pond", ignore=OWN), tmp_path / "port"
    for moment in reversed(moments(seconds / 2)):
        with start(model, port) as process:
            kill_after(process, moment)
    with start(model, port) as process:
        words = process.communicate()[1]
    assert tree(port) == expected, words


def test_what_was_done_before_the_kill_is_not_done_again(tmp_path, tree):
    model = shutil.copytree(POND, tmp_path / "pond", ignore=OWN)
    with start(model, tmp_path / "port") as process:
        assert process.stderr is not None
        before = until(process.stderr, "examine: ")
        process.send_signal(signal.SIGKILL)
    with start(model, tmp_path / "port") as process:
        after = process.communicate()[1].splitlines()
    assert {line.partition(":")[0] for line in before} >= {"survey", "plan", "draft", "assemble"}
    assert after[0] == "resume: at examine"
    assert {line.partition(":")[0] for line in after} == {"resume", "examine", "land"}


def until(stream, beginning):
    """Lines up to the first that has this beginning."""
    lines = []
    for line in stream:
        if line.startswith(beginning):
            return lines
        lines.append(line)
    raise AssertionError(f"no line begins with {beginning!r}: {lines}")
