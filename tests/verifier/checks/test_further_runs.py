"""Runs besides the model's own: what only they reach has to be right as well."""

from dataclasses import replace

import pytest

from acclimate.analysis.tree.run_spec import FurtherRun, RunSpec, StepSpec
from acclimate.verifier.checks.discrete_memory import discrete_memory
from acclimate.verifier.checks.further_runs import further_runs
from acclimate.verifier.checks.unreached_kernels import unreached_kernels
from acclimate.verifier.evidence import Light, Outcome
from acclimate.verifier.subject import Subject

pytestmark = pytest.mark.gfortran

PORT = """\
program p
  implicit none
  integer, parameter :: n = 64
  integer :: i, u, mode
  real(8) :: a(n)
  character(8) :: rank
  namelist /run/ mode
  mode = 0
  open (newunit=u, file="run.nml"); read (u, run); close (u)
  if (mode == 3) error stop "no such mode"
  call get_environment_variable("OMPI_COMM_WORLD_RANK", rank)
  a = 1.5d0
  !$acc enter data copyin(a)
  !$acc parallel loop present(a)
  do i = 1, n
    a(i) = 2*a(i)
  end do
  if (mode == 1) then
    !$acc parallel loop present(a)
    do i = 1, n
      a(i) = 1 + a(i)
    end do
    !$acc update self(a)
    a(1) = a(2) + a(3)
    !$acc update device(a(1:1))
  end if
  !$acc exit data copyout(a)
  open (newunit=u, file="out" // trim(rank) // ".txt"); write (u, *) a; close (u)
end program p
"""
ORIGINAL = "".join(x for x in PORT.splitlines(keepends=True) if "!$acc" not in x)
MODE_1 = {"run.nml": {"run": {"mode": 1}}}
RANKS = 'OMPI_COMM_WORLD_RANK=1 "$0" && OMPI_COMM_WORLD_RANK=0 "$0"'


@pytest.fixture
def model(program):
    """The port, changed as asked, with further runs: their changes, and what is said of the run."""

    def make(port: str, **further) -> Subject:
        subject = program(port, ORIGINAL)
        (subject.original.root / "run.nml").write_text("&run mode = 0 /\n")
        run = RunSpec(namelists=("run.nml",), outputs=("out*.txt",), time_limit=5)
        runs = (FurtherRun("other", replace(run, **further)),)
        subject.original = replace(subject.original, run=run, further_runs=runs)
        return subject

    return make


@pytest.mark.parametrize(
    "lost", ["    !$acc update self(a)\n", "    !$acc update device(a(1:1))\n"]
)
def test_what_only_a_further_run_reaches_fails_there(model, lost):
    subject = model(PORT.replace(lost, ""), short=MODE_1)
    assert all(e.outcome is Outcome.HOLDS for e in discrete_memory(subject))
    found = list(further_runs(subject))
    failed = [e for e in found if e.outcome is Outcome.FAILS]
    assert failed and {e.light for e in failed} == {Light.DATA}
    assert all(e.message.startswith("run 'other': ") for e in found)
    numerics = [e.outcome for e in found if e.light is Light.NUMERICS]
    assert numerics == [Outcome.HOLDS]  # in one memory the port is right
    assert len(list(unreached_kernels(subject))) == 2  # what a wrong run reached is not validated


def test_other_numbers_are_no_matter_of_data(model):
    found = list(further_runs(model(PORT.replace("1 + a(i)", "a(i) - 1"), short=MODE_1)))
    assert [e.outcome for e in found if e.light is Light.NUMERICS] == [Outcome.FAILS]
    assert [e.outcome for e in found if e.light is Light.DATA] == [Outcome.HOLDS] * 2


@pytest.mark.parametrize(
    ("further", "told"),
    [
        ({"short": {"run.nml": {"run": {"mode": 3}}}}, "no such mode"),
        ({"outputs": ("out9.txt",)}, "out9.txt: no output file matches"),
    ],
)
def test_a_run_that_the_original_does_not_end_shows_nothing(model, further, told):
    subject = model(PORT, **further)
    (found,) = further_runs(subject)
    assert found.outcome is Outcome.INCONCLUSIVE
    assert told in found.message and "nothing to hold the port to" in found.message
    assert subject.figures.reached is None


def test_a_right_port_holds_and_what_it_reached_is_validated(model):
    subject = model(PORT, short=MODE_1)
    list(discrete_memory(subject))
    launched, *never = unreached_kernels(subject)
    assert (launched.figure, launched.limit, [e.line for e in never]) == (1, 2, [19])
    found = list(further_runs(subject))
    assert [(e.light, e.outcome) for e in found] == [
        (Light.NUMERICS, Outcome.HOLDS), (Light.DATA, Outcome.HOLDS), (Light.DATA, Outcome.HOLDS),
    ]  # fmt: skip
    assert "2 launches, 512 B to the device and 1024 B back" in found[1].message
    (launched,) = unreached_kernels(subject)
    assert (launched.figure, launched.outcome, launched.decisive) == (2, Outcome.HOLDS, False)
    assert 21 in subject.figures.further_lines["port.f90"]


def test_every_process_is_held_to_the_original(model):
    subject = model(PORT, launcher=("sh", "-c", RANKS))
    found = list(further_runs(subject))
    assert all(e.outcome is Outcome.HOLDS for e in found)
    assert found[1].message.endswith("the first of 2 processes")


STEPS = """\
program p
  implicit none
  integer :: i, k, u, steps
  real(8) :: a(64)
  namelist /run/ steps
  open (newunit=u, file="run.nml"); read (u, run); close (u)
  a = 1.5d0
  !$acc enter data copyin(a)
  do k = 1, steps
    !$acc parallel loop present(a)
    do i = 1, 64
      a(i) = 2*a(i)
    end do
    if (mod(steps, 2) == 1) stop
  end do
  !$acc exit data copyout(a)
  open (newunit=u, file="out.txt"); write (u, *) a; close (u)
end program p
"""


@pytest.mark.parametrize(
    ("short", "told"),
    [
        ({}, "by step 1 launches and 102.4 B (whole run divided by steps = 10)"),
        ({"run.nml": {"run": {"steps": 2}}},
         "by step 1 launches and 0 B (difference of two runs, steps = 10 and 2)"),
    ],
)  # fmt: skip
def test_a_shorter_run_that_the_model_refuses_is_not_subtracted(program, short, told):
    subject = program(STEPS, "".join(x for x in STEPS.splitlines(True) if "!$acc" not in x))
    (subject.original.root / "run.nml").write_text("&run steps = 4 /\n")
    run = RunSpec(namelists=("run.nml",), outputs=("out.txt",), time_limit=5, short=short)
    ten = FurtherRun("ten", replace(run, short={"run.nml": {"run": {"steps": 10}}}))
    steps = StepSpec("run.nml", "run", "steps")
    subject.original = replace(subject.original, run=run, further_runs=(ten,), steps=steps)
    (first,) = (e.message for e in further_runs(subject) if "0xff" in e.message)
    assert first.endswith(told)
