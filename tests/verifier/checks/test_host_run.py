"""Bad runs of a port fail the numerics light, each with its own message."""

import shutil
from types import SimpleNamespace

import pytest

from acclimate.analysis.problems import Kind, Problem
from acclimate.analysis.source import Lines
from acclimate.analysis.tree.manifest import Manifest
from acclimate.analysis.tree.run_spec import RunSpec
from acclimate.verifier.checks.host_run import host_run
from acclimate.verifier.evidence import Evidence, Light, Outcome
from acclimate.verifier.ladder import examine
from acclimate.verifier.subject import Side, Subject
from acclimate.verifier.toolchains import Build, toolchain

pytestmark = pytest.mark.gfortran

GOOD = """\
program p
  real(8) :: x
  x = 2.0d0
  print *, 'result', sqrt(x)
end program p
"""


def program_of(statement: str) -> str:
    return GOOD.replace("  print *", f"  {statement}\n  print *")


BAD = {
    "prints and fails": (GOOD.replace("end program", "  stop 3\nend program"), "exit code 3"),
    "never ends": (program_of("do while (x > 0); x = x + 0; end do"), "did not end within"),
    "NaN": (GOOD.replace("sqrt(x)", "sqrt(-x)"), "NaN, first in the candidate"),
    "prints nothing": ("program p\nend program p\n", "shape"),
    "other words": (GOOD.replace("'result'", "'Result'"), "words' differs"),
    "too many numbers": (GOOD.replace("sqrt(x)", "sqrt(x), 1"), "changed its shape"),
    "eats memory": (
        GOOD.replace("  x =", "  real(8), allocatable :: b(:)\n  allocate (b(1000000000))\n  x ="),
        "memory",
    ),
}


def measured(subject) -> list[Evidence]:
    return list(host_run(subject))


@pytest.mark.parametrize(("port", "message"), BAD.values(), ids=BAD)
def test_a_bad_run_fails_with_its_own_message(program, port, message):
    found = measured(program(port, GOOD))
    failed = [e for e in found if e.outcome is Outcome.FAILS]
    assert any(message in e.message for e in failed), [e.message for e in found]
    assert {e.light for e in failed} == {Light.NUMERICS}
    assert all(e.file == "port.f90" for e in failed)


def test_the_last_bit_counts_and_the_changed_statement_is_named(program):
    found = measured(program(GOOD.replace("2.0d0", "2.00000000000001d0"), GOOD))
    assert [(e.outcome, e.file, e.line) for e in found] == [(Outcome.FAILS, "port.f90", 3)]
    assert "constant changed" in found[0].message


def test_the_same_numbers_hold(program):
    found = measured(program(GOOD.replace("x = 2.0d0", "x = 1.0d0 + 1.0d0"), GOOD))
    assert [(e.outcome, e.figure) for e in found] == [(Outcome.HOLDS, 2)]


def test_an_original_that_fails_is_not_blamed_on_the_port(program):
    with pytest.raises(Problem, match="the original model ended with exit code 3") as caught:
        measured(program(GOOD, BAD["prints and fails"][0]))
    assert caught.value.kind is Kind.ENVIRONMENT


def test_an_original_that_does_not_build_is_a_problem_at_its_line(program):
    with pytest.raises(Problem, match="the original model does not build") as caught:
        examine(program(GOOD, GOOD.replace("sqrt(x)", "sqrt(x")))
    assert caught.value.where is not None
    assert (caught.value.where.path.name, caught.value.where.line) == ("original.f90", 4)


def test_the_plain_run_of_the_original_keeps_to_the_limit_as_written(program):
    with pytest.raises(Problem, match="did not end within 2 s") as caught:
        measured(program(GOOD, BAD["never ends"][0]))
    assert "[run] time_limit" in caught.value.hint


def test_a_full_disk_is_no_wrong_number(program, monkeypatch):
    subject = program(GOOD, GOOD)
    assert subject.noise.stable
    subject.built(Side.PORT, Build.HOST)
    monkeypatch.setattr(shutil, "disk_usage", lambda path: SimpleNamespace(free=0))
    with pytest.raises(Problem, match="the disk is full") as caught:
        measured(subject)
    assert caught.value.kind is Kind.ENVIRONMENT


WRITES = """\
program p
  real(8) :: x(4)
  x = 0.5d0
  open (7, file='field.bin', form='unformatted', access='stream')
  write (7) x
  close (7)
  print *, 'done'
end program p
"""


@pytest.mark.parametrize(
    ("port", "outcome"),
    [
        (WRITES.replace("0.5d0", "0.25d0"), Outcome.FAILS),
        (WRITES.replace("field.bin", "other.bin"), Outcome.FAILS),
        (WRITES, Outcome.HOLDS),
    ],
)
def test_a_file_nobody_named_is_compared(program, port, outcome):
    found = measured(program(port, WRITES))
    assert {e.outcome for e in found} == {outcome}
    if outcome is Outcome.HOLDS:
        assert "1 files that the run wrote: field.bin" in found[0].message


def test_of_a_change_to_an_accepted_port_nothing_else_is_suspected(program):
    subject = program(GOOD.replace("2.0d0", "3.0d0"), GOOD)
    subject.suspect = Lines("p.f90", 4, 4)
    before = set((subject.work / "runs").glob("blame-*"))
    (found,) = measured(subject)
    assert (found.outcome, found.line) == (Outcome.FAILS, 4)
    assert set((subject.work / "runs").glob("blame-*")) == before


CLOCK = GOOD.replace(
    "  print *", "  integer(8) :: t\n  call system_clock(t)\n  print *, 'clock', t\n  print *"
).replace("  x = 2.0d0\n  integer(8) :: t\n", "  integer(8) :: t\n  x = 2.0d0\n")


def test_a_clock_in_the_output_is_said_and_left_out(program):
    subject = program(CLOCK, CLOCK)
    assert not subject.noise.stable
    assert [e.outcome for e in measured(subject)] == [Outcome.HOLDS]


def test_a_clock_does_not_hide_a_wrong_number(program):
    found = measured(program(CLOCK.replace("sqrt(x)", "sqrt(3.0d0)"), CLOCK))
    assert {e.outcome for e in found} == {Outcome.FAILS}


MODES = """\
program p
  integer :: mode
  namelist /run/ mode
  open (unit=10, file='run.nml')
  read (10, nml=run)
  if (mode == 1) print *, 1.5d0
  if (mode == 2) print *, 2.5d0
end program p
"""


def test_what_only_the_short_run_reaches_is_compared_as_well(tmp_path, work):
    sides = []
    for name, text in (("original", MODES), ("port", MODES.replace("2.5d0", "3.5d0"))):
        folder = tmp_path / name
        folder.mkdir()
        (folder / "p.f90").write_text(text)
        (folder / "run.nml").write_text("&run mode = 1 /\n")
        spec = RunSpec(namelists=("run.nml",), short={"run.nml": {"run": {"mode": 2}}})
        sides.append(Manifest(folder, "modes", ("p.f90",), flags=("-O1",), run=spec))
    failed = measured(Subject(*sides, toolchain("gfortran"), work))
    assert [(e.outcome, e.file, e.line) for e in failed] == [(Outcome.FAILS, "p.f90", 7)]
    right = measured(Subject(sides[0], sides[0], toolchain("gfortran"), work))
    assert [e.outcome for e in right] == [Outcome.HOLDS]
    assert "in the full and the short run" in right[0].message
