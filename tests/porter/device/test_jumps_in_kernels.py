"""Loops inside kernels that are left by a jump: no directive may stand on them."""

from typing import Any

import pytest

from acclimate.porter import engine

COLUMNS = """
    program main
      implicit none
      integer, parameter :: n = 30
      real(8) :: t(n)
      integer :: i, k
      t = 1.0d0
      columns: do i = 1, n
        passes: do k = 1, 9
          t(i) = 0.5d0*t(i) + k
          if (t(i) > 4.0d0) {jump}
        end do passes
      end do columns
      print *, t
    end program main
    """


@pytest.mark.parametrize(
    ("jump", "marked"),
    [
        ("cycle columns", False),
        ("exit", False),
        ("exit passes", False),
        ("cycle", True),
        ("cycle passes", True),
    ],
)
def test_a_loop_that_a_jump_leaves_stays_bare(models: Any, jump: str, marked: bool) -> None:
    plan = engine.plan(models.indexed({"main.f90": COLUMNS.format(jump=jump)}))
    words = [line.strip() for unit in plan.units for edit in unit.edits for line in edit.text]
    assert any(word.startswith("!$acc parallel loop gang vector") for word in words)
    assert ("!$acc loop seq" in words) is marked
