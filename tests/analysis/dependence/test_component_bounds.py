"""Components with the names of dummy arguments have bounds of their own."""

from acclimate.analysis.facts import Verdict

NAMED_LIKE_DUMMIES = """
    subroutine outer(nlen, x, n)
      type entry_t
        integer :: nlen
        real :: x(1)
      end type
      integer :: nlen, n, i
      real :: x(1)
      type(entry_t) :: list(100)
      do i = 1, n !<
        list(i)%nlen = nlen
        list(i)%x(1) = x(i)
      end do
    end subroutine
"""


def test_a_component_with_a_dummys_name_has_the_bounds_of_its_own_declaration(judge):
    facts = judge(NAMED_LIKE_DUMMIES)
    assert facts.verdict is Verdict.PARALLEL, facts.obstacles


def test_a_dummy_of_one_element_is_an_array_of_any_size(judge):
    facts = judge(NAMED_LIKE_DUMMIES.replace("list(i)%x(1) = x(i)", "x(i + 1) = x(i)"))
    assert facts.verdict is Verdict.SERIAL
