"""What the store gives back is what was put in, or nothing."""

import math
import os
import resource
import signal
import subprocess
import sys
from dataclasses import replace

import pytest

from acclimate.analysis.source import Edit, Lines
from acclimate.porter.agent.artefacts import Answer
from acclimate.porter.keeping.atomic import write_atomically, written
from acclimate.porter.keeping.store import Missing, Store
from acclimate.porter.rewrite import Refusal, Rewrite
from acclimate.verifier.figures import Kernel


@pytest.fixture
def store(tmp_path):
    return Store(tmp_path / "store")


def only_file(store):
    return next(path for path in store.folder.rglob("*") if path.is_file())


def test_an_unknown_key_is_missing(store):
    with pytest.raises(Missing):
        store.get_bytes("ab" * 32)


@pytest.mark.parametrize("damage", [b"", b"other bytes"])
def test_a_damaged_blob_is_missing_and_can_be_put_again(store, damage):
    key = store.put_bytes(b"field")
    only_file(store).write_bytes(damage)
    with pytest.raises(Missing):
        store.get_bytes(key)
    assert store.get_bytes(store.put_bytes(b"field")) == b"field"


def test_an_artefact_of_another_kind_is_missing(store):
    with pytest.raises(Missing):
        store.get(store.put_bytes(b'{"unit": 1}'), Rewrite)


@pytest.mark.parametrize(
    "answer",
    [
        Answer(rewrite=Rewrite("m::s", "rules", (Edit("a.f90", 2, 1, ("! \xe9",)),))),
        Answer(refusal=Refusal(Lines("a.f90", 1, 3), "reads a file", "move the READ out")),
    ],
    ids=["rewrite", "refusal"],
)
def test_an_artefact_comes_back_equal(store, answer):
    assert store.get(store.put(answer, Answer), Answer) == answer


def test_what_is_no_json_to_the_letter_comes_back_too(store):
    found = Kernel("a.f90", 3, 1, math.nan, 0, 0)
    again = store.get(store.put(found, Kernel), Kernel)
    assert math.isnan(again.seconds)
    assert replace(again, seconds=0.0) == replace(found, seconds=0.0)
    far = Kernel("a.f90", 3, 1, math.inf, 0, 0)
    assert store.get(store.put(far, Kernel), Kernel) == far


def test_equal_bytes_have_one_key_and_one_file(store):
    assert store.put_bytes(b"x") == store.put_bytes(b"x")
    assert len([path for path in store.folder.rglob("*") if path.is_file()]) == 1


def test_a_write_that_fails_leaves_the_old_file_and_nothing_beside_it(tmp_path):
    path = tmp_path / "report.json"
    write_atomically(path, b"old")
    with pytest.raises(RuntimeError), written(path) as stream:
        stream.write(b"half of the n")
        raise RuntimeError
    assert path.read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [path]


def test_a_write_killed_in_the_middle_leaves_the_old_file(tmp_path):
    path = tmp_path / "report.json"
    write_atomically(path, b"old")
    program = (
        "import os, sys, pathlib\n"
        "from acclimate.porter.keeping.atomic import written\n"
        "with written(pathlib.Path(sys.argv[1])) as stream:\n"
        "    stream.write(b'new'); stream.flush(); os.kill(os.getpid(), 9)\n"
    )
    run = subprocess.run([sys.executable, "-c", program, path])
    assert run.returncode == -signal.SIGKILL
    assert path.read_bytes() == b"old"


def test_a_full_disk_leaves_the_old_file(tmp_path):
    """A file size limit of 1 kB stands for the full disk: the write fails after it has begun."""
    path = tmp_path / "report.json"
    write_atomically(path, b"old")
    program = (
        "import sys, pathlib\n"
        "from acclimate.porter.keeping.atomic import write_atomically\n"
        "write_atomically(pathlib.Path(sys.argv[1]), b'n' * 100_000)\n"
    )
    limit = (1024, 1024)
    run = subprocess.run(
        [sys.executable, "-c", program, path],
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, limit),
        capture_output=True,
        env=os.environ | {"PYTHONDONTWRITEBYTECODE": "1"},
    )
    assert b"OSError" in run.stderr
    assert path.read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [path]
