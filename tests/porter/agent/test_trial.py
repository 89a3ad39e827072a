"""When a restructured unit gains something, told by its loops alone."""

from pathlib import Path

from acclimate.analysis.index import index_project
from acclimate.analysis.tree.manifest import load_manifest
from acclimate.porter.agent.trial import Work, work_of
from acclimate.porter.engine import plan

HEAD = """\
program p
  implicit none
  integer, parameter :: n = 60
  real(8) :: x(n, n), b(n), w
  integer :: k, m
  b = 2.0d0
  x = 1.0d0
"""
BEFORE = """\
  do k = 2, n
    b(k) = b(k) - 0.1d0*b(k-1)
    do m = 1, n
      x(k,m) = x(k,m) - b(k)*x(k-1,m)
    end do
  end do
"""
AFTER = """\
  do k = 2, n
    b(k) = b(k) - 0.1d0*b(k-1)
  end do
  do m = 1, n
    do k = 2, n
      x(k,m) = x(k,m) - b(k)*x(k-1,m)
    end do
  end do
"""
TAIL = "  print *, x, b\nend program p\n"


def work(folder: Path, loops: str):
    file = folder / "p.f90"
    file.write_text(f"{HEAD}{loops}{TAIL}")
    index = index_project(load_manifest(file))
    return work_of(plan(index), index, "p")


def test_launches_that_leave_a_host_loop_are_a_gain_and_the_way_back_is_none(tmp_path):
    before, after = work(tmp_path, BEFORE), work(tmp_path, AFTER)
    assert after.gains(before)
    assert not before.gains(after) and not before.gains(before)


def test_fewer_loops_on_the_host_are_no_gain_where_nothing_runs_on_the_device():
    assert not Work(0, (1, 0, 0)).gains(Work(0, (2, 0, 0)))
    assert Work(1, (1, 0, 1)).gains(Work(1, (2, 0, 1)))
