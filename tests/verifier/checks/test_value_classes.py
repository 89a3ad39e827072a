"""Rewrites that are right for the values and the shape of a run, and wrong for others."""

from dataclasses import replace
from pathlib import Path
from shutil import rmtree

import pytest

from acclimate.analysis.project import read_project
from acclimate.analysis.tree.manifest import Manifest
from acclimate.verifier.checks.changed_lines import changed_lines
from acclimate.verifier.checks.value_classes import value_classes
from acclimate.verifier.evidence import Evidence, Outcome
from acclimate.verifier.trials.other_scalars import Scalars, scalars_of

pytestmark = pytest.mark.gfortran

TEXT = """\
module smooth
  implicit none
contains
  subroutine below(n, a, w)
    integer, intent(in) :: n
    real, intent(in) :: a(n)
    real, intent(out) :: w(n)
    integer :: i
    real :: last
    last = 0.0
    do i = 1, n
      w(i) = a(i) - last
      if (a(i) < 0.0) then
        last = 0.0
      else
        last = a(i)
      end if
    end do
  end subroutine below
end module smooth
program p
  use smooth
  implicit none
  real :: a(8), w(8)
  integer :: i
  do i = 1, 8
    a(i) = real(mod(5*i, 7)) - 0.5
  end do
  w = -9.0
  call below(8, a, w)
  print '(8f12.6)', w
end program p
"""
LOOP = TEXT[TEXT.index("    last = 0.0\n    do") : TEXT.index("  end subroutine")]
RIGHT = """\
    do i = 1, n
      if (i == 1) then
        last = 0.0
      else if (a(i - 1) < 0.0) then
        last = 0.0
      else
        last = a(i - 1)
      end if
      w(i) = a(i) - last
    end do
"""


def found(program, loop: str, text: str = TEXT) -> tuple[Evidence, list[Evidence]]:
    subject = program(text.replace(LOOP, loop), text)
    (judged,) = value_classes(subject)
    return judged, list(changed_lines(subject))


def test_a_rewrite_for_even_sizes_is_told_by_smaller_ones(program):
    pair = RIGHT.replace("do i = 1, n", "do i = 1, 2*(n/2)")
    judged, changed = found(program, pair)
    assert judged.outcome is Outcome.INCONCLUSIVE and judged.unsettled
    assert "with sizes made smaller" in judged.message
    assert not any(e.outcome is Outcome.HOLDS for e in changed)


def test_a_rewrite_that_needs_these_values_is_told_by_others(program):
    judged, _ = found(program, RIGHT.replace("a(i - 1) < 0.0", "i == 8"))
    assert judged.outcome is Outcome.INCONCLUSIVE and judged.unsettled
    assert "on values that are" in judged.message


def test_a_right_rewrite_is_settled_and_said_to_be_tested_only(program):
    judged, changed = found(program, RIGHT)
    assert judged.outcome is Outcome.HOLDS, judged.message
    assert [e.outcome for e in changed] == [Outcome.HOLDS]
    assert changed[0].message.startswith("tested, not proved: 'smooth::below' gives the same")


def test_a_change_that_no_run_executes_is_never_settled(program):
    never = RIGHT.replace(
        "      w(i) = a(i) - last\n",
        "      if (i > 900) then\n        last = 1.0\n      end if\n      w(i) = a(i) - last\n",
    )
    judged, changed = found(program, never)
    assert judged.outcome is Outcome.HOLDS, judged.message
    assert not any(e.outcome is Outcome.HOLDS for e in changed)
    never = [e for e in changed if "never validated" in e.message]
    assert never and all(e.unsettled for e in never)


def test_an_action_behind_a_condition_needs_both_ways(program):
    never = RIGHT.replace("      w(i) =", "      if (i > 900) last = 1.0\n      w(i) =")
    _, changed = found(program, never)
    assert not any(e.outcome is Outcome.HOLDS for e in changed)
    assert any("both ways" in e.message and e.unsettled for e in changed)


def test_beyond_the_budget_nothing_is_tried_and_nothing_settled(program):
    subject = program(TEXT.replace(LOOP, RIGHT), TEXT)
    subject.original = replace(subject.original, budget=1e-6)
    (judged,) = value_classes(subject)
    assert judged.outcome is Outcome.INCONCLUSIVE and judged.unsettled
    assert "not tried on other values: budget" in judged.message
    assert "--budget" in judged.message and not subject.tested


def test_what_was_tried_is_not_tried_again(program):
    before, _ = found(program, RIGHT)
    again = program(TEXT.replace(LOOP, RIGHT), TEXT)
    rmtree(again.work / "runs")
    assert list(value_classes(again)) == [before]
    assert not list((again.work / "runs").glob("shaken-*"))
    other = program(TEXT.replace(LOOP, RIGHT.replace("i == 1", "i < 2")), TEXT)
    assert list(value_classes(other))
    assert list((other.work / "runs").glob("shaken-*"))


def test_one_shape_is_not_enough_where_others_are_possible(program):
    assumed = TEXT.replace("a(n)", "a(:)").replace("w(n)", "w(:)").replace("(n, a, w)", "(a, w)")
    assumed = assumed.replace("    integer, intent(in) :: n\n", "").replace("8, a, w", "a, w")
    assumed = assumed.replace("do i = 1, n", "do i = 1, size(a)")
    loop = assumed[assumed.index("    last = 0.0\n    do") : assumed.index("  end subroutine")]
    subject = program(assumed.replace(loop, RIGHT.replace("1, n", "1, size(a)")), assumed)
    (judged,) = value_classes(subject)
    assert judged.outcome is Outcome.INCONCLUSIVE and judged.unsettled
    assert "1 shapes only" in judged.message


def test_a_size_that_is_shared_is_made_smaller_too(program):
    shared = TEXT.replace("  implicit none\ncontains", "  implicit none\n  integer :: n\ncontains")
    shared = shared.replace("(n, a, w)", "(a, w)").replace("8, a, w", "a, w")
    shared = shared.replace("    integer, intent(in) :: n\n", "").replace(
        "  do i = 1, 8", "  n = 8\n  do i = 1, 8"
    )
    shared = shared.replace("a(n)", "a(8)").replace("w(n)", "w(8)")
    judged, _ = found(program, RIGHT, shared)
    assert judged.outcome is Outcome.HOLDS, judged.message
    judged, _ = found(program, RIGHT.replace("do i = 1, n", "do i = 1, 2*(n/2)"), shared)
    assert "with sizes made smaller" in judged.message


def with_step(loop: str) -> str:
    """The model with a coefficient, and a whole number that is counted up."""
    text = TEXT.replace("(n, a, w)", "(n, first, step, a, w)").replace("8, a, w", "8, 3, 0.5, a, w")
    text = text.replace(
        "integer, intent(in) :: n\n",
        "integer, intent(in) :: n, first\n    real, intent(in) :: step\n",
    )
    return text.replace(LOOP, loop)


COUNTED = """\
    last = first
    do i = 1, n
      w(i) = step*last
      last = last + 2.0
    end do
"""
CLOSED_FORM = "    do i = 1, n\n      w(i) = step*(first + 2.0*(i - 1))\n    end do\n"


def test_scalars_are_changed_where_arrays_tell_nothing(program):
    judged, changed = found_pair(program, CLOSED_FORM)
    assert judged.outcome is Outcome.HOLDS, judged.message
    assert [e.outcome for e in changed] == [Outcome.HOLDS]


@pytest.mark.parametrize(("right", "wrong"), [("step*", "0.5*"), ("(first +", "(3 +")])
def test_a_scalar_taken_for_its_value_in_this_run_is_told(program, right, wrong):
    judged, _ = found_pair(program, CLOSED_FORM.replace(right, wrong))
    assert judged.outcome is Outcome.INCONCLUSIVE and judged.unsettled
    assert "with scalars changed" in judged.message


PLACES = {
    "a subscript": "k = nint(step)\n    w(k) = step",
    "a loop that ends with it": "do while (last < step)\n      last = last + step\n    end do",
    "a condition on what a subscript is": "k = 1\n    if (step > 1.0) k = 2\n    w(k) = 0.0",
    "an ELSE of it": "if (step > 1.0) then\n      w = 0.0\n    else\n      k = 2\n    end if\n"
    "    w(k) = 0.0",
    "two conditions on it": "if (step > 1.0) then\n      if (n > 3) k = 2\n    end if\n"
    "    w(k) = 0.0",
    "a condition on the end of a loop": "m = n\n    if (step > 1.0) m = n/2\n    do i = 1, m\n"
    "      w(i) = 0.0\n    end do",
    "a condition on a call that sets it": "if (step > 1.0) call choose(k)\n    w(k) = 0.0",
    "a call that is given it": "call choose(step, k)\n    w(k) = 0.0",
    "text": "write (text, *) nint(step)\n    read (text, *) k\n    w(k) = 0.0",
    "another name": "associate (it => k)\n      it = nint(step)\n    end associate\n    w(k) = 0.0",
    "its storage": "m = nint(step)\n    w(l) = 0.0",
    "EXIT": "do i = 1, n\n      if (w(i) > step) exit\n      w(i) = 0.0\n    end do",
    "CYCLE": "do i = 1, n\n      if (step > 1.0) then\n        w(i) = 0.0\n        cycle\n"
    "      end if\n      w(i) = 1.0\n    end do",
    "RETURN": "last = 2.0*step\n    if (last > 1.0) return\n    w(1) = 0.0",
    "GOTO": "if (step > 1.0) go to 10\n    w(1) = 0.0\n10  continue",
    "STOP": "if (step > 1.0) stop\n    w(1) = 0.0",
    "a computed GOTO": "go to (10, 20), nint(step)\n10  w(1) = 0.0\n20  continue",
}


@pytest.mark.parametrize("use", PLACES.values(), ids=PLACES)
def test_what_places_and_iterations_depend_on_stays(tmp_path, use):
    assert "step" not in scalars_in(tmp_path, use).reals


@pytest.mark.parametrize(
    "use",
    [
        "w(first) = step",
        "if (first > 2) w = step",
        "if (step > 1.0) w = 0.0",
        "if (step > 1.0) then\n      last = 2.0\n    end if\n    w = last",
        "k = 1\n    if (n > 1) k = 2\n    w(k) = step",
        "call smoothed(step, w)",
        "do i = 1, n\n      if (n > 5) exit\n      w(i) = step\n    end do",
    ],
)
def test_what_only_values_depend_on_is_changed(tmp_path, use):
    found = scalars_in(tmp_path, use)
    assert "step" in found.reals
    assert ("first" in found.integers) is ("first" not in use)


def scalars_in(tmp_path: Path, use: str) -> Scalars:
    text = with_step(f"    last = first\n    {use}\n").replace(
        "integer :: i\n",
        "integer :: i, k, l, m\n    character(20) :: text\n    equivalence (l, m)\n",
        1,
    )
    (tmp_path / "s.f90").write_text(text)
    project = read_project(Manifest(root=tmp_path, name="s", sources=("s.f90",)))
    return scalars_of(project, project.units["smooth::below"])


def found_pair(program, loop: str) -> tuple[Evidence, list[Evidence]]:
    subject = program(with_step(loop), with_step(COUNTED))
    (judged,) = value_classes(subject)
    return judged, list(changed_lines(subject))


@pytest.mark.parametrize(
    "guard",
    [
        "    if (n < 1) return\n",
        "    if (.not. n > 0 .or. 0 >= n) then\n      return\n    end if\n",
    ],
)
def test_a_return_for_empty_sizes_needs_no_run(program, guard):
    judged, changed = found(program, guard + RIGHT)
    assert judged.outcome is Outcome.HOLDS, judged.message
    assert [e.outcome for e in changed] == [Outcome.HOLDS]
    assert "do nothing, by reading" in changed[0].message


@pytest.mark.parametrize("guard", ["n < 2", "n < 1 .or. last > 3.0", "n /= 8"])
def test_a_return_that_may_leave_something_undone_needs_one(program, guard):
    _, changed = found(program, f"    last = 0.0\n    if ({guard}) return\n" + RIGHT)
    assert not any(e.outcome is Outcome.HOLDS for e in changed)


CLOSED = """\
program p
  implicit none
  real :: a(8), last
  integer :: i
  last = 0.0
  do i = 1, 8
    a(i) = real(i) - last
    last = real(i)
  end do
  print *, a
end program p
"""
REWRITTEN = CLOSED.replace("    last = real(i)\n", "    last = real(i)*1.0\n")


def test_a_program_that_takes_nothing_in_is_tested_by_its_run(program):
    subject = program(REWRITTEN, CLOSED)
    (judged,) = value_classes(subject)
    assert judged.outcome is Outcome.HOLDS and "all there is" in judged.message


@pytest.mark.parametrize(
    "asks", ["  read (*, *) i\n", "  call random_number(last)\n", "  call elsewhere(last)\n"]
)
def test_a_program_that_asks_for_something_is_not(program, asks):
    line = "  print *, a\n"
    subject = program(REWRITTEN.replace(line, asks + line), CLOSED.replace(line, asks + line))
    (judged,) = value_classes(subject)
    assert judged.outcome is Outcome.INCONCLUSIVE


LARGEST = """\
    w(1) = a(1)
    do i = 2, n
      w(1) = max(w(1), a(i))
    end do
"""


def test_a_maximum_that_begins_with_zero_is_told_by_negative_values(program):
    text = TEXT.replace(LOOP, LARGEST).replace("mod(5*i, 7)) - 0.5", "mod(5*i, 7)) + 0.5")
    port = text.replace("w(1) = a(1)", "w(1) = 0.0").replace("i = 2, n", "i = 1, n")
    (judged,) = value_classes(program(port, text))
    assert judged.outcome is Outcome.INCONCLUSIVE and judged.unsettled
    assert "on values that are negated gives something else" in judged.message


def test_a_value_that_is_never_set_is_told_even_where_memory_happens_to_be_zero(program):
    judged, _ = found(program, LOOP.replace("    last = 0.0\n    do", "    do", 1))
    assert judged.outcome is Outcome.INCONCLUSIVE and judged.unsettled
