"""Neighbouring kernels in one launch: never where one touches what another writes."""

import subprocess
from pathlib import Path
from typing import Any

import pytest

from acclimate.porter import engine

EDGES = """
    module edges
      implicit none
    contains
      subroutine clear(n, a, b)
        integer, intent(in) :: n
        real(8), intent(inout) :: a(n, n), b(n, n)
        integer :: i
        do i = 1, n
          a(i, 1) = 0.0d0
        end do
    ! the other one
        do i = 2, n
          b(1, i) = {value}
        end do
      end subroutine clear
    end module edges
    program main
      use edges
      implicit none
      integer, parameter :: n = 30
      real(8) :: p(n, n), q(n, n)
      p = 1.0d0
      q = 2.0d0
      call clear(n, p, {other})
      print *, sum(p), sum(q)
    end program main
    """
JOINED = """\
    !$acc parallel default(present)
    !$acc loop gang vector private(i)
    do i = 1, n
      a(i, 1) = 0.0d0
    end do
! the other one
    !$acc loop gang vector private(i)
    do i = 2, n
      b(1, i) = 3.0d0
    end do
    !$acc end parallel
"""


def ported(models: Any, value: str = "3.0d0", other: str = "q") -> str:
    index = models.indexed({"main.f90": EDGES.format(value=value, other=other)})
    text: str = models.ported(index)["main.f90"]
    return text


@pytest.mark.parametrize(
    ("value", "other"),
    [
        ("a(i, 1)", "q"),  # reads what the first loop writes
        ("3.0d0", "p"),  # the same storage under two names
    ],
)
def test_loops_that_meet_stay_apart(models: Any, value: str, other: str) -> None:
    assert "end parallel" not in ported(models, value, other)


def test_a_line_for_another_configuration_keeps_loops_apart(models: Any) -> None:
    source = EDGES.format(value="3.0d0", other="q").replace(
        "    ! the other one\n", "#ifdef LOUD\n        print *, n\n#endif\n"
    )
    index = models.indexed({"main.F90": source})
    assert "end parallel" not in models.ported(index)["main.F90"]


def test_neighbours_share_a_launch_and_stay_as_they_are(models: Any) -> None:
    text = ported(models)
    assert JOINED in text
    again = engine.plan(models.indexed({"main.f90": text}))
    assert again.changed_units == () and len(again.kernels) >= 2


PLANES = """
    subroutine planes(n, m, a, b)
      integer, intent(in) :: n, m
      real(8), intent(inout) :: a(n, n, m), b(n, n, m)
      integer :: i
      do i = 1, n
        a(i, 1, 2) = a(i, 1, 3)
      end do
      do i = 1, n
        b(i, 1, 1) = b(i, 2, {last})
      end do
    end subroutine planes
    program main
      integer, parameter :: n = 30, m = 4
      real(8) :: p(n, n, m), q(n, n, m)
      p = 1.0d0
      q = 2.0d0
      call planes(n, m, p, q)
      print *, sum(p), sum(q)
    end program main
    """


def test_a_region_asks_for_the_parts_that_its_loops_use(models: Any) -> None:
    text = models.ported(models.indexed({"main.f90": PLANES.format(last="1")}))["main.f90"]
    assert "!$acc parallel default(present) present(a(:,:,2:3), b(:,:,1:1))" in text
    text = models.ported(models.indexed({"main.f90": PLANES.format(last="m")}))["main.f90"]
    assert "!$acc parallel default(present) present(a(:,:,2:3))" in text


@pytest.mark.gfortran
def test_joined_loops_compute_the_same(models: Any, tmp_path: Path) -> None:
    said = []
    for number, text in enumerate((EDGES.format(value="3.0d0", other="q"), ported(models))):
        (tmp_path / f"{number}.f90").write_text(text)
        build = ["gfortran", "-fopenacc", "-foffload=disable", f"{number}.f90", "-o", f"{number}"]
        subprocess.run(build, cwd=tmp_path, check=True)
        done = subprocess.run([tmp_path / f"{number}"], check=True, capture_output=True)
        said.append(done.stdout)
    assert said[0] == said[1]
