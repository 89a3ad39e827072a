"""Which conditions say that a unit's switch is on, and that it is off."""

import os
import subprocess
from collections.abc import Iterable
from pathlib import Path

import pytest

from acclimate.analysis.directives import parse
from acclimate.analysis.ir import Directive
from acclimate.analysis.source import Lines
from acclimate.analysis.switches import (
    FUNCTION,
    FUNCTION_LINES,
    VARIABLE,
    is_switch_alone,
    while_off,
    while_on,
)


def construct(condition: str):
    text = f"parallel loop if({condition})"
    return parse(Directive(Lines("a.f90", 1, 1), "acc", text))


@pytest.mark.parametrize(
    "condition",
    [
        "acc_on('u') .and. (x) .or. (y)",
        "acc_on('u') .and. (c == '(') .or. (d == ')')",
        "acc_on('u') .and. (x) .or. y(1)",
        "acc_on('u') .and. x .or. (y)",
        "acc_on('u') .or. (y)",
        "acc_on('u') .and. ((x)",
        "acc_on('u') .and. ",
        ".not. acc_on('u') .and. (x)",
    ],
)
def test_what_may_hold_while_the_unit_is_off_is_no_switch(condition):
    assert while_on(construct(condition)) is None
    assert while_off(construct(condition)) is None


@pytest.mark.parametrize(
    "more", ["", " .and. (n > 1)", " .and. ((x) .or. (y))", " .and. (c == 'a')"]
)
def test_a_condition_in_parentheses_may_stand_behind_a_switch(more):
    found = construct(f"acc_on('m::u'){more}")
    assert (while_on(found), while_off(found)) == ("m::u", None)
    assert is_switch_alone(found) is (not more)


def test_a_switch_that_is_off():
    found = construct(".not. acc_on('m::u')")
    assert (while_on(found), while_off(found)) == (None, "m::u")


THREADS = """
program threads
  implicit none
  logical, external :: acc_on
  integer :: k, wrong
  wrong = 0
  !$omp parallel do num_threads(8) schedule(static, 1) reduction(+:wrong)
  do k = 1, 16
    if (mod(k, 2) == 0) then
      if (acc_on('m::first')) wrong = wrong + 1
    end if
    if (acc_on('second')) wrong = wrong + 1
    if (.not. acc_on('m::other')) wrong = wrong + 1
  end do
  print *, wrong
end program threads
subroutine linger()
  use iso_c_binding
  implicit none
  interface
    integer(c_int) function usleep(time) bind(c)
      import
      integer(c_int), value :: time
    end function usleep
  end interface
  if (usleep(20000_c_int) /= 0) error stop
end subroutine linger
"""
_BEFORE = (
    "off(last+2:) = ','",
    "told(used:) = whole",
    f"{FUNCTION} = index(off(:length+2), ',all,') == 0",
)


def threads(tmp_path: Path, lines: Iterable[str], *flags: str) -> tuple[list[str], list[str]]:
    """Standard output and error where threads ask that linger where others may come between."""
    text = "\n".join(lines)
    for statement in _BEFORE:
        assert statement in text
        text = text.replace(f"{statement}\n", f"call linger()\n        {statement}\n", 1)
    (tmp_path / "t.f90").write_text(f"{text}\n{THREADS}")
    build = ["gfortran", "-fopenmp", *flags, "t.f90", "-o", "t"]
    subprocess.run(build, cwd=tmp_path, check=True, timeout=60)
    environment = os.environ | {VARIABLE: "m::first,second"}
    run = subprocess.run(
        [str(tmp_path / "t")], env=environment, capture_output=True, text=True, timeout=60
    )
    return run.stdout.split(), sorted(run.stderr.splitlines())


TOLD = ["acclimate: m::first runs on the host", "acclimate: second runs on the host"]


@pytest.mark.gfortran
@pytest.mark.parametrize("flags", [(), ("-fno-automatic",)], ids=["automatic", "static"])
def test_threads_that_ask_at_once_are_told_the_same_and_each_unit_is_named_once(tmp_path, flags):
    assert threads(tmp_path, FUNCTION_LINES, *flags) == (["0"], TOLD)


@pytest.mark.gfortran
def test_without_its_guard_threads_come_between(tmp_path):
    bare = [line for line in FUNCTION_LINES if not line.startswith("!$omp")]
    assert threads(tmp_path, bare) != (["0"], TOLD)


@pytest.mark.gfortran
def test_static_locals_would_be_everybody_s(tmp_path):
    shared = [line.replace("recursive ", "") for line in FUNCTION_LINES]
    assert threads(tmp_path, shared, "-fno-automatic") != (["0"], TOLD)
