"""Two versions of sources, and what reading them side by side says."""

import shutil
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from acclimate.analysis.tree.manifest import Manifest, load_manifest
from acclimate.verifier.checks.structure import structure
from acclimate.verifier.evidence import Evidence, Outcome
from acclimate.verifier.subject import Subject
from acclimate.verifier.toolchains import toolchain

SAMPLE = Path(__file__).parents[3] / "sample_model"


@pytest.fixture
def sources(tmp_path: Path) -> Callable[..., list[Evidence]]:
    """Evidence on two texts of one file, read only: nothing is built or run."""

    def compare(original: str, port: str, name: str = "a.f90", **more: str) -> list[Evidence]:
        made = []
        for side, text in (("original", original), ("port", port)):
            root = tmp_path / side
            root.mkdir(exist_ok=True)
            (root / name).write_text(text)
            for other, content in more.items():
                (root / other.replace("__", ".")).write_text(content)
            made.append(Manifest(root, "two", (name,)))
        return list(structure(Subject(made[0], made[1], toolchain("gfortran"), tmp_path / "work")))

    return compare


@pytest.fixture
def bodies(sources) -> Callable[[str, str], list[Evidence]]:
    """The same for the statements of one subroutine; line 1 of a body is line 10 of the file."""
    frame = """\
subroutine s(n, m, a, b, c, w, flag, which)
  implicit none
  integer, intent(in) :: n, m, which
  real(8), intent(inout) :: a(n, m), b(n, m), c(n, m), w(n)
  logical, intent(in) :: flag
  real(8) :: t, q, r
  real(8) :: col(100)
  integer :: i, j, k

{}
end subroutine s
"""

    def compare(original: str, port: str) -> list[Evidence]:
        return sources(frame.format(original.strip("\n")), frame.format(port.strip("\n")))

    return compare


@pytest.fixture
def sample(tmp_path: Path) -> Callable[..., list[Evidence]]:
    """The sample model and a port of it with some texts replaced, each standing there once."""

    def compare(file: str, changes: Sequence[tuple[str, str]]) -> list[Evidence]:
        original = load_manifest(SAMPLE)
        root = tmp_path / "port"
        shutil.copytree(SAMPLE, root)
        text = (root / file).read_text()
        for old, new in changes:
            assert text.count(old) == 1, f"{old!r} stands {text.count(old)} times in {file}"
            text = text.replace(old, new)
        (root / file).write_text(text)
        port = replace(original, root=root)
        subject = Subject(original, port, toolchain("gfortran"), tmp_path / "work")
        return list(structure(subject))

    return compare


@pytest.fixture
def wrong() -> Callable[[list[Evidence]], list[tuple[str, int | None]]]:
    """Class and line of every failure."""

    def pick(evidence: list[Evidence]) -> list[tuple[str, int | None]]:
        failed = [e for e in evidence if e.outcome is Outcome.FAILS]
        return [(e.message.split(":")[0], e.line) for e in failed]

    return pick


@pytest.fixture
def outcomes() -> Callable[[list[Evidence]], set[Outcome]]:
    def pick(evidence: list[Evidence]) -> set[Outcome]:
        return {e.outcome for e in evidence}

    return pick
