"""Tables that kernels fill and device routines read: refusals first, then both copies alike."""

import subprocess
from typing import Any

import pytest

from acclimate.porter import engine
from acclimate.porter.invariant.legality import violations

FILL = """\
        do i = 1, last
          values(i) = 1.0d0/i
        end do
"""
TABLE = f"""
    module table
      implicit none
      private
      public :: fill, lookup
      integer, save :: last = 0
      real(8), save :: values(99) = 0.0d0
    contains
      subroutine fill(n)
        integer, intent(in) :: n
        integer :: i, k, work(50)
        work = 1
        last = n
{FILL}
      end subroutine fill
      real(8) function lookup(i)
        integer, intent(in) :: i
        lookup = values(1 + mod(i, last))
      end function lookup
    end module table
    program main
      use table
      implicit none
      real(8), allocatable :: a(:)
      integer :: i
      allocate (a(50))
      call fill(60)
      do i = 1, 50
        a(i) = lookup(i)
      end do
      print '(es12.5)', sum(a), lookup(7)
    end program main
"""


def ported(models: Any, text: str = TABLE) -> list[str]:
    lines = models.ported(models.of_two_files({"main.f90": text}))["main.f90"].split("\n")
    return [line.strip() for line in lines]


@pytest.mark.parametrize(
    ("fill", "reason"),
    [
        (
            "do i = 1, last\n values(i) = 1.0d0/i\n end do; if (lookup(3) < 0) stop\n",
            "'values': another statement stands where a kernel that writes it ends",
        ),
        (
            "do i = 1, 50\n last = last + work(i)\n end do\n",
            "'last' is reduced into and read by device routines",
        ),
        (
            "do k = 2, 9\n if (lookup(k) > 5) exit\n do i = 2, last\n values(i) = values(1)*k\n"
            " end do\n end do\n",
            "works on the same data",
        ),
    ],
    ids=["no place for the update", "a sum into a scalar", "filled again and again"],
)
def test_tables_whose_copies_cannot_be_kept_alike_are_refused(
    models: Any, fill: str, reason: str
) -> None:
    plan = engine.plan(models.of_two_files({"main.f90": TABLE.replace(FILL, fill)}))
    reasons = [decision.refusal.reason for decision in plan.loops if decision.refusal]
    assert any(reason in found for found in reasons), reasons


def test_a_table_that_a_kernel_fills_comes_back_right_behind_it(models: Any) -> None:
    lines = ported(models)
    assert "!$acc declare copyin(last, values)" in lines
    kernel = next(n for n, line in enumerate(lines) if "parallel loop" in line)
    assert lines[kernel - 1 : kernel + 5] == [
        "!$acc update device(last)",
        "!$acc parallel loop gang vector default(present) private(i)",
        "do i = 1, last",
        "values(i) = 1.0d0/i",
        "end do",
        "!$acc update self(values)",
    ]
    assert not any("update" in line and "values" in line for line in lines[kernel + 5 :])


def test_the_update_stands_below_the_end_of_a_kernel_that_was_there(models: Any) -> None:
    begin, end = (
        "        !$acc parallel loop present(values)\n",
        "        !$acc end parallel loop\n",
    )
    lines = ported(models, TABLE.replace(FILL, begin + FILL + end))
    assert lines[lines.index(end.strip()) + 1] == "!$acc update self(values)"


def test_values_from_before_the_first_statement_reach_the_device(models: Any) -> None:
    data = TABLE.replace("values(99) = 0.0d0", "values(99)\n      data values/99*0.0d0/")
    assert "!$acc declare copyin(last, values)" in ported(models, data)
    none = TABLE.replace("values(99) = 0.0d0", "values(99)")
    assert "!$acc declare copyin(last) create(values)" in ported(models, none)


@pytest.mark.parametrize("update", ["update device(last)", "update self(values)"])
def test_a_dropped_update_is_a_broken_invariant(models: Any, update: str) -> None:
    index = models.indexed({"main.f90": TABLE})
    text = models.ported(index)["main.f90"]
    kept = "\n".join(line for line in text.split("\n") if update not in line)
    assert violations(index, {"main.f90": text.encode()}) == ()
    (found,) = violations(index, {"main.f90": kept.encode()})
    assert found.unit == "table::fill" and f"`{update}`" in found.message


def test_a_ported_table_needs_no_second_port(models: Any) -> None:
    text = models.ported(models.of_two_files({"main.f90": TABLE}))["main.f90"]
    again = engine.plan(models.indexed({"main.f90": text}))
    assert again.changed_units == () and len(again.kernels) == 2


@pytest.mark.gfortran
def test_both_sides_read_the_same_table(models: Any) -> None:
    index = models.indexed({"main.f90": TABLE})
    (models.folder / "port.f90").write_text(models.ported(index)["main.f90"])
    printed = set()
    for file in ("main.f90", "port.f90"):
        argv = ["gfortran", "-fopenacc", "-foffload=disable", "-O1", file, "-o", "model"]
        subprocess.run(argv, cwd=models.folder, check=True, timeout=120)
        done = subprocess.run(
            ["./model"], cwd=models.folder, capture_output=True, check=True, timeout=60
        )
        printed.add(done.stdout)
    assert len(printed) == 1 and len(printed.pop().split()) == 2
