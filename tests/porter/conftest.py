"""Small models written to a folder, indexed and ported, for the tests of the rule engine."""

from dataclasses import dataclass
from pathlib import Path
from textwrap import dedent

import pytest

from acclimate.analysis.index import ProjectIndex, index_project
from acclimate.analysis.tree.manifest import Manifest
from acclimate.porter import engine
from acclimate.porter.plan import PortPlan
from acclimate.porter.rewrite import Rewrite

STATE = """
    module state
      implicit none
      type :: level_t
        real(8), allocatable :: t(:, :), q(:, :)
      end type level_t
      type(level_t) :: now
      real(8), allocatable :: flux(:, :)
      real(8), save :: table(8)
      real(8) :: weight(40) = 0.5d0
      integer :: nx = 6, nz = 5
    contains
      subroutine new_field(f)
        real(8), allocatable, intent(inout) :: f(:, :)
        allocate (f(nx, nz))
        f = 1.0d0
      end subroutine new_field
      subroutine new_state()
        call new_field(now%t)
        call new_field(now%q)
        allocate (flux(nx, nz))
      end subroutine new_state
      subroutine fill_table()
        integer :: n
        do n = 1, 8
          table(n) = 1.0d0/n
        end do
      end subroutine fill_table
      real(8) function lookup(n)
        integer, intent(in) :: n
        lookup = table(1 + mod(n, 8))
      end function lookup
      subroutine set_cell(i, k, value)
        integer, intent(in) :: i, k
        real(8), intent(in) :: value
        now%q(i, k) = value
      end subroutine set_cell
    end module state
"""

MAIN = """
    program main
      use state
      implicit none
      integer :: i, k, step
      real(8) :: total
      call new_state()
      call fill_table()
      do k = 1, nz
        do i = 1, nx
          call set_cell(i, k, 0.1d0*i + k)
        end do
      end do
      do step = 1, 3
        call dynamics(now%t, flux)
        call physics(step)
      end do
      total = 0.0d0
      do k = 1, nz
        do i = 1, nx
          total = total + now%t(i, k)
        end do
      end do
      print '(es12.5)', total
      print '(es12.5)', now%q(2, 3), sum(flux)
      deallocate (flux)
    contains
      subroutine dynamics(t, f)
        real(8), intent(inout) :: t(nx, nz), f(nx, nz)
        real(8) :: work(nx)
        integer :: i, k
        do k = 1, nz
          do i = 1, nx
            f(i, k) = t(i, k)*weight(i) + now%q(i, k)
          end do
        end do
        do i = 1, nx
          work(i) = f(i, 1)
        end do
        if (nx > 100) return
        f(:, 2) = 0.0d0
        do k = 2, nz
          do i = 1, nx
            t(i, k) = t(i, k) + 0.01d0*f(i, k - 1) + work(i)*lookup(k)
          end do
        end do
        f(1, 1) = t(1, 1) + f(1, 2)
      end subroutine dynamics
      subroutine physics(step)
        integer, intent(in) :: step
        integer :: i
        do i = 1, nx
          now%q(i, 1) = now%q(i, 1) + step
        end do
      end subroutine physics
    end program main
"""


@dataclass(frozen=True)
class Models:
    """Writes models to `folder`, indexes and ports them."""

    folder: Path

    def indexed(self, files: dict[str, str]) -> ProjectIndex:
        for name, text in files.items():
            (self.folder / name).write_text(dedent(text).lstrip("\n"))
        return self.read()

    def read(self) -> ProjectIndex:
        """Index whatever Fortran stands in the folder."""
        names = sorted(p.name for p in self.folder.iterdir() if p.suffix in (".f90", ".F90", ".f"))
        return index_project(Manifest(root=self.folder, name="test", sources=tuple(names)))

    def of_two_files(self, files: dict[str, str]) -> ProjectIndex:
        """A model, not a single program: its kernels have to be worth what they move."""
        return self.indexed(files | {"elsewhere.f90": "module elsewhere\nend module elsewhere\n"})

    def column(self) -> ProjectIndex:
        """A model with most of what residency has to follow."""
        return self.indexed({"state.f90": STATE, "main.f90": MAIN})

    def ported(self, index: ProjectIndex, exclude: frozenset[str] = frozenset()) -> dict[str, str]:
        """The changed files of a port, as text."""
        plan = engine.plan(index, exclude)
        files = engine.assemble(plan, self.proposals(plan, index), index)
        return {file: data.decode("latin-1") for file, data in files.items()}

    def proposals(self, plan: PortPlan, index: ProjectIndex) -> dict[str, Rewrite]:
        said = {unit: engine.propose(plan, unit, index) for unit in plan.changed_units}
        return {unit: rewrite for unit, rewrite in said.items() if isinstance(rewrite, Rewrite)}


@pytest.fixture
def models(tmp_path: Path) -> Models:
    return Models(tmp_path)
