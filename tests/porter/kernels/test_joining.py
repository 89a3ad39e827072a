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


CORNERS = """
    module corners
      implicit none
    contains
      subroutine corner(ni, nj, nk, w, c, west, kind)
        integer, intent(in) :: ni, nj, nk, west
        real(8), intent(inout) :: w(0:ni, 0:nj, nk)
        real(8), intent(in) :: c(nj, nk)
        character(len=8), intent(in) :: kind
        integer :: i, j, k
        real(8) :: slope
    !$omp parallel default(shared)
        if (west == 1) then
          if (kind(1:1) == 'o' .and. mod(ni, 10) /= 1) then
    !$omp do private(k, slope)
            do k = 2, nk - 1
              slope = w(2, 1, k) - w(1, 1, k)
              w(1, 1, k) = w(1, 1, k) - slope
            end do
    !$omp end do
          else
    !$omp do private(k)
            do k = 2, nk - 1
              w(1, 1, k) = 0.5d0*w(2, 1, k)
            end do
    !$omp end do
          end if
        end if
    !$omp do private(j, k)
        do k = 2, nk - 1
          do j = 2, nj - 2
            w(1, j, k) = w(1, j, k) + c(j, k)*w(1, 1, k)
          end do
        end do
    !$omp end do
        if (kind(1:1) == 'o' .and. mod(ni, 10) /= 1) then
    !$omp do private(j, k)
          do k = 2, nk - 1
            do j = 2, nj - 2
              w(ni, j, k) = c(j, k)
            end do
          end do
    !$omp end do
        end if
    !$omp end parallel
      end subroutine corner
    end module corners
    program main
      use corners
      implicit none
      integer, parameter :: ni = 12, nj = 12, nk = 9
      real(8) :: w(0:ni, 0:nj, nk), c(nj, nk)
      integer :: i
      w = reshape([(0.01d0*i, i=1, size(w))], shape(w))
      c = 0.3d0
      call corner(ni, nj, nk, w, c, 1, 'old     ')
      call corner(ni, nj, nk, w, c, 1, 'new     ')
      call corner(ni, nj, nk, w, c, 2, 'new     ')
      print *, sum(w), maxval(w)
    end program main
    """


def corner(models: Any, source: str) -> str:
    text: str = models.ported(models.indexed({"main.f90": source}))["main.f90"]
    return text.partition("end subroutine corner")[0]


def test_kernels_that_meet_within_an_iteration_share_a_launch(models: Any) -> None:
    text = corner(models, CORNERS)
    assert text.count("!$acc parallel default(present)") == text.count("!$acc end parallel") == 1
    assert text.count("!$acc loop gang(static:1) private(k") == 4
    assert "!$acc loop vector private(j)" in text
    assert text.index("acc_case_13 = (kind(1:1) == 'o') .and.") < text.index("!$omp parallel")
    assert "if (acc_case_13) then" in text and "logical :: acc_case_13" in text


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("c(j, k)*w(1, 1, k)", "c(j, k)*w(1, 1, k - 1)"),  # what another iteration has left
        ("c(j, k)*w(1, 1, k)", "c(j, k)*w(1, 1, 3)"),
        ("if (west == 1) then", "if (c(1, 1) == 0.0d0) then"),  # the host reads a field
        ("if (west == 1) then", "if (sin(real(west)) > 0.0) then"),
        ("kind(1:1) ==", "kind(west:west) =="),  # may be outside of the text
        ("character(len=8)", "character(len=*)"),
        ("default(shared)", "default(shared) private(west)"),
        ("default(shared)", "default(none) shared(ni, nj, nk, w, c, west, kind)"),
        ("        if (west == 1) then", "    print *, west\n        if (west == 1) then"),
        ("    !$omp do private(j, k)\n        do k = 2, nk - 1", "        do k = 2, nk"),
        ("    !$omp do private(j, k)\n", "        i = west\n"),
        ("    !$omp do private(j, k)\n", "#ifdef LOUD\n#endif\n"),
    ],
)
def test_kernels_that_meet_otherwise_stay_apart(models: Any, old: str, new: str) -> None:
    assert old in CORNERS
    text = corner(models, CORNERS.replace(old, new))
    assert "parallel loop" in text and "gang(static:1) private(k)" not in text.split("end if")[-1]


def test_arguments_that_are_one_variable_keep_kernels_apart(models: Any) -> None:
    source = CORNERS.replace("call corner(ni, nj, nk, w, c, 1", "call corner(ni, nj, nk, w, w, 1")
    assert "static" not in corner(models, source)


def test_a_shared_launch_stays_as_it_is(models: Any) -> None:
    ported_text = models.ported(models.indexed({"main.f90": CORNERS}))["main.f90"]
    assert "static" in ported_text
    assert engine.plan(models.indexed({"main.f90": ported_text})).changed_units == ()


@pytest.mark.gfortran
def test_a_shared_launch_computes_the_same(models: Any, tmp_path: Path) -> None:
    index = models.indexed({"main.f90": CORNERS})
    said = []
    for number, text in enumerate((CORNERS, models.ported(index)["main.f90"])):
        (tmp_path / f"{number}.f90").write_text(text)
        for flag in ("-fopenacc", "-fopenmp"):
            build = ["gfortran", flag, "-foffload=disable", f"{number}.f90", "-o", "program"]
            subprocess.run(build, cwd=tmp_path, check=True)
            done = subprocess.run([tmp_path / "program"], check=True, capture_output=True)
            said.append(done.stdout)
    assert len(set(said)) == 1


def test_branches_of_which_one_is_taken_stay_as_they_are(models: Any) -> None:
    last = CORNERS.index("    !$omp do private(j, k)")
    source = CORNERS[:last] + CORNERS[CORNERS.index("    !$omp end parallel") :]
    text = corner(models, source)
    assert "acc_case" not in text and text.count("!$acc parallel loop") == 2


def test_no_launch_where_no_condition_holds(models: Any) -> None:
    last = CORNERS.index("    !$omp do private(j, k)")
    end = CORNERS.index("        if (kind(1:1) == 'o' .and. mod(ni, 10) /= 1) then", last)
    text = corner(models, CORNERS[:last] + CORNERS[end:])
    assert (
        "!$acc parallel if((west == 1) .or. ((kind(1:1) == 'o') .and. (mod(ni, 10) /= 1))) &\n"
        "    !$acc   default(present)\n"
    ) in text
    assert "if(" not in corner(models, CORNERS).partition("gang(static:1)")[0].replace("if (", "")
