"""Nineteen kernels, right and wrong in one way each that ports are wrong in.

The right ones are one program, on which nothing is held against any of them; each wrong one takes
the place of its right one, and is rejected.
"""

import shutil
from pathlib import Path

import pytest

from acclimate.analysis.source import Lines
from acclimate.analysis.tree.manifest import Manifest
from acclimate.analysis.tree.run_spec import RunSpec
from acclimate.verifier.mutants.bench import Bench, prepare, warm_up
from acclimate.verifier.mutants.mutant import Family, Mutant
from acclimate.verifier.mutants.trial import Fate, Rungs, trial
from acclimate.verifier.texts.statements import read_statements
from acclimate.verifier.toolchains import toolchain

pytestmark = [pytest.mark.gfortran, pytest.mark.slow, pytest.mark.xdist_group("fault_pairs")]

PAIRS = Path(__file__).parent / "fault_pairs"
FILE = "right.f90"


def manifest(root: Path) -> Manifest:
    run = RunSpec(time_limit=20, memory_limit=512)
    return Manifest(root, "pairs", ("main.f90", FILE), flags=("-O1",), run=run)


@pytest.fixture(scope="module")
def bench(tmp_path_factory) -> Bench:
    """All right kernels in one program: whatever fails there is a false alarm."""
    root = tmp_path_factory.mktemp("pairs")
    sides = []
    for name in ("original", "port"):
        folder = root / name
        folder.mkdir()
        for path in PAIRS.glob("*.f90"):
            lines = path.read_text().splitlines(keepends=True)
            kept = [x for x in lines if name == "port" or not x.lstrip().startswith("!$acc")]
            (folder / path.name).write_text("".join(kept))
        sides.append(manifest(folder))
    found = prepare(*sides, toolchain("gfortran"), root / "work", Rungs.ALL)
    warm_up(found, Rungs.ALL)
    yield found
    shutil.rmtree(root)


def in_its_place(path: Path) -> Mutant:
    """The wrong kernel as a change of the right one's lines."""
    text = (PAIRS / FILE).read_text()
    statements = read_statements(text.encode(), FILE, "free")
    own = [s.at for s in statements if s.unit == f"kernels::{path.stem}"]
    at = Lines(FILE, own[0].first, own[-1].last)
    before = tuple(text.splitlines()[at.first - 1 : at.last])
    after = tuple(path.read_text().splitlines())
    return Mutant("pair", Family.STATEMENT, at, path.stem, path.stem, before, after)


@pytest.mark.parametrize("path", sorted((PAIRS / "wrong").iterdir()), ids=lambda p: p.stem)
def test_a_wrong_kernel_is_rejected_where_its_right_one_is_not(path, bench):
    found = trial(bench.base, in_its_place(path), Rungs.ALL)
    assert found.fate is Fate.KILLED
    assert found.message
