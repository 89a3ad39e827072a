"""Loops whose verdict rests on conditions: refused, unless a hint promises what they need."""

import pytest

from acclimate.analysis.index import index_project
from acclimate.analysis.tree.manifest import load_manifest
from acclimate.porter.engine import plan
from acclimate.porter.plan import LoopState

SOURCE = """\
program main
  implicit none
  integer, parameter :: n = 100
  integer :: i, k
  integer :: idx(n)
  real :: a(n, n), b(n, n)
  a = 1.0
  b = 2.0
  idx = 1
  {outer}
  do k = 1, n
    {inner}
    do i = 1, n
      a(idx(i), k) = b(i, k)
    end do
  end do
  print *, sum(a)
end program main
"""


def decisions(tmp_path, outer="", inner=""):
    file = tmp_path / "main.f90"
    file.write_text(SOURCE.format(outer=outer, inner=inner))
    found = plan(index_project(load_manifest(file)))
    return {d.at.first: d for d in found.loops}


def test_a_hint_lets_the_porter_go_on(tmp_path):
    inner = decisions(tmp_path, inner="!$acclimate injective(idx)")[13]
    assert inner.state is not LoopState.REFUSED


@pytest.mark.parametrize("place", ["outer", "inner"])
def test_skip_leaves_the_loops_alone(tmp_path, place):
    found = decisions(tmp_path, **{place: "!$acclimate skip"})
    assert {d.state for line, d in found.items() if line in (11, 13)} == {LoopState.REFUSED}
    assert "asks to leave the loop alone" in found[11].refusal.reason


POINTERS = """\
module m
contains
  subroutine shift(p, q, n)
    integer, intent(in) :: n
    real, pointer :: p(:), q(:)
    integer :: i
    {hint}
    do i = 2, n
      p(i) = q(i-1)
    end do
  end subroutine shift
end module m
"""


def test_an_unproved_condition_is_refused_with_the_hint_that_promises_it(tmp_path):
    file = tmp_path / "m.f90"
    file.write_text(POINTERS.format(hint=""))
    (decision,) = plan(index_project(load_manifest(file))).loops
    assert decision.state is LoopState.REFUSED
    assert decision.refusal.reason == (
        "parallel only if `p` and `q` do not share storage (m.f90:9), which nothing proves"
    )
    assert decision.refusal.next_step == ("promise it before the loop: !$acclimate noalias(p, q)")
