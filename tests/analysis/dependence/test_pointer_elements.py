"""Pointers in arrays of structures, and sections that go by names of their own.

Each loop and array statement carries what it is in a comment: its verdict, `if` where a condition
has to be promised.
"""

from textwrap import dedent

import pytest

from acclimate.analysis.index import index_project
from acclimate.analysis.tree.manifest import load_manifest

MODEL = """
    module m
      implicit none
      type field
        real, allocatable :: t(:,:,:), q(:,:,:)
        real, pointer :: w(:)
      end type
      type row
        type(field) :: c(10)
        real :: u(4,4,10,3)
      contains
        procedure :: clear
      end type
      real, pointer :: now(:), new(:), same(:)
      real, target :: h(100, 2)
    contains
      subroutine level(t, q, k)
        real, intent(inout) :: t(:,:)
        real, intent(in) :: q(:,:)
        integer, intent(in) :: k
        t(:, k) = q(:, k)                                             ! parallel
      end subroutine
      subroutine again(p, k)
        real, pointer :: p(:)
        integer, intent(in) :: k
        p(k) = 0.0
      end subroutine
      subroutine clear(self, k)
        class(row) :: self
        integer, intent(in) :: k
        self%u(1,1,1,k) = 0.0
      end subroutine
      subroutine read_on(p, x, k)
        real, pointer, intent(in) :: p(:)
        real, intent(out) :: x
        integer, intent(in) :: k
        x = p(k)
      end subroutine
      subroutine on(p, q, k)
        real, allocatable :: p(:,:,:), q(:,:,:)
        integer, intent(in) :: k
        call level(p(:,:,1), q(:,:,1), k)
      end subroutine
      subroutine pointers(r, b, n, one, two)
        type(row) :: r(9)
        integer :: n, k, one, two
        real :: b(n)
        real, target :: far(0:100)
        do k = 1, n                                                   ! parallel if
          r(1)%c(k)%w(k) = 1.0
        end do
        do k = 1, n                                                   ! parallel if
          r(1)%c(one)%w(k) = r(1)%c(two)%w(k)
        end do
        do k = 2, n                                                   ! unknown
          r(1)%c(one)%w(k) = r(1)%c(two)%w(k - 1)
        end do
        do k = 2, n                                                   ! serial
          r(1)%c(one)%w(k) = r(1)%c(one)%w(k - 1)
        end do
        do k = 2, n                                                   ! parallel
          r(1)%c(one)%w(k) = r(1)%c(one)%w(k)*b(k)
        end do
        r(1)%c(1)%w(:) = r(1)%c(2)%w(:)                               ! parallel if
        r(1)%u(:,:,:,one) = r(1)%u(:,:,:,two)                         ! parallel
        r(1)%u(:,:,1:8,one) = r(1)%u(:,:,2:9,two)                     ! rewrite
        do k = 1, n                                                   ! parallel
          call again(r(1)%c(one)%w, k)
        end do
        do k = 1, n                                                   ! parallel if
          call again(r(1)%c(k)%w, k)
        end do
        associate (here => r(one))
          do k = 1, 3                                                 ! parallel
            call here%clear(k)
          end do
        end associate
        do k = 1, 99                                                  ! parallel
          call read_on(far, far(k), k)
        end do
        do k = 1, 99                                                  ! unknown
          call read_on(far(:), far(k), k)
        end do
        now => h(:, 1)
        new => h(:, 2)
        same => h(:, 1)
        do k = 1, n                                                   ! parallel if
          new(k) = now(k)
        end do
        do k = 1, n                                                   ! unknown
          same(k) = now(k)
        end do
      end subroutine
      subroutine passed(f, t, n)
        type(field) :: f
        real, allocatable :: t(:,:,:)
        integer :: n, k
        do k = 1, n                                                   ! parallel
          call level(f%t(:,:,1), f%q(:,:,1), k)
        end do
        do k = 1, n                                                   ! unknown
          call on(f%t, f%q, k)
        end do
        do k = 2, n                                                   ! unknown
          call level(t(:,:,1), t(:,:,1), k)
          t(1, k - 1, 1) = 2.0
        end do
        do k = 2, n                                                   ! serial
          call level(t(:,:,1), f%q(:,:,1), k)
          call level(f%q(:,:,2), t(:,:,1), k - 1)
        end do
      end subroutine
      subroutine sections(f, a, low, n, j0)
        type(field) :: f
        integer :: n, j, j0, i
        real :: a(0:n, n), low(-3:n)
        associate (t => f%t(:,:,2), q => f%q(:,:,2), c => a(:, j0), d => a(2:5, j0), e => low(:))
          do j = 2, n                                                 ! parallel
            t(1,j) = f%t(1,j,1) + q(1,j - 1)
          end do
          do j = 2, n                                                 ! serial
            t(1,j) = t(1,j - 1)
          end do
          do j = 2, n                                                 ! unknown
            t(1,j) = f%t(1,j,2)
          end do
          do i = 1, n                                                 ! parallel
            c(i + 1) = a(i, j0)
          end do
          do i = 1, n                                                 ! serial
            c(i) = a(i, j0)
          end do
          do i = 1, 3                                                 ! serial
            d(i) = a(i, j0)
          end do
          do i = 1, n                                                 ! parallel
            e(i + 4) = low(i)
          end do
          do i = 1, n - 1                                             ! serial
            e(i + 4) = low(i + 1) + sum([e(i + 5), 1.0])
          end do
        end associate
        forall (i = 1:3) a(i, 1) = a(i - 1, 1)                        ! rewrite
        forall (i = 1:3) a(:, place(i)) = a(:, place(i - 1))          ! rewrite
        forall (i = 1:3) a(i, n) = a(i, j0)                           ! parallel
      end subroutine
      pure integer function place(i)
        integer, intent(in) :: i
        place = i + 1
      end function
    end module
    """


@pytest.fixture(scope="module")
def judged(tmp_path_factory):
    file = tmp_path_factory.mktemp("pointers") / "model.f90"
    file.write_text(dedent(MODEL))
    index = index_project(load_manifest(file))
    return {
        loop.at.first: loop.verdict.value + (" if" if loop.unproved else "") for loop in index.loops
    }


def test_each_is_what_its_comment_says(judged):
    lines = dedent(MODEL).splitlines()
    wanted = {n: line.partition("! ")[2] for n, line in enumerate(lines, 1) if "! " in line}
    assert len(wanted) == 31
    assert {line: judged.get(line) for line in wanted} == wanted
