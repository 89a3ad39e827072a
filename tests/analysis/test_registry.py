"""Plugins are found by being in a folder."""

import sys
from importlib import import_module

import pytest

from acclimate.analysis import registry


@pytest.fixture
def package(tmp_path, monkeypatch):
    folder = tmp_path / "plugins_of_a_test"
    folder.mkdir()
    (folder / "__init__.py").touch()
    (folder / "one.py").write_text("VALUE = 1\n")
    (folder / "two.py").write_text("VALUE = 2\n")
    (folder / "_hidden.py").write_text("raise RuntimeError\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    yield import_module(folder.name)
    for name in [n for n in sys.modules if n.startswith(folder.name)]:
        del sys.modules[name]


def test_an_unknown_name_is_refused(package):
    with pytest.raises(KeyError):
        registry.load(package, "three")


def test_names_come_without_importing(package):
    assert registry.names(package) == ["one", "two"]
    assert f"{package.__name__}.one" not in sys.modules


def test_all_are_loaded(package):
    assert {n: m.VALUE for n, m in registry.load_all(package).items()} == {"one": 1, "two": 2}
