"""A small model of air columns, ported by hand, that tests break in one place at a time."""

import json
import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from acclimate.analysis.tree.manifest import Manifest
from acclimate.analysis.tree.run_spec import RunSpec, StepSpec
from acclimate.verifier.evidence import Evidence, Outcome
from acclimate.verifier.subject import Subject
from acclimate.verifier.toolchains import toolchain

COLUMN = Path(__file__).parent / "column"
_PUBLISHED = Path(__file__).with_name("published_bugs.json")

Change = tuple[str, str, str]  # file, text that stands there once, text to put there


def describe(root: Path) -> Manifest:
    return Manifest(
        root=root,
        name="column",
        sources=tuple(sorted(path.name for path in root.glob("*.f90"))),
        flags=("-O2",),
        run=RunSpec(namelists=("run.nml",), outputs=("state.txt",), time_limit=60),
        steps=StepSpec("run.nml", "run", "nsteps"),
    )


def without_directives(root: Path) -> None:
    for path in root.glob("*.f90"):
        lines = path.read_text().splitlines(keepends=True)
        path.write_text("".join(x for x in lines if not x.lstrip().startswith("!$acc")))


@pytest.fixture(scope="session")
def work(tmp_path_factory) -> Path:
    """One work folder for all tests of a process: objects are shared by content."""
    return tmp_path_factory.mktemp("work")


@pytest.fixture(scope="session")
def published() -> Callable[[str], tuple[str, list[tuple[str, str]]]]:
    """Edits of the sample model by name: bugs of a published port, and right versions of them."""
    known = json.loads(_PUBLISHED.read_text())

    def edits(name: str) -> tuple[str, list[tuple[str, str]]]:
        return known[name]["file"], [(old, new) for old, new in known[name]["changes"]]

    return edits


@pytest.fixture
def column(tmp_path: Path, work: Path) -> Callable[..., Subject]:
    """The column model and its port, the port changed as asked."""

    def make(*changes: Change, original: bool = True) -> Subject:
        shutil.copytree(COLUMN, tmp_path / "original")
        without_directives(tmp_path / "original")
        shutil.copytree(COLUMN, tmp_path / "port")
        for file, old, new in changes:
            path = tmp_path / "port" / file
            text = path.read_text()
            assert text.count(old) == 1, f"{old!r} stands {text.count(old)} times in {file}"
            path.write_text(text.replace(old, new))
        first = describe(tmp_path / "original") if original else None
        return Subject(first, describe(tmp_path / "port"), toolchain("gfortran"), work)

    return make


@pytest.fixture
def program(tmp_path: Path, work: Path) -> Callable[..., Subject]:
    """Two one-file programs, judged on what they print (or one, without an original)."""

    def make(port: str, original: str | None = None, flags: tuple[str, ...] = ("-O1",)) -> Subject:
        manifests = []
        for name, text in (("original", original), ("port", port)):
            if text is None:
                manifests.append(None)
                continue
            folder = tmp_path / name
            folder.mkdir(exist_ok=True)
            (folder / f"{name}.f90").write_text(text)
            spec = RunSpec(time_limit=2, memory_limit=512)
            manifests.append(Manifest(folder, "program", (f"{name}.f90",), flags=flags, run=spec))
        first, second = manifests
        assert second is not None
        return Subject(first, second, toolchain("gfortran"), work)

    return make


@pytest.fixture
def failures() -> Callable[..., list[tuple[str, str | None, int | None]]]:
    """Light, file and line of every failure."""

    def pick(evidence: list[Evidence]) -> list[tuple[str, str | None, int | None]]:
        failed = [e for e in evidence if e.outcome is Outcome.FAILS]
        return list(dict.fromkeys((e.light.value, e.file, e.line) for e in failed))

    return pick


@pytest.fixture
def described() -> Callable[[Path], Manifest]:
    return describe


@pytest.fixture
def with_sources() -> Callable[..., Manifest]:
    """A manifest for source texts written into a folder."""

    def make(root: Path, flags: tuple[str, ...] = (), **texts: str) -> Manifest:
        names = []
        for name, text in texts.items():
            file = name.replace("__", ".")
            (root / file).write_text(text)
            names.append(file)
        return replace(Manifest(root, "texts", tuple(sorted(names))), flags=flags)

    return make
