"""Loops with jumps in them, refusals first: each has a wrong verdict that a shortcut would give."""

import pytest

from acclimate.analysis.facts import Verdict

HEAD = """
    subroutine outer(a, b, c, n, m)
      integer :: n, m, i, j, k
      real :: a(n), b(n), c(n), w(10), x, y
      do i = 1, n !<
"""
TAIL = """
      end do
    end subroutine
"""

REFUSED = {
    "the hidden loop runs once": """
        k = i
     10 k = k + 1
        b(k) = a(i)
        if (k < i + 3) goto 10
""",
    "what the hidden loop sets is set before it": """
        goto 20
     10 x = a(i)
        a(i) = a(i) - 1.0
     20 if (a(i) > 1.0) goto 10
        b(i) = x
""",
    "what one turn sets stays set in the next": """
        k = 0
     10 k = k + 1
        if (k > 2) b(i) = y
        if (k == 1) goto 10
        if (a(i) > k) y = a(i)
        if (k < 4) goto 10
""",
    "a work array is filled by the hidden loop": """
        k = 0
     10 k = k + 1
        w(k) = a(i)
        if (w(k) > k) goto 10
        b(i) = w(10)
""",
    "a jump out of the hidden loop passes its end": """
     10 continue
        if (a(i) > 1.0) goto 30
        x = a(i)
        a(i) = a(i) + 1.0
        if (x < 0.0) goto 10
     30 b(i) = x
""",
    "a jump out of the hidden loop stays in the loop": """
     10 a(i) = 0.5*a(i)
        if (a(i) < 0.0) goto 90
        if (a(i) > 1.0) goto 10
""",
    "an exit of the hidden loop leaves it only": """
     10 a(i) = 0.5*a(i)
        if (a(i) < 0.0) exit
        if (a(i) > 1.0) goto 10
""",
    "computed GOTO always jumps": """
        goto (10, 20), m
        goto 20
     10 x = a(i)
     20 b(i) = x
""",
    "arithmetic IF goes on behind it": """
        if (a(i)) 10, 20, 20
     10 x = 1.0
     20 b(i) = x
""",
    "a value is left behind by the iteration before": """
     10 if (a(i) > 1.0) goto 30
        x = x + a(i)
        a(i) = a(i) + 1.0
        goto 10
     30 a(i) = x
""",
    "assigned GOTO falls through": """
        assign 20 to k
        x = a(i)
        if (x > 0.0) assign 10 to k
        goto k
     10 y = x
     20 b(i) = y
""",
}


@pytest.mark.parametrize("shortcut", REFUSED)
def test_refused(judge, shortcut):
    facts = judge(HEAD + REFUSED[shortcut] + TAIL.replace("end sub", "   90 end sub"))
    assert facts.verdict not in (Verdict.PARALLEL, Verdict.REDUCTION, Verdict.ATOMIC)


@pytest.mark.parametrize("first", ["goto 20", "continue"])
def test_two_ways_into_one_loop_are_named(judge, first):
    body = f"""
        x = a(i)
        if (x > 3.0) {first}
     10 x = 0.5*x
     20 x = x - 1.0
        if (x > 1.0) goto 10
        b(i) = x
"""
    facts = judge(HEAD + body + TAIL)
    if first == "continue":
        assert facts.verdict is Verdict.PARALLEL
        return
    assert facts.verdict is Verdict.UNKNOWN
    assert "jumps enter one loop at label 10 and at label 20 (line 10)" in facts.reason


PARALLEL = {
    "iterate until it converges": """
        k = 0
        x = a(i)
     10 k = k + 1
        y = 0.5*(x + a(i)/x)
        if (abs(y - x) < 1.0e-6) goto 20
        x = y
        if (k < 50) goto 10
     20 b(i) = y + k
""",
    "the test stands first": """
        x = a(i)
     10 if (x < 1.0) goto 20
        x = 0.5*x
        goto 10
     20 b(i) = x
""",
    "entered at the test": """
        x = a(i)
        goto 20
     10 x = 0.5*x
     20 if (x > 1.0) goto 10
        b(i) = x
""",
    "loops in loops": """
        j = 0
     10 j = j + 1
        k = 0
     20 k = k + 1
        x = a(i)*k + j
        if (x < 2.0 .and. k < 5) goto 20
        if (x < 4.0 .and. j < 5) goto 10
        b(i) = x
""",
    "out of a DO loop and back": """
        x = a(i)
     10 do k = 1, 10
          x = x - c(k)
          if (x > 5.0) goto 30
        end do
        goto 40
     30 x = 0.5*x
        goto 10
     40 b(i) = x
""",
    "in a branch": """
        if (a(i) > 0.0) then
          x = a(i)
       10 x = 0.5*x
          if (x > 1.0) goto 10
        else
          x = 0.0
        end if
        b(i) = x
""",
    "by arithmetic IF": """
        x = a(i)
     10 x = x - 1.0
        if (x) 20, 20, 10
     20 b(i) = x
""",
    "by computed GOTO": """
        k = m
     10 goto (20, 30), k
        x = 0.0
        goto 40
     20 x = a(i)
        goto 40
     30 k = k - 1
        goto 10
     40 b(i) = x
""",
    "code of the exit stands in the loop": """
        x = a(i)
     10 if (x > 1.0) goto 20
        b(i) = x
        goto 40
     20 x = 0.5*x
        goto 10
     40 continue
""",
    "a work array filled anew at each turn": """
        x = a(i)
     10 do k = 1, 10
          w(k) = x*c(k)
        end do
        x = w(1) + w(10)
        if (x > 1.0) goto 10
        b(i) = x
""",
    "assigned GOTO": """
        x = a(i)
        assign 20 to k
        if (x > 0.0) assign 10 to k
        goto k
     10 x = -x
     20 b(i) = x
""",
}


@pytest.mark.parametrize("pattern", PARALLEL)
def test_parallel(judge, pattern):
    facts = judge(HEAD + PARALLEL[pattern] + TAIL)
    assert (facts.verdict, facts.unproved) == (Verdict.PARALLEL, ())


def test_a_callee_with_a_hidden_loop(judge):
    facts = judge("""
        subroutine outer(a, b, n)
          integer :: n, i
          real :: a(n), b(n)
          do i = 1, n !<
            call root(a(i), b(i))
          end do
        end subroutine
        subroutine root(x, y)
          real :: x, y
          y = x
       10 y = 0.5*(y + x/y)
          if (abs(y*y - x) > 1.0e-6) goto 10
        end subroutine
    """)
    assert (facts.verdict, facts.unproved) == (Verdict.PARALLEL, ())


def test_alternate_returns_are_ways_on(judge):
    """`x` keeps its old value on one of the two ways back; the callee is work of the host."""
    facts = judge(
        """
      subroutine outer(a, b, n)
      integer n, i
      real a(n), b(n), x
      do 30 i = 1, n !<
      call check(a(i), *20)
      x = 1.0
 20   continue
 30   b(i) = x
      end
      subroutine check(v, *)
      real v
      if (v .gt. 2.0) return 1
      end
""",
        "model.f",
    )
    assert facts.verdict is Verdict.HOST
    assert "x" not in facts.private


LIVE = {
    "read at the label jumped back to": (
        """
     10 if (m > 3) a(1) = x
        do i = 1, n !<
          x = b(i)
          a(i) = 2.0*x
        end do
        m = m + 1
        if (m < 9) goto 10
        """,
        ("x",),
    ),
    "set at the label jumped back to": (
        """
     10 x = 1.0
        a(1) = x
        do i = 1, n !<
          x = b(i)
          a(i) = 2.0*x
        end do
        m = m + 1
        if (m < 9) goto 10
        """,
        (),
    ),
    "read behind a jump over what sets it": (
        """
        do i = 1, n !<
          x = b(i)
          a(i) = 2.0*x
        end do
        if (m > 3) goto 10
        x = 1.0
     10 a(1) = x
        """,
        ("x",),
    ),
    "jumped over": (
        """
        do i = 1, n !<
          x = b(i)
          a(i) = 2.0*x
        end do
        goto 10
     20 a(2) = x
        goto 30
     10 x = 1.0
        if (m > 3) goto 20
     30 continue
        """,
        (),
    ),
    "jumped to by arithmetic IF": (
        """
        do i = 1, n !<
          x = b(i)
          a(i) = 2.0*x
        end do
        if (m) 10, 20, 20
     10 x = 1.0
     20 a(1) = x
        """,
        ("x",),
    ),
    "jumped to by computed GOTO": (
        """
        do i = 1, n !<
          x = b(i)
          a(i) = 2.0*x
        end do
        goto (20, 20), m
        x = 1.0
     20 a(1) = x
        """,
        ("x",),
    ),
    "jumped to where a READ ends": (
        """
        do i = 1, n !<
          x = b(i)
          a(i) = 2.0*x
        end do
        read (5, *, end=20) m
        x = 1.0
     20 a(1) = x
        """,
        ("x",),
    ),
    "jumped to out of a loop around": (
        """
        do k = 1, m
          do i = 1, n !<
            x = b(i)
            a(i) = 2.0*x
          end do
          if (a(1) > k) goto 20
          x = 0.0
        end do
        x = 1.0
     20 a(1) = x
        """,
        ("x",),
    ),
    "jumped to in a place that nobody sees": (
        """
        do i = 1, n !<
          x = b(i)
          a(i) = 2.0*x
        end do
        if (m > 3) goto 99
        x = 1.0
        """,
        ("x",),
    ),
}


@pytest.mark.parametrize("case", LIVE)
def test_what_is_read_after_the_loop(judge, case):
    body, expected = LIVE[case]
    end = "    99 end subroutine"  # the label of the last statement is nowhere in the body
    facts = judge(HEAD.replace("      do i = 1, n !<\n", "") + body + end)
    assert facts.verdict is Verdict.PARALLEL
    assert tuple(name for name in facts.last_values if name != "i") == expected


def test_labels_of_end_statements(judge):
    facts = judge(
        HEAD
        + """
        if (a(i) > 1.0) goto 10
        if (a(i) > 0.5) then
          if (a(i) > 0.7) goto 20
          x = 1.0
        else
          x = 2.0
     20 end if
        b(i) = a(i)
     10 end do
    end subroutine
"""
    )
    assert (facts.verdict, facts.private) == (Verdict.PARALLEL, ("i", "x"))


ENTRIES = {
    "what ENTRY reads is read after the loop": """
    subroutine outer(a, b, n)
      integer :: n, i
      real :: a(n), b(n), t
      do i = 1, n !<
        t = b(i)
        a(i) = t*t
      end do
      call e(b(1), t)
    end subroutine
    subroutine s(x)
      real :: x, u, v
      x = 1
      return
      entry e(u, v)
      u = v
    end subroutine
    """,
    "an argument of ENTRY is the caller's": """
    subroutine s(x)
      integer :: i
      real :: x, t, b(9)
      x = 1
      return
      entry e(t, b)
      do i = 1, 9 !<
        t = b(i)
        b(i) = t*t
      end do
    end subroutine
    """,
}


@pytest.mark.parametrize("case", ENTRIES)
def test_entries(judge, case):
    """`parallel private(t)` it used to be, without last value."""
    facts = judge(ENTRIES[case])
    assert "t" in facts.last_values
