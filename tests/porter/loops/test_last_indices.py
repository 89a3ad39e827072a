"""The value an index has behind its loop, where the nest has several loops over it."""

from typing import Any

import pytest

NEST = """
    subroutine fill(n, m, p, a, b, i)
      integer, intent(in) :: n, m, p
      real(8), intent(inout) :: a(n, m, n), b(n, m, n)
      integer, intent(inout) :: i
      integer :: j, k, l
      do j = 1, n
        do k = 1, m
          do i = 1, n
            a(i, k, j) = 1.0d0
          end do
        {between}
          do i = 1, n
            b(i, {which}, j) = 2.0d0
          end do
        end do
      end do
    end subroutine fill
    program main
      implicit none
      real(8) :: a(4, 3, 4), b(4, 3, 4)
      integer :: i
      i = 9
      a = 0.0d0
      b = 0.0d0
      call fill(4, 3, 3, a, b, i)
      print *, sum(a), sum(b), i
    end program main
    """


@pytest.mark.parametrize(
    ("between", "which", "kernels"),
    [("", "k", 1), ("end do\n        do l = 1, p", "l", 2)],
)
def test_the_last_loop_speaks_for_those_that_run_when_it_does(
    models: Any, between: str, which: str, kernels: int
) -> None:
    index = models.indexed({"main.f90": NEST.format(between=between, which=which)})
    text = models.ported(index)["main.f90"]
    assert text.count("i = n + 1") == kernels  # each with a value of its own
