from dataclasses import replace

import pytest

from acclimate.analysis.tree.run_spec import StepSpec
from acclimate.verifier.checks.discrete_memory import discrete_memory
from acclimate.verifier.checks.unreached_kernels import unreached_kernels
from acclimate.verifier.comparing.baseline import Noise
from acclimate.verifier.evidence import Evidence, Light, Outcome
from acclimate.verifier.subject import Length, Side, Subject
from acclimate.verifier.toolchains import Build

pytestmark = pytest.mark.gfortran

PORT = """\
program p
  implicit none
  integer, parameter :: n = 64
  integer :: i
  real(8) :: a(n), b(n), top
  a = 1.5d0; top = 0.0d0
  !$acc enter data copyin(a) create(b)
  !$acc parallel loop present(a, b)
  do i = 1, n
    b(i) = 2*a(i)
  end do
  !$acc parallel loop present(b) reduction(max:top)
  do i = 1, n
    top = max(top, b(i))
  end do
  !$acc update self(b)
  !$acc exit data delete(a, b)
  print *, b, top
end program p
"""

WRONG = {
    "copyin dropped": PORT.replace("copyin(a) create(b)", "create(a, b)"),
    "update dropped": PORT.replace("  !$acc update self(b)\n", ""),
    "mapping dropped": PORT.replace("copyin(a) create(b)", "create(b)"),
    "update of what is absent": PORT.replace(
        "exit data", "exit data delete(b)\n  !$acc update self(b)\n  !$acc exit data"
    ),
    "max swallows NaN": PORT.replace("2*a(i)", "max(1.0d0, a(i))").replace(
        "copyin(a) create(b)", "create(a, b)"
    ),
}


def measured(program, text: str) -> list[Evidence]:
    return list(discrete_memory(program(text)))


@pytest.mark.parametrize("text", WRONG.values(), ids=WRONG)
def test_a_value_that_is_not_where_it_is_used_fails_the_data_light(program, text):
    failed = [e for e in measured(program, text) if e.outcome is Outcome.FAILS]
    assert {e.light for e in failed} == {Light.DATA}


def test_a_right_port_holds_under_both_poisons(program):
    found = measured(program, PORT)
    assert [e.outcome for e in found] == [Outcome.HOLDS] * 2
    assert "0xff" in found[0].message and "0x5a" in found[1].message


def test_launches_and_bytes_are_counted(program):
    subject = program(PORT)
    list(discrete_memory(subject))
    figures = subject.figures
    assert figures.totals["launches"] == 2
    assert figures.totals["bytes_to_device"] == 512
    assert figures.totals["bytes_to_host"] == 512
    assert {(k.line, k.launches) for k in figures.kernels} == {(8, 1), (12, 1)}
    assert figures.launches_per_step is None


def test_a_kernel_no_run_reached_is_never_validated(program):
    text = PORT.replace(
        "  !$acc parallel loop present(b)", "  if (n < 9) then\n  !$acc parallel loop present(b)"
    )
    text = text.replace("  !$acc update self", "  end if\n  !$acc update self")
    subject = program(text)
    assert list(unreached_kernels(subject)) == []  # nothing was measured yet
    list(discrete_memory(subject))
    _, *never = unreached_kernels(subject)
    assert [(e.outcome, e.line) for e in never] == [(Outcome.INCONCLUSIVE, 13)]


def test_figures_per_step_of_a_model_that_says_its_number_of_steps(program):
    steps = "  do k = 1, 4\n    !$acc parallel loop present(b)\n    do i = 1, n\n"
    steps += "      b(i) = b(i) + 1\n    end do\n    !$acc update self(b)\n  end do\n"
    text = PORT.replace("integer :: i\n", "integer :: i, k\n")
    subject = program(text.replace("  !$acc exit data", steps + "  !$acc exit data"))
    subject.port = replace(subject.port, steps=StepSpec(count=4))
    list(discrete_memory(subject))
    figures = subject.figures
    assert (figures.launches_per_step, figures.bytes_per_step) == (1, 512)
    assert "the whole run has 2 launches and 1024 B more" in figures.per_step_basis


def with_a_clock(program, port: str, wall: float | None = None) -> Subject:
    """A model that prints a clock and has a short run; `wall`: how long its full run took."""

    def whole(text: str) -> str:
        text = text.replace("top\n  a =", "top\n  integer(8) :: now\n  namelist /run/ k\n  a =")
        text = text.replace("integer :: i\n", "integer :: i, k\n")
        clock = "  open (9, file='run.nml')\n  read (9, run)\n  call system_clock(now)\n"
        return text.replace("  print *, b, top\n", f"{clock}  print *, b(:k), top, now\n")

    subject = program(whole(port), whole(PORT))
    run = replace(subject.port.run, namelists=("run.nml",), short={"run.nml": {"run": {"k": 2}}})
    for manifest in (subject.original, subject.port):
        (manifest.root / "run.nml").write_text("&run k = 64 /\n")
    subject.original, subject.port = (
        replace(manifest, run=run) for manifest in (subject.original, subject.port)
    )
    subject.noise = Noise()  # so far it showed the same
    if wall is not None:
        first = subject.baseline(Length.FULL)
        long = replace(first, finished=replace(first.finished, wall=wall))
        key = (Side.ORIGINAL, Build.PLAIN, Length.FULL)
        subject._runs[key] = long
    return subject


def test_a_clock_found_out_in_the_full_run_is_left_out_there_and_said(program):
    found = list(discrete_memory(with_a_clock(program, PORT)))
    assert [(e.outcome, e.figure) for e in found] == [(Outcome.HOLDS, 66), (Outcome.HOLDS, 4)]
    assert "1 that the original gives anew each time are left out" in found[0].message


LATE = PORT.replace("update self(b)", "update self(b(:9))")


def test_a_difference_that_no_clock_explains_counts_in_the_full_run_alone(program):
    (failed,) = discrete_memory(with_a_clock(program, LATE))
    assert failed.outcome is Outcome.FAILS and "full run" not in failed.message


def test_where_the_full_run_is_too_long_to_know_its_clocks_that_is_said(program):
    doubted, *short = discrete_memory(with_a_clock(program, LATE, wall=100.0))
    assert doubted.outcome is Outcome.INCONCLUSIVE and "full run takes too long" in doubted.message
    assert [e.outcome for e in short] == [Outcome.HOLDS] * 2
