"""Kernels of one subroutine and what is proved of them; nothing is built."""

from collections.abc import Callable
from pathlib import Path

import pytest

from acclimate.analysis.tree.manifest import Manifest
from acclimate.verifier.checks.contracts import contracts
from acclimate.verifier.evidence import Evidence
from acclimate.verifier.subject import Subject
from acclimate.verifier.toolchains import toolchain

FRAME = """\
module shapes
  implicit none
  integer, parameter :: wide = 100
  integer :: nx
  real, allocatable :: field(:, :)
contains
  subroutine set()
    allocate (field(0:nx + 1, nx))
  end subroutine set
end module shapes
subroutine s(n, m, a, b, c, w, idx)
  use shapes
  implicit none
  integer, intent(in) :: n, m
  real, intent(inout) :: a(n, m), b(n, m), c(n, m), w(n)
  integer, intent(in) :: idx(n)
  real :: t, total, col(100)
  integer :: i, j, k
{}
end subroutine s
"""


@pytest.fixture
def judged(tmp_path: Path) -> Callable[..., list[Evidence]]:
    """Evidence on the kernels of a body, line 1 of which is line 20 of the file."""

    def judge(body: str, *promises: str) -> list[Evidence]:
        (tmp_path / "port.f90").write_text(FRAME.format(body.strip("\n")))
        port = Manifest(tmp_path, "port", ("port.f90",), contracts=promises)
        return list(contracts(Subject(None, port, toolchain("gfortran"), tmp_path / "work")))

    return judge
