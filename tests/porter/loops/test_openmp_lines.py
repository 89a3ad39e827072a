"""OpenMP worksharing of an inner loop goes with its loop when a nest is rotated."""

import os
import subprocess
from pathlib import Path

import pytest

from acclimate.analysis import registry
from acclimate.analysis.index import index_project
from acclimate.analysis.source import apply_edits
from acclimate.analysis.tree.manifest import Manifest
from acclimate.porter import rules
from acclimate.porter.rule import registered
from acclimate.porter.rule_trial import Trial

registry.load_all(rules)
ROTATE = next(rule for rule in registered() if rule.name == "rotate_serial_loop")

SWEEP = """\
program sweep
  implicit none
  integer, parameter :: n = 40
  real :: a(n, n, n)
  integer :: i, j, k
  a = 1.0
!$omp parallel default(shared) private(k)
  do k = 2, n
!$omp do schedule(runtime) &
!$omp   private(i, j)
    do j = 1, n
      do i = 1, n
        a(i, j, k) = a(i, j, k) + 0.5*a(i, j, k - 1)
      end do
    end do
!$omp end do
  end do
!$omp end parallel
  print *, sum(dble(a))
end program sweep
"""
ROTATED = """\
!$omp parallel default(shared) private(k)
!$omp do schedule(runtime) &
!$omp   private(i, j)
  !$acc parallel loop gang vector collapse(2) default(present) private(i, j, k)
  do j = 1, n
    do i = 1, n
      !$acc loop seq
      do k = 2, n
        a(i, j, k) = a(i, j, k) + 0.5*a(i, j, k - 1)
      end do
    end do
  end do
!$omp end do
!$omp end parallel
"""


def ported(folder: Path, source: str) -> str:
    (folder / "case.f90").write_text(source)
    manifest = Manifest(root=folder, name="case", sources=("case.f90",))
    edits = Trial(index_project(manifest)).edits(ROTATE)
    return apply_edits(source.encode(), edits).decode()


@pytest.mark.parametrize(
    ("line", "instead"),
    [
        ("!$omp   private(i, j)", "!$omp   private(i, j) reduction(+:total)"),
        ("!$omp   private(i, j)", "!$omp   private(i, j) ordered"),
        ("!$omp end do", "!$omp end do\n!$omp barrier"),
        ("      do i = 1, n", "!$omp simd\n      do i = 1, n"),
    ],
)
def test_a_directive_that_cannot_move_keeps_its_nest(tmp_path, line, instead):
    source = SWEEP.replace(line + "\n", instead + "\n", 1)
    assert source != SWEEP
    assert ported(tmp_path, source) == source


def test_worksharing_moves_around_the_nest(tmp_path):
    assert ROTATED in ported(tmp_path, SWEEP)


@pytest.mark.gfortran
def test_the_openmp_build_still_computes_the_same(tmp_path):
    (tmp_path / "port.f90").write_text(ported(tmp_path, SWEEP))
    said = []
    for name in ("case", "port"):
        build = ["gfortran", "-fopenmp", f"{name}.f90", "-o", name]
        subprocess.run(build, cwd=tmp_path, check=True)
        threads = os.environ | {"OMP_NUM_THREADS": "4"}
        run = subprocess.run([tmp_path / name], env=threads, check=True, capture_output=True)
        said.append(run.stdout)
    assert said[0] == said[1]
