"""Objects that a directive could not name where the original names them: not there, or another."""

from pathlib import Path

import pytest

from acclimate.analysis.index import index_project
from acclimate.analysis.tree.manifest import Manifest
from acclimate.porter import engine

MODULE = """\
module m
  implicit none
  type st
    real, allocatable :: h(:,:)
  end type
  type dom
    type(st), allocatable :: prog(:)
  end type
  type(dom), allocatable, target :: p(:)
  type(dom), pointer :: q => null()
contains
  subroutine make(nd)
    integer, intent(in) :: nd
    integer :: jg, k
    allocate(p(nd))
    do jg = 1, nd
      allocate(p(jg)%prog(2))
      do k = 1, 2
        allocate(p(jg)%prog(k)%h(20,20))
      end do
    end do
  end subroutine
  subroutine step(jg, a, b)
    integer, intent(in) :: jg, a, b
    integer :: i, j
    do j = 1, 20
      do i = 1, 20
        p(jg)%prog(b)%h(i,j) = 1.5*p(jg)%prog(a)%h(i,j) + i
      end do
    end do
  end subroutine
  subroutine host(n, x, ok, s)
    integer :: n
    real :: x
    logical :: ok
    type(st), optional, intent(inout) :: s
    integer :: i, k, l, counted
    common /c/ counted
    equivalence (k, l)
{}  end subroutine
  subroutine count_on
    integer :: other
    common /c/ other
    other = other + 1
  end subroutine
  pure subroutine second(a, x)
    type(st), intent(in) :: a(*)
    real, intent(out) :: x
    x = a(2)%h(1,1)
  end subroutine
end module
program main
  use m
  real :: x
  call make(3)
  call step(1, 1, 2)
  call host(1, x, .true.)
  print *, x
end program
"""


def planned(folder: Path, *lines: str) -> tuple[list[str], str]:
    """What is refused of the kernel's loop, and the text of the port."""
    text = MODULE.format("".join(f"    {line}\n" for line in lines))
    (folder / "m.f90").write_text(text)
    index = index_project(Manifest(root=folder, name="m", sources=("m.f90",)))
    plan = engine.plan(index)
    rewrites = {unit: engine.propose(plan, unit, index) for unit in plan.changed_units}
    at = text.splitlines().index("    do j = 1, 20") + 1
    refused = [d.refusal.reason for d in plan.loops if d.at.first == at and d.refusal is not None]
    return refused, engine.assemble(plan, rewrites, index).get("m.f90", b"").decode()


@pytest.mark.parametrize(
    "lines",
    [
        ("if (ok) x = p(n)%prog(2)%h(1,1)",),
        ("if (associated(q)) x = q%prog(2)%h(1,1)",),
        ("if (allocated(p)) x = p(1)%prog(2)%h(1,1)",),
        ("if (present(s)) x = s%h(2,2)",),
        ("do i = 1, 3", "  if (ok) exit", "  x = x/2 + p(n)%prog(2)%h(i,1)", "end do"),
        ("do i = 1, 3", "  if (ok) x = x/2 + p(n)%prog(2)%h(i,1)", "end do"),
        ("do i = 1, 3", "  x = x/2 + p(k)%prog(2)%h(i,1)", "  l = i", "end do"),
        ("do i = 1, 3", "  x = x/2 + p(counted)%prog(2)%h(i,1)", "  call count_on", "end do"),
        ("do i = 1, 3", "  call second(p(i)%prog(1), x)", "end do"),
    ],
)
def test_data_of_uncertain_objects_stays_on_the_host(tmp_path: Path, lines: tuple[str]) -> None:
    refused, _ = planned(tmp_path, *lines)
    assert len(refused) == 1
    assert "cannot stay on the device" in refused[0]


@pytest.mark.parametrize(
    ("lines", "before"),
    [
        (("x = p(n)%prog(2)%h(1,1)",), "x = p(n)"),
        (("if (ok) then", "  x = p(n)%prog(2)%h(1,1)", "end if"), "  x = p(n)"),
        (
            ("select case (i)", "case (1)", "  x = p(n)%prog(2)%h(i,1)", "end select"),
            "  x = p(n)",
        ),
        (("do i = 1, 3", "  x = x/2 + p(n)%prog(2)%h(i,1)", "end do"), "do i = 1, 3"),
        (("do i = 1, n", "  x = x/2 + p(n)%prog(2)%h(i,1)", "end do"), "  x = x/2"),
    ],
)
def test_the_update_stands_where_the_object_is_there(
    tmp_path: Path, lines: tuple[str], before: str
) -> None:
    refused, port = planned(tmp_path, *lines)
    assert refused == []
    text = port.splitlines()
    (update,) = (n for n, line in enumerate(text) if "update self(p(n)%prog(2)%h)" in line)
    assert text[update + 1].startswith(f"    {before}")
