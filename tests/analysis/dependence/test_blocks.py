"""BLOCK constructs are scopes: their variables are nobody else's, and begin anew each time."""

import pytest

from acclimate.analysis.facts import Verdict

HEAD = """
    subroutine outer(a, b, n, t)
      integer :: n, i, k
      real :: a(n), b(n), t, w(4)
"""

REFUSED = {
    "a variable of the unit stays the unit's": """
      do i = 1, n !<
        block
          real :: s
          s = t
          t = b(i)
          a(i) = s
        end block
      end do
    """,
    "saved variables are one for all iterations": """
      do i = 1, n !<
        block
          real, save :: t
          a(i) = t
          t = b(i)
        end block
      end do
    """,
    "initialised variables are saved": """
      do i = 1, n !<
        block
          integer :: count = 0
          count = count + 1
          a(count) = b(i)
        end block
      end do
    """,
    "what USE brings is not known": """
      do i = 1, n !<
        block
          use elsewhere
          a(i) = b(i)
        end block
      end do
    """,
    "a loop in a block carries the block's variable": """
      block
        real :: t
        t = 0.0
        do i = 1, n !<
          a(i) = t
          t = b(i)
        end do
      end block
    """,
}


@pytest.mark.parametrize("case", REFUSED)
def test_refused(judge, case):
    facts = judge(HEAD + REFUSED[case] + "end subroutine\n")
    assert facts.verdict not in (Verdict.PARALLEL, Verdict.REDUCTION, Verdict.ATOMIC)
    assert "@" not in repr(facts)


PARALLEL = {
    "a name that the unit has too": (
        """
      t = 1.0
      do i = 1, n !<
        block
          real :: t
          t = b(i)
          a(i) = t*t
        end block
      end do
      b(1) = t
        """,
        ("i",),
    ),
    "set on some paths and read on others": (
        """
      do i = 1, n !<
        block
          real :: s
          if (b(i) > 0.0) s = b(i)
          if (b(i) > 0.0) a(i) = s
          if (b(i) > t) a(i) = s
        end block
      end do
        """,
        ("i",),
    ),
    "a work array with an index and a parameter of its own": (
        """
      do i = 1, n !<
        block
          integer, parameter :: m = 4
          integer :: k
          real :: w(m)
          do k = 1, m
            w(k) = b(i)*k
          end do
          a(i) = sum(w)
        end block
      end do
        """,
        ("i",),
    ),
    "left by EXIT": (
        """
      do i = 1, n !<
        own: block
          real :: s
          s = b(i)
          if (s > t) exit own
          if (s < 0.0) then
            s = 0.0
            exit own
          end if
          a(i) = s
        end block own
      end do
        """,
        ("i",),
    ),
    "a block in a block": (
        """
      do i = 1, n !<
        block
          real :: s
          s = b(i)
          block
            real :: s, r(2)
            s = 3.0
            r = s
            a(i) = r(1)
          end block
          a(i) = a(i) + s
        end block
      end do
        """,
        ("i",),
    ),
    "a loop in a block names the block's variable": (
        """
      block
        real :: s
        do i = 1, n !<
          s = b(i)
          a(i) = s*s
        end do
      end block
        """,
        ("i", "s"),
    ),
}


@pytest.mark.parametrize("case", PARALLEL)
def test_parallel(judge, case):
    body, private = PARALLEL[case]
    facts = judge(HEAD + body + "end subroutine\n")
    assert (facts.verdict, facts.private) == (Verdict.PARALLEL, private)
    assert (facts.firstprivate, facts.last_values) == ((), ())


def test_names_in_the_words_of_the_source(judge):
    facts = judge(HEAD + REFUSED["a loop in a block carries the block's variable"] + "end\n")
    assert "`t` is read (line 10)" in facts.reason
    assert {witness.variable for o in facts.obstacles for witness in o.witnesses} == {"t"}
