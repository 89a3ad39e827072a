"""A defect in the clauses is named at its directive; right clauses are left alone."""

import pytest

from acclimate.verifier.checks.clause_lint import clause_lint
from acclimate.verifier.evidence import Light, Outcome

HEAD = """\
program p
  implicit none
  integer, parameter :: n = 16
  integer :: i, j, k, l, last
  real :: a(n), b(n,n), s, t, w(4)
  a = 1.0; b = 2.0; s = 0.0; t = 0.0; last = 0
"""
TAIL = "  print *, a, b, s\nend program p\n"


def port(directive: str, loop: str, after: str = "") -> str:
    return f"{HEAD}  !$acc {directive}\n{loop}{after}{TAIL}"


def lint(program, text: str) -> list[tuple[str, str, int | None]]:
    found = clause_lint(program(text))
    return [(e.light.value, e.outcome.value, e.line) for e in found]


SCALAR = "  do i = 1, n\n    t = 2.0*a(i)\n    a(i) = t\n  end do\n"
ARRAY = "  do i = 1, n\n    w(1) = a(i)\n    w(2) = 1.0\n    a(i) = w(1) + w(2)\n  end do\n"
SUM = "  do i = 1, n\n    s = s + a(i)\n  end do\n"
CARRIED = "  do i = 2, n\n    a(i) = a(i-1) + 1.0\n  end do\n"
NEST = "  do j = 2, n\n    do i = 1, n\n      b(i,j) = b(i,j-1)\n    end do\n  end do\n"
LAST = "  do i = 1, n\n    if (a(i) > 0.5) last = i\n    a(i) = 0.0\n  end do\n"
PRINTS = "  do i = 1, n\n    a(i) = 1.0\n    print *, i\n  end do\n"

PLAIN = "  do j = 2, n - last\n    do i = 1, n\n      b(i,j) = 1.0\n    end do\n  end do\n"
READ = "  print *, i\n"
INNER = "  do j = 1, n\n    do i = 1, last\n      b(i,j) = 1.0\n    end do\n  end do\n"
PAIR = """\
  do j = 1, n
    do k = 1, last
      do i = 1, n
        b(i,j) = 1.0
      end do
    end do
    do l = 1, last
      do i = 1, n
        b(i,j) = 2.0*b(i,j)
      end do
    end do
  end do
"""
GIVEN = "  if (1 <= n .and. 1 <= last) i = n + 1\n"
BACK = PLAIN.replace("j = 2, n - last", "j = n, last, -2")

WRONG = {
    "scalar not private": (port("parallel loop", SCALAR), Light.RACES),
    "array not private": (port("parallel loop", ARRAY), Light.RACES),
    "no reduction": (port("parallel loop", SUM), Light.RACES),
    "wrong operator": (port("parallel loop reduction(max:s)", SUM), Light.RACES),
    "reduction made private": (port("parallel loop private(s)", SUM), Light.RACES),
    "carried": (port("parallel loop", CARRIED), Light.RACES),
    "collapse over a recurrence": (port("parallel loop collapse(2)", NEST), Light.RACES),
    "last value": (
        port("parallel loop private(last)", LAST, "  print *, last\n"),
        Light.RACES,
    ),
    "the index of an inner loop": (port("parallel loop collapse(2)", PLAIN, READ), Light.RACES),
    "the index of a loop inside that runs in order": (
        port("parallel loop", PLAIN.replace("do i =", "!$acc loop seq\n    do i ="), READ),
        Light.RACES,
    ),
    "the index of a loop inside without a directive": (
        port("parallel loop", PLAIN, READ),
        Light.RACES,
    ),
    "an index given under another condition": (
        port("parallel loop collapse(2)", PLAIN, f"  if (s < 1.0) i = n + 1\n{READ}"),
        Light.RACES,
    ),
    "an index read before it is given": (
        port("parallel loop collapse(2)", PLAIN, f"  last = i\n  i = n + 1\n{READ}"),
        Light.RACES,
    ),
    "an index read in the next loop": (
        port(
            "parallel loop collapse(2)",
            PLAIN,
            f"  do j = 1, n\n    b(1,j) = i\n  end do\n  i = n + 1\n{READ}",
        ),
        Light.RACES,
    ),
    "an index given where an inner loop has run": (
        port("parallel loop", INNER, "  if (1 <= last) j = n + 1\n  print *, j\n"),
        Light.RACES,
    ),
    "an index given where its own loop has run": (
        port("parallel loop", INNER, "  if (1 <= n) j = n + 1\n  print *, j\n"),
        Light.RACES,
    ),
    "an index given where the loop could have run backwards": (
        port("parallel loop collapse(2)", PLAIN, f"  if (2 >= n - last) i = n + 1\n{READ}"),
        Light.RACES,
    ),
    "an index given where the second of two loops has run": (
        port("parallel loop private(i)", PAIR.replace("k = 1, last", "k = 1, n"), f"{GIVEN}{READ}"),
        Light.RACES,
    ),
    "an index given where the shorter of two loops has run": (
        port(
            "parallel loop private(i)",
            PAIR.replace("k = 1, last", "k = 1, last + 1"),
            f"{GIVEN}{READ}",
        ),
        Light.RACES,
    ),
    "an index given under bounds that have changed": (
        port(
            "parallel loop collapse(2)",
            PLAIN,
            f"  last = n\n  if (2 <= n - last) i = n + 1\n{READ}",
        ),
        Light.RACES,
    ),
    "input and output": (port("parallel loop", PRINTS), Light.DEVICE),
}


@pytest.mark.parametrize(("text", "light"), WRONG.values(), ids=WRONG)
def test_wrong_clauses_fail_at_the_directive(program, text, light):
    found = lint(program, text)
    assert (light.value, "fails", 7) in found


RIGHT = {
    "private scalar": port("parallel loop private(t)", SCALAR),
    "private array": port("parallel loop private(w)", ARRAY),
    "reduction": port("parallel loop reduction(+:s)", SUM),
    "collapse": port("parallel loop collapse(2)", NEST.replace("b(i,j-1)", "2.0*b(i,j)")),
    "an index given where the loop has run": port(
        "parallel loop collapse(2)",
        PLAIN,
        f"  if (2 <= (n - last)) then\n    i = n + 1\n    if (n < 1) i = 1\n  end if\n{READ}",
    ),
    "the index of a loop inside, given behind": port(
        "parallel loop", PLAIN, f"  if (2 <= (n - last)) i = n + 1\n{READ}"
    ),
    "the index of a loop inside that nothing reads": port("parallel loop", PLAIN),
    "an index given behind the next loop": port(
        "parallel loop collapse(2)",
        PLAIN,
        f"{PLAIN}  if (2 <= (n - last)) then\n    i = n + 1\n  end if\n{READ}",
    ),
    "an index given where two loops with the same bounds have run": port(
        "parallel loop private(i)", PAIR, f"{GIVEN}{READ}"
    ),
    "an index given where the longer of two loops has run": port(
        "parallel loop private(i)",
        PAIR.replace("k = 1, last", "k = 2, 1 + last - n").replace(
            "l = 1, last", "l = 1, last + 2 - n"
        ),
        f"{GIVEN}{READ}".replace("1 <= last", "1 <= last + 2 - n"),
    ),
    "an index given where a loop has run backwards": port(
        "parallel loop collapse(2)", BACK, f"  if (last <= n) i = n + 1\n{READ}"
    ),
    "recurrence under seq": port("parallel loop seq", CARRIED),
    "recurrence in an inner loop": port(
        "parallel loop",
        "  do i = 1, n\n    do j = 2, n\n      b(i,j) = b(i,j-1)\n    end do\n  end do\n",
    ),
}


@pytest.mark.parametrize("text", RIGHT.values(), ids=RIGHT)
def test_right_clauses_raise_no_alarm(program, text):
    assert not [item for item in lint(program, text) if item[1] == "fails"]


def test_proved_loops_light_the_races(program):
    found = list(clause_lint(program(RIGHT["reduction"])))
    assert [(e.light, e.outcome, e.figure) for e in found] == [(Light.RACES, Outcome.HOLDS, 1)]


CALLEE = """\
  end program p
  subroutine double(x)
    real, intent(inout) :: x
    x = 2.0*x
  end subroutine double
"""


@pytest.mark.parametrize(("routine", "expected"), [("", True), ("    !$acc routine seq\n", False)])
def test_a_call_needs_a_routine_directive(program, routine, expected):
    loop = "  do i = 1, n\n    call double(a(i))\n  end do\n"
    text = port("parallel loop", loop).replace("end program p\n", CALLEE.lstrip())
    text = text.replace(
        "subroutine double(x)\n    real", f"subroutine double(x)\n{routine}    real"
    )
    assert (("device", "fails", 7) in lint(program, text)) is expected


ADD = "  do i = 1, n\n{}    a(mod(i, 4) + 1) = a(mod(i, 4) + 1) + 1.0\n  end do\n"


def test_an_atomic_is_not_asked_for_twice(program):
    protected = port("parallel loop", ADD.format("    !$acc atomic update\n"))
    assert not [item for item in lint(program, protected) if item[1] == "fails"]
    bare = port("parallel loop", ADD.format(""))
    assert [item for item in lint(program, bare) if item[0] == "races" and item[1] != "holds"]


LOST = """\
  do i = 1, n
    !$acc atomic read
    t = s
    !$acc atomic write
    s = t + 1.0
  end do
"""
FLAG = "  do i = 1, n\n    !$acc atomic write\n    s = 1.0\n  end do\n"


def test_an_update_split_into_two_atomics_is_lost_in_between(program):
    assert ("races", "fails", 7) in lint(program, port("parallel loop copy(s)", LOST))
    assert ("races", "fails", 7) not in lint(program, port("parallel loop copy(s)", FLAG))
