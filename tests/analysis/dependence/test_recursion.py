"""Recursive procedures over types that hold themselves: a fix-point is reached."""

import pytest

from acclimate.analysis.facts import Verdict

MODULE = """
    module lists
      type node
        integer :: key, marks(3)
        real, allocatable :: data(:)
        type(node), pointer :: next => null(), left => null(), right => null()
        type(node), pointer :: children(:) => null()
      end type
    contains
      recursive integer function depth(this) result(found)
        class(node), intent(inout) :: this
        found = 1
        {body}
      end function
      subroutine use_it(all, n, total)
        integer :: n, i, total(n)
        type(node) :: all(n)
        do i = 1, n !<
          total(i) = depth(all(i))
        end do
      end subroutine
    end module
"""

BODIES = {
    "a list": "if (associated(this%next)) found = 1 + depth(this%next)",
    "a list that is changed": (
        "if (associated(this%next)) found = depth(this%next); this%next%key = 2; this%marks(1) = 3"
    ),
    "a tree": (
        "if (associated(this%left)) found = depth(this%left); "
        "if (associated(this%right)) found = found + depth(this%right); this%key = found"
    ),
    "children": "if (this%key > 0) found = depth(this%children(this%key))",
    "allocation": "allocate (this%next); allocate (this%next%data(3)); found = depth(this%next)",
}


@pytest.mark.parametrize("case", BODIES)
def test_it_ends_and_is_not_called_parallel(judge, case):
    facts = judge(MODULE.replace("{body}", BODIES[case]))
    assert facts.verdict not in (Verdict.PARALLEL, Verdict.REDUCTION, Verdict.ATOMIC)
    assert any(obstacle.reason == "recursion" for obstacle in facts.obstacles)
