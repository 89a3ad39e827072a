"""The ledger: every byte and launch, by the directive that caused it."""

import json
import shutil
from pathlib import Path

import pytest

from acclimate.verifier.running import emulation
from acclimate.verifier.running.code_places import fortran_name, places, variables
from acclimate.verifier.running.emulation import build_runtime, read_summary, reports

pytestmark = pytest.mark.gfortran

STEPS = """\
module steps
  implicit none
  real(8) :: field(1000) = 1, other(1000) = 1
contains
  subroutine advance(n)
    integer, intent(in) :: n
    integer :: i
    !$acc parallel loop default(present) async(2)
    do i = 1, n
      field(i) = field(i) + other(i)
    end do
    !$acc wait(2)
  end subroutine
end module
program p
  use steps
  implicit none
  integer :: k
  !$acc enter data copyin(field) create(other)
  !$acc update device(other)
  do k = 1, 3
    call advance(1000)
    !$acc update self(field)
  end do
  !$acc update self(field)
  !$acc exit data delete(field)
  print *, nint(sum(field))
end program
"""


def test_no_report_is_no_summary(tmp_path: Path):
    assert read_summary(tmp_path / "absent.json") is None
    (tmp_path / "cut.json").write_text('{"schema":1,"ended":"ex')
    assert read_summary(tmp_path / "cut.json") is None


def test_the_ledger_names_lines_and_counts_bytes(emulate):
    run = emulate(STEPS)
    seen = run.summary
    assert run.words == ["4000"]
    assert (seen.launches, seen.asynchronous, seen.waits) == (3, 3, 3)
    assert (seen.bytes_to_device, seen.bytes_to_host) == (16000, 32000)
    assert seen.bytes_mapped_at_exit == 8000
    assert 16000 <= seen.peak_bytes < 16064  # the fields and the arguments of a kernel
    (kernel,) = seen.kernels
    assert kernel.at is not None
    assert kernel.at.line == 8
    assert kernel.launches == 3
    by_line = {
        (t.at.line, t.reason, t.direction): (t.count, t.bytes, t.changed)
        for t in seen.transfers
        if t.at and t.bytes
    }
    assert by_line[19, "enter", "to-device"] == (1, 8000, 1)
    assert by_line[19, "enter", "allocation"] == (1, 8000, 0)
    assert by_line[20, "update", "to-device"] == (1, 8000, 1)
    assert by_line[23, "update", "to-host"] == (3, 24000, 3)
    assert by_line[25, "update", "to-host"] == (1, 8000, 0)


TWINS = """\
module twins
  implicit none
  real(8), allocatable :: a(:), b(:)
contains
  subroutine step(k)
    integer, intent(in) :: k
    integer :: i
    !$acc parallel loop present(a)
    do i = 1, 64
      a(i) = 0
    end do
    !$acc parallel loop present(b)
    do i = 1, 64
      b(i) = 0
    end do
    !$acc update self(a)
    !$acc update self(a)
    if (k < 4) then
      !$acc parallel loop present(a)
      do i = 1, 64
        a(i) = 2
      end do
      !$acc update self(a)
    else
      !$acc parallel loop present(a)
      do i = 1, 64
        a(i) = 2
      end do
      !$acc update self(a)
    end if
  end subroutine
end module
program p
  use twins
  implicit none
  integer :: k
  allocate (a(64), b(64))
  a = 1; b = 1
  !$acc enter data copyin(a, b)
  do k = 1, 5
    call step(k)
  end do
  print *, a(1), b(1)
end program
"""


@pytest.mark.parametrize("level", ["-O1", "-O2", "-O3"])
def test_equal_kernels_and_updates_are_counted_apart(emulate, level):
    seen = emulate(TWINS, level=level).summary
    launches = {k.at.line: k.launches for k in seen.kernels if k.at}
    assert launches == {8: 5, 12: 5, 19: 3, 25: 2}
    updates = {t.at.line: t.count for t in seen.transfers if t.at and t.reason == "update"}
    assert updates == {16: 5, 17: 5, 23: 3, 29: 2}


def test_implicit_copies_are_charged_to_their_kernel(emulate):
    run = emulate(STEPS.replace("default(present)", "").replace("!$acc enter data", "!acc"))
    assert run.summary.kernels == () or run.summary.ended == "finding"
    naive = STEPS.replace("default(present)", "").replace("copyin(field)", "copyin(field(1:0))")
    naive = "\n".join(
        line for line in naive.splitlines() if "acc" not in line or "parallel" in line
    )
    (kernel,) = emulate(naive).summary.kernels
    assert (kernel.bytes_to_device, kernel.bytes_to_host) == (48000, 48000)


def test_kernel_time_is_a_share_of_the_model_alone(emulate):
    heavy = STEPS.replace("field(i) + other(i)", "field(i) + sum(sin(other)) * 1d-9")
    assert emulate(heavy).summary.kernel_share > 0.5
    assert 0 <= emulate(STEPS).summary.kernel_share <= 1


@pytest.mark.parametrize(
    ("statement", "ended"), [("stop 3", "exit"), ("error stop", "exit"), ("call abort", "signal")]
)
def test_a_report_is_left_however_the_program_ends(emulate, statement, ended):
    run = emulate(STEPS.replace("print *,", f"{statement}\n  print *,"))
    assert run.code != 0
    assert run.summary.ended == ended
    assert run.summary.launches == 3


def test_ranks_leave_a_report_each(emulate, monkeypatch, tmp_path):
    for rank in (0, 1):
        monkeypatch.setenv("OMPI_COMM_WORLD_RANK", str(rank))
        with pytest.raises(AssertionError):
            emulate(STEPS)
    found = reports(tmp_path / "report.json")
    assert [p.name for p in found] == ["report.json.0", "report.json.1"]
    assert all(json.loads(p.read_text())["totals"]["launches"] == 3 for p in found)


def test_the_runtime_is_compiled_once(runtime, tmp_path, monkeypatch):
    work = tmp_path / "work"
    shutil.copytree(runtime.library.parent.parent, work / "emulation")
    monkeypatch.setattr(emulation, "run_limited", None)
    assert build_runtime(work).library.name == runtime.library.name


@pytest.mark.parametrize(
    ("symbol", "name"),
    [
        ("__steps_MOD_advance", "steps::advance"),
        ("__steps_MOD_advance._omp_fn.0", "steps::advance"),
        ("__a_b_MOD_c_d", "a_b::c_d"),
        ("MAIN__", "main program"),
        ("solve_", "solve"),
        ("inner.3", "inner"),
        ("", ""),
    ],
)
def test_symbols_are_read_as_gfortran_writes_them(symbol, name):
    assert fortran_name(symbol) == name


def test_offsets_without_a_line_or_a_variable_are_left_out(emulate, tmp_path):
    emulate(STEPS)
    assert places(tmp_path / "model", [1]) == {}
    assert variables(tmp_path / "model", [1]) == {}
    assert places(tmp_path / "model", []) == variables(tmp_path / "model", []) == {}
