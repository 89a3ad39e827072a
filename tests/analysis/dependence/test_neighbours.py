"""Places that share storage, found without a look at each: the same as one by one."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from acclimate.analysis.dependence.aliasing import Storage
from acclimate.analysis.dependence.neighbours import Neighbours
from acclimate.analysis.project import read_project
from acclimate.analysis.tree.manifest import load_manifest

SOURCE = """
subroutine one
  real :: a(10), b
  common /area/ a, b
  equivalence (b, c)
end subroutine
subroutine two
  real :: a(5), b(6)
  common /area/ a, b
end subroutine
"""
HEADS = ["m::x", "m::y", "common:area#0", "common:area#1", "common:area@one:a", "common:area@one:b",
         "common:area@two:a", "common:area@two:b", "m::x@one:b"]  # fmt: skip
KEYS = st.builds(
    lambda head, path: "%".join([head, *path]),
    st.sampled_from(HEADS),
    st.lists(st.sampled_from(["a", "ab", "b"]), max_size=3),
)


@pytest.fixture(scope="module")
def storage(tmp_path_factory) -> Storage:
    folder = tmp_path_factory.mktemp("model")
    (folder / "m.f90").write_text(SOURCE)
    return Storage(read_project(load_manifest(folder)))


@given(st.lists(KEYS, max_size=12), KEYS)
def test_the_same_as_one_by_one(storage, keys, asked):
    neighbours = Neighbours(storage, keys)
    one_by_one = [key for key in dict.fromkeys(keys) if storage.overlapping(asked, key)]
    assert neighbours.of(asked) == [key for key in one_by_one if key != asked]
    assert neighbours.touch(asked) == bool(one_by_one)


def test_what_is_added_later_counts(storage):
    neighbours = Neighbours(storage, ["m::x%a"])
    assert not neighbours.touch("m::x%b%a")
    neighbours.add("m::x%b")
    assert neighbours.touch("m::x%b%a")
    assert neighbours.of("m::x") == ["m::x%a", "m::x%b"]
