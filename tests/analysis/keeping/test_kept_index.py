"""A model analysed again: what is kept is what a fresh analysis says, and never stale."""

import os
from dataclasses import replace
from pathlib import Path

import pytest

from acclimate.analysis.index import ProjectIndex, index_project, to_json
from acclimate.analysis.keeping import fingerprint
from acclimate.analysis.keeping.cache import Cache, open_cache
from acclimate.analysis.tree.manifest import Manifest

MAIN = (
    "program p\n  include 'size.inc'\n  real :: a(n)\n  do i = 1, n\n    a(i) = i\n  end do\nend\n"
)


@pytest.fixture
def cache(tmp_path: Path) -> Cache:
    return open_cache(tmp_path / "kept")


class Model:
    """A small tree that tests change."""

    def __init__(self, root: Path, cache: Cache) -> None:
        self.root, self.cache = root, cache
        self.manifest = Manifest(root, "m", ("p.f90",), include_dirs=("first", "second"))
        self.write("p.f90", MAIN)
        self.write("second/size.inc", "  integer, parameter :: n = 3\n")

    def write(self, name: str, text: str) -> None:
        (self.root / name).parent.mkdir(parents=True, exist_ok=True)
        (self.root / name).write_text(text)

    def index(self) -> ProjectIndex:
        return index_project(self.manifest, cache=self.cache)

    def entries(self) -> int:
        """How many states of the model are kept."""
        return len(list(self.cache.folder.glob("*-parts.entry")))

    def facts(self) -> Path:
        """The entry with the facts of the only state."""
        (parts,) = self.cache.folder.glob("*-parts.entry")
        return parts.with_name(parts.name.replace("-parts", ""))

    def is_fresh(self) -> bool:
        """Does the cache say what a fresh analysis says?"""
        return to_json(self.index()) == to_json(index_project(self.manifest))


@pytest.fixture
def model(tmp_path: Path, cache: Cache) -> Model:
    found = Model(tmp_path / "model", cache)
    found.index()
    return found


def test_an_unchanged_model_is_not_analysed_again(model, monkeypatch):
    fresh = to_json(index_project(model.manifest))
    monkeypatch.setattr("acclimate.analysis.analysing.analysed", None)
    again = model.index()
    assert to_json(again) == fresh
    assert again == model.index()


def test_the_statements_of_a_kept_index_can_be_asked_for(model):
    index = model.index()
    assert list(index.project.units) == [unit.name for unit in index.units]
    assert len(index.project.units["p"].body) == 1


def test_the_statements_are_those_of_the_facts_also_when_the_file_has_changed_since(model):
    index = model.index()
    model.write("p.f90", "program q\nend\n")
    assert list(index.project.units) == ["p"]


@pytest.mark.parametrize(
    ("file", "text"),
    [
        ("p.f90", MAIN.replace("a(i) = i", "a(i) = a(i - 1)")),
        ("second/size.inc", "  integer, parameter :: n = 4\n  real :: b(n)\n"),
        ("first/size.inc", "  integer, parameter :: n = 0\n  real :: c\n"),  # found before second/
        ("size.inc", "  integer, parameter :: n = 5, m = 6\n"),  # beside the file: found first
    ],
)
def test_any_change_of_what_is_read_is_seen(model, file, text):
    model.write(file, text)
    assert model.is_fresh()
    assert model.entries() == 2


def test_an_include_file_that_is_no_file_is_not_waited_for(model):
    (model.root / "second/size.inc").unlink()
    os.mkfifo(model.root / "second/size.inc")
    model.write("p.f90", MAIN + "! include '/proc/kmsg' '/dev/zero'\n#include \"\0\"\n")
    assert model.is_fresh()


def test_an_include_file_that_vanishes_is_seen(model):
    (model.root / "second/size.inc").unlink()
    assert model.is_fresh()
    assert len(model.index().problems) == 1


@pytest.mark.parametrize(
    "change",
    [
        {"defines": ("X",)},
        {"include_dirs": ("second",)},
        {"flags": ("-fopenmp",)},
        {"fixed": ("*.f90",)},
        {"d_lines_are_code": True},
    ],
)
def test_a_change_of_how_files_are_read_is_seen(model, change):
    model.manifest = replace(model.manifest, **change)
    model.index()
    assert model.entries() == 2


def test_a_change_of_how_the_model_is_run_costs_nothing(model):
    model.manifest = replace(model.manifest, name="other", link_flags=("-lnetcdf",))
    assert model.is_fresh()
    assert model.entries() == 1


def test_another_version_of_the_tool_does_not_see_the_entry(model, monkeypatch):
    monkeypatch.setattr(fingerprint, "tool_digest", lambda: "another")
    assert model.is_fresh()
    assert model.entries() == 2


def test_a_damaged_entry_is_analysed_anew(model):
    entry = model.facts()
    entry.write_bytes(entry.read_bytes()[:-1])
    assert model.is_fresh()


def test_a_sealed_entry_of_another_shape_is_analysed_anew(model):
    model.cache.put(model.facts().stem, b"\x93\x01\x02\x03")
    assert model.is_fresh()


def test_what_includes_by_macro_is_never_kept(model):
    model.write("p.F90", "#define FILE 'second/size.inc'\n#include FILE\nend\n")
    model.manifest = replace(model.manifest, sources=("p.F90",))
    model.index()
    assert model.entries() == 1


def test_a_file_that_cannot_be_read_is_a_fact_too(model):
    model.manifest = replace(model.manifest, sources=("p.f90", "gone.f90"))
    assert model.is_fresh()
    assert model.is_fresh()
    assert [problem.at.file for problem in model.index().problems] == ["gone.f90"]
