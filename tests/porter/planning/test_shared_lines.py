"""Array statements that share a line: loops take the place of all of them, or of none."""

from typing import Any

import pytest

from acclimate.porter import engine

MODEL = """
    module fields
      implicit none
      real(8), allocatable :: a(:, :), b(:, :)
    contains
      subroutine step(n)
        integer, intent(in) :: n
        integer :: i, k, t
        do t = 1, 3
          {line}
          do k = 1, n
            do i = 1, n
              a(i, k) = a(i, k) + b(i, k) + t
              b(i, k) = 0.5d0*b(i, k)
            end do
          end do
        end do
      end subroutine step
    end module fields
    program main
      use fields
      implicit none
      allocate (a(9, 9), b(9, 9))
      a = 1.0d0
      b = 2.0d0
      call step(9)
      print *, sum(a), sum(b)
      deallocate (a, b)
    end program main
    """
NESTS = """\
      ! edges
      !$acc parallel loop gang vector default(present) private(acc_i1)
      do acc_i1 = lbound(a, 1), ubound(a, 1)
        a(acc_i1, n) = 0.0d0
      end do
      !$acc parallel loop gang vector default(present) private(acc_i1)
      do acc_i1 = lbound(b, 2), ubound(b, 2)
        b(n, acc_i1) = a(1, n)
      end do
"""


def test_loops_take_the_place_of_the_line(models: Any) -> None:
    index = models.of_two_files(
        {"main.f90": MODEL.format(line="a(:, n) = 0.0d0; b(n, :) = a(1, n) ! edges")}
    )
    assert NESTS in models.ported(index)["main.f90"]


@pytest.mark.parametrize(
    "line",
    [
        "a(:, n) = 0.0d0; b(2:n, 1) = b(1:n - 1, 1)",
        "a(:, n) = 0.0d0; b(1, 1) = 0.0d0",
        "a(:, n) = 0.0d0; print *, t",
        "if (t > 1) a(:, n) = 0.0d0; b(:, n) = 0.0d0",
        "a(:, n) = 0.0d0; if (t > 1) b(:, n) = 0.0d0",
    ],
)
def test_where_one_cannot_the_line_stays(models: Any, line: str) -> None:
    plan = engine.plan(models.of_two_files({"main.f90": MODEL.format(line=line)}))
    assert not [kernel for kernel in plan.kernels if "array" in kernel.rule]
