"""Elements that are set under a condition and read under the same one."""

import pytest

from acclimate.analysis.facts import Verdict

WHERE_AND_ELSEWHERE = """
    subroutine outer(a, n, m)
      integer :: n, m, i
      real :: a(n, m), w(m)
      do i = 1, n !<
        where (a(i, :) > 0.0)
          w(:) = a(i, :)
        elsewhere (a(i, :) < -1.0)
          w(:) = 2.0
        elsewhere
          w(:) = 0.0
        end where
        a(i, :) = w(:)
      end do
    end subroutine
"""


def test_where_with_a_last_elsewhere_fills_the_array(judge):
    facts = judge(WHERE_AND_ELSEWHERE)
    assert facts.verdict is Verdict.PARALLEL, facts.obstacles
    assert set(facts.private) == {"i", "w"}


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("        elsewhere\n", "        elsewhere (a(i, :) < 0.0)\n"),
        ("w(:) = 2.0", "a(i, :) = 2.0"),
        ("w(:) = 0.0", "w(2:m) = a(i, 2:m)"),
        (
            "w(:) = 0.0",
            "where (a(i, :) > -0.5)\n w(:) = 1.0\n elsewhere\n w(:) = 2.0\n end where",
        ),
    ],
)
def test_where_that_leaves_elements_alone_fills_nothing(judge, before, after):
    source = WHERE_AND_ELSEWHERE.replace(before, after)
    assert source != WHERE_AND_ELSEWHERE
    assert judge(source).verdict is not Verdict.PARALLEL


GUARD_BY_ELEMENT = """
    subroutine outer(a, q, n, nk, top)
      integer :: n, nk, i, k, top(nk)
      logical :: flag(n)
      real :: a(n, nk), q(n, nk), w(n), v(n, nk), s
      do k = 1, nk !<
        do i = 1, n
          flag(i) = a(i, k) > 0.0
        end do
        do i = 1, n
          if (flag(i)) w(i) = q(i, k)
        end do
        do i = 1, n
          if (flag(i)) a(i, k) = w(i)
        end do
      end do
    end subroutine
"""


def test_a_guard_repeated_over_several_loops(judge):
    facts = judge(GUARD_BY_ELEMENT)
    assert facts.verdict is Verdict.PARALLEL, facts.obstacles
    assert set(facts.private) == {"flag", "i", "k", "w"}


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("if (flag(i)) a(i, k) = w(i)", "a(i, k) = w(i)"),
        ("if (flag(i)) a(i, k) = w(i)", "if (flag(i)) a(i, k) = w(n + 1 - i)"),
        ("if (flag(i)) a(i, k) = w(i)", "if (.not. flag(i)) a(i, k) = w(i)"),
        ("if (flag(i)) w(i) = q(i, k)", "if (i < 3) exit\n if (flag(i)) w(i) = q(i, k)"),
        ("if (flag(i)) w(i) = q(i, k)", "if (flag(i)) w(i) = q(i, k)\n flag(i) = .true."),
        ("if (flag(i)) w(i) = q(i, k)", "if (flag(n + 1 - i)) w(i) = q(i, k)"),
        ("do i = 1, n\n          if (flag(i)) w(i)", "do i = 1, n, 2\n  if (flag(i)) w(i)"),
    ],
)
def test_a_guard_that_does_not_cover_the_element(judge, before, after):
    source = GUARD_BY_ELEMENT.replace(before, after)
    assert source != GUARD_BY_ELEMENT
    facts = judge(source)
    assert "w" not in facts.private
    assert facts.verdict is not Verdict.PARALLEL
