"""The cache: what may not be trusted is no entry."""

import os
import subprocess
import sys
from multiprocessing import get_context
from pathlib import Path

import pytest

from acclimate.analysis.keeping.cache import Cache, open_cache
from acclimate.analysis.problems import Problem

KEY = "0123456789abcdef"


@pytest.fixture
def cache(tmp_path: Path) -> Cache:
    return open_cache(tmp_path / "kept")


def entry_of(cache: Cache, key: str = KEY) -> Path:
    return cache.folder / f"{key}.entry"


def test_a_folder_that_others_may_write_to_is_refused(tmp_path):
    tmp_path.chmod(0o777)
    with pytest.raises(Problem, match="others may write to it"):
        open_cache(tmp_path)


def test_a_file_in_the_place_of_the_folder_is_refused(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(Problem, match="cannot be kept"):
        open_cache(tmp_path / "file")


def test_a_damaged_key_is_refused(cache):
    (cache.folder / "secret").write_bytes(b"short")
    with pytest.raises(Problem, match="its key is damaged"):
        open_cache(cache.folder)


@pytest.mark.parametrize("length", [0, 1, 31, 32, 33, 40, -1])
def test_a_truncated_entry_is_no_entry(cache, length):
    cache.put(KEY, b"facts of a model")
    whole = entry_of(cache).read_bytes()
    entry_of(cache).write_bytes(whole[:length])
    assert cache.get(KEY) is None


def test_an_entry_with_any_bit_flipped_is_no_entry(cache):
    cache.put(KEY, b"facts")
    whole = entry_of(cache).read_bytes()
    for position in range(len(whole)):
        for bit in range(8):
            changed = bytearray(whole)
            changed[position] ^= 1 << bit
            entry_of(cache).write_bytes(changed)
            assert cache.get(KEY) is None


def test_an_entry_under_another_name_is_no_entry(cache):
    cache.put(KEY, b"facts")
    entry_of(cache).rename(entry_of(cache, "ff"))
    assert cache.get("ff") is None


def test_an_entry_of_another_user_is_no_entry(cache, tmp_path):
    other = open_cache(tmp_path / "other")
    other.put(KEY, b"forged: everything is parallel")
    entry_of(cache).write_bytes(entry_of(other).read_bytes())
    assert cache.get(KEY) is None


def test_what_was_put_comes_back_also_for_another_process(cache):
    cache.put(KEY, bytes(range(256)))
    assert open_cache(cache.folder).get(KEY) == bytes(range(256))


def test_nobody_else_can_read_the_folder_or_its_key(cache):
    assert cache.folder.stat().st_mode & 0o077 == 0
    assert (cache.folder / "secret").stat().st_mode & 0o077 == 0


def test_entries_unused_for_longest_go_first(cache):
    small = Cache(cache.folder, cache.secret, limit=400)
    for number in range(3):
        small.put(f"{number}", bytes(100))
        os.utime(entry_of(small, f"{number}"), (number, number))
    assert small.get("0") is not None  # used again: now the newest
    small.put("3", bytes(100))
    assert [small.get(f"{number}") is not None for number in range(4)] == [True, False, True, True]


def test_an_entry_larger_than_the_limit_does_not_stay(cache):
    small = Cache(cache.folder, cache.secret, limit=400)
    small.put(KEY, bytes(1000))
    assert small.get(KEY) is None
    assert [path.name for path in cache.folder.iterdir()] == ["secret"]


def test_a_folder_that_vanishes_costs_only_the_entries(cache):
    for path in cache.folder.iterdir():
        path.unlink()
    cache.folder.rmdir()
    cache.put(KEY, b"facts")
    assert cache.get(KEY) is None


def _put_and_get(folder: Path, number: int) -> bool:
    cache = open_cache(folder)
    for turn in range(20):
        cache.put(KEY, bytes([number]) * 50_000)
        cache.put(f"{number}{turn}", b"own")
        found = cache.get(KEY)
        if found is None or len(found) != 50_000 or len(set(found)) != 1:
            return False
        if cache.get(f"{number}{turn}") != b"own":
            return False
    return True


def test_processes_that_write_at_once_never_see_half_an_entry(tmp_path):
    with get_context("fork").Pool(4) as pool:
        done = pool.starmap(_put_and_get, [(tmp_path / "kept", number) for number in range(4)])
    assert done == [True] * 4
    assert not list((tmp_path / "kept").glob("new-*"))


def test_the_cache_loads_no_analysis():
    """A warm run imports facts only."""
    code = (
        "import sys, acclimate.analysis.index, acclimate.analysis.keeping.cache\n"
        "heavy = ('tree_sitter', 'networkx', 'acclimate.analysis.dependence.judging')\n"
        "print([name for name in heavy if name in sys.modules])"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ran.stdout == "[]\n"
