"""Where data enters, leaves and is updated: refusals first, then what a bracket must look like."""

from typing import Any

import pytest

from acclimate.analysis.problems import Problem
from acclimate.porter import engine

KERNEL = """
    subroutine work(n, a)
      integer, intent(in) :: n
      real(8), intent(inout) :: a(n)
      integer :: i
      do i = 1, n
        a(i) = a(i) + 1.0d0
      end do
    end subroutine work
"""


def refusals(models: Any, text: str) -> list[str]:
    plan = engine.plan(models.of_two_files({"main.f90": text}))
    return [decision.refusal.reason for decision in plan.loops if decision.refusal]


@pytest.mark.parametrize(
    ("main", "reason"),
    [
        (
            "real(8) :: a(50)\n common /blk/ a\n a = 1\n call work(50, a)\ncontains\n"
            "subroutine s\n real(8) :: b(25)\n common /blk/ b\n b = 1\n end subroutine s",
            "COMMON of more than one layout",
        ),
        ("real(8) :: a(50, 50)\n a = 1\n call work(50, a(3, :))", "not contiguous"),
        ("real(8) :: a(50)\n a = 1\n call work(50, 2*a)", "expression"),
    ],
)
def test_storage_that_cannot_be_followed_is_refused(models: Any, main: str, reason: str) -> None:
    found = refusals(
        models, KERNEL + f"\nprogram main\n implicit none\n {main}\nend program main\n"
    )
    assert any(reason in text for text in found)


def test_a_kernel_of_the_model_on_such_storage_is_a_problem_at_its_place(models: Any) -> None:
    kernel = KERNEL.replace("      do i", "      !$acc parallel loop\n      do i")
    main = "\nprogram main\n real(8) :: a(50)\n common /blk/ a\n a = 1\n call work(50, a)\nend\n"
    main += "subroutine s\n real(8) :: b(25)\n common /blk/ b\n b = 1\nend\n"
    with pytest.raises(Problem, match="COMMON") as caught:
        engine.plan(models.indexed({"main.f90": kernel + main}))
    assert caught.value.where is not None and caught.value.where.line == 6


def test_a_procedure_that_a_library_offers_is_refused(models: Any) -> None:
    found = refusals(models, KERNEL)
    assert any("no call in the project passes storage" in text for text in found)


def test_a_procedure_that_the_program_never_reaches_is_ported_like_any_other(models: Any) -> None:
    source = KERNEL + "\nprogram main\n print *, 1\nend program main\n"
    assert len(engine.plan(models.indexed({"main.f90": source})).kernels) == 1


def test_a_namelist_of_a_used_module_is_read_into_resident_data(models: Any) -> None:
    source = """
        module settings
          implicit none
          real(8) :: rate(40) = 1.0d0
          namelist /run/ rate
        contains
          subroutine halve(n)
            integer, intent(in) :: n
            integer :: i
            do i = 1, n
              rate(i) = 0.5d0*rate(i)
            end do
          end subroutine halve
        end module settings
        program main
          use settings, only: group => run, halve, rate
          implicit none
          call halve(40)
          read (5, nml=group)
          call halve(40)
          print *, sum(rate)
        end program main
        """
    port = models.ported(models.indexed({"main.f90": source}))
    text = port["main.f90"]
    assert "nml=group)\n  !$acc update device(rate)\n" in text
    assert "!$acc update self(rate)\n  read" in text


def test_a_kernel_in_a_host_loop_on_the_same_data_is_withdrawn(models: Any) -> None:
    found = refusals(
        models,
        """
        program main
          implicit none
          real(8) :: a(30, 30)
          integer :: i, k
          a = 1.0d0
          do k = 2, 30
            if (a(1, k - 1) > 5.0d0) exit
            do i = 1, 30
              a(i, k) = a(i, k - 1) + 1.0d0
            end do
          end do
          print *, a(3, 3)
        end program main
        """,
    )
    assert any("works on the same data" in text for text in found)


def port(models: Any, text: str) -> list[str]:
    ported = models.ported(models.indexed({"main.f90": text}))
    return [line.strip() for line in ported["main.f90"].split("\n")]


def test_received_data_goes_to_the_device_behind_the_wait(models: Any) -> None:
    lines = port(
        models,
        """
        subroutine exchange(n, a, buf, out)
          integer, intent(in) :: n
          real(8), intent(inout) :: a(n), buf(n), out(n)
          integer :: i, req, ierr
          call mpi_irecv(buf, n, 8, 0, 0, 0, req, ierr)
          do i = 1, n
            out(i) = a(i)
          end do
          call mpi_send(out, n, 8, 0, 0, 0, ierr)
          call mpi_wait(req, 0, ierr)
          do i = 1, n
            a(i) = buf(i)
          end do
        end subroutine exchange
        program main
          implicit none
          real(8), allocatable :: a(:), b(:), c(:)
          allocate (a(99), b(99), c(99))
          call exchange(99, a, b, c)
        end program main
        """,
    )
    to_device = lines.index("!$acc update device(buf)")
    assert lines[to_device - 1] == "call mpi_wait(req, 0, ierr)"
    assert lines[lines.index("call mpi_send(out, n, 8, 0, 0, 0, ierr)") - 1] == (
        "!$acc update self(out)"
    )
    assert not any("update" in line and "buf" in line for line in lines[: to_device - 1])
    assert "!$acc enter data create(a, b, c)" in lines


def test_local_arrays_leave_at_every_exit(models: Any) -> None:
    ported = models.ported(models.column())["main.f90"]
    lines = [line.strip() for line in ported.split("\n")]
    assert lines[lines.index("if (nx > 100) return") - 1] == (
        "!$acc exit data delete(work) if(nx > 100)"
    )
    assert lines[lines.index("end subroutine dynamics") - 1] == "!$acc exit data delete(work)"


def test_objects_enter_after_their_components_have_storage(models: Any) -> None:
    ported = models.ported(models.column())["state.f90"]
    lines = [line.strip() for line in ported.split("\n")]
    entry = lines.index("!$acc enter data copyin(now)")
    assert lines[entry - 2 : entry] == ["call new_field(now%t)", "call new_field(now%q)"] or (
        "allocate (flux(nx, nz))" in lines[entry - 2 : entry]
    )
    assert lines[entry + 1] == "!$acc enter data copyin(now%q, now%t)"


OBJECT = """
module m
  type :: t
    integer, allocatable :: a(:), b(:)
  end type t
contains
  subroutine setup(s)
    type(t), intent(inout) :: s
    allocate (s%a(9))
    ! between
    allocate (s%b(9))
  end subroutine setup
  subroutine step(s)
    type(t), intent(inout) :: s
    integer :: i
    do i = 1, 9
      s%b(i) = s%a(i) + s%b(i)
    end do
  end subroutine step
end module m
program p
  use m
  type(t) :: s
  call setup(s)
  call step(s)
  print *, s%b
end program p
"""


@pytest.mark.parametrize(("between", "kind"), [("! nothing", "create"), ("s%a = 2", "copyin")])
def test_a_component_takes_a_value_along_that_it_has_before(
    models: Any, between: str, kind: str
) -> None:
    lines = port(models, OBJECT.replace("! between", between))
    assert f"!$acc enter data {kind}(s%a, s%b)" in lines


def test_tables_of_device_routines_are_declared_and_updated(models: Any) -> None:
    ported = models.ported(models.column())["state.f90"]
    assert "!$acc declare create(table)" in ported
    filled = ported.split("subroutine fill_table")[1]
    assert "!$acc update device(table)" in filled


def test_a_procedure_called_in_a_host_loop_is_bracketed_around_the_loop(models: Any) -> None:
    ported = models.ported(models.column())
    assert "update" not in ported["state.f90"].split("subroutine set_cell")[1].split("end")[0]
    lines = [line.strip() for line in ported["main.f90"].split("\n")]
    call = lines.index("call set_cell(i, k, 0.1d0*i + k)")
    assert lines[call + 1 : call + 4] == ["end do", "end do", "associate (acc_1 => now%q)"]


def test_what_no_kernel_writes_is_never_fetched(models: Any) -> None:
    ported = models.ported(models.column())["main.f90"]
    assert "copyin(weight)" in ported
    assert "self(weight)" not in ported


def test_assumed_size_elsewhere_is_named_with_its_procedure(models: Any) -> None:
    other = """
    subroutine tomat(n, m, x)
      integer, intent(in) :: n, m
      real(8), intent(inout) :: x(n, *)
      x(1, 1) = x(1, m)
    end subroutine tomat
    """
    main = "\nprogram main\n real(8) :: a(50)\n a = 1\n call work(50, a)\n%s print *, a\nend\n"
    assert not refusals(models, KERNEL + main % "")
    (found,) = refusals(models, KERNEL + other + main % " call tomat(5, 10, a)\n")
    assert "it shares storage with other data: argument 'x' of 'tomat' is of assumed size" in found


SHARED_LINES = """
module fields
contains
  subroutine fill(a, n)
    integer, intent(in) :: n
    real(8), intent(out) :: a(n)
    integer :: i
    real(8) :: seed
    seed = 1.0d0
    do i = 1, n
      seed = mod(16807.0d0*seed, 2147483647.0d0)
      a(i) = seed
    end do
  end subroutine fill
end module fields
program main
  use fields
  implicit none
  real(8), allocatable :: a(:), b(:)
  integer :: i
  allocate (a(99), b(99)); call fill(a, 99); a = 2.0d0*a; call fill(b, 99)
  do i = 1, 99
    a(i) = a(i) + b(i)
  end do
  print *, a
end program main
"""


def test_statements_that_share_a_line_with_calls_are_bracketed_with_it(models: Any) -> None:
    lines = port(models, SHARED_LINES)
    at = next(n for n, line in enumerate(lines) if line.startswith("allocate"))
    assert "!$acc update self" not in lines[at - 1]
    assert lines[at + 1 : at + 3] == [
        "!$acc enter data create(a, b)",
        "!$acc update device(a, b)",
    ]
    assert not any("update" in line for line in lines[: lines.index("end module fields")])


PARTED = """
module rows
contains
  subroutine add(a, b)
    real(8), intent(inout) :: a(:), b(:)
    integer :: i
    do i = 1, size(a)
      a(i) = a(i) + b(i)
    end do
    do i = 1, size(b)
      b(i) = 2.0d0*b(i)
    end do
  end subroutine add
end module rows
program main
  use rows
  implicit none
  real(8), allocatable :: b(:), c(:, :)
  integer :: i
  allocate (b(50), c(3, 50))
  c = 1.0d0
  do i = 1, 50
    b(i) = real(i, 8)
  end do
  call add(c(2, :), b)
  print *, sum(c), sum(b)
end program main
"""


def test_a_kernel_that_may_run_on_the_host_touches_nothing_that_is_stale_there(models: Any) -> None:
    """`a` is not contiguous here, so the device cannot be used; the host's `b` is out of date."""
    lines = models.ported(models.indexed({"main.f90": PARTED}))["main.f90"].split("\n")
    stripped = [line.strip() for line in lines]
    at = stripped.index("do i = 1, size(a)")
    assert stripped[at - 1] == "!$acc update self(b)"
    assert stripped[stripped.index("do i = 1, size(b)") - 1].startswith("!$acc parallel loop")
    assert not any("is_contiguous" in line for line in stripped)
    beside = PARTED.replace("a(i) = a(i) + b(i)", "a(i) = a(i) + 1.0d0")
    text = models.ported(models.indexed({"main.f90": beside}))["main.f90"]
    assert "copy(a) if(is_contiguous(a))" in text
