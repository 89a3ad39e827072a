"""What of a unit travels to others."""

from acclimate.analysis.index import index_project
from acclimate.analysis.tree.manifest import Manifest

TEXT = """\
program p
  implicit none
  real :: a(4)
  block
    integer :: i
    do i = 1, 4
      a(i) = i
    end do
  end block
end program p
"""


def test_a_unit_may_begin_with_a_block(tmp_path):
    (tmp_path / "p.f90").write_text(TEXT)
    index = index_project(Manifest(tmp_path, "p", ("p.f90",)))
    assert [unit.name for unit in index.units] == ["p"]
